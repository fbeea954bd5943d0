/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions of damaged logs: what is whole is taken, the rest passed over. */
#include "interpose/archive/defs.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

#define UNITS 24

/* A rank's definitions as a log has them: a module, two sites, a communicator, a path, a file. */
static size_t make(unsigned char *digest)
{
	struct log_header *h = (void *)digest;
	struct record *r = (void *)(digest + sizeof(*h));
	struct log_frame *f;
	struct log_comm *comm;
	int i;

	memset(digest, 0, sizeof(*h) + UNITS * sizeof(*r));
	h->magic = LOG_MAGIC;
	h->ranks = 1;
	strcpy(h->host, "here");
	*r = (struct record){.kind = RECORD_DEF_OBJECT, .site = 1, .aux = 1};
	memcpy(r + 1, "ab12\0/bin/app", 14);
	r += 2;
	for (i = 0; i < 2; i++, r += 2) {
		*r = (struct record){
			.kind = RECORD_DEF_SITE, .site = 3u + (unsigned)i, .aux = 1, .peer = 2};
		f = (void *)(r + 1);
		f[0] = (struct log_frame){.offset = 16, .object = 1};
		f[1] = (struct log_frame){.offset = 32u + (unsigned)i, .object = 1};
	}
	*r = (struct record){.kind = RECORD_DEF_COMM, .comm = 2, .aux = 2};
	comm = (void *)(r + 1);
	*comm = (struct log_comm){.key = 77, .parent_key = 1, .size = 2, .listed = 1};
	strcpy(comm->name, "a pair");
	r += 3;
	*r = (struct record){.kind = RECORD_DEF_PATH, .comm = 5, .aux = 2};
	((struct log_path *)(r + 1))->key = 99;
	strcpy((char *)(r + 1) + sizeof(struct log_path), "/data/file");
	r += 3;
	return (size_t)((unsigned char *)r - digest);
}

static void test_defs_whole(void)
{
	unsigned char *digest = malloc(sizeof(struct log_header) + UNITS * sizeof(struct record));
	size_t n = make(digest);
	struct defs d = {0};
	struct err err;

	CU_ASSERT_FATAL(defs_add(&d, (char *)digest, n, &err) == 0);
	defs_done(&d);
	CU_ASSERT_EQUAL(d.n_sites, 2);
	CU_ASSERT_STRING_EQUAL(d.sites[0], "/bin/app:ab12+0x10;/bin/app:ab12+0x20");
	CU_ASSERT_EQUAL(d.n_paths, 1);
	CU_ASSERT_STRING_EQUAL(d.paths[0], "/data/file");
	defs_release(&d);
	free(digest);
}

/* A module that says it has number 4294967295, and one whose texts never end. */
static void test_defs_unsound_is_passed_over(void)
{
	unsigned char *digest = malloc(sizeof(struct log_header) + UNITS * sizeof(struct record));
	size_t n = make(digest);
	struct record *r = (void *)(digest + sizeof(struct log_header));
	struct defs d = {0};
	struct err err;

	r->site = UINT32_MAX;
	CU_ASSERT_FATAL(defs_add(&d, (char *)digest, n, &err) == 0);
	CU_ASSERT_EQUAL(d.n_sites, 2);
	CU_ASSERT_STRING_EQUAL(d.sites[0], "?:-+0x10;?:-+0x20");
	defs_release(&d);
	make(digest);
	memset(r + 1, 'x', sizeof(*r));
	memset(&d, 0, sizeof(d));
	CU_ASSERT_FATAL(defs_add(&d, (char *)digest, n, &err) == 0);
	CU_ASSERT_STRING_EQUAL(d.sites[0], "?:-+0x10;?:-+0x20");
	defs_release(&d);
	free(digest);
}

/* Any bytes: no crash, no table of gigabytes (run it under a sanitizer too). */
static void test_defs_survive_any_byte(void)
{
	size_t room = sizeof(struct log_header) + UNITS * sizeof(struct record), n;
	unsigned char *digest = malloc(room);
	uint64_t s = 88172645463325252u;
	struct err err;
	int round, flips;

	for (round = 0; round < 5000; round++) {
		struct defs d = {0};

		n = make(digest);
		for (flips = 1 + round % 8; flips > 0; flips--) {
			s ^= s << 13;
			s ^= s >> 7;
			s ^= s << 17;
			digest[sizeof(struct log_header) + s % (n - sizeof(struct log_header))] =
				(unsigned char)(s >> 40);
		}
		if (round % 3 == 0)
			n -= s % 300;
		if (!defs_add(&d, (char *)digest, n, &err))
			defs_done(&d);
		CU_ASSERT(d.n_sites <= UNITS);
		defs_release(&d);
	}
	free(digest);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_defs_whole),
	SUITE_CASE(test_defs_unsound_is_passed_over),
	SUITE_CASE(test_defs_survive_any_byte),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("defs", tests);
}
