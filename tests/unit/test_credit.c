/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many messages complete: a depth, at least so many, or none that is fixed. */
#include "calibrate/credit.h"

#include "tests/fixtures/suite.h"

/* What looks at n messages each say of a size: so many completed, both sides there or not. */
static struct credit looked(int n, int count, const int completed[], int whole)
{
	struct credit c = credit_of(64);
	int i;

	for (i = 0; i < count; i++)
		credit_add(&c, n, (struct look){completed[i], whole});
	return c;
}

static void test_credit_that_all_looks_agree_about(void)
{
	struct credit c = looked(128, 5, (int[]){127, 127, 127, 127, 127}, 1);

	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_FIXED);
	CU_ASSERT_EQUAL(c.most, 127);
	CU_ASSERT_EQUAL(credit_says(&c, 1), CREDIT_AT_LEAST); /* who is off its core sends less */
	c = looked(128, 4, (int[]){127, 127, 127, 127}, 1);
	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_AT_LEAST); /* of so few they may by chance */
}

/* The queue of 64 that is freed by halves, as MPICH's looks were. */
static void test_credit_that_depends_on_the_look(void)
{
	struct credit c = looked(128, 7, (int[]){39, 38, 37, -1, 35, 33, 64}, 1);

	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_VARIES);
	CU_ASSERT_EQUAL(c.least, 33);
	CU_ASSERT_EQUAL(c.most, 64);
	CU_ASSERT_EQUAL(c.looks, 6);
	CU_ASSERT(!c.capped);
	credit_add(&c, 128, (struct look){128, 1});
	CU_ASSERT(c.capped); /* and perhaps more */
	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_VARIES);
}

/* That not more complete is only said by who was there all the time. */
static void test_credit_of_interrupted_looks(void)
{
	struct credit c = looked(128, 6, (int[]){12, 30, 0, 31, 25, -1}, 0);

	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_AT_LEAST);
	CU_ASSERT_EQUAL(c.most, 31);
	CU_ASSERT_EQUAL(c.looks, 0);
	c = looked(128, 2, (int[]){-1, -1}, 0);
	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_UNKNOWN);
	c.none = 1;
	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_FIXED);
}

/* "At least 0" says nothing, be it that few looked or that they were off their cores. */
static void test_credit_of_at_least_0(void)
{
	struct credit c = looked(128, 6, (int[]){0, 0, 0, 0, 0, 0}, 0);

	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_UNKNOWN);
	CU_ASSERT_EQUAL(credit_says(&c, 1), CREDIT_UNKNOWN);
	c = looked(128, 6, (int[]){0, 0, 0, 0, 0, 0}, 1);
	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_FIXED);
	CU_ASSERT_EQUAL(credit_says(&c, 1), CREDIT_UNKNOWN);
	c = looked(128, 2, (int[]){0, 0}, 1);
	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_UNKNOWN);
}

static void test_credit_of_all_that_were_tried(void)
{
	struct credit c = looked(2048, 1, (int[]){2048}, 1);

	CU_ASSERT_EQUAL(credit_says(&c, 0), CREDIT_AT_LEAST);
	CU_ASSERT(c.capped);
}

/* Nothing has room for more of the larger messages. */
static void test_credit_in_disorder(void)
{
	struct credit c[3] = {looked(512, 3, (int[]){100, 100, 100}, 1),
			      looked(512, 3, (int[]){40, 45, 50}, 1),
			      looked(512, 3, (int[]){48, 44, 46}, 1)};

	CU_ASSERT_EQUAL(credit_disorder(c, 3), 3);
	c[2] = looked(512, 3, (int[]){51, 52, 60}, 1);
	CU_ASSERT_EQUAL(credit_disorder(c, 3), 1);
	c[1].capped = 1; /* perhaps more */
	CU_ASSERT_EQUAL(credit_disorder(c, 3), 3);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_credit_that_all_looks_agree_about),
	SUITE_CASE(test_credit_that_depends_on_the_look),
	SUITE_CASE(test_credit_of_interrupted_looks),
	SUITE_CASE(test_credit_of_at_least_0),
	SUITE_CASE(test_credit_of_all_that_were_tried),
	SUITE_CASE(test_credit_in_disorder),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("credit", tests);
}
