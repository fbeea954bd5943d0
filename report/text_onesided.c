/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of one-sided communication: who is waited for where it is synchronized, and why. */
#include "common/number.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/text.h"

#include <stdio.h>
#include <string.h>

/* A cause as a reader says it, of the rank in the column before. */
static const char *phrase(const char *cause)
{
	static const struct {
		const char *cause, *phrase;
	} rows[] = {
		{"late_fence", "came to the fence last"},
		{"late_post", "posted its window late"},
		{"late_complete", "completed its access late"},
		{"lock", "held the lock"},
		{"progress", "did not call MPI"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(cause, rows[i].cause))
			return rows[i].phrase;
	return cause;
}

static void put_row(struct columns *c, const json_t *row)
{
	columns_add(c);
	cell_number(c, number_seconds, row, "s");
	cell_number(c, number_count, row, "waits");
	cell_number(c, number_count, row, "rank");
	columns_put(c, INK_PLAIN, phrase(pick_text(row, "cause", "?")));
	cell_text(c, pick(row, "callsite"), "mpi");
	cell_place(c, pick(row, "callsite"));
}

static void put_kind(struct layout *l, const json_t *document, const char *what)
{
	char key[64];
	double n, bytes;

	snprintf(key, sizeof(key), "one_sided.%s.count", what);
	n = pick_number(document, key, 0.0);
	snprintf(key, sizeof(key), "one_sided.%s.bytes", what);
	bytes = pick_number(document, key, 0.0);
	if (n > 0)
		layout_item(l, INK_PLAIN, "%s %s, %s", what, number_count(n).text,
			    number_bytes(bytes).text);
}

#define OFTEN 2.0 /* times an even share */

/* To whom most operations go, if that is more than twice its share. */
static void put_target(struct layout *l, const json_t *document)
{
	double share = pick_number(document, "one_sided.target.operations_share", 0.0);
	double ranks = pick_number(document, "run.ranks", 0.0);
	double lock_s = pick_number(document, "one_sided.target.lock_s", 0.0);

	if (!(share * ranks > OFTEN))
		return;
	layout_begin(l, "", 2);
	layout_words(l, "target:");
	layout_item(l, INK_PLAIN, "rank %.0f, of %s of the operations of other ranks",
		    pick_number(document, "one_sided.target.rank", 0.0), number_share(share).text);
	if (lock_s > 0.0)
		layout_item(l, INK_PLAIN, "locks on it are waited for %s",
			    number_seconds(lock_s).text);
	layout_end(l);
}

static double operations_of(const json_t *document)
{
	return pick_number(document, "one_sided.put.count", 0.0) +
	       pick_number(document, "one_sided.get.count", 0.0) +
	       pick_number(document, "one_sided.atomic.count", 0.0);
}

/* By operations: what ranks read and write in their own or shared memory is not seen. */
static void put_moved(struct layout *l, const json_t *document)
{
	if (!(operations_of(document) > 0.0))
		return;
	layout_begin(l, "", 2);
	layout_words(l, "moved:");
	put_kind(l, document, "put");
	put_kind(l, document, "get");
	put_kind(l, document, "atomic");
	layout_end(l);
}

/* How dear it is to synchronize: a call for each operation or for many. */
static void put_synchronizing(struct layout *l, const json_t *document)
{
	double calls = pick_number(document, "one_sided.synchronizing_calls", 0.0);
	double s = pick_number(document, "one_sided.synchronizing_s", 0.0);
	double all_s = pick_number(document, "budget.total_s", 0.0);
	double operations = operations_of(document);
	char each[80] = "no operation", text[240];

	if (!(calls > 0.0) || !(all_s > 0.0))
		return;
	if (operations >= calls)
		snprintf(each, sizeof(each), "one for %s operation%s",
			 number_words(operations / calls).text, operations > calls ? "s" : "");
	else if (operations > 0.0)
		snprintf(each, sizeof(each), "%s for an operation",
			 number_words(calls / operations).text);
	snprintf(text, sizeof(text), "synchronized: %s call%s, %s: %s, %s of rank time",
		 number_count(calls).text, calls > 1.0 ? "s" : "", each, number_seconds(s).text,
		 number_share(s / all_s).text);
	layout_line(l, "", 2, text);
}

int text_onesided_table(struct layout *l, const json_t *document, struct err *err)
{
	static const struct column columns[] = {
		{"time", COLUMN_RIGHT}, {"waits", COLUMN_SPARE}, {"rank", COLUMN_RIGHT},
		{"did", COLUMN_LEFT},   {"call", COLUMN_LEFT},   {"where", COLUMN_CUT},
	};
	static const struct rows t = {NULL, NULL, 6, columns, put_row};
	const json_t *list = pick(document, "one_sided.waits");
	size_t n = rows_worth(list, l->style->top);

	if (!json_is_object(pick(document, "one_sided")))
		return 0;
	layout_heading(l, "ONE-SIDED", n ? "who is waited for where it is synchronized" : "");
	put_moved(l, document);
	put_synchronizing(l, document);
	put_target(l, document);
	return rows_print(l, &t, list, n, err);
}
