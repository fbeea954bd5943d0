/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/runjson.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/schema.h"
#include "common/steady.h"
#include "interpose/archive/jsontext.h"
#include "interpose/archive/runjson_end.h"
#include "interpose/archive/runjson_evidence.h"
#include "interpose/archive/runjson_full.h"
#include "interpose/archive/runjson_processors.h"
#include "interpose/log/settings.h"

static void put_options(FILE *f, const struct log_header *h)
{
	const char *comma = "";
	struct setting s;
	size_t at = 0;

	fputs(",\n  \"options\": {", f);
	while (settings_next(sizeof(h->options), h->options, &at, &s)) {
		fprintf(f, "%s\n    \"%s\": { \"value\": ", comma, option_rows[s.option].flag);
		json_put_text(f, s.value);
		fprintf(f, ", \"origin\": \"%s\" }", option_origin_name(s.origin));
		comma = ",";
	}
	fputs("\n  }", f);
}

/*
 * Time of the recorder itself, as a share of the ranks' time: what a call, a request and a poll in
 * a flood take times how many there were, and what was timed as it happened. Beside it, what no
 * rank's time has: how much longer MPI_Finalize took for the trace.
 */
static void put_cost(FILE *f, const struct run_facts *run, double wall_s)
{
	const struct archive_location *locations = run->locations;
	const struct defs *d = run->d;
	double call_ns = 0, request_ns = 0, poll_ns = 0, writing_ns = 0, sites_ns = 0;
	double aside_ns = 0, ns;
	uint64_t calls = 0, passes = 0, polls = 0, requests = 0;
	uint32_t i;
	size_t k;

	for (k = 0; k < run->n; k++) {
		calls += locations[k].calls;
		passes += locations[k].passes;
		polls += locations[k].polls;
		requests += locations[k].requests;
		writing_ns += (double)locations[k].writing_ns;
		sites_ns += (double)locations[k].unwinding_ns;
	}
	for (i = 0; i < d->n_ranks; i++) {
		call_ns += d->ranks[i].header.cost_ns / d->n_ranks;
		request_ns += d->ranks[i].header.request_ns / d->n_ranks;
		poll_ns += d->ranks[i].header.poll_ns / d->n_ranks;
		aside_ns += (double)d->ranks[i].header.aside_ns;
	}
	ns = (double)(passes - polls) * call_ns + (double)polls * poll_ns +
	     (double)requests * request_ns + writing_ns + sites_ns;
	fprintf(f, ",\n  \"cost\": { \"calls\": %lld, \"ns_per_call\": %.1f", json_count(calls),
		json_real(passes ? ns / (double)passes : 0));
	fprintf(f, ", \"call_ns\": %.1f, \"requests\": %lld, \"request_ns\": %.1f",
		json_real(call_ns), json_count(requests), json_real(request_ns));
	fprintf(f, ", \"polls\": %lld, \"poll_ns\": %.1f", json_count(polls), json_real(poll_ns));
	fprintf(f, ", \"sites_s\": %.6g, \"writing_s\": %.6g", sites_ns * 1e-9, writing_ns * 1e-9);
	if (wall_s > 0 && d->n_ranks && call_ns > 0)
		fprintf(f, ", \"share\": %.6g",
			json_real((ns + aside_ns) * 1e-9 / (wall_s * d->n_ranks)));
	if (aside_ns > 0)
		fprintf(f, ", \"clocks_s\": %.6g", aside_ns * 1e-9);
	if (run->finishing_ns > 0)
		fprintf(f, ", \"finishing_s\": %.6g", (double)run->finishing_ns * 1e-9);
	fputs(" }", f);
}

/*
 * Every clock against the reference, the first; two others may be off both ways. A clock set
 * while the job ran is named with how far.
 */
static void put_clock(FILE *f, const struct defs *d)
{
	int64_t worst[2] = {0, 0};
	const char *comma = "";
	uint32_t i;

	fputs(",\n  \"clock\": { \"nodes\": [", f);
	for (i = 0; i < d->n_nodes; i++) {
		const struct def_node *node = &d->nodes[i];
		struct timeline_quality q = timeline_judge(&node->clock);

		if (node->clock_at != i)
			continue;
		fprintf(f, "%s\n    { \"host\": ", comma);
		json_put_text(f, node->host);
		fprintf(f, ", \"compared\": %u, \"error_ns\": %lld", node->clock.n,
			(long long)q.error_ns);
		fprintf(f, ", \"first_ns\": %lld, \"final_ns\": %lld", (long long)q.first_ns,
			(long long)q.final_ns);
		if (q.steps)
			fprintf(f, ", \"steps\": %u, \"step_ns\": %lld", q.steps,
				(long long)q.step_ns);
		fputs(" }", f);
		comma = ",";
		if (q.error_ns > worst[0]) {
			worst[1] = worst[0];
			worst[0] = q.error_ns;
		} else if (q.error_ns > worst[1]) {
			worst[1] = q.error_ns;
		}
	}
	fprintf(f, "],\n    \"error_ns\": %lld }", (long long)(worst[0] + worst[1]));
}

