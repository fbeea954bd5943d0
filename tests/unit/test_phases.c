/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/phases.h"

#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#include <stdlib.h>

static struct err err;

/* One rank's program: calls one after another, 10 ns each and 10 ns between them. */
struct program {
	struct tables x;
	int64_t now;
	uint32_t barriers;
};

static void begin(struct program *p)
{
	*p = (struct program){0};
	tables_init(&p->x, 2, 1);
}

/* Both ranks call from this site. */
static void call(struct program *p, enum region_kind kind, uint32_t site)
{
	uint32_t r;

	for (r = 0; r < 2; r++) {
		uint32_t i = tables_call(&p->x, r, kind, p->now, p->now + 10, site);

		if (kind == REGION_COLLECTIVE)
			p->x.trace.calls[i].part = p->barriers;
	}
	p->barriers += kind == REGION_COLLECTIVE;
	p->now += 20;
}

/* A rank alone calls from these sites, one after another, so many times. */
static void loop(struct program *p, uint32_t rank, const char *sites, uint32_t times)
{
	while (times--)
		for (const char *c = sites; *c; c++, p->now += 20)
			tables_call(&p->x, rank, REGION_SEND, p->now, p->now + 10,
				    (uint32_t)(*c - '0'));
}

static struct phases cut(struct program *p)
{
	struct collectives c = {.n = p->barriers};
	struct phases out;

	c.c = calloc(p->barriers + 1, sizeof(*c.c));
	CU_ASSERT_PTR_NOT_NULL_FATAL(c.c);
	tables_finish(&p->x);
	CU_ASSERT_EQUAL_FATAL(phases_find(&p->x.trace, &p->x.messages, &c, &out, &err), 0);
	free(c.c);
	return out;
}

static void end(struct program *p, struct phases *out)
{
	phases_release(out);
	tables_release(&p->x);
}

static uint32_t phase_of(const struct phases *out, uint32_t call)
{
	return out->of_call[call];
}

static void test_phases_end_at_collectives(void)
{
	struct program p;
	struct phases out;
	int i;

	begin(&p);
	for (i = 0; i < 3; i++) {
		call(&p, REGION_IRECV, 0);
		call(&p, REGION_WAITALL, 1);
		call(&p, REGION_COLLECTIVE, 2);
		call(&p, REGION_SEND, 3);
		call(&p, REGION_COLLECTIVE, 2);
	}
	out = cut(&p);
	/* The same stretches are one phase, three times. */
	CU_ASSERT_EQUAL_FATAL(out.n, 2);
	CU_ASSERT_EQUAL(out.p[0].rounds, 3);
	CU_ASSERT_EQUAL(out.p[1].rounds, 3);
	CU_ASSERT_EQUAL(out.p[0].calls, 18);
	CU_ASSERT_EQUAL(out.p[0].sites, 2);
	CU_ASSERT_EQUAL(out.p[1].calls, 12);
	CU_ASSERT_EQUAL(out.p[0].ended_by, REGION_COLLECTIVE);
	/*
	 * Five calls of 10 ns a round, each with 10 ns before but for each phase's first; two
	 * ranks.
	 */
	CU_ASSERT_EQUAL(out.p[0].spent_ns + out.p[1].spent_ns, 2 * (15 * 20 - 2 * 10));
	end(&p, &out);
}

static void test_phases_are_loops_between_collectives(void)
{
	struct program p;
	struct phases out;
	uint32_t i;

	begin(&p);
	call(&p, REGION_SEND, 0);
	call(&p, REGION_RECV, 1);
	for (i = 0; i < 10; i++) {
		call(&p, REGION_ISEND, 2);
		call(&p, REGION_ISEND, 2);
		call(&p, REGION_WAITALL, 3);
	}
	for (i = 0; i < 7; i++) {
		call(&p, REGION_SENDRECV, 4);
		call(&p, REGION_SENDRECV, 5);
	}
	out = cut(&p);
	CU_ASSERT_EQUAL_FATAL(out.n, 3);
	CU_ASSERT_EQUAL(out.p[0].rounds, 1);
	CU_ASSERT_EQUAL(out.p[1].rounds, 10);
	CU_ASSERT_EQUAL(out.p[2].rounds, 7);
	CU_ASSERT_EQUAL(out.p[1].begin_ns, 40);
	CU_ASSERT_EQUAL(out.p[1].end_ns, 630);
	CU_ASSERT_EQUAL(phase_of(&out, 0), 0);
	CU_ASSERT_EQUAL(phase_of(&out, 2), 1);
	CU_ASSERT_EQUAL(phase_of(&out, 32), 2);
	CU_ASSERT_EQUAL(out.visit[2], out.visit[4]);
	CU_ASSERT_EQUAL(out.visit[2] + 1, out.visit[5]);
	end(&p, &out);
}

static void test_phases_leave_out_what_does_not_communicate(void)
{
	struct program p;
	struct phases out;

	begin(&p);
	call(&p, REGION_INIT, TRACE_NONE);
	call(&p, REGION_MPI_LOCAL, 1);
	call(&p, REGION_TEST, 2);
	out = cut(&p);
	CU_ASSERT_EQUAL(out.n, 0);
	CU_ASSERT_EQUAL(phase_of(&out, 0), TRACE_NONE);
	CU_ASSERT_EQUAL(phase_of(&out, 2), TRACE_NONE);
	end(&p, &out);
}

