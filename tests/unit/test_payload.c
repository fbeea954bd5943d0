/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records that say they have more payload than follows them, or less: what is behind is read as
 * no part of them, and what they name is no more than what is there.
 */
#include "interpose/archive/defs.h"
#include "interpose/log/log.h"
#include "interpose/log/log_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fixtures/suite.h"

static char path[64];

/* The records of a view, by their request, also those behind damaged places; and is it whole? */
static unsigned read_requests(unsigned most, uint64_t requests[most], int *is_whole)
{
	struct log_view v = {0};
	const struct record *r;
	unsigned n = 0;
	struct err err;
	size_t at = 0;

	CU_ASSERT_FATAL(log_view_open(&v, path, &err) == 0);
	*is_whole = !v.lack;
	do
		while ((r = log_view_next(&v, &at)) && n < most)
			requests[n++] = r->request;
	while (log_view_resume(&v, &at));
	log_view_close(&v);
	return n;
}

/* Whatever is left of a half or the tail becomes one definition, which says it has aux units. */
static void define_rest(struct log *l, uint64_t request, int more)
{
	size_t units = (size_t)(l->end - l->next);
	struct record *r = l->next;

	memset(r + 1, 0xee, (units - 1) * sizeof(*r));
	r->request = request;
	r->aux = (uint32_t)((int)units - 1 + more);
	r->kind = RECORD_DEF_SITE;
	l->next += units;
}

static void add_one(struct log *l, uint64_t request)
{
	struct err err;

	if (l->next == l->end)
		CU_ASSERT_FATAL(log_grow(l, 1, &err) == 0);
	l->next->request = request;
	l->next->kind = RECORD_CALL;
	l->next++;
}

/*
 * Three halves and the tail, each a record and a definition that fills the rest but says that it
 * has more units by more. The first half has become a chunk by then.
 */
static void make_filled_halves(int more)
{
	struct log l;
	struct err err;
	uint64_t i;

	unlink(path);
	CU_ASSERT_FATAL(log_create(&l, path, &err) == 0);
	for (i = 0; i < 3; i++) {
		add_one(&l, 2 * i);
		define_rest(&l, 2 * i + 1, more);
	}
	log_begin_tail(&l);
	l.end = l.tail + LOG_TAIL_UNITS;
	add_one(&l, 6);
	define_rest(&l, 7, more);
	log_close(&l);
}

