/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/runjson_end.h"

#include <signal.h>
#include <string.h>

#include "interpose/jsontext.h"

static const char *end_of(const struct def_rank *r)
{
	return r->header.end == LOG_FINALIZED  ? "finalize"
	       : r->header.end == LOG_ABORTED  ? "abort"
	       : r->header.end == LOG_LEFT     ? "exit"
	       : r->header.end == LOG_REPLACED ? "exec"
					       : "killed";
}

/*
 * How the job ended: as a rank ended that did so by itself, since the others were killed because of
 * it; else killed if a rank never finalized.
 */
static const char *job_end(const struct defs *d)
{
	static const uint8_t weights[] = {[LOG_ABORTED] = 4, [LOG_LEFT] = 3, [LOG_REPLACED] = 2};
	const char *end = "finalize";
	uint32_t weight = 0, i;

	for (i = 0; i < d->n_ranks; i++) {
		uint32_t how = d->ranks[i].header.end, its;

		its = how == LOG_FINALIZED ? 0 : 1;
		if (how < sizeof(weights) && weights[how])
			its = weights[how];
		if (its > weight) {
			weight = its;
			end = end_of(&d->ranks[i]);
		}
	}
	if (d->n_ranks && d->n_ranks < d->ranks[0].header.ranks && !strcmp(end, "finalize"))
		return "partial";
	return end;
}

/* Of a rank's threads: the latest sign of life, and the call that the first was in. */
static void put_last_seen(FILE *f, size_t n, const struct archive_location locations[n],
			  uint32_t rank, int64_t first_ns)
{
	uint32_t inside = 0;
	int64_t alive_ns = INT64_MIN;
	size_t k;

	for (k = 0; k < n; k++) {
		if (locations[k].rank != rank)
			continue;
		inside = inside ? inside : locations[k].inside;
		if (locations[k].alive_ns > alive_ns)
			alive_ns = locations[k].alive_ns;
	}
	if (alive_ns >= first_ns)
		fprintf(f, ", \"alive_s\": %.6f", (double)(alive_ns - first_ns) * 1e-9);
	if (inside)
		fprintf(f, ", \"inside\": \"%s\"", archive_call_name(inside - 1));
}

/* Its name, and who sent it; what makes no sense is passed over. */
static void put_signal(FILE *f, const struct log_header *h)
{
	static const char *const senders[] = {[LOG_FROM_SELF] = "itself",
					      [LOG_FROM_LAUNCHER] = "launcher",
					      [LOG_FROM_OTHER] = "other",
					      [LOG_FROM_BETWEEN] = "between"};
	const char *name = sigabbrev_np(h->end_status);

	if (!name || h->end_from > LOG_FROM_BETWEEN)
		return;
	fprintf(f, ", \"signal\": \"SIG%s\", \"from\": \"%s\"", name, senders[h->end_from]);
	if (!h->end_by[0] || !memchr(h->end_by, '\0', sizeof(h->end_by)))
		return;
	fputs(", \"by\": ", f);
	json_put_text(f, h->end_by);
}

/* The ranks that did not finalize, with the call each was in and when it was last seen alive. */
static void put_unfinished(FILE *f, const struct defs *d, size_t n,
			   const struct archive_location locations[n], int64_t first_ns)
{
	const char *comma = "";
	uint32_t i;

	fputs(",\n  \"unfinished\": [", f);
	for (i = 0; i < d->n_ranks; i++) {
		const struct def_rank *r = &d->ranks[i];

		if (r->header.end == LOG_FINALIZED)
			continue;
		fprintf(f, "%s\n    { \"rank\": %u, \"ended\": \"%s\"", comma, r->header.rank,
			end_of(r));
		if (r->header.end == LOG_LEFT && r->header.has_status)
			fprintf(f, ", \"status\": %d", r->header.end_status & 0xff);
		if (r->header.end == LOG_ABORTED && r->header.has_status)
			fprintf(f, ", \"code\": %d", r->header.end_status);
		if (r->header.end == LOG_KILLED)
			put_signal(f, &r->header);
		put_last_seen(f, n, locations, r->header.rank, first_ns);
		fputs(" }", f);
		comma = ",";
	}
	fputs("]", f);
}

void run_json_put_end(FILE *f, const struct defs *d, size_t n,
		      const struct archive_location locations[n], int64_t first_ns)
{
	fprintf(f, ",\n  \"ended\": \"%s\"", job_end(d));
	put_unfinished(f, d, n, locations, first_ns);
}
