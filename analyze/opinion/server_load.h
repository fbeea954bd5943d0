/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is the program one of clients that ask a few servers and wait for the answer? And what do
 * the two sides spend: the inputs of LoPC's model of servers, from the trace. Master and
 * workers are the same: a result asks for more work.
 */
#ifndef ANALYZE_SERVER_LOAD_H
#define ANALYZE_SERVER_LOAD_H

#include "analyze/opinion/server_samples.h"
#include "models/lopc_server.h"

struct server_load {
	uint32_t servers, clients;
	uint32_t busiest; /* server with most requests */
	uint32_t requests;
	uint32_t site_call; /* a client's call that asks, of the place that asks most */
	double share;       /* of all messages: between clients and servers */
	double work_s;      /* W: of a client from an answer to its next question */
	double trip_s;      /* from question to answer */
	double wire_s;      /* S_l: one way, without the overheads, */
	double overheads_s; /* and those: o_s and o_r of a message */
	double handler_s;   /* S_o: a server's time for a request, without waiting for a core, */
	double handler_cv2; /* C2: and its squared coefficient of variation */
	double used;        /* share of the servers' time that they were busy, likewise */
	double span_s;      /* from the first question to the last answer */
	double queue_s;     /* what all requests took longer than of idle servers, sum */
	/*
	 * Were no server ever busy: what all clients together would take, and the longest of them,
	 * if each has a share of its own. 0: who is done takes the next, as far as is known.
	 */
	double all_alone_s, alone_s;
	struct server_samples samples; /* of work_s and handler_s, scaled to those */
};

/* Returns 1 and fills out when it is, 0 when it is not, -1 with *err set (out of memory). */
int server_load_find(const struct evidence_base *b, struct server_load *out, struct err *err);

/*
 * LoPC's inputs. W is all that a client does of its own from an answer to its next question, also
 * where that is less than a server's handler: the handler of the reply, S_y, is what calls take it.
 */
struct lopc_server server_load_model(const struct server_load *x);

/*
 * Do two ranks take turns: does each send only when it has what the other sent, and wait for nobody
 * in collectives meanwhile? Then one serves the other, by design.
 */
int server_load_is_dialogue(const struct evidence_base *b);

#endif
