/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which processors ranks may use, as the recorder writes it, and whom they compete with by that. */
#include "analyze/run/run_processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/run/run_cores.h"
#include "interpose/archive/runjson_processors.h"
#include "tests/fixtures/suite.h"

#define RANKS 6

static struct def_rank defined[RANKS];
static struct rank ranks[RANKS];
static struct trace trace;

/* A rank of a host of 8 that may use these of them. */
static void define(unsigned rank, const char *host, uint64_t processors)
{
	struct log_header *h = &defined[rank].header;

	memset(h, 0, sizeof(*h));
	h->rank = rank;
	h->cores = 8;
	strcpy(h->host, host);
	h->confines.processors.word[0] = processors;
	ranks[rank] = (struct rank){.node = strcmp(host, "a") != 0};
}

/* What run.json says of them; its "cores" are 3. */
static json_t *written(void)
{
	struct defs d = {.ranks = defined, .n_ranks = RANKS};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	json_t *meta;

	fputs("{\"cores\": 3", f);
	run_json_put_processors(f, &d);
	fputs("}", f);
	fclose(f);
	meta = json_loads(text, 0, NULL);
	free(text);
	CU_ASSERT_PTR_NOT_NULL_FATAL(meta);
	return meta;
}

static void mark(json_t *meta)
{
	struct run run = {.meta = meta};
	struct err err;

	trace.ranks = ranks;
	trace.n_ranks = RANKS;
	trace.nodes = 2;
	CU_ASSERT_FATAL(!run_cores_mark(&run, &trace, &err));
}

static const char *text_of(const json_t *meta, size_t row, const char *key)
{
	const char *text = json_string_value(
		json_object_get(json_array_get(json_object_get(meta, "processors"), row), key));

	return text ? text : "none";
}

static void define_all(void)
{
	define(0, "a", 0x1);
	define(1, "a", 0x2);
	define(2, "a", 0x1);
	define(3, "b", 0xf0);
	define(4, "b", 0xf0);
	define(5, "b", 0xf0);
}

/* A row for all that have the same. */
static void test_run_processors_written(void)
{
	json_t *meta;

	define_all();
	meta = written();
	CU_ASSERT_EQUAL(json_array_size(json_object_get(meta, "processors")), 3);
	CU_ASSERT_STRING_EQUAL(text_of(meta, 0, "ranks"), "0,2");
	CU_ASSERT_STRING_EQUAL(text_of(meta, 0, "may_use"), "0");
	CU_ASSERT_STRING_EQUAL(text_of(meta, 1, "ranks"), "1");
	CU_ASSERT_STRING_EQUAL(text_of(meta, 2, "ranks"), "3-5");
	CU_ASSERT_STRING_EQUAL(text_of(meta, 2, "may_use"), "4-7");
	CU_ASSERT_STRING_EQUAL(text_of(meta, 2, "host"), "b");
	json_decref(meta);
	define(1, "a", 0); /* not known */
	meta = written();
	CU_ASSERT_EQUAL(json_array_size(json_object_get(meta, "processors")), 2);
	json_decref(meta);
}

static void test_run_processors_make_crowds(void)
{
	json_t *meta;
	const struct core_group *g;

	define_all();
	meta = written();
	mark(meta);
	CU_ASSERT_EQUAL(ranks[0].crowd, 2);
	CU_ASSERT_EQUAL(ranks[1].crowd, 1);
	CU_ASSERT_EQUAL(ranks[2].crowd, 2);
	CU_ASSERT_EQUAL(ranks[4].crowd, 0.75);
	g = core_groups_worst(&trace.core_groups);
	CU_ASSERT_PTR_NOT_NULL_FATAL(g);
	CU_ASSERT_EQUAL(g, core_groups_of(&trace.core_groups, 2));
	CU_ASSERT_EQUAL(g->n, 2);
	CU_ASSERT_EQUAL(g->ranks[1], 2);
	CU_ASSERT_STRING_EQUAL(g->which, "0");
	CU_ASSERT_EQUAL(g->open, 2);
	CU_ASSERT_EQUAL(g->of_node, 8);
	json_decref(meta);
}

/* Of a node of which it is not known of all, and of archives without it, by ranks and cores. */
static void test_run_processors_not_known(void)
{
	json_t *meta;

	define_all();
	define(1, "a", 0);
	meta = written();
	mark(meta);
	CU_ASSERT_EQUAL(ranks[0].crowd, 1);
	CU_ASSERT_EQUAL(ranks[1].crowd, 1);
	CU_ASSERT_EQUAL(ranks[3].crowd, 0.75);
	CU_ASSERT_PTR_NULL(core_groups_worst(&trace.core_groups));
	json_object_del(meta, "processors");
	json_object_set_new(meta, "cores", json_integer(2));
	mark(meta);
	for (int r = 0; r < RANKS; r++)
		CU_ASSERT_EQUAL(ranks[r].crowd, 1.5);
	CU_ASSERT_EQUAL(trace.core_groups.n, 2);
	json_object_del(meta, "cores");
	mark(meta);
	CU_ASSERT_EQUAL(ranks[0].crowd, 0);
	CU_ASSERT_EQUAL(trace.core_groups.n, 0);
	json_decref(meta);
}

/* What its control group leaves a rank counts if that is less. */
static void test_run_processors_quotas(void)
{
	json_t *meta;

	define_all();
	for (int r = 2; r < 5; r++) {
		defined[r].header.confines.quota_milli = 1500;
		defined[r].header.confines.group = 77;
	}
	meta = written();
	mark(meta);
	CU_ASSERT_EQUAL(ranks[0].crowd, 2);
	CU_ASSERT_EQUAL(ranks[2].crowd, 2); /* the quota would leave it one of its own */
	CU_ASSERT_DOUBLE_EQUAL(ranks[3].crowd, 2 / 1.5, 1e-9);
	CU_ASSERT_EQUAL(ranks[5].crowd, 0.75);
	CU_ASSERT_EQUAL(core_groups_of(&trace.core_groups, 4)->by, CORE_GROUP_QUOTA);
	CU_ASSERT_EQUAL(core_groups_of(&trace.core_groups, 5)->by, CORE_GROUP_SET);
	json_decref(meta);
}

/* Nonsense is not known. */
static void test_run_processors_damaged(void)
{
	static const char *const rows[] = {
		"7",
		"{\"ranks\": 3, \"may_use\": \"0\"}",
		"{\"ranks\": \"0-\", \"may_use\": \"0\"}",
		"{\"ranks\": \"0-99999999999\", \"may_use\": \"1024\"}",
		"{\"ranks\": \"0-5\", \"may_use\": \"0-99999999999\"}",
		"{\"ranks\": \"0-5\", \"may_use\": \"\"}",
		"{\"ranks\": \"0-5\", \"quota\": -1}",
	};
	char text[200];

	define_all();
	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		json_t *meta;

		snprintf(text, sizeof(text), "{\"cores\": 3, \"processors\": [%s]}", rows[k]);
		meta = json_loads(text, 0, NULL);
		CU_ASSERT_PTR_NOT_NULL_FATAL(meta);
		mark(meta);
		CU_ASSERT_EQUAL(ranks[5].crowd, 1);
		json_decref(meta);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_run_processors_written),
		SUITE_CASE(test_run_processors_make_crowds),
		SUITE_CASE(test_run_processors_not_known),
		SUITE_CASE(test_run_processors_quotas),
		SUITE_CASE(test_run_processors_damaged),
		CU_TEST_INFO_NULL,
	};
	int ret = suite_run("run_processors", tests);

	core_groups_release(&trace.core_groups);
	return ret;
}
