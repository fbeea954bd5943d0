/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/exchange.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US       1000
#define RANKS    16 /* at most, and if nothing else is said */
#define REQUESTS 40 /* of each client */
#define L_NS     (10 * US)
#define ASK      2

/* What is not so if nothing is said. */
static struct {
	int64_t nap_ns; /* a server looks whether there is a request, and if not sleeps so long */
	uint32_t eager; /* this client asks twice as often as the others */
} odd;

/*
 * Ranks 0 .. servers - 1 serve, first come first served, S_o each; a client works W, asks a random
 * one and waits; and at the end it takes leave of all. Simulated event by event.
 */
static int64_t serve(struct tables *x, uint32_t ranks, uint32_t servers, int64_t work_ns,
		     int64_t handler_ns)
{
	int64_t ready[RANKS], free_ns[RANKS] = {0};
	uint64_t seed = 7;
	uint32_t left[RANKS];
	int64_t end = 0;

	tables_init(x, ranks, 1);
	for (uint32_t r = servers; r < ranks; r++) {
		ready[r] = work_ns + exchange_draw(&seed, work_ns + 1);
		left[r] = r == odd.eager ? 2 * REQUESTS : REQUESTS;
	}
	for (;;) {
		uint32_t c = ranks, s, ask, got, take, reply;
		int64_t come, begin, done;

		for (uint32_t r = servers; r < ranks; r++)
			if (left[r] && (c == ranks || ready[r] < ready[c]))
				c = r;
		if (c == ranks)
			break;
		s = exchange_draw(&seed, servers);
		come = ready[c] + L_NS;
		begin = come > free_ns[s] + odd.nap_ns ? come : free_ns[s] + odd.nap_ns;
		if (odd.nap_ns > 0) {
			tables_call(x, s, REGION_IPROBE, free_ns[s], free_ns[s] + US, 6);
			tables_call(x, s, REGION_IPROBE, begin - 2 * US, begin - US, 6);
			free_ns[s] = begin - US;
		}
		done = begin + handler_ns;
		take = tables_call(x, s, REGION_RECV, free_ns[s], begin + US, 1);
		reply = tables_call(x, s, REGION_SEND, done - US, done, 3);
		ask = tables_call(x, c, REGION_SEND, ready[c], ready[c] + US, ASK);
		got = tables_call(x, c, REGION_RECV, ready[c] + US, done + L_NS, 4);
		tables_message(x, 8, ask, ask, take, take);
		tables_message(x, 8, reply, reply, got, got);
		free_ns[s] = done;
		left[c]--;
		ready[c] = done + L_NS + work_ns / 2 + exchange_draw(&seed, work_ns + 1);
		end = done > end ? done : end;
	}
	for (uint32_t c = servers; c < ranks; c++) {
		for (uint32_t s = 0; s < servers; s++) {
			int64_t bye = ready[c] + s * US, come = bye + L_NS;
			uint32_t send = tables_call(x, c, REGION_SEND, bye, bye + US, 5), take;

			come = come > free_ns[s] ? come : free_ns[s];
			take = tables_call(x, s, REGION_RECV, free_ns[s], come + US, 1);
			tables_message(x, 8, send, send, take, take);
			free_ns[s] = come + US;
			end = come > end ? come : end;
		}
	}
	tables_finish(x);
	return end;
}

