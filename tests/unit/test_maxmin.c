/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/maxmin.h"
#include "tests/fixtures/suite.h"

#include <math.h>
#include <stdlib.h>

#define LINKS  12
#define FLOWS  30
#define ROUTE  4
#define WITHIN 1e-9 /* relative */

static struct err err;

/* Two links of 10 and 4; who crosses both gets a share of the smaller. */
static void test_maxmin_of_two_links(void)
{
	const double capacity[] = {10, 4};
	const size_t a[] = {0}, b[] = {1}, both[] = {0, 1};
	const struct maxmin_flow flows[] = {
		{1, a, INFINITY}, {2, both, INFINITY}, {1, b, 1}, {2, both, 1.5}};
	struct maxmin_rate r[4];
	double loads[2];

	CU_ASSERT_EQUAL(maxmin_share((struct maxmin_links){2, capacity}, 4, flows, r, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(r[0].rate, 7, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(r[1].rate, 1.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(r[2].rate, 1, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(r[3].rate, 1.5, 1e-12);
	CU_ASSERT_EQUAL(r[0].bottleneck, 0);
	CU_ASSERT_EQUAL(r[1].bottleneck, 1);
	CU_ASSERT_EQUAL(r[2].bottleneck, MAXMIN_OWN_CAP);
	CU_ASSERT_DOUBLE_EQUAL(maxmin_loads((struct maxmin_links){2, capacity}, 4, flows, r, loads),
			       11, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(loads[0], 10, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(loads[1], 4, 1e-12);
}

static void test_maxmin_at_the_edges(void)
{
	const double capacity[] = {6, 0};
	const size_t twice[] = {0, 0}, down[] = {1}, once[] = {0};
	const struct maxmin_flow flows[] = {
		{2, twice, INFINITY}, {1, once, INFINITY}, {1, down, INFINITY}, {0, NULL, 5}};
	struct maxmin_rate r[4];

	CU_ASSERT_EQUAL(maxmin_share((struct maxmin_links){2, capacity}, 4, flows, r, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(r[0].rate, 2, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(r[1].rate, 2, 1e-12);
	CU_ASSERT_EQUAL(r[2].rate, 0);
	CU_ASSERT_EQUAL(r[3].rate, 5);
	CU_ASSERT_EQUAL(maxmin_share((struct maxmin_links){0, NULL}, 0, NULL, NULL, &err), 0);
}

/* A random case. */
struct scene {
	double capacity[LINKS];
	size_t routes[FLOWS][ROUTE];
	struct maxmin_flow flows[FLOWS];
	struct maxmin_rate rates[FLOWS];
	double loads[LINKS];
};

static double uniform(void)
{
	return rand() / (RAND_MAX + 1.0);
}

static void draw(struct scene *s)
{
	double scale = pow(10, 12 * uniform());

	for (int l = 0; l < LINKS; l++)
		s->capacity[l] =
			scale * (rand() % 4 ? pow(10, 3 * uniform()) : rand() % 5); /* with ties */
	for (int f = 0; f < FLOWS; f++) {
		s->flows[f].n = 1 + (size_t)rand() % ROUTE;
		s->flows[f].links = s->routes[f];
		s->flows[f].cap = rand() % 3 ? INFINITY : scale * 100 * uniform();
		for (size_t k = 0; k < s->flows[f].n; k++)
			s->routes[f][k] = (size_t)rand() % LINKS;
	}
}

/* Is the flow's link full, with nobody on it faster? */
static int is_bottleneck(const struct scene *s, size_t l, double rate)
{
	if (s->loads[l] < s->capacity[l] * (1 - WITHIN))
		return 0;
	for (int f = 0; f < FLOWS; f++)
		for (size_t k = 0; k < s->flows[f].n; k++)
			if (s->routes[f][k] == l && s->rates[f].rate > rate * (1 + WITHIN))
				return 0;
	return 1;
}

static int crosses(const struct maxmin_flow *f, size_t link)
{
	for (size_t k = 0; k < f->n; k++)
		if (f->links[k] == link)
			return 1;
	return 0;
}

static void test_maxmin_properties_of_random_cases(void)
{
	static struct scene s;
	int over = 0, capped = 0, unexplained = 0;

	srand(1);
	for (int run = 0; run < 1000; run++) {
		struct maxmin_links links = {LINKS, s.capacity};

		draw(&s);
		CU_ASSERT_EQUAL_FATAL(maxmin_share(links, FLOWS, s.flows, s.rates, &err), 0);
		maxmin_loads(links, FLOWS, s.flows, s.rates, s.loads);
		for (int l = 0; l < LINKS; l++)
			over += s.loads[l] > s.capacity[l] * (1 + WITHIN);
		for (int f = 0; f < FLOWS; f++) {
			const struct maxmin_rate *r = &s.rates[f];

			capped += !(r->rate >= 0) || r->rate > s.flows[f].cap;
			if (r->bottleneck == MAXMIN_OWN_CAP)
				unexplained += r->rate != s.flows[f].cap;
			else
				unexplained += !crosses(&s.flows[f], r->bottleneck) ||
					       !is_bottleneck(&s, r->bottleneck, r->rate);
		}
	}
	CU_ASSERT_EQUAL(over, 0);
	CU_ASSERT_EQUAL(capped, 0);
	CU_ASSERT_EQUAL(unexplained, 0);
}

static void refused(double capacity, struct maxmin_flow flow, const char *why)
{
	struct maxmin_rate r = {42, 0};

	CU_ASSERT_EQUAL(maxmin_share((struct maxmin_links){1, &capacity}, 1, &flow, &r, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, why);
	CU_ASSERT_EQUAL(r.rate, 42);
}

static void test_maxmin_refuses_what_it_cannot_take(void)
{
	const size_t first[] = {0}, third[] = {2};
	double cap;

	refused(-1, (struct maxmin_flow){1, first, 1}, "link 0 has capacity -1, must be 0 or more");
	refused(NAN, (struct maxmin_flow){1, first, 1},
		"link 0 has capacity nan, must be 0 or more");
	refused(1, (struct maxmin_flow){1, first, -1}, "flow 0 has cap -1, must be 0 or more");
	refused(1, (struct maxmin_flow){1, first, NAN}, "flow 0 has cap nan, must be 0 or more");
	refused(1, (struct maxmin_flow){0, NULL, INFINITY},
		"flow 0 crosses no link and has no cap");
	refused(1, (struct maxmin_flow){1, third, 1}, "flow 0 crosses link 2 of 1");
	CU_ASSERT_EQUAL(maxmin_window_cap(64e3, 0.1, &cap, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(cap, 640e3, 1e-6);
	CU_ASSERT_EQUAL(maxmin_window_cap(64e3, 0, &cap, &err), -1);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_maxmin_of_two_links),
		SUITE_CASE(test_maxmin_at_the_edges),
		SUITE_CASE(test_maxmin_properties_of_random_cases),
		SUITE_CASE(test_maxmin_refuses_what_it_cannot_take),
		CU_TEST_INFO_NULL,
	};

	return suite_run("maxmin", tests);
}
