/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How clients' work and servers' handlers vary, and how clients choose their server: a few of
 * their times, from all parts of the run. For server_load.c.
 */
#ifndef ANALYZE_SERVER_SAMPLES_H
#define ANALYZE_SERVER_SAMPLES_H

#include "analyze/gains/evidence_base.h"

#define SERVER_SAMPLES 512

struct server_samples {
	uint32_t works, handlers;
	double work_s[SERVER_SAMPLES];    /* from an answer to the next question */
	double handler_s[SERVER_SAMPLES]; /* server_busy_s */
	/*
	 * Does each client ask its servers in turn, or always the same? From 1, it does, to 0, any
	 * of them as likely; one half where there is only one.
	 */
	double in_turn;
};

/*
 * What a server was busy with from the request before message i, of its receives and not the first,
 * to that, s: less what it waited for it.
 */
double server_busy_s(const struct evidence_base *b, uint32_t i);

/* is_server: per rank; servers: how many. */
void server_samples_find(const struct evidence_base *b, const uint8_t *is_server, uint32_t servers,
			 struct server_samples *out);

#endif
