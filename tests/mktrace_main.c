/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mktrace SCENARIO -o DIR [ranks=N] [--truth]: a trace with known costs, and the costs. */
#include "tests/mkscenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(void)
{
	const struct mkscenario *s;

	fprintf(stderr, "usage: mktrace SCENARIO -o DIR [ranks=N] [--truth]\n"
			"--truth prints what every message's time was, as CSV\n");
	for (s = mkscenarios; s->name; s++)
		fprintf(stderr, "  %-14s %s\n", s->name, s->what);
	return 2;
}

static void print_truth(const struct mkoutcome *out)
{
	static const char *const names[] = {
#define COST(name, label, colour, meaning) #name,
#include "analyze/costs.def"
#undef COST
	};
	int64_t total[COST_COUNT] = {0};
	size_t i;
	int c;

	printf("message,src,dst,tag,bytes,sent_ns,completed_ns");
	for (c = 0; c < COST_COUNT; c++)
		printf(",%s", names[c]);
	for (i = 0; i < out->n; i++) {
		const struct mkfate *f = &out->fates[i];

		printf("\n%zu,%" PRIu32 ",%" PRIu32 ",%" PRId32 ",%" PRIu64 ",%" PRId64 ",%" PRId64,
		       i, f->src, f->dst, f->tag, f->bytes, f->sent_ns, f->completed_ns);
		for (c = 0; c < COST_COUNT; c++) {
			printf(",%" PRId64, f->ns[c]);
			total[c] += f->ns[c];
		}
	}
	printf("\ntotal,,,,,,");
	for (c = 0; c < COST_COUNT; c++)
		printf(",%" PRId64, total[c]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	const char *scenario = NULL, *dir = NULL;
	uint32_t ranks = 8;
	int truth = 0, i;
	struct mkoutcome out;
	struct err err;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-o") && i + 1 < argc)
			dir = argv[++i];
		else if (!strncmp(argv[i], "ranks=", 6))
			ranks = (uint32_t)strtoul(argv[i] + 6, NULL, 10);
		else if (!strcmp(argv[i], "--truth"))
			truth = 1;
		else if (*argv[i] != '-' && !scenario)
			scenario = argv[i];
		else
			return usage();
	}
	if (!scenario || !dir)
		return usage();
	if (mkscenario_write(scenario, dir, ranks, &out, &err)) {
		fprintf(stderr, "mktrace: error: %s\n", err.text);
		return 1;
	}
	if (truth)
		print_truth(&out);
	free(out.fates);
	return 0;
}
