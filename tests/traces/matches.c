/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the analyzer joins in a run, for tests whose messages all have different sizes:
 *	matched BYTES          a message, both of whose ends say so
 *	misjoined BYTES        one whose receive was of another size
 *	torn collective        one whose members disagree about its size or function
 *	rooted FUNCTION RANK   one that has a root, as a world rank
 *	one-ended N, unmatched N
 */
#include "analyze/matching/collectives.h"
#include "analyze/matching/messages.h"
#include "analyze/reader/reader.h"

#include <stdio.h>

/* Did a receive of this size and channel complete in the call? */
static int received(const struct trace *t, const struct message *m)
{
	uint32_t i;

	for (i = t->ends.of[m->dst].recv; i < t->ends.of[m->dst + 1].recv; i++) {
		const struct recv *recv = &t->ends.recvs[i];

		if (recv->done == m->recv_done && recv->bytes == m->bytes && recv->tag == m->tag &&
		    recv->comm == m->comm)
			return 1;
	}
	return 0;
}

static void print_collectives(const struct trace *t, const struct collectives *c)
{
	const struct collective *joined;
	const struct call *call;
	uint32_t i;

	for (i = 0; i < t->n_ops; i++) {
		const struct op *op = &t->ops[i];

		if (op->kind != OP_COLL || op->call == TRACE_NONE)
			continue;
		call = &t->calls[op->call];
		joined = &c->c[call_collective(call)];
		if (joined->bytes != op->bytes + op->bytes_in || joined->region != call->region)
			puts("torn collective");
	}
	for (i = 0; i < c->n; i++)
		if (c->c[i].root >= 0)
			printf("rooted %s %d\n", t->regions[c->c[i].region].name, c->c[i].root);
}

int main(int argc, char **argv)
{
	struct collectives collectives;
	struct messages messages;
	struct trace trace;
	struct err err;
	uint32_t i;

	if (argc != 2 || trace_read(argv[1], &trace, &err) ||
	    messages_match(&trace, &messages, &err) ||
	    collectives_match(&trace, &collectives, &err)) {
		fprintf(stderr, "matches: %s\n", argc == 2 ? err.text : "which run?");
		return 1;
	}
	for (i = 0; i < messages.n; i++)
		printf("%s %llu\n", received(&trace, &messages.m[i]) ? "matched" : "misjoined",
		       (unsigned long long)messages.m[i].bytes);
	print_collectives(&trace, &collectives);
	printf("one-ended %u\n", messages.one_ended);
	printf("unmatched %u\n", messages.unmatched_sends + messages.unmatched_recvs);
	messages_release(&messages);
	collectives_release(&collectives);
	trace_release(&trace);
	return 0;
}
