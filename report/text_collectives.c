/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of collectives: how long each place's take, beside what they would on an idle machine.
 */
#include "common/number.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/text.h"

#include <stdio.h>
#include <string.h>

/* How many times as long it takes as on an idle machine; "-": not predicted. */
static void put_prediction(struct columns *c, const json_t *row)
{
	double says = pick_number(row, "idle.s", 0.0), took = pick_number(row, "idle.took_s", 0.0);
	char text[40] = "-";

	if (says > 0.0)
		snprintf(text, sizeof(text), "%.*f", took < 10 * says ? 1 : 0, took / says);
	columns_put(c, says > 0.0 ? INK_PLAIN : INK_DIM, text);
}

#define ONE       0.95 /* of the waiting: the others do not matter */
#define MOST      0.5
#define WORTH     0.005 /* of rank time: who is waited for less is not told */
#define BEFORE_IT 5     /* columns before that of the call */

static double took_s(const json_t *row)
{
	return pick_number(row, "wait_s", 0.0) + pick_number(row, "moving_s", 0.0) +
	       pick_number(row, "unattended_s", 0.0);
}

/* On a line of its own, below the call. */
static void put_below(struct columns *c, const char *what, const char *value)
{
	columns_add(c);
	for (int k = 0; k < BEFORE_IT; k++)
		columns_put(c, INK_PLAIN, "");
	columns_put(c, INK_PLAIN, what);
	columns_put(c, INK_PLAIN, value);
}

/* How long it may have been held up as ranks computed, if that is long enough. */
static void put_unattended(struct columns *c, const json_t *row)
{
	double unattended_s = pick_number(row, "unattended_s", 0.0);
	char text[80];

	if (!(pick_number(row, "share", 0.0) * unattended_s >= WORTH * took_s(row)) ||
	    !(unattended_s > 0.0))
		return;
	snprintf(text, sizeof(text), "outside MPI, %s", number_seconds(unattended_s).text);
	put_below(c, "perhaps for ranks", text);
}

/* Whom the ranks wait for, if they wait long enough. */
static void put_awaited(struct columns *c, const json_t *row)
{
	double wait_s = pick_number(row, "wait_s", 0.0), all_s = took_s(row);
	double share = pick_number(row, "awaited.share", 0.0);
	double ranks = pick_number(row, "awaited.ranks", 0.0);
	double missing = pick_number(row, "missing.ranks", 0.0);
	char who[80];

	if (!(pick_number(row, "share", 0.0) * wait_s >= WORTH * all_s))
		return;
	if (pick_number(row, "missing.share", 0.0) >= MOST)
		snprintf(who, sizeof(who), "%.0f missing ranks", missing);
	else if (!(share > 0.0))
		return;
	else if (share >= ONE)
		snprintf(who, sizeof(who), "rank %.0f", pick_number(row, "awaited.rank", 0.0));
	else if (share >= MOST || ranks < 2.0)
		snprintf(who, sizeof(who), "rank %.0f, %s of it",
			 pick_number(row, "awaited.rank", 0.0), number_share(share).text);
	else
		snprintf(who, sizeof(who), "%.0f ranks in turn", ranks);
	put_below(c, "waits for", who);
}

static void put_row(struct columns *c, const json_t *row)
{
	columns_add(c);
	cell_number(c, number_seconds, row, "wait_s");
	cell_number(c, number_seconds, row, "moving_s");
	cell_number(c, number_count, row, "count");
	if (json_is_number(pick(row, "took_s")))
		cell_number(c, number_seconds, row, "took_s");
	else
		columns_put(c, INK_DIM, "-");
	put_prediction(c, row);
	cell_text(c, pick(row, "callsite"), "mpi");
	cell_place(c, pick(row, "callsite"));
	put_awaited(c, row);
	put_unattended(c, row);
}

/* What the signature says of one place's all-to-alls. */
static void put_signature(struct layout *l, const json_t *row)
{
	double says = pick_number(row, "signature.s", 0.0);
	double alone = pick_number(row, "signature.alone_s", 0.0);
	char place[400], text[700];

	if (says <= 0.0)
		return;
	snprintf(text, sizeof(text),
		 "%s at %s: by the machine's contention signature %s, %s of it contention; took %s",
		 pick_text(pick(row, "callsite"), "mpi", "?"),
		 text_place(pick(row, "callsite"), sizeof(place), place), number_seconds(says).text,
		 number_share(says > alone ? (says - alone) / says : 0.0).text,
		 number_seconds(pick_number(row, "signature.took_s", 0.0)).text);
	layout_line(l, "", 2, text);
}

#define OFTEN 2.0 /* times an even share of the bytes */

