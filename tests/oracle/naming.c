/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * naming SEEDS: how often each kind of synthetic messages is called by its name, as a page. The
 * seeds are none that the recognisers were made with.
 */
#include "tests/fixtures/judged.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST_SEED 7310000

static const struct {
	const char *what;
	struct noise noise;
} levels[] = {
	{"3 %", {.missing = 0.03, .extra = 0.03, .size = 0.2}},
	{"10 %", {.missing = 0.1, .extra = 0.1, .size = 0.5}},
	{"10 %, 5 rounds", {.missing = 0.1, .extra = 0.1, .size = 0.5, .rounds = 5}},
	{"10 %, 2 rounds", {.missing = 0.1, .extra = 0.1, .size = 0.5, .rounds = 2}},
};

#define LEVELS (sizeof(levels) / sizeof(levels[0]))

static void begin(unsigned seeds)
{
	printf("<!-- Written by `make validate-patterns` (tests/oracle/naming.c); do not edit. "
	       "-->\n"
	       "# The names of patterns on synthetic messages\n\n"
	       "Of %u seeds each, none of which the recognisers were made with: the share, in per\n"
	       "cent, that is called by its name, or by one that the report says it is the same\n"
	       "as. That share of the messages is missing and as many more go to any rank; sizes\n"
	       "deviate by a fifth, or by half; 8 to 27 rounds unless it says so. Ranks are\n"
	       "numbered along the pattern (n), or permuted (p). Asked for: 95 and 90 %%; what is\n"
	       "below is marked. A wrong name is never said with confidence: the last column. A\n"
	       "permuted helical torus may be called irregular, and is no row of the patterns.\n\n"
	       "| pattern |",
	       seeds);
	for (size_t k = 0; k < LEVELS; k++)
		printf(" %s, n | p |", levels[k].what);
	printf(" wrong and sure |\n|---|");
	for (size_t k = 0; k < 2 * LEVELS; k++)
		printf("---|");
	printf("---|\n");
}

int main(int argc, char **argv)
{
	unsigned seeds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;

	if (!seeds) {
		fprintf(stderr, "usage: naming SEEDS\n");
		return 2;
	}
	begin(seeds);
	for (unsigned kind = 0; kind < synthetic_kinds; kind++) {
		unsigned wrong = 0;

		printf("| %s |", synthetic_kind_name(kind));
		for (size_t k = 0; k < 2 * LEVELS; k++) {
			struct noise noise = levels[k / 2].noise;
			struct judged x;

			noise.permuted = k % 2;
			x = judged_kind(kind, &noise, FIRST_SEED, seeds);
			wrong += x.wrong_and_sure;
			x.wrong_and_sure = 0;
			printf(" %.1f%s |", 100.0 * x.right / x.tries,
			       judged_is_good(kind,
					      k % 2 ? JUDGED_PERMUTED_MIN : JUDGED_NATURAL_MIN, &x)
				       ? ""
				       : " (low)");
		}
		printf(" %u |\n", wrong);
	}
	return 0;
}
