/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where there is no hotspot: what is lost instead. */
#include "common/number.h"
#include "report/legend.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/style.h"
#include "report/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below this share of rank time no part is worth naming instead of a hotspot. */
#define WORTH 0.01

#define LONGER    1.15 /* times the mean */
#define EVEN      1.03 /* is no more work */
#define MOSTLY    0.5  /* of a part, or of a job that hung */
#define CORE_PART 0.5  /* of what is longer: waiting for a core may explain it */

/* Is the run, or most of it, one of clients and servers? These have not the same to do. */
static int has_servers(const json_t *document)
{
	const json_t *model;
	size_t i;

	json_array_foreach((json_t *)pick(document, "models"), i, model) {
		if (pick(model, "inputs.P_s"))
			return 1;
	}
	return 0;
}

/* What ranks compute and access in files, s. */
struct works {
	size_t n;
	double sum_s, most_s, least_s;
	double most, least; /* ranks */
	double files_s;     /* of that, the most of a rank */
	double away_s;      /* without a core: the rank with most */
};

static struct works weigh(const json_t *document)
{
	struct works x = {.most_s = -1.0, .least_s = INFINITY};
	const json_t *rank, *process;
	size_t i;

	json_array_foreach((json_t *)pick(document, "ranks"), i, rank) {
		double files_s = pick_number(rank, "parts.file_access", 0.0);
		double s = pick_number(rank, "parts.compute", 0.0) + files_s;

		if (!(pick_number(rank, "recorded_s", 1.0) > 0.0))
			continue;
		x.n++;
		x.sum_s += s;
		x.files_s = fmax(x.files_s, files_s);
		if (s > x.most_s)
			x.most = pick_number(rank, "rank", 0.0);
		if (s < x.least_s)
			x.least = pick_number(rank, "rank", 0.0);
		x.most_s = fmax(s, x.most_s);
		x.least_s = fmin(s, x.least_s);
	}
	json_array_foreach((json_t *)pick(document, "evidence.processes"), i, process)
		if (pick_number(process, "rank", -1.0) == x.most)
			x.away_s = pick_number(process, "core_awaited_ns", 0.0) * 1e-9;
	return x;
}

/*
 * Whose computation takes longest, which may be imbalance, where ranks waited for cores; without,
 * it is a hotspot.
 */
static void put_longest(const json_t *document, size_t size, char text[size])
{
	struct works x = weigh(document);
	double n = (double)x.n, times = x.sum_s > 0.0 ? x.most_s * n / x.sum_s : 0.0;
	double more_s = x.most_s - x.sum_s / n;
	const char *does = x.files_s > more_s / 2 ? "computes and accesses files" : "computes";

	snprintf(text, size, "; nor is it sure that some rank has more work, but");
	if (x.sum_s > 0.0 && times <= EVEN)
		snprintf(text, size,
			 "; all ranks compute for about as long (at most %.2f times the mean), but",
			 times);
	if (!(times > LONGER) || more_s * n < WORTH * pick_number(document, "budget.total_s", 0.0))
		return;
	if (x.n > 2 && x.most_s * (n - 1) <= LONGER * (x.sum_s - x.least_s))
		snprintf(text, size, "; rank %.0f %s %.2f times the mean of the others;", x.least,
			 does, x.least_s * (n - 1) / (x.sum_s - x.least_s));
	else if (x.away_s > CORE_PART * more_s)
		snprintf(text, size,
			 "; rank %.0f %s %.2f times the mean: imbalance, or waiting for a core (it "
			 "waited %s for its own);",
			 x.most, does, times, number_seconds(x.away_s).text);
	else
		snprintf(text, size, "; rank %.0f %s %.2f times the mean;", x.most, does, times);
}

/* What the ranks' own work has to do with it. */
static void put_work(const json_t *document, size_t size, char text[size])
{
	snprintf(text, size, ";");
	if (json_is_object(pick(document, "summary.gone")))
		snprintf(text, size,
			 "; rank %.0f %s for the last %s of the run, in which others may have "
			 "waited for it;",
			 pick_number(document, "summary.gone.rank", 0.0),
			 json_is_true(pick(document, "summary.gone.silent"))
				 ? "gave no sign of life"
				 : "was gone",
			 number_share(pick_number(document, "summary.gone.share", 0.0)).text);
	else if (has_servers(document))
		return;
	else if (text_is_by_turns(document))
		snprintf(text, size, "; ranks work one after the other, by turns, and");
	else
		put_longest(document, size, text);
}

