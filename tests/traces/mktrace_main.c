/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mktrace SCENARIO -o DIR [--ranks=N] [--truth=FILE.csv] [--machine=FILE.json]: a trace with
 * known costs, the costs, and the machine for contend report --machine.
 */
#include "tests/traces/mkscenario.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANKS_MOST 100000

static void usage(FILE *to)
{
	const struct mkscenario *s;

	fprintf(to,
		"usage: mktrace SCENARIO -o DIR [--ranks=N] [--truth=FILE.csv] "
		"[--machine=FILE.json]\n"
		"--ranks: 2 to %d; --truth: what every message's time was, and awaited: what its "
		"receiver waited before it was sent; --machine: for contend report\n",
		RANKS_MOST);
	for (s = mkscenarios; s->name; s++)
		fprintf(to, "  %-16s %s\n", s->name, s->what);
}

static int refuse(void)
{
	usage(stderr);
	return 2;
}

static void print_truth(const struct mkoutcome *out, FILE *to)
{
	static const char *const names[] = {
#define COST(name, label, colour, meaning) #name,
#include "analyze/costs.def"
#undef COST
	};
	int64_t total[COST_COUNT] = {0}, awaited_ns = 0;
	size_t i;
	int c;

	fprintf(to, "message,src,dst,tag,bytes,sent_ns,completed_ns");
	for (c = 0; c < COST_COUNT; c++)
		fprintf(to, ",%s", names[c]);
	fprintf(to, ",awaited");
	for (i = 0; i < out->n; i++) {
		const struct mkfate *f = &out->fates[i];

		fprintf(to,
			"\n%zu,%" PRIu32 ",%" PRIu32 ",%" PRId32 ",%" PRIu64 ",%" PRId64
			",%" PRId64,
			i, f->src, f->dst, f->tag, f->bytes, f->sent_ns, f->completed_ns);
		for (c = 0; c < COST_COUNT; c++) {
			fprintf(to, ",%" PRId64, f->ns[c]);
			total[c] += f->ns[c];
		}
		fprintf(to, ",%" PRId64, f->awaited_ns);
		awaited_ns += f->awaited_ns;
	}
	fprintf(to, "\ntotal,,,,,,");
	for (c = 0; c < COST_COUNT; c++)
		fprintf(to, ",%" PRId64, total[c]);
	fprintf(to, ",%" PRId64 "\n", awaited_ns);
}

static void print_machine(const struct mkoutcome *out, FILE *to)
{
	const struct mkmachine *m = &out->machine;
	int class;

	fprintf(to, "{\"schema\": \"contend-machine/1\", \"name\": \"mktrace\", \"classes\": {");
	for (class = 0; class < 2; class ++) {
		fprintf(to, "%s\"%s\": {\"L_s\": %.9f, \"handshake_s\": %.9f, ", class ? ", " : "",
			class ? "network" : "node", (double)m->L_ns * 1e-9,
			(double)m->handshake_ns * 1e-9);
		fprintf(to, "\"uncertainty\": 0.01, \"eager_bytes\": %" PRIu64 ", \"points\": [",
			m->eager_bytes);
		fprintf(to, "{\"bytes\": %d, \"o_s_s\": %.9f, \"o_r_s\": %.9f, \"g_s\": %.9f}]}",
			(int)out->fates[0].bytes, (double)m->o_s_ns * 1e-9,
			(double)m->o_r_ns * 1e-9, (double)m->g_ns * 1e-9);
	}
	fputs("}}\n", to);
}

/* Returns 0, or -1 when the file cannot be written; no file is none wanted. */
static int print_to(const char *path, void (*print)(const struct mkoutcome *, FILE *),
		    const struct mkoutcome *out)
{
	FILE *f;

	if (!path)
		return 0;
	f = fopen(path, "w");
	if (f)
		print(out, f);
	if (f && !fclose(f))
		return 0;
	fprintf(stderr, "mktrace: error: cannot write %s\n", path);
	return -1;
}

/* 2 to RANKS_MOST; anything else is 0, and said to be wrong. */
static uint32_t number_of(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (*text && !*end && n >= 2 && n <= RANKS_MOST)
		return (uint32_t)n;
	fprintf(stderr, "mktrace: error: --ranks=%s is not a number from 2 to %d\n", text,
		RANKS_MOST);
	return 0;
}

/* OTF2 would write no second trace into the folder. */
static int is_there(const char *dir)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/traces.otf2", dir);
	return !access(path, F_OK);
}

int main(int argc, char **argv)
{
	const char *scenario = NULL, *dir = NULL, *truth = NULL, *machine = NULL;
	uint32_t ranks = 8;
	int i, ret;
	struct mkoutcome out;
	struct err err;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-o") && i + 1 < argc)
			dir = argv[++i];
		else if (!strncmp(argv[i], "--ranks=", 8))
			ranks = number_of(argv[i] + 8);
		else if (!strncmp(argv[i], "--truth=", 8))
			truth = argv[i] + 8;
		else if (!strncmp(argv[i], "--machine=", 10))
			machine = argv[i] + 10;
		else if (*argv[i] != '-' && !scenario)
			scenario = argv[i];
		else if (!strcmp(argv[i], "--help")) {
			usage(stdout);
			return 0;
		} else
			return refuse();
	}
	if (!ranks)
		return 2;
	if (!scenario || !dir)
		return refuse();
	if (is_there(dir)) {
		fprintf(stderr, "mktrace: error: %s is there already\n", dir);
		return 1;
	}
	if (mkscenario_write(scenario, dir, ranks, &out, &err)) {
		fprintf(stderr, "mktrace: error: %s\n", err.text);
		return 1;
	}
	ret = print_to(truth, print_truth, &out) || print_to(machine, print_machine, &out);
	free(out.fates);
	return ret;
}
