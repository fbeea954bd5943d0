/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interpose/log/squeeze.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/suite.h"

static struct squeeze_room room; /* as the test before has left it */

static void test_squeeze_has_a_reverse(void)
{
	struct record *in = calloc(2000, sizeof(*in)), *out = calloc(2000, sizeof(*out));
	unsigned char *bytes = malloc(2000 * SQUEEZE_UNIT_MAX);
	size_t n;

	srand(7);
	for (size_t i = 0; i < 2000 * sizeof(*in); i++)
		if (rand() % 3 == 0)
			((unsigned char *)in)[i] = (unsigned char)rand();
	n = squeeze(2000, in, &room, bytes);
	CU_ASSERT_FATAL(n <= 2000 * SQUEEZE_UNIT_MAX);
	CU_ASSERT_EQUAL(unsqueeze(n, bytes, 2000, out), 0);
	CU_ASSERT_EQUAL(memcmp(in, out, 2000 * sizeof(*in)), 0);
	CU_ASSERT_EQUAL(unsqueeze(n - 1, bytes, 2000, out), -1);
	CU_ASSERT_EQUAL(unsqueeze(0, bytes, 1, out), -1);
	free(bytes);
	free(out);
	free(in);
}

/* Lists of ranks, some not in the world: their units are squeezed as if they had times. */
static void test_squeeze_lists(void)
{
	enum { N = 64, RANKS = N * (int)sizeof(struct record) / 4 };
	static union {
		int32_t rank[RANKS];
		struct record unit[N];
	} in, out;
	unsigned char *bytes = malloc(N * SQUEEZE_UNIT_MAX);
	size_t n;

	for (int i = 0; i < RANKS;
	     i++) /* -1 up to the middle of a unit's times, then 0, then ranks */
		in.rank[i] = i % 48 < 18 ? -1 : i % 48 < 32 ? 0 : i;
	n = squeeze(N, in.unit, &room, bytes);
	CU_ASSERT_EQUAL(unsqueeze(n, bytes, N, out.unit), 0);
	CU_ASSERT_EQUAL(memcmp(&in, &out, sizeof(in)), 0);
	free(bytes);
}

/* What a program does again and again, with its times in front. */
static void test_squeeze_what_repeats(void)
{
	enum { N = 2000 };
	struct record *in = calloc(N, sizeof(*in)), *out = calloc(N, sizeof(*out));
	unsigned char *bytes = malloc(N * SQUEEZE_UNIT_MAX);
	uint64_t now = UINT64_C(1) << 50;
	size_t n, i;

	for (i = 0; i < N; i++) {
		in[i] = (struct record){.kind = i % 2 ? RECORD_SEND_DONE : RECORD_ISEND,
					.request = 1 + i / 2,
					.site = (uint32_t)i % 2,
					.call = (uint16_t)(i % 2),
					.bytes = i % 2 ? 0 : 4096,
					.peer = i % 2 ? 0 : 3};
		in[i].enter = now += 100 + i % 7;
		in[i].leave = now += 40 + i % 11;
	}
	n = squeeze(N, in, &room, bytes);
	CU_ASSERT(n < 6 * N);
	CU_ASSERT_EQUAL(unsqueeze(n, bytes, N, out), 0);
	CU_ASSERT_EQUAL(memcmp(in, out, N * sizeof(*in)), 0);
	free(bytes);
	free(out);
	free(in);
}

/*
 * Loops over neighbours, the number of turns changing: what came behind the last time is not what
 * comes now; parts without times; request numbers that go past 32 bits.
 */
static void test_squeeze_loops(void)
{
	enum { N = 2000 };
	struct record *in = calloc(N, sizeof(*in)), *out = calloc(N, sizeof(*out));
	unsigned char *bytes = malloc(N * SQUEEZE_UNIT_MAX);
	uint64_t now = UINT64_C(1) << 50, request = (UINT64_C(1) << 32) - 500;
	unsigned turns = 0, turn, kind;
	size_t n, i = 0;

	while (i < N) {
		turns = turns % 5 + 1;
		for (kind = 0; kind < 3; kind++) {
			for (turn = 0; turn < turns && i < N; turn++, i++) {
				in[i] = (struct record){.kind = (uint8_t)(RECORD_ISEND + kind),
							.request = request + turn,
							.site = kind,
							.flags = kind == 2 && turn,
							.peer = (int)turn * 3,
							.bytes = turns == 4 ? 8 : 4096};
				if (in[i].flags)
					continue;
				in[i].enter = now += 100 + i % 7;
				in[i].leave = turns == 3 && turn == 2 ? 0 : (now += 40);
			}
			request += kind ? 0 : turns;
		}
	}
	n = squeeze(N, in, &room, bytes);
	CU_ASSERT(n < 13 * N);
	CU_ASSERT_EQUAL(unsqueeze(n, bytes, N, out), 0);
	CU_ASSERT_EQUAL(memcmp(in, out, N * sizeof(*in)), 0);
	free(bytes);
	free(out);
	free(in);
}

/* n units: these kinds of calls take turns. */
static void take_turns(size_t n, struct record units[n], size_t kinds,
		       const struct record kind[kinds])
{
	uint64_t now = UINT64_C(1) << 50;

	for (size_t i = 0; i < n; i++) {
		units[i] = kind[i % kinds];
		units[i].request = i / kinds;
		units[i].enter = now += 100 + i % 7;
		units[i].leave = now += 40 + i % 11;
	}
}

/* Whatever calls a program makes, and where: they are not taken for each other. */
static void test_squeeze_tells_kinds_apart(void)
{
	enum { N = 2000, KINDS = 12, PROGRAMS = 300 };
	struct record *in = calloc(N, sizeof(*in)), kind[KINDS];
	unsigned char *bytes = malloc(N * SQUEEZE_UNIT_MAX);

	srand(11);
	for (int program = 0; program < PROGRAMS; program++) {
		for (uint32_t k = 0; k < KINDS; k++)
			kind[k] = (struct record){.kind = (uint8_t)(1 + rand() % 10),
						  .site = 1 + k,
						  .call = (uint16_t)(rand() % 400),
						  .peer = (int32_t)k,
						  .bytes = 8 * k};
		take_turns(N, in, KINDS, kind);
		CU_ASSERT(squeeze(N, in, &room, bytes) < 6 * N);
	}
	free(bytes);
	free(in);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_squeeze_has_a_reverse),     SUITE_CASE(test_squeeze_lists),
		SUITE_CASE(test_squeeze_what_repeats),      SUITE_CASE(test_squeeze_loops),
		SUITE_CASE(test_squeeze_tells_kinds_apart), CU_TEST_INFO_NULL,
	};

	return suite_run("squeeze", tests);
}
