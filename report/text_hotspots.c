/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/number.h"
#include "common/wording.h"
#include "report/legend.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/text.h"

#include <string.h>

/* Columns: number, severity, kind, then the title. */
#define LABEL_COLUMN 8
#define TITLE_COLUMN 17

/* "em3d.c:118" of a file, "app+0x1234" of an address ("app" if named), or nothing. */
static size_t put_location(const json_t *callsite, int named, size_t size, char buffer[size])
{
	const char *file = pick_text(callsite, "file", NULL);
	const char *address = pick_text(callsite, "address", NULL);
	int line = (int)pick_number(callsite, "line", 0.0);
	const char *colon = address ? strrchr(address, ':') : NULL;
	const char *offset = colon ? strchr(colon, '+') : NULL;
	const char *base;

	buffer[0] = '\0';
	if (file) {
		base = strrchr(file, '/');
		base = base ? base + 1 : file;
		snprintf(buffer, size, line ? "%s:%d" : "%s", base, line);
	} else if (offset) {
		base = memrchr(address, '/', (size_t)(colon - address));
		base = base ? base + 1 : address;
		snprintf(buffer, size, "%.*s%s", (int)(colon - base), base, named ? "" : offset);
	}
	return strlen(buffer);
}

/* "em3d.c:118 in exchange()"; without a line the function comes first: "run() in libapp.so". */
const char *text_place(const json_t *callsite, size_t size, char buffer[size])
{
	const char *function = pick_text(callsite, "function", NULL);
	const char *file = pick_text(callsite, "file", NULL);
	char where[160];
	size_t used = put_location(callsite, function != NULL, sizeof(where), where);

	if (!function)
		snprintf(buffer, size, "%s", used ? where : "place not recorded");
	else if (!used)
		snprintf(buffer, size, "%s()", function);
	else if (file)
		snprintf(buffer, size, "%s in %s()", where, function);
	else
		snprintf(buffer, size, "%s() in %s", function, where);
	return buffer;
}

struct severity_row {
	const char *label;
	enum ink ink;
};

static const struct severity_row *severity_of(const json_t *hotspot)
{
	static const struct severity_row rows[PICK_SEVERITIES] = {
		{"LOW", INK_PLAIN},
		{"MEDIUM", INK_DOUBT},
		{"HIGH", INK_BAD},
	};

	return &rows[pick_severity(hotspot, "severity")];
}

/* Title and savings on one line; what does not fit goes on below the title. */
static void put_title(struct layout *l, const json_t *hotspot)
{
	double high_s = json_number_value(json_array_get(pick(hotspot, "saves_s"), 2));
	double high = json_number_value(json_array_get(pick(hotspot, "saves_share"), 2));
	const char *title = pick_text(hotspot, "title", "?");
	struct style narrow = *l->style;
	struct layout below = *l;
	char saves[80], first[256];
	size_t fits;

	snprintf(saves, sizeof(saves), "%s  %4s", number_seconds(high_s).text,
		 number_share(high).text);
	narrow.width -= layout_columns(saves) + 2;
	fits = layout_fit(title, narrow.width > l->column ? narrow.width - l->column : 0);
	snprintf(first, sizeof(first), "%.*s", (int)fits, title);
	layout_put(l, INK_PLAIN, first);
	layout_pad(l, l->style->width - layout_columns(saves));
	layout_put(l, INK_HEADING, saves);
	layout_end(l);
	title += fits + strspn(title + fits, " ");
	if (*title) {
		below.style = &narrow;
		layout_begin(&below, "", TITLE_COLUMN);
		layout_words(&below, title);
		layout_end(&below);
	}
}

static void put_line(struct layout *l, const char *label, const char *text)
{
	layout_begin(l, label, LABEL_COLUMN);
	layout_words(l, text);
	layout_end(l);
}

/*
 * Who called the function there, where this says more than that main() did: "a() < b() < main()".
 * Returns 0 when there is nothing to say.
 */
static int put_callers(const json_t *callsite, size_t size, char buffer[size])
{
	const json_t *callers = pick(callsite, "callers");
	double paths = pick_number(callsite, "paths", 0.0);
	size_t n = json_array_size(callers), i;
	struct wording w = wording_begin(size, buffer);
	const char *name;

	for (i = 0; i < n; i++) {
		name = json_string_value(json_array_get(callers, i));
		wording_add(&w, "%s%s()", i ? " < " : "", name ? name : "?");
	}
	if (n && paths > 1)
		wording_add(&w, ", the one of %.0f call paths with most of its time, %s", paths,
			    number_share(pick_number(callsite, "path_share", 0.0)).text);
	name = json_string_value(json_array_get(callers, 0));
	return n > 1 || (n && (paths > 1 || !name || strcmp(name, "main")));
}