static struct hotspots find(struct tables *x, uint32_t servers, int64_t work_ns)
{
	serve(x, RANKS, servers, work_ns, 100 * US);
	return findings_of(x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
}

/* The advice is followed: per request the run must then be faster by about what was promised. */
static void test_rule_server_predicts_the_better_number(void)
{
	struct tables x, y;
	struct hotspots h = find(&x, 1, 300 * US);
	const struct hotspot *s = findings_one(&h, "server");
	double before_s, after_s, gain_s;
	uint32_t best;

	CU_ASSERT_FATAL(s != NULL);
	CU_ASSERT_EQUAL(s->rank, 0);
	CU_ASSERT_EQUAL(s->site, ASK);
	best = findings_evidence(s, "servers_best");
	CU_ASSERT(best >= 3 && best <= 6);
	before_s = x.trace.wall_ns * 1e-9;
	serve(&y, RANKS, best, 300 * US, 100 * US);
	after_s = y.trace.wall_ns * 1e-9 * (RANKS - 1) / (RANKS - best); /* as many requests */
	gain_s = before_s - after_s;
	CU_ASSERT(s->saves_low_s <= gain_s && gain_s <= s->saves_high_s);
	CU_ASSERT_DOUBLE_EQUAL(s->saves_mid_s, gain_s, 0.15 * gain_s);
	CU_ASSERT(findings_one(&h, "incast") == NULL);
	CU_ASSERT(findings_one(&h, "imbalance") == NULL);
	tables_release(&y);
	tables_release(&x);
	hotspots_release(&h);
}

/* Any number that somebody asks for is as good as it then is, also one that is worse. */
static void test_rule_server_predicts_any_number(void)
{
	static const struct {
		uint32_t now, then;
	} rows[] = {{1, 2}, {1, 4}, {1, 8},  {4, 2},  {4, 6},
		    {2, 1}, {2, 2}, {10, 4}, {12, 5}, {10, 12}}; /* clients may be the fewer */

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		struct changes_asked asked = {.servers = rows[k].then};
		const struct what_if_saving *s;
		struct changes found;
		struct tables x, y;
		struct err err;
		double gain_s;

		serve(&x, RANKS, rows[k].now, 300 * US, 100 * US);
		serve(&y, RANKS, rows[k].then, 300 * US, 100 * US);
		gain_s =
			((double)x.trace.wall_ns -
			 (double)y.trace.wall_ns * (RANKS - rows[k].now) / (RANKS - rows[k].then)) *
			1e-9; /* with as many requests */
		CU_ASSERT_EQUAL_FATAL(
			findings_changes(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536), &asked,
					 &found, &err),
			0);
		CU_ASSERT_EQUAL_FATAL(found.n, 1);
		s = &found.row->saving;
		if (getenv("VERBOSE"))
			printf("%u servers, then %u: saves %g of %g, said %g [%g, %g]\n",
			       rows[k].now, rows[k].then, gain_s, x.trace.wall_ns * 1e-9,
			       s->likely_s, s->least_s, s->most_s);
		CU_ASSERT(s->least_s <= gain_s && gain_s <= s->most_s);
		CU_ASSERT(rows[k].now != rows[k].then || (s->least_s == 0 && s->most_s == 0));
		CU_ASSERT_DOUBLE_EQUAL(s->likely_s, gain_s, 0.15 * fabs(gain_s));
		changes_release(&found);
		tables_release(&y);
		tables_release(&x);
	}
}

/* Whether more servers would only lack cores nobody knows, if that one does. */
static void test_rule_server_refuses_where_servers_lack_cores(void)
{
	struct changes_asked asked = {.servers = 2};
	struct changes found;
	struct tables x;
	struct err err;

	serve(&x, RANKS, 1, 300 * US, 100 * US);
	for (int k = 0; k < 2; k++) {
		x.trace.ranks[0].core_awaited_ns = (4 + 2 * k) * x.trace.wall_ns / 100;
		CU_ASSERT_EQUAL_FATAL(
			findings_changes(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536), &asked,
					 &found, &err),
			0);
		CU_ASSERT_EQUAL_FATAL(found.n, 1);
		CU_ASSERT_EQUAL(strstr(found.row->why_not, "a core") != NULL, k);
		CU_ASSERT_EQUAL(found.row->saving.likely_s > 0, !k);
		changes_release(&found);
	}
	tables_release(&x);
}

/* A server that waited for its core half the time that it was busy has half as much to do. */
static void test_rule_server_leaves_out_what_waits_for_a_core(void)
{
	struct hotspots h, away;
	struct tables x;
	const struct hotspot *s, *then;

	h = find(&x, 1, 300 * US);
	x.trace.ranks[0].core_awaited_ns = x.trace.wall_ns / 2;
	away = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	s = findings_one(&h, "server");
	then = findings_one(&away, "server");
	CU_ASSERT_FATAL(s != NULL && then != NULL);
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(s, "handler_s"), 100e-6, 5e-6);
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(then, "handler_s"), 50e-6, 3e-6);
	CU_ASSERT(then->saves_mid_s < 0.9 * s->saves_mid_s);
	tables_release(&x);
	hotspots_release(&away);
	hotspots_release(&h);
}

/* Who sleeps when there is nothing to do does not serve meanwhile: no other server helps. */
static void test_rule_server_does_not_serve_asleep(void)
{
	for (uint32_t servers = 1; servers <= 2; servers++) { /* nor are two too many for it */
		struct hotspots h;
		struct tables x;

		odd.nap_ns = 400 * US;
		serve(&x, RANKS, servers, 300 * US, 10 * US);
		odd.nap_ns = 0;
		h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
		CU_ASSERT_PTR_NULL(findings_one(&h, "server"));
		tables_release(&x);
		hotspots_release(&h);
	}
}

