/* SPDX-License-Identifier: BSD-3-Clause */
/* Failing polls in the archive: one call for a flood, each request's last failing test in it. */
#include "interpose/archive/archive_writer.h"

#include <stdlib.h>

#include "interpose/archive/archive_defs.h"

/* By when the last failing test of a request began. */
static int by_tick(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	return x->bytes_in < y->bytes_in ? -1 : x->bytes_in > y->bytes_in;
}

/* The next part of a flood that begins before *i; NULL when there is none. */
static const struct record *next_part(const struct log_view *v, size_t *i)
{
	const struct record *r;

	while ((r = log_view_next(v, i)) && (RECORD_IS_DEF(r->kind) || r->kind == RECORD_METRIC))
		;
	return r && (r->flags & RECORD_FLAG_PART) && r->kind == RECORD_TEST_FAILED ? r : NULL;
}

void flood_attributes(struct writer *w, const struct log_view *v, const struct record *head,
		      size_t next)
{
	uint64_t polls = head->aux, ticks = head->bytes;
	const struct record *r;

	while ((r = next_part(v, &next))) {
		polls += r->aux;
		ticks += r->bytes;
	}
	w->out->passes += polls ? polls - 1 : 0;
	w->out->polls += polls;
	writer_number(w, ARCHIVE_ATTR_POLLS, polls);
	writer_number(w, ARCHIVE_ATTR_POLLED_NS,
		      (uint64_t)(ticks_to_ns(&w->scale, head->enter + ticks) -
				 ticks_to_ns(&w->scale, head->enter)));
}

static void write_test(struct writer *w, const struct record *test)
{
	OTF2_TimeStamp t = writer_stamp(w, test->bytes_in);

	writer_number(w, ARCHIVE_ATTR_POLLS, test->aux);
	write_failed_test(w, test, w->attributes, t);
}

void write_flood(struct writer *w, const struct log_view *v, const struct record *head, size_t next)
{
	struct record *tests = NULL; /* the log may not keep what was read before */
	const struct record *r = head;
	size_t n = 1, at = next, i;

	while (next_part(v, &at))
		n++;
	tests = malloc(n * sizeof(*tests));
	if (!tests) {
		w->failed = 1;
		return;
	}
	for (n = 0, at = next; r; r = next_part(v, &at))
		if (r->request)
			tests[n++] = *r;
	qsort(tests, n, sizeof(*tests), by_tick);
	for (i = 0; i < n; i++)
		write_test(w, &tests[i]);
	free(tests);
}