/* The machine: its hosts in order of their first ranks, as a machine file lists them too. */
static void put_hosts(FILE *f, const struct defs *d)
{
	const char *comma = "";
	uint32_t i, k, ranks;

	fputs(",\n  \"hosts\": [", f);
	for (i = 0; i < d->n_ranks; i++) {
		const struct log_header *h = &d->ranks[i].header;

		for (k = 0; k < i && strcmp(d->ranks[k].header.host, h->host); k++)
			;
		if (k < i)
			continue; /* seen */
		for (ranks = 0, k = i; k < d->n_ranks; k++)
			ranks += !strcmp(d->ranks[k].header.host, h->host);
		fprintf(f, "%s\n    { \"name\": ", comma);
		json_put_text(f, h->host);
		fputs(", \"cpu\": ", f);
		json_put_text(f, h->cpu);
		fprintf(f, ", \"ranks\": %u }", ranks);
		comma = ",";
	}
	fputs("]", f);
}

#define PROGRAMS_MOST 4 /* of a job, that its command names */

static int same_program(const char *a, const char *b)
{
	size_t n = strcspn(a, " ");

	return n == strcspn(b, " ") && !strncmp(a, b, n);
}

static int same_command(const char *a, const char *b)
{
	return !strcmp(a, b);
}

/* The first of each kind, at most one more than PROGRAMS_MOST. Returns how many. */
static size_t find_commands(const struct defs *d, int (*is_same)(const char *, const char *),
			    const char *seen[PROGRAMS_MOST + 1])
{
	size_t n = 0, k;
	uint32_t i;

	for (i = 0; i < d->n_ranks && n <= PROGRAMS_MOST; i++) {
		for (k = 0; k < n && !is_same(seen[k], d->ranks[i].header.command); k++)
			;
		if (k == n)
			seen[n++] = d->ranks[i].header.command;
	}
	return n;
}

/*
 * The commands of the job, as a launcher takes several: "./a 1 : ./a 2 : ./b"; of many, as where
 * each rank has arguments of its own, that of each program.
 */
static void put_command(FILE *f, const struct defs *d)
{
	const char *seen[PROGRAMS_MOST + 1];
	char text[PROGRAMS_MOST * (sizeof(d->ranks[0].header.command) + 3)] = "";
	size_t n = find_commands(d, same_command, seen), used = 0, k;

	if (n > PROGRAMS_MOST)
		n = find_commands(d, same_program, seen);
	for (k = 0; k < n && k < PROGRAMS_MOST; k++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", k ? " : " : "",
					 seen[k]);
	fputs(",\n  \"command\": ", f);
	json_put_text(f, text);
}

/* When the job was last seen: by an event, or by a note of a process's end before it finalized. */
static int64_t last_seen_ns(const struct run_facts *run)
{
	const struct archive_location *l;
	int64_t last = INT64_MIN;
	uint32_t i;

	for (l = run->locations; l < run->locations + run->n; l++)
		last = l->last_ns > last ? l->last_ns : last;
	for (i = 0; i < run->d->n_ranks; i++) {
		const struct log_header *h = &run->d->ranks[i].header;

		if (h->end == LOG_FINALIZED)
			continue;
		for (l = run->locations; l < run->locations + run->n; l++)
			if (l->rank == h->rank && l->alive_ns > last)
				last = l->alive_ns;
	}
	return last;
}

static void put_all(FILE *f, const struct run_facts *run)
{
	const struct archive_location *locations = run->locations;
	const struct defs *d = run->d;
	const struct log_header *h = &d->ranks[0].header;
	int64_t first = INT64_MAX;
	time_t at = (time_t)(h->realtime_ns / 1000000000);
	char iso[32] = "";
	double wall_s;
	struct tm tm;
	size_t k, n = run->n;

	for (k = 0; k < n; k++)
		first = locations[k].first_ns < first ? locations[k].first_ns : first;
	wall_s = n ? (double)(last_seen_ns(run) - first) * 1e-9 : 0;
	if (gmtime_r(&at, &tm))
		strftime(iso, sizeof(iso), "%Y-%m-%dT%H:%M:%SZ", &tm);
	fprintf(f, "{\n  \"schema\": \"%s\",\n  \"version\": ", SCHEMA_RUN_VERSION);
	json_put_text(f, h->version);
	put_command(f, d);
	fprintf(f, ",\n  \"ranks\": %u,\n  \"recorded_ranks\": %u,\n  \"nodes\": %u,\n  \"mpi\": ",
		h->ranks, d->n_ranks, d->n_nodes);
	json_put_text(f, h->mpi);
	fprintf(f, ",\n  \"recorded_at\": \"%s\",\n  \"wall_s\": %.9f,\n  \"cores\": %u", iso,
		wall_s, h->cores);
	put_hosts(f, d);
	run_json_put_processors(f, d);
	run_json_put_end(f, d, n, locations, first);
	losses_put_json(f, run->lost, first);
	if (run->keeps_logs)
		fputs(",\n  \"logs_kept\": true", f);
	run_json_put_full(f, d, n, locations);
	put_options(f, h);
	put_cost(f, run, wall_s);
	put_clock(f, d);
	run_json_put_evidence(f, d);
	fputs("\n}\n", f);
}

int run_json_write(const char *dir, const struct run_facts *run, struct err *err)
{
	char path[1200], fresh[1210];
	FILE *f;
	int bad;

	snprintf(path, sizeof(path), "%s/" SCHEMA_RUN_JSON, dir);
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	f = steady_fopen(fresh, "we");
	if (!f)
		return err_set(err, "cannot write %s: %s", path, strerror(errno));
	put_all(f, run);
	bad = ferror(f);
	bad |= fclose(f);
	/* Whole or not there at all: whoever sees it takes the archive for finished. */
	if (bad || rename(fresh, path)) {
		err_set(err, "cannot write %s: %s", path, strerror(errno));
		unlink(fresh);
		return -1;
	}
	return 0;
}