/* Is the largest part what ranks waited for at windows? */
static int is_onesided(const json_t *document, const char *largest)
{
	double s = 0.0, part_s = pick_number(
				json_object_get(pick(document, "budget.parts"), largest), "s", 0.0);
	const json_t *row;
	size_t i;

	if (strcmp(largest, "inattention") && strcmp(largest, "lock_wait"))
		return 0;
	json_array_foreach((json_t *)pick(document, "one_sided.waits"), i, row)
		s += pick_number(row, "s", 0.0);
	return s > MOSTLY * part_s;
}

/* Access to files: is that more of rank time than the largest part of the communication? */
static int put_files(const json_t *document, double share, size_t size, char text[size])
{
	double files = pick_number(document, "budget.parts.file_access.share", 0.0);

	if (files < WORTH || files <= share)
		return 0;
	snprintf(text, size,
		 "; access to files takes %s of rank time: CALL SITES below says in which calls",
		 number_share(files).text);
	return 1;
}

/* The table that has the largest part in its rows. */
static const char *table_of(const json_t *document, const char *largest)
{
	if (is_onesided(document, largest))
		return "ONE-SIDED below says who waited for whom";
	if (!strcmp(largest, "collective_transfer") &&
	    json_array_size(pick(document, "collectives.operations")))
		return "COLLECTIVES below says in which";
	return "CALL SITES below says in which calls";
}

/* What is lost instead, as a clause, and where the report says more of it. */
static const char *instead(const json_t *document, size_t size, char text[size])
{
	static const struct {
		const char *part, *rows, *words;
	} tables[] = {
		{"late_partner", "late_partners",
		 "waiting for late partners: LATE PARTNERS below says whose"},
		{"collective_wait", "collectives.operations",
		 "waiting in collectives: COLLECTIVES below says in which"},
	};
	const char *largest = pick_text(document, "summary.largest", "");
	const char *label = legend_label(largest);
	const json_t *part = json_object_get(pick(document, "budget.parts"), largest);
	double share = pick_number(part, "share", 0.0);
	double total_s = pick_number(document, "budget.total_s", 0.0);
	struct number bounds;
	char longest[160];

	*text = '\0';
	if (put_files(document, share, size, text))
		return text;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (strcmp(largest, tables[i].part) ||
		    !rows_worth(pick(document, tables[i].rows), STYLE_TOP))
			continue;
		put_work(document, sizeof(longest), longest);
		snprintf(text, size, "%s the largest part of the communication is %s", longest,
			 tables[i].words);
		return text;
	}
	if (share < WORTH || !label)
		return text;
	bounds = number_bounds(pick_number(part, "low_s", 0.0) / total_s,
			       pick_number(part, "high_s", 0.0) / total_s);
	snprintf(text, size,
		 "; the largest part of the communication, %s%s%s%s of rank time, is %s: %s",
		 number_share(share).text, *bounds.text ? " [" : "", bounds.text,
		 *bounds.text ? "]" : "", label, table_of(document, largest));
	return text;
}

const char *text_instead(const json_t *document, size_t size, char text[size])
{
	const json_t *standstill = pick(document, "summary.standstill");
	char s[64] = "";
	int used;

	if (!json_is_object(standstill))
		return instead(document, size, text);
	if (json_is_number(json_object_get(standstill, "s")))
		snprintf(s, sizeof(s), " and stood still for %s",
			 number_seconds(pick_number(standstill, "s", 0.0)).text);
	used = snprintf(text, size,
			"; the job did not end by itself%s: where its ranks stood, and who waited "
			"for whom as far as that is known, is said above",
			s);
	if (pick_number(standstill, "share", 0.0) < MOSTLY && used > 0 && (size_t)used < size)
		instead(document, size - (size_t)used, text + used);
	return text;
}
