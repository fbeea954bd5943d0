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
	double handler_s[SERVER_SAMPLES]; /* of one request */
	/*
	 * Does each client ask its servers in turn, or always the same? From 1, it does, to 0, any
	 * of them as likely; one half where there is only one.
	 */
	double in_turn;
};

/* Requests that a server takes in one call, until it takes the next. */
struct server_step {
	uint32_t n;
	double each_s; /* what it is busy with one of them: less what it waits for the next */
	double span_s; /* all that time */
};

/*
 * The step that begins with message *i of its receives, which end before end; *i is the next step's
 * then. Returns 1, or 0 if no step follows, which would tell how long the last one took.
 */
int server_step(const struct evidence_base *b, uint32_t end, uint32_t *i, struct server_step *out);

/* is_server: per rank; servers: how many. */
void server_samples_find(const struct evidence_base *b, const uint8_t *is_server, uint32_t servers,
			 struct server_samples *out);

#endif