/*
 * Rank 1 is in MPI_Init until after rank 0's first call. Both pause between two calls, and rank 1
 * once more after its last.
 */
static void test_phases_spend_what_was_recorded_of_them(void)
{
	struct op pauses[] = {{.kind = OP_PAUSE, .time_ns = 5250},
			      {.kind = OP_RESUME, .time_ns = 8000},
			      {.kind = OP_PAUSE, .time_ns = 5500},
			      {.kind = OP_RESUME, .time_ns = 7500},
			      {.kind = OP_PAUSE, .time_ns = 9200}};
	struct program p;
	struct phases out;
	int64_t spent_ns;

	begin(&p);
	tables_call(&p.x, 0, REGION_INIT, 0, 4000, 0);
	tables_call(&p.x, 1, REGION_INIT, 0, 4500, 0);
	for (uint32_t r = 0; r < 2; r++) {
		tables_call(&p.x, r, REGION_SEND, 4100 + r * 500, 4700, 1);
		tables_call(&p.x, r, REGION_SEND, 5000, 5200, 1);
		tables_call(&p.x, r, REGION_SEND, 8500, 9000, 1);
	}
	p.x.trace.ops = pauses;
	p.x.trace.n_ops = 5;
	p.x.trace.ranks[0].ops = 2;
	p.x.trace.ranks[1].first_op = 2;
	p.x.trace.ranks[1].ops = 3;
	out = cut(&p);
	CU_ASSERT_EQUAL_FATAL(out.n, 1);
	CU_ASSERT_EQUAL(out.p[0].begin_ns, 4100);
	CU_ASSERT_EQUAL(out.p[0].end_ns, 9000);
	spent_ns = (9000 - 4100 - 2750) + (9000 - 4500 - 2000);
	CU_ASSERT_EQUAL(out.p[0].spent_ns, spent_ns);
	p.x.trace.ops = NULL;
	end(&p, &out);
}

/* The first rank of a line has nobody to receive from, and knows of one place less. */
static void test_phases_of_ranks_that_skip_places(void)
{
	struct program p;
	struct phases out;

	begin(&p);
	loop(&p, 0, "0", 5);
	loop(&p, 0, "23", 7);
	loop(&p, 1, "10", 5);
	loop(&p, 1, "423", 7);
	out = cut(&p);
	CU_ASSERT_EQUAL_FATAL(out.n, 2);
	CU_ASSERT_EQUAL(out.p[0].sites, 2);
	CU_ASSERT_EQUAL(out.p[0].rounds, 5);
	CU_ASSERT_EQUAL(out.p[1].sites, 3);
	CU_ASSERT_EQUAL(out.p[1].rounds, 7);
	end(&p, &out);
	/* One after another, none of them a loop. */
	begin(&p);
	loop(&p, 0, "012", 1);
	loop(&p, 1, "0342", 1);
	out = cut(&p);
	CU_ASSERT_EQUAL_FATAL(out.n, 1);
	CU_ASSERT_EQUAL(out.p[0].sites, 5);
	end(&p, &out);
}

/* Three receives and sends posted in turn, all of which one call ends or tests, are one round. */
static void check_posted(enum region_kind end_by)
{
	struct program p;
	struct phases out;

	begin(&p);
	for (int round = 0; round < 6; round++) {
		for (int k = 0; k < 3; k++) {
			call(&p, REGION_IRECV, 1);
			call(&p, REGION_ISEND, 2);
		}
		call(&p, end_by, 3);
	}
	out = cut(&p);
	CU_ASSERT_EQUAL_FATAL(out.n, 1);
	CU_ASSERT_EQUAL(out.p[0].rounds, 6);
	CU_ASSERT_EQUAL(out.visit[0], out.visit[5]);
	CU_ASSERT_EQUAL(out.visit[7], out.visit[0] + 1);
	end(&p, &out);
}

static void test_phases_have_rounds_of_what_is_posted_in_turn(void)
{
	check_posted(REGION_WAITALL);
	check_posted(REGION_TEST);
}

/* As many different stretches as one likes: the later ones share a phase. */
static void test_phases_have_an_end(void)
{
	struct program p;
	struct phases out;
	uint32_t i;

	begin(&p);
	for (i = 0; i < 200; i++) {
		for (uint32_t bit = 0; bit < 7; bit++)
			if (i >> bit & 1)
				call(&p, REGION_SEND, bit);
		call(&p, REGION_COLLECTIVE, 7);
	}
	out = cut(&p);
	CU_ASSERT(out.n >= 48 && out.n <= 96);
	CU_ASSERT_EQUAL(phase_of(&out, p.x.trace.n_calls / 2 - 1),
			out.of_call[p.x.trace.n_calls - 1]);
	end(&p, &out);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_phases_end_at_collectives),
		SUITE_CASE(test_phases_are_loops_between_collectives),
		SUITE_CASE(test_phases_leave_out_what_does_not_communicate),
		SUITE_CASE(test_phases_spend_what_was_recorded_of_them),
		SUITE_CASE(test_phases_of_ranks_that_skip_places),
		SUITE_CASE(test_phases_have_rounds_of_what_is_posted_in_turn),
		SUITE_CASE(test_phases_have_an_end),
		CU_TEST_INFO_NULL,
	};

	return suite_run("phases", tests);
}