/* Answers of one rank make nobody a server, however many. */
static void test_rule_server_knows_an_eager_client(void)
{
	const struct hotspot *s;
	struct hotspots h;
	struct tables x;

	odd.eager = RANKS - 1;
	h = find(&x, 1, 300 * US);
	odd.eager = 0;
	s = findings_one(&h, "server");
	CU_ASSERT_FATAL(s != NULL);
	CU_ASSERT_EQUAL(s->rank, 0);
	tables_release(&x);
	hotspots_release(&h);
}

static void test_rule_server_is_silent_when_few_ask(void)
{
	struct tables x;
	struct hotspots h = find(&x, 1, 8000 * US);

	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	tables_release(&x);
	hotspots_release(&h);
}

static void test_rule_server_says_when_servers_are_too_many(void)
{
	struct tables x;
	struct hotspots h = find(&x, 5, 3000 * US);
	const struct hotspot *s = findings_one(&h, "server");

	CU_ASSERT_FATAL(s != NULL);
	CU_ASSERT(findings_evidence(s, "servers_best") <= 2);
	tables_release(&x);
	hotspots_release(&h);
}

/* Clients that share cores with their server may wait for those: nothing is certain. */
static void test_rule_server_is_not_sure_on_shared_cores(void)
{
	struct tables x;
	struct hotspots h = find(&x, 1, 300 * US), shared;
	const struct hotspot *s = findings_one(&h, "server"), *c;

	CU_ASSERT_FATAL(!trace_set_cores(&x.trace, 0.5));
	shared = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	c = findings_one(&shared, "server");
	CU_ASSERT_FATAL(s != NULL && c != NULL);
	CU_ASSERT(s->saves_low_s > 0 && s->severity == SEVERITY_HIGH);
	CU_ASSERT(c->saves_low_s == 0 && c->severity == SEVERITY_MEDIUM);
	CU_ASSERT(c->saves_mid_s > 0 && c->saves_mid_s <= s->saves_mid_s);
	CU_ASSERT_DOUBLE_EQUAL(c->saves_high_s, s->saves_high_s, 1e-9);
	hotspots_release(&shared);
	hotspots_release(&h);
	tables_release(&x);
}

/* A message's price that is far too high for the answers is for the questions too. */
static void test_rule_server_sees_that_a_price_is_too_high(void)
{
	struct tables x;
	struct hotspots h = find(&x, 1, 300 * US);
	struct hotspots dear =
		findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 500e-6 / 8, 65536));
	const struct hotspot *s = findings_one(&h, "server"), *d = findings_one(&dear, "server");

	CU_ASSERT_FATAL(s != NULL && d != NULL);
	CU_ASSERT_DOUBLE_EQUAL(d->saves_mid_s, s->saves_mid_s, 0.05 * s->saves_mid_s);
	CU_ASSERT_DOUBLE_EQUAL(d->saves_high_s, s->saves_high_s, 0.05 * s->saves_high_s);
	hotspots_release(&dear);
	hotspots_release(&h);
	tables_release(&x);
}

/* Between the least and the most is what the model misses: nearly all of the run is served. */
static void is_as_unsure_as_its_model(uint32_t ranks, int64_t work_ns)
{
	struct tables x;
	struct hotspots h;
	const struct hotspot *s;
	double miss_s;

	serve(&x, ranks, 1, work_ns, 100 * US);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	s = findings_one(&h, "server");
	CU_ASSERT_FATAL(s != NULL);
	miss_s = findings_evidence(s, "model_closure_error") * x.trace.wall_ns * 1e-9;
	CU_ASSERT(miss_s > 0.1 * x.trace.wall_ns * 1e-9);
	CU_ASSERT(s->saves_low_s > 0);
	CU_ASSERT(s->saves_high_s - s->saves_low_s >= 0.95 * miss_s);
	hotspots_release(&h);
	tables_release(&x);
}

static void test_rule_server_is_as_unsure_as_its_model(void)
{
	is_as_unsure_as_its_model(5, 100 * US);
	is_as_unsure_as_its_model(9, 400 * US);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_server_predicts_the_better_number),
		SUITE_CASE(test_rule_server_predicts_any_number),
		SUITE_CASE(test_rule_server_refuses_where_servers_lack_cores),
		SUITE_CASE(test_rule_server_leaves_out_what_waits_for_a_core),
		SUITE_CASE(test_rule_server_does_not_serve_asleep),
		SUITE_CASE(test_rule_server_knows_an_eager_client),
		SUITE_CASE(test_rule_server_is_silent_when_few_ask),
		SUITE_CASE(test_rule_server_says_when_servers_are_too_many),
		SUITE_CASE(test_rule_server_is_not_sure_on_shared_cores),
		SUITE_CASE(test_rule_server_sees_that_a_price_is_too_high),
		SUITE_CASE(test_rule_server_is_as_unsure_as_its_model),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_server", tests);
}
