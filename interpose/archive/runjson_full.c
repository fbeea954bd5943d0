/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/runjson_full.h"

#include "interpose/archive/jsontext.h"

/* What all rows have in common. */
static void put_numbers(FILE *f, const struct log_total *t)
{
	fprintf(f, "\"calls\": %lld, \"s\": %.9f", json_count(t->calls), (double)t->ticks * 1e-9);
	fprintf(f, ", \"sent\": %lld, \"sent_bytes\": %lld", json_count(t->sent),
		json_count(t->sent_bytes));
	fprintf(f, ", \"received\": %lld, \"received_bytes\": %lld", json_count(t->received),
		json_count(t->received_bytes));
}

static void put_row(FILE *f, const struct defs *d, const struct log_total *t)
{
	fputs("\n      { \"call\": ", f);
	json_put_text(f, archive_call_name(t->call)); /* "MPI": of too many to be told apart */
	if (t->site < d->n_sites) {
		fputs(", \"site\": ", f);
		json_put_text(f, d->sites[t->site]);
	}
	fputs(", ", f);
	put_numbers(f, t);
	fputs(" }", f);
}

/* The bytes of collectives are theirs: only what messages brought is theirs. */
static struct log_total sum_of(const struct defs *d)
{
	struct log_total sum = {0};
	uint32_t i;

	for (i = 0; i < d->n_totals; i++) {
		const struct log_total *t = &d->totals[i];

		sum.calls += t->calls;
		sum.ticks += t->ticks;
		sum.sent += t->sent;
		sum.received += t->received;
		sum.sent_bytes += t->sent ? t->sent_bytes : 0;
		sum.received_bytes += t->received ? t->received_bytes : 0;
	}
	return sum;
}

void run_json_put_full(FILE *f, const struct defs *d, size_t n,
		       const struct archive_location locations[n])
{
	int64_t begin = INT64_MAX, first = INT64_MAX, last = INT64_MIN;
	uint32_t i, ranks = 0, asked = 0;
	struct log_total sum;
	size_t k;

	for (i = 0; i < d->n_ranks; i++) {
		ranks += d->ranks[i].header.full != LOG_NOT_FULL;
		asked += d->ranks[i].header.full == LOG_FULL_ASKED;
	}
	if (!ranks)
		return;
	for (k = 0; k < n; k++) {
		int64_t at = locations[k].full_ns;

		begin = locations[k].first_ns < begin ? locations[k].first_ns : begin;
		if (at == ARCHIVE_NOT_FULL)
			continue;
		first = at < first ? at : first;
		last = at > last ? at : last;
	}
	sum = sum_of(d);
	fprintf(f, ",\n  \"events_end\": { \"ranks\": %u, \"why\": \"%s\"", ranks,
		asked == ranks ? "max-trace" : "disk");
	if (first <= last)
		fprintf(f, ", \"first_s\": %.9f, \"last_s\": %.9f", (double)(first - begin) * 1e-9,
			(double)(last - begin) * 1e-9);
	fputs(",\n    \"after\": { ", f);
	put_numbers(f, &sum);
	fputs(" },\n    \"totals\": [", f);
	for (i = 0; i < d->n_totals; i++) {
		fputs(i ? "," : "", f);
		put_row(f, d, &d->totals[i]);
	}
	fputs("] }", f);
}