/* Where what is likely saved is less of the most that the title has, it is said, too. */
#define NEAR_MOST 0.75
#define NOTHING   0.0005 /* of wall time: shown as 0.0 % */

static void put_why(struct layout *l, const json_t *hotspot)
{
	const json_t *saves_s = pick(hotspot, "saves_s");
	double likely_s = json_number_value(json_array_get(saves_s, 1));
	double most_s = json_number_value(json_array_get(saves_s, 2));
	double likely = json_number_value(json_array_get(pick(hotspot, "saves_share"), 1));

	layout_begin(l, "  why", LABEL_COLUMN);
	layout_words(l, pick_text(hotspot, "why", "?"));
	layout_end(l);
	if (likely_s >= NEAR_MOST * most_s)
		return;
	layout_begin(l, "", LABEL_COLUMN);
	if (likely < NOTHING)
		layout_item(l, INK_PLAIN, "likely saves next to nothing");
	else
		layout_item(l, INK_PLAIN, "likely saves %s, %s of wall time",
			    number_seconds(likely_s).text, number_share(likely).text);
	layout_end(l);
}

void text_hotspot(struct layout *l, const json_t *hotspot, size_t number)
{
	const struct severity_row *severity = severity_of(hotspot);
	char label[100];
	char place[400];
	char where[480];
	char from[1000];

	snprintf(label, sizeof(label), "%zu ", number);
	layout_begin(l, label, 0);
	layout_put(l, severity->ink, severity->label);
	layout_pad(l, LABEL_COLUMN + 1);
	layout_put(l, INK_PLAIN, pick_text(hotspot, "kind", "?"));
	layout_put(l, INK_PLAIN, "  ");
	layout_pad(l, TITLE_COLUMN);
	put_title(l, hotspot);
	snprintf(where, sizeof(where), "%s%s  %s",
		 strcmp(pick_text(hotspot, "kind", ""), "imbalance") ? "" : "computation before ",
		 pick_text(hotspot, "callsite.mpi", ""),
		 text_place(pick(hotspot, "callsite"), sizeof(place), place));
	put_why(l, hotspot);
	put_line(l, "  where", where);
	if (put_callers(pick(hotspot, "callsite"), sizeof(from), from))
		put_line(l, "  from", from);
	put_line(l, "  try", pick_text(hotspot, "advice", "?"));
	if (!json_is_integer(pick(hotspot, "same_sends_as")))
		return;
	snprintf(
		label, sizeof(label),
		"number %.0f, of the same sends: each as if alone, both may save less than the sum",
		pick_number(hotspot, "same_sends_as", 0.0) + 1);
	put_line(l, "  with", label);
}

/* Below this share of rank time no part is worth naming instead of a hotspot. */
#define WORTH 0.01

#define LONGER 1.05 /* times the mean */

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

/*
 * Whose computation takes longest, which may be imbalance, where ranks waited for cores; without,
 * it is a hotspot.
 */
static void put_longest(const json_t *document, size_t size, char text[size])
{
	double sum_s = 0.0, most_s = -1.0, who = 0.0, away_s = 0.0, s;
	const json_t *rank, *process;
	size_t i, n = json_array_size(pick(document, "ranks"));

	snprintf(text, size, ";");
	if (json_is_object(pick(document, "summary.gone"))) {
		snprintf(
			text, size,
			"; rank %.0f was gone for the last %s of the run, in which others may have "
			"waited for it;",
			pick_number(document, "summary.gone.rank", 0.0),
			number_share(pick_number(document, "summary.gone.share", 0.0)).text);
		return;
	}
	if (has_servers(document))
		return;
	if (text_is_by_turns(document)) {
		snprintf(text, size, "; ranks work one after the other, by turns, and");
		return;
	}
	json_array_foreach((json_t *)pick(document, "ranks"), i, rank) {
		s = pick_number(rank, "parts.compute", 0.0);
		sum_s += s;
		if (s > most_s)
			who = pick_number(rank, "rank", 0.0);
		most_s = s > most_s ? s : most_s;
	}
	json_array_foreach((json_t *)pick(document, "evidence.processes"), i, process)
		away_s += pick_number(process, "core_awaited_ns", 0.0) * 1e-9;
	snprintf(text, size, "; nor is it sure that some rank has more work, but");
	if (away_s > WORTH * pick_number(document, "budget.total_s", 0.0) &&
	    most_s * (double)n > LONGER * sum_s)
		snprintf(text, size,
			 "; rank %.0f computes %.2f times the mean: imbalance, or waiting for a "
			 "core "
			 "(ranks waited %s for theirs);",
			 who, most_s * (double)n / sum_s, number_seconds(away_s).text);
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
	char longest[160];

	*text = '\0';
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (strcmp(largest, tables[i].part) || !rows_worth(pick(document, tables[i].rows)))
			continue;
		put_longest(document, sizeof(longest), longest);
		snprintf(text, size, "%s the largest part of the communication is %s", longest,
			 tables[i].words);
		return text;
	}
	if (share >= WORTH && label)
		snprintf(text, size,
			 "; the largest part of the communication, %s of rank time, is %s: "
			 "CALL SITES below says in which calls",
			 number_share(share).text, label);
	return text;
}