/* What follows a definition ends where its half does: nothing behind is read as part of it. */
static void test_payload_keeps_to_halves(void)
{
	uint64_t requests[20], i;
	int is_whole;

	make_filled_halves(0);
	CU_ASSERT_FATAL(read_requests(20, requests, &is_whole) == 8);
	CU_ASSERT(is_whole);
	for (i = 0; i < 8; i++)
		CU_ASSERT_EQUAL(requests[i], i);
	make_filled_halves(1);
	CU_ASSERT_FATAL(read_requests(20, requests, &is_whole) == 4);
	CU_ASSERT(!is_whole);
	for (i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(requests[i], 2 * i);
	make_filled_halves(LOG_HALF_UNITS);
	CU_ASSERT_EQUAL(read_requests(20, requests, &is_whole), 4);
	/* one that says it has fewer: what is behind it is no record, and the rest is left */
	make_filled_halves(-1);
	CU_ASSERT_FATAL(read_requests(20, requests, &is_whole) == 8);
	CU_ASSERT(!is_whole);
	for (i = 0; i < 8; i++)
		CU_ASSERT_EQUAL(requests[i], i);
	unlink(path);
}

/* A digest of one definition with units of payload, of which aux are said to be there. */
static void add_definition(struct defs *d, const struct record *about, const void *payload,
			   size_t bytes, size_t units)
{
	size_t n = sizeof(struct log_header) + (1 + units) * sizeof(*about);
	char *digest = calloc(1, n + 16 * sizeof(*about)); /* what lies behind is not its own */
	struct log_header *h = (void *)digest;
	struct err err;

	CU_ASSERT_FATAL(digest != NULL);
	h->magic = LOG_MAGIC;
	h->ranks = 1;
	memcpy(digest + sizeof(*h), about, sizeof(*about));
	memcpy(digest + sizeof(*h) + sizeof(*about), payload, bytes);
	memset(d, 0, sizeof(*d));
	CU_ASSERT_FATAL(defs_add(d, digest, n, &err) == 0);
	defs_done(d);
	free(digest);
}

/* A path of one unit and a bit, in the two units it needs, or of which one is missing. */
static void test_payload_of_a_path(void)
{
	struct {
		struct log_path head;
		char text[100];
	} p = {{99}, "/data/a/path/that/needs/more/than/one/unit/of/sixty/four/bytes/and/says/so"};
	struct record r = {.kind = RECORD_DEF_PATH, .comm = 5, .aux = 2};
	struct defs d;

	add_definition(&d, &r, &p, sizeof(p), 2);
	CU_ASSERT_FATAL(d.n_paths == 1);
	CU_ASSERT_STRING_EQUAL(d.paths[0], p.text);
	defs_release(&d);
	add_definition(&d, &r, &p, sizeof(p), 1);
	CU_ASSERT_EQUAL(d.n_paths, 0);
	defs_release(&d);
	r.aux = 1; /* what it says is less: its text ends there */
	add_definition(&d, &r, &p, sizeof(p), 2);
	CU_ASSERT_FATAL(d.n_paths == 1);
	CU_ASSERT_EQUAL(strlen(d.paths[0]), sizeof(r) - sizeof(p.head));
	defs_release(&d);
	r.aux = 0;
	add_definition(&d, &r, &p, sizeof(p), 2);
	CU_ASSERT_EQUAL(d.n_paths, 0);
	defs_release(&d);
}

/* More frames than fit into what follows: those that are there. */
static void test_payload_of_a_site(void)
{
	struct log_frame f[8] = {{.offset = 1}, {.offset = 2}, {.offset = 3}, {.offset = 4},
				 {.offset = 5}, {.offset = 6}, {.offset = 7}, {.offset = 8}};
	struct record r = {.kind = RECORD_DEF_SITE, .site = 0, .peer = 8, .aux = 1};
	struct defs d;

	add_definition(&d, &r, f, sizeof(f), 2);
	CU_ASSERT_FATAL(d.n_sites == 1);
	CU_ASSERT_STRING_EQUAL(d.sites[0], "?:-+0x1;?:-+0x2;?:-+0x3;?:-+0x4");
	defs_release(&d);
	r.peer = INT32_MIN;
	add_definition(&d, &r, f, sizeof(f), 2);
	CU_ASSERT_STRING_EQUAL(d.sites[0], "");
	defs_release(&d);
}

/* Lists that are longer than what follows are not taken, nor members that nobody wrote. */
static void test_payload_of_lists(void)
{
	struct {
		struct log_comm head;
		int32_t ranks[64];
	} c = {{.key = 77, .parent_key = 1, .size = 16, .listed = 1}, {0}};
	struct {
		struct log_group head;
		int32_t ranks[64];
	} g = {{.key = 78, .size = 12}, {0}};
	struct record r = {.kind = RECORD_DEF_COMM, .comm = 2, .aux = 2};
	struct defs d;

	add_definition(&d, &r, &c, sizeof(c), 4); /* 64 bytes and 16 ranks: two units */
	CU_ASSERT(d.n_comms == 1 && d.comms[0].members);
	defs_release(&d);
	c.head.remote = 1;
	add_definition(&d, &r, &c, sizeof(c), 4);
	CU_ASSERT(d.n_comms == 1 && !d.comms[0].members);
	defs_release(&d);
	r.aux = 0;
	add_definition(&d, &r, &c, sizeof(c), 4);
	CU_ASSERT_EQUAL(d.n_comms, 0);
	defs_release(&d);
	r.aux = 1;
	r.kind = RECORD_DEF_GROUP; /* 16 bytes and 12 ranks: one unit */
	add_definition(&d, &r, &g, sizeof(g), 4);
	CU_ASSERT(d.n_groups == 1 && d.groups[0].members);
	defs_release(&d);
	g.head.size = 13;
	add_definition(&d, &r, &g, sizeof(g), 4);
	CU_ASSERT(d.n_groups == 1 && !d.groups[0].members);
	defs_release(&d);
}

/* Less than what comes before all definitions is refused, and said. */
static void test_payload_of_nothing(void)
{
	struct log_header h = {.magic = LOG_MAGIC};
	struct defs d = {0};
	struct err err;

	CU_ASSERT_EQUAL(defs_add(&d, (const char *)&h, sizeof(h) - 1, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "a rank's definitions are cut short");
	CU_ASSERT_EQUAL(d.n_ranks, 0);
	defs_release(&d);
}

static CU_TestInfo cases[] = {
	SUITE_CASE(test_payload_keeps_to_halves), SUITE_CASE(test_payload_of_a_path),
	SUITE_CASE(test_payload_of_a_site),       SUITE_CASE(test_payload_of_lists),
	SUITE_CASE(test_payload_of_nothing),      CU_TEST_INFO_NULL,
};

int main(void)
{
	snprintf(path, sizeof(path), "/tmp/test_payload.%d", (int)getpid());
	return suite_run("payload", cases);
}
