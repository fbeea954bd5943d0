/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A port into a rank that passes all messages in it side by side, each as much slower as there are
 * others: what each has passed so far counts as if it had been there from the beginning. For
 * replay.c.
 */
#ifndef ANALYZE_REPLAY_PORT_H
#define ANALYZE_REPLAY_PORT_H

#include <stdint.h>

#define REPLAY_NO_SEND UINT32_MAX

struct replay_port {
	uint32_t first;  /* of those in it that which is through first; REPLAY_NO_SEND: none */
	uint32_t last;   /* and which is last, if there is one */
	uint32_t n;      /* are in it */
	double passed_s; /* by one that was always there, alone, */
	double at_s;     /* until then */
};

/* A message, which is in no more than one port. */
struct replay_passing {
	double through_s; /* when so much has passed it is through; */
	uint32_t after;   /* the next one then; of equal ones in the order they entered */
};

/* Message send comes at s, which takes g_s alone; all: of all messages, by send. */
void replay_port_enter(struct replay_port *p, struct replay_passing *all, uint32_t send, double g_s,
		       double s);

/* When the first one is through, if none comes before. There must be one. */
double replay_port_next_s(const struct replay_port *p, const struct replay_passing *all);

/* That one leaves at s. */
uint32_t replay_port_leave(struct replay_port *p, const struct replay_passing *all, double s);

#endif