/* Most of such a job's time is that, and what else it did matters less. */
#define MOSTLY 0.5

/* Of a job that hung the report's first lines say more; else what is lost instead. */
static const char *hung_or_instead(const json_t *document, size_t size, char text[size])
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

/* Why there is no hotspot, and what there is instead. */
static void put_none(struct layout *l, const json_t *document)
{
	static const char nothing[] =
		"no place in the program was found where contention costs time worth saving";
	static const char unexplained[] = "there is contention, but no single place or habit of "
					  "the program was found that explains it";
	static const char unproven[] = "no single place or habit of the program was found where "
				       "contention provably costs time";
	static const char in_line[] =
		"requests wait in line, but with another number of servers next to none of that "
		"time would be saved";
	static const char torn[] = "most messages have no other end in the trace: of those nothing "
				   "was found, nor could be";
	static const char unrecorded[] = "can be found where nothing was recorded";
	static const char silent[] =
		"can be found: of most calls the archive has no record of what was sent";
	double torn_ends = pick_number(document, "messages.unmatched_sends", 0.0) +
			   pick_number(document, "messages.unmatched_receives", 0.0);
	double total_s = pick_number(document, "budget.total_s", 0.0);
	double most = pick_number(document, "summary.contention.high_s", 0.0) / total_s;
	double proven = pick_number(document, "summary.contention.low_s", 0.0) / total_s;
	double messages = pick_number(document, "messages.count", 0.0);
	double told = messages + pick_number(document, "collectives.count", 0.0) *
					 pick_number(document, "run.ranks", 0.0);
	int none_told = pick_number(document, "messages.unrecorded_calls", 0.0) > told;
	double queue = pick_number(document, "summary.queue.share", 0.0);
	const char *why = !(total_s > 0.0)       ? unrecorded
			  : none_told            ? silent
			  : torn_ends > messages ? torn
			  : queue >= 0.01        ? in_line
			  : !(most >= 0.01)      ? nothing
			  : proven >= 0.0005     ? unexplained
						 : unproven;
	char more[480], text[640];

	snprintf(text, sizeof(text), "%s%s", why,
		 why == unrecorded || why == silent
			 ? ""
			 : hung_or_instead(document, sizeof(more), more));
	put_line(l, "  none", text);
}

/* What the times in a why are sums of, and what they are not a share of. */
static void put_scales(struct layout *l, const json_t *document)
{
	double ranks_s = pick_number(document, "budget.total_s", 0.0);
	double messages_s = pick_number(document, "blame.total_s", 0.0);
	double wall_s = pick_number(document, "run.wall_s", 0.0);
	char messages[64] = "", text[240];

	if (messages_s > 0.0)
		snprintf(messages, sizeof(messages), " or all messages (together %s)",
			 number_seconds(messages_s).text);
	snprintf(text, sizeof(text),
		 "times in a \"why\" are summed over all ranks (together %s)%s; savings are of the "
		 "run's wall time (%s) and include what other ranks then no longer wait",
		 number_seconds(ranks_s).text, messages, number_seconds(wall_s).text);
	layout_begin(l, "", 2);
	layout_words(l, text);
	layout_end(l);
}

/* Of what there may be a hotspot, if the machine were known. */
static void put_unjudged(struct layout *l, const json_t *list)
{
	char text[400] = "";
	size_t i, used = 0;

	for (i = 0; i < json_array_size(list) && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s (%s)",
					 i ? "; " : "not judged, contend calibrate would tell: ",
					 pick_text(json_array_get(list, i), "unknown", ""),
					 pick_text(json_array_get(list, i), "kind", ""));
	if (i)
		put_line(l, "  open", text);
}

void text_hotspots(struct layout *l, const json_t *document)
{
	const json_t *list = pick(document, "hotspots");
	size_t n = json_array_size(list);
	char more[80];
	size_t i;

	layout_heading(l, "HOTSPOTS", n ? "saves at most, of wall time" : "");
	if (!n)
		put_none(l, document);
	for (i = 0; i < n && i < l->style->top; i++)
		text_hotspot(l, json_array_get(list, i), i + 1);
	if (i < n) {
		snprintf(more, sizeof(more), "and %zu smaller: --top=%zu shows them", n - i, n);
		put_line(l, "", more);
	}
	put_unjudged(l, pick(document, "unjudged"));
	if (n)
		put_scales(l, document);
}
