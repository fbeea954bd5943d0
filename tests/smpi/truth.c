/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * truth [--wait] [--overhead=S] [--handler=S] [--ranks=FILE] RUN FLOWS.csv (options as of
 * tests/smpi/run; FILE: waits.h): what each message of a run on the simulated machine was really
 * held up by, as CSV on standard output: a line a message, the last line the sums. Fails when a
 * message has no flow, or when simulator and recorder disagree.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/reader/reader.h"
#include "analyze/run/run.h"
#include "tests/smpi/waits.h"

struct tables {
	struct run run;
	struct trace trace;
	struct messages messages;
	struct flow_table flows;
	struct fates fates;
};

static int usage(void)
{
	fputs("usage: truth [--wait] [--overhead=S] [--handler=S] [--ranks=FILE] RUN "
	      "FLOWS.csv\n",
	      stderr);
	return 2;
}

static int load(struct tables *t, const char *run, const char *flows, struct fate_rules rules,
		struct err *err)
{
	if (run_open(run, &t->run, err) || trace_read(t->run.archive, &t->trace, err) ||
	    messages_match(&t->trace, &t->messages, err) || flow_table_read(flows, &t->flows, err))
		return -1;
	return fates_find(&t->trace, &t->messages, rules, &t->flows, &t->fates, err);
}

static void release(struct tables *t)
{
	fates_release(&t->fates);
	flow_table_release(&t->flows);
	messages_release(&t->messages);
	trace_release(&t->trace);
	run_release(&t->run);
}

static int by_channel(const void *a, const void *b, void *arg)
{
	const struct tables *t = arg;
	const struct message *x = &t->messages.m[*(const uint32_t *)a];
	const struct message *y = &t->messages.m[*(const uint32_t *)b];

	if (x->comm != y->comm)
		return x->comm < y->comm ? -1 : 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	if (x->dst != y->dst)
		return x->dst < y->dst ? -1 : 1;
	if (x->tag != y->tag)
		return x->tag < y->tag ? -1 : 1;
	return (x->send_call > y->send_call) - (x->send_call < y->send_call);
}

/* Lines by channel (communicator, source, destination, tag) and sequence in it. */
static int print(struct tables *t)
{
	uint32_t *order = calloc((size_t)t->messages.n + 1, sizeof(*order)), k, sequence = 0;
	double total_s[FATE_PARTS] = {0};
	int p;

	if (!order)
		return -1;
	for (k = 0; k < t->messages.n; k++)
		order[k] = k;
	qsort_r(order, t->messages.n, sizeof(*order), by_channel, t);
	printf("comm,src,dst,tag,sequence,bytes,sent_s,start_s,arrived_s,done_s");
	for (p = 0; p < FATE_PARTS; p++)
		printf(",%s_s", fate_names[p]);
	printf(",residual_s\n");
	for (k = 0; k < t->messages.n; k++) {
		const struct message *x = &t->messages.m[order[k]];
		const struct message *before = k ? &t->messages.m[order[k - 1]] : NULL;
		const struct fate *f = &t->fates.fates[order[k]];

		sequence = before && before->comm == x->comm && before->src == x->src &&
					   before->dst == x->dst && before->tag == x->tag
				   ? sequence + 1
				   : 0;
		printf("%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRId32 ",%" PRIu32 ",%" PRIu64,
		       x->comm, x->src, x->dst, x->tag, sequence, x->bytes);
		printf(",%.9f,%.12g,%.12g,%.9f", f->sent_s, f->start_s, f->arrived_s, f->done_s);
		for (p = 0; p < FATE_PARTS; p++) {
			printf(",%.12g", f->part_s[p]);
			total_s[p] += f->part_s[p];
		}
		printf(",%.3g\n", f->residual_s);
	}
	printf("total,,,,,,,,,");
	for (p = 0; p < FATE_PARTS; p++)
		printf(",%.12g", total_s[p]);
	printf(",%.3g\n", t->fates.residual_s);
	free(order);
	return 0;
}

/* What a rank sends itself has a flow as well, but for MPI_Sendrecv: that copies it in no time. */
static int has_flow(const struct tables *t, uint32_t i)
{
	const struct message *x = &t->messages.m[i];

	return x->src != x->dst || trace_call_kind(&t->trace, x->send_call) != REGION_SENDRECV;
}

/* Returns 0 when everything is as it must be. */
static int conclude(const struct tables *t)
{
	uint32_t lost = 0;

	for (uint32_t i = 0; i < t->messages.n; i++)
		lost += !t->fates.fates[i].joined && has_flow(t, i);
	fprintf(stderr,
		"truth: %" PRIu32 " messages, %" PRIu32
		" without a flow; %zu flows of collectives; "
		"largest residual %.3g s\n",
		t->messages.n, lost, t->fates.other_flows, t->fates.residual_s);
	return lost || t->messages.unmatched_sends || t->messages.unmatched_recvs ||
	       t->fates.residual_s >= FLOW_TOLERANCE_S;
}

static int write_ranks(struct tables *t, const char *path, struct err *err)
{
	struct waits w;
	int ret;

	if (waits_find(&t->trace, &t->messages, &t->fates, &t->flows, &w, err))
		return -1;
	ret = waits_write(&w, path, err);
	if (w.transfers)
		fprintf(stderr, "truth: %" PRIu32 " puts and gets, %" PRIu32 " without a flow\n",
			w.transfers, w.lost);
	if (!ret && w.lost)
		ret = err_set(err, "puts or gets that are no flow");
	waits_release(&w);
	return ret;
}

int main(int argc, char **argv)
{
	struct fate_rules rules = {.eager_bytes = 65536};
	const char *ranks = NULL;
	struct tables t;
	struct err err;
	int i, ret;

	for (i = 1; i < argc && *argv[i] == '-'; i++) {
		if (!strcmp(argv[i], "--wait"))
			rules.eager_bytes = 0;
		else if (!strncmp(argv[i], "--overhead=", 11))
			rules.overhead_s = strtod(argv[i] + 11, NULL);
		else if (!strncmp(argv[i], "--handler=", 10))
			rules.handler_s = strtod(argv[i] + 10, NULL);
		else if (!strncmp(argv[i], "--ranks=", 8))
			ranks = argv[i] + 8;
		else
			return usage();
	}
	if (argc - i != 2)
		return usage();
	memset(&t, 0, sizeof(t));
	ret = load(&t, argv[i], argv[i + 1], rules, &err) ||
	      (ranks && write_ranks(&t, ranks, &err));
	if (ret)
		fprintf(stderr, "truth: error: %s\n", err.text);
	else
		ret = print(&t) || conclude(&t);
	release(&t);
	return ret ? 1 : 0;
}
