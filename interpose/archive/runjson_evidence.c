/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/runjson_evidence.h"

#include "interpose/archive/jsontext.h"

/* The counters' totals over one process's recording. */
static struct counters totals_of(const struct log_header *h)
{
	return counters_since(&h->counters[1], &h->counters[0]);
}

/* A process has its threads' counters and its MPI's, too. */
static int is_of(enum counter counter, enum counter_of of)
{
	enum counter_of its = counter_rows[counter].of;

	return its == of ||
	       (of == COUNTER_OF_PROCESS && (its == COUNTER_OF_THREAD || its == COUNTER_OF_MPI));
}

/* "name": value for the present ones of a kind. Returns which. */
static uint32_t put_values(FILE *f, const struct counters *c, enum counter_of of)
{
	uint32_t had = 0;
	int i;

	for (i = 0; i < COUNTERS; i++) {
		if (!is_of((enum counter)i, of) || !(c->present >> i & 1))
			continue;
		fprintf(f, ", \"%s\": %lld", counter_rows[i].name, json_count(c->value[i]));
		had |= 1u << i;
	}
	return had;
}

/* One object for each process that has counters of this kind. */
static uint32_t put_counters(FILE *f, const struct defs *d, enum counter_of of)
{
	const char *comma = "";
	uint32_t i, had = 0, any;
	int k;

	for (i = 0; i < d->n_ranks; i++) {
		const struct log_header *h = &d->ranks[i].header;
		struct counters c = totals_of(h);

		for (any = 0, k = 0; k < COUNTERS; k++)
			any |= is_of((enum counter)k, of) ? c.present & 1u << k : 0;
		if (!any)
			continue;
		fprintf(f, "%s\n      { \"rank\": %u, \"host\": ", comma, h->rank);
		json_put_text(f, h->host);
		had |= put_values(f, &c, of);
		fputs(" }", f);
		comma = ",";
	}
	return had;
}

static uint32_t put_queues(FILE *f, const struct defs *d)
{
	static const enum counter of[] = {COUNTER_QUEUE_UNEXPECTED, COUNTER_QUEUE_POSTED};
	const char *comma = "";
	uint32_t i, k, had = 0;

	for (i = 0; i < d->n_ranks; i++)
		for (k = 0; k < 2; k++) {
			const struct log_queue *q = &d->ranks[i].header.queue[k];

			if (!q->looks)
				continue;
			fprintf(f,
				"%s\n      { \"rank\": %u, \"queue\": \"%s\", \"looks\": %lld, "
				"\"mean\": %.6g, \"most\": %lld }",
				comma, d->ranks[i].header.rank, counter_rows[of[k]].name,
				json_count(q->looks), (double)q->sum / (double)q->looks,
				json_count(q->most));
			had |= 1u << of[k];
			comma = ",";
		}
	return had;
}

/* Why nobody has this counter. */
static const char *why_missing(enum counter counter, const struct log_header *h)
{
	enum counter_of of = counter_rows[counter].of;

	if ((of == COUNTER_OF_QUEUE || of == COUNTER_OF_MPI) && h->queues == LOG_QUEUES_LEFT)
		return "not looked at: --queues not given, or MPI begun by a session";
	if (of == COUNTER_OF_MPI && h->queues == LOG_QUEUES_COUNTABLE)
		return "Open MPI's counters are off: --mca mpi_spc_attach all turns them on";
	return counter_rows[counter].missing;
}

void run_json_put_evidence(FILE *f, const struct defs *d)
{
	const char *comma = "";
	uint32_t had;
	int i;

	fputs(",\n  \"evidence\": {\n    \"nodes\": [", f);
	had = put_counters(f, d, COUNTER_OF_NODE);
	fputs("],\n    \"processes\": [", f);
	had |= put_counters(f, d, COUNTER_OF_PROCESS);
	fputs("],\n    \"queues\": [", f);
	had |= put_queues(f, d);
	fputs("],\n    \"missing\": {", f);
	for (i = 0; i < COUNTERS; i++) {
		if (had >> i & 1 || !d->n_ranks)
			continue;
		fprintf(f, "%s\n      \"%s\": ", comma, counter_rows[i].name);
		json_put_text(f, why_missing((enum counter)i, &d->ranks[0].header));
		comma = ",";
	}
	fputs("}\n  }", f);
}
