/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A 2-D mesh without end-around connections and with wormhole routing, event by event: a
 * message's header takes one channel after the other, x before y, and waits in line where
 * one is held; it keeps what it has. From the last channel on the message flows, and
 * each channel is free when the last byte has passed. One message per node at a time into
 * the network and, if asked for, out of it. Tests only.
 */
#ifndef TESTS_ORACLE_WORMHOLE_H
#define TESTS_ORACLE_WORMHOLE_H

#include <stddef.h>
#include <stdint.h>

enum wormhole_senders {
	WORMHOLE_CLOSED, /* the next message T after the last one, plus what that waited */
	WORMHOLE_OPEN    /* Poisson, T apart on average, whatever happened to the others */
};

struct wormhole {
	size_t width, height;
	double bytes;
	double channel_per_byte;
	double hop; /* time of a header through a node */
	double T;
	enum wormhole_senders senders;
	int ports;       /* does a node receive one message at a time? */
	size_t messages; /* per node, the first tenth not counted */
	uint64_t seed;
};

struct wormhole_result {
	double C_n; /* mean time that a message waits for channels */
	double T_c; /* mean time between a node's messages */
};

struct wormhole_result wormhole_simulate(const struct wormhole *w);

#endif