/* Who has far more of one place's bytes than others, where moving them takes long enough. */
static void put_heaviest(struct layout *l, const json_t *row)
{
	const json_t *sent = pick(row, "counts.sent"), *received = pick(row, "counts.received");
	int is_sent = pick_number(sent, "heaviest_share", 0.0) >
		      pick_number(received, "heaviest_share", 0.0);
	const json_t *of = is_sent ? sent : received;
	const char *mpi = pick_text(pick(row, "callsite"), "mpi", "?");
	double moving_s = pick_number(row, "moving_s", 0.0);
	double all_s = took_s(row);
	double ranks = pick_number(row, "ranks", 0.0);
	double share = pick_number(of, "heaviest_share", 0.0);
	double heaviest = pick_number(of, "heaviest_ranks", 0.0);
	char who[80], place[400], text[700];

	if (!(share * ranks >= OFTEN) || !(heaviest > 0.0) ||
	    !(pick_number(row, "share", 0.0) * moving_s >= WORTH * all_s))
		return;
	snprintf(who, sizeof(who), "one rank, another of %.0f each time,", heaviest);
	if (pick_number(of, "excess_share", 0.0) >= MOST) {
		share = pick_number(of, "rank_share", 0.0);
		snprintf(who, sizeof(who), "rank %.0f", pick_number(of, "rank", 0.0));
	}
	snprintf(text, sizeof(text), "%s at %s: %s %s %s of the bytes, %.1f times an even share",
		 mpi, text_place(pick(row, "callsite"), sizeof(place), place), who,
		 strstr(mpi, "_fence") ? "is the target of"
		 : is_sent             ? "gives"
				       : "gets",
		 number_share(share).text, share * ranks);
	layout_line(l, "", 2, text);
}

/* So many of n rows have no prediction for the reason of row i; 0: one before i has that. */
static size_t refused_alike(const json_t *list, size_t n, size_t i)
{
	const char *why = pick_text(json_array_get(list, i), "idle.why_not", NULL);
	size_t alike = 0;

	for (size_t k = 0; why && k < n; k++) {
		const char *other = pick_text(json_array_get(list, k), "idle.why_not", NULL);

		if (!other || strcmp(why, other) != 0)
			continue;
		if (k < i)
			return 0;
		alike++;
	}
	return alike;
}

/* Why rows shown have no prediction, each reason once. */
static void put_refusals(struct layout *l, const json_t *list, size_t n)
{
	char place[400], text[900], more[40];

	for (size_t i = 0; i < n; i++) {
		const json_t *row = json_array_get(list, i);
		size_t alike = refused_alike(list, n, i);

		if (!alike)
			continue;
		snprintf(more, sizeof(more), " and %zu more", alike - 1);
		snprintf(text, sizeof(text), "no \"x idle\" for %s at %s%s: %s",
			 pick_text(pick(row, "callsite"), "mpi", "?"),
			 text_place(pick(row, "callsite"), sizeof(place), place),
			 alike > 1 ? more : "", pick_text(row, "idle.why_not", "?"));
		layout_line(l, "", 2, text);
	}
}

/* Without a machine file the predictions are no surer than the luck of the fastest messages. */
static void put_footing(struct layout *l, const json_t *document, const json_t *list, size_t n)
{
	size_t predicted = 0;

	for (size_t i = 0; i < n; i++)
		predicted += pick_number(json_array_get(list, i), "idle.s", 0.0) > 0.0;
	if (!predicted || strcmp(pick_text(document, "machine.source", ""), "self-calibrated") != 0)
		return;
	layout_line(l, "", 2, "idle is by this trace's own fastest messages (confidence: low)");
}

static double waited_s(const json_t *list)
{
	double sum = 0.0;

	for (size_t i = 0; i < json_array_size(list); i++)
		sum += pick_number(json_array_get(list, i), "wait_s", 0.0);
	return sum;
}

int text_collectives_table(struct layout *l, const json_t *document, struct err *err)
{
	static const struct column columns[] = {
		{"waiting", COLUMN_RIGHT}, {"moving", COLUMN_SPARE}, {"calls", COLUMN_SPARE},
		{"each", COLUMN_SPARE},    {"x idle", COLUMN_RIGHT}, {"call", COLUMN_LEFT},
		{"where", COLUMN_CUT},
	};
	static const struct rows t = {
		"COLLECTIVES",
		"ranks' time; each: after the last came; idle: by the best algorithm", 7, columns,
		put_row};
	const json_t *list = pick(document, "collectives.operations");
	size_t n = rows_worth(list, l->style->top);
	int ret = rows_print(l, &t, list, n, err);

	for (size_t i = 0; i < n; i++)
		put_heaviest(l, json_array_get(list, i));
	for (size_t i = 0; i < n; i++)
		put_signature(l, json_array_get(list, i));
	put_refusals(l, list, n);
	put_footing(l, document, list, n);
	if (waited_s(list) > pick_number(document, "budget.parts.collective_wait.s", 0.0))
		text_threads(l, document);
	return ret;
}
