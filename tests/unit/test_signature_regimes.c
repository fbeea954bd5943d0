/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signatures of ranges of sizes: all-to-alls whose laws change with the size. */
#include "models/signature_regimes.h"
#include "tests/fixtures/suite.h"

#define SIZES   17 /* 512, 768, 1024, 1536 ... 128 KiB */
#define SAMPLES ((size_t)3 * SIZES)
#define MOST    6

static const struct hockney link = {50e-6, 100e-9};
static struct err err;

static double size_of(int i)
{
	return (i % 2 ? 768.0 : 512.0) * (double)(1 << i / 2);
}

/* So many processes; the law of a size says how often alpha + m beta it takes. */
static size_t measure_among(double processes, double (*law)(double bytes),
			    struct signature_sample out[SAMPLES])
{
	static const double spread[] = {0.98, 1, 1.02};
	size_t n = 0;

	for (int i = 0; i < SIZES; i++)
		for (int j = 0; j < 3; j++) {
			double m = size_of(i);

			out[n++] = (struct signature_sample){
				processes, m,
				(processes - 1) * law(m) * spread[j] *
					(link.alpha_s + m * link.beta_s_per_byte)};
		}
	return n;
}

static size_t measure(double (*law)(double bytes), struct signature_sample out[SAMPLES])
{
	return measure_among(8, law, out);
}

static int regimes_of(double (*law)(double bytes), struct signature_regime r[MOST])
{
	struct signature_question q = {link, 8, SIGNATURE_RELATIVE};
	struct signature_sample samples[SAMPLES];
	size_t n = measure(law, samples);

	return signature_regimes(&q, n, samples, MOST, r, &err);
}

static void expect(const struct signature_regime *r, double from, double to, double gamma)
{
	CU_ASSERT_DOUBLE_EQUAL(r->from_bytes, from, 0);
	CU_ASSERT_DOUBLE_EQUAL(r->to_bytes, to, 0);
	CU_ASSERT_DOUBLE_EQUAL(r->fit.signature.gamma, gamma, 1e-3);
}

static double one(double bytes)
{
	(void)bytes;
	return 1.1;
}

static void test_one_signature_is_the_only_regime(void)
{
	struct signature_regime r[MOST];

	CU_ASSERT_EQUAL_FATAL(regimes_of(one, r), 1);
	expect(&r[0], 512, 131072, 1.1);
}

/* As where messages of more than 20 kB ask first: a gamma below, another above. */
static double two(double bytes)
{
	return bytes < 20000 ? 1.1 : 2;
}

static void test_two_gammas_are_two_regimes(void)
{
	struct signature_regime r[MOST];

	CU_ASSERT_EQUAL_FATAL(regimes_of(two, r), 3);
	expect(&r[1], 512, 16384, 1.1);
	expect(&r[2], 24576, 131072, 2);
}

/* The smallest do not fill the network: what they take is no gamma of the others. */
static double from_1500(double bytes)
{
	return bytes < 1500 ? 0.3 + bytes / 5000 : 1.1;
}

static void test_sizes_that_no_signature_serves_have_none(void)
{
	struct signature_regime r[MOST];

	CU_ASSERT_EQUAL_FATAL(regimes_of(from_1500, r), 2);
	expect(&r[1], 1536, 131072, 1.1);
}

/* Three sizes at the end are too few. */
static double last_three(double bytes)
{
	return bytes < 60000 ? 1.1 : 2;
}

static void test_a_regime_needs_four_sizes(void)
{
	struct signature_regime r[MOST];

	CU_ASSERT_EQUAL_FATAL(regimes_of(last_three, r), 2);
	CU_ASSERT_DOUBLE_EQUAL(r[1].from_bytes, 512, 0);
	CU_ASSERT_DOUBLE_EQUAL(r[1].to_bytes, 49152, 0);
}

/* Fewer processes fill the network with larger messages only. */
static double for_fewer(double bytes)
{
	return bytes < 1500 ? 0.9 : two(bytes);
}

static void test_a_regime_holds_for_fewer_without_its_smallest(void)
{
	struct signature_question q = {link, 8, SIGNATURE_RELATIVE};
	struct signature_sample samples[2 * SAMPLES];
	size_t n = measure(two, samples);
	struct signature_regime r[MOST];

	n += measure_among(4, for_fewer, samples + n);
	CU_ASSERT_EQUAL_FATAL(signature_regimes(&q, n, samples, MOST, r, &err), 4);
	expect(&r[1], 512, 1024, 1.1);
	CU_ASSERT_EQUAL(r[1].fit.n_low, 8);
	CU_ASSERT_EQUAL(r[1].fit.n_below, 1);
	expect(&r[2], 1536, 16384, 1.1);
	CU_ASSERT_EQUAL(r[2].fit.n_low, 4);
	CU_ASSERT_EQUAL(r[2].fit.n_below, 0);
	expect(&r[3], 24576, 131072, 2);
	CU_ASSERT_EQUAL(r[3].fit.n_low, 4);
	/* Where there is no room for a fourth the range stays whole. */
	CU_ASSERT_EQUAL(signature_regimes(&q, n, samples, 3, r, &err), 3);
	expect(&r[1], 512, 16384, 1.1);
}

/* No more than there is room for; the first ones. */
static void test_room_for_one_is_kept(void)
{
	struct signature_question q = {link, 8, SIGNATURE_RELATIVE};
	struct signature_sample samples[SAMPLES];
	size_t n = measure(two, samples);
	struct signature_regime r[2];

	CU_ASSERT_EQUAL(signature_regimes(&q, n, samples, 2, r, &err), 2);
	CU_ASSERT_DOUBLE_EQUAL(r[1].to_bytes, 16384, 0);
	CU_ASSERT_EQUAL(signature_regimes(&q, n, samples, 1, r, &err), 1);
}

static void test_too_few_sizes_are_an_error(void)
{
	struct signature_question q = {link, 8, SIGNATURE_RELATIVE};
	struct signature_sample samples[SAMPLES];
	struct signature_regime r[MOST];

	measure(one, samples);
	CU_ASSERT_EQUAL(signature_regimes(&q, 9, samples, MOST, r, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "3 sizes at n = 8, need at least 4");
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_one_signature_is_the_only_regime),
		SUITE_CASE(test_two_gammas_are_two_regimes),
		SUITE_CASE(test_sizes_that_no_signature_serves_have_none),
		SUITE_CASE(test_a_regime_needs_four_sizes),
		SUITE_CASE(test_a_regime_holds_for_fewer_without_its_smallest),
		SUITE_CASE(test_room_for_one_is_kept),
		SUITE_CASE(test_too_few_sizes_are_an_error),
		CU_TEST_INFO_NULL,
	};

	return suite_run("signature_regimes", tests);
}
