/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/number.h"
#include "common/wording.h"
#include "report/pick.h"
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
	const char *offset = pick_text(callsite, "offset", NULL);
	char where[160];
	size_t used = put_location(callsite, function != NULL, sizeof(where), where);

	if (function && offset)
		snprintf(buffer, size, "%s() in %s%s", function, where, offset);
	else if (!function)
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
	double high_s = pick_item(hotspot, "saves_s", 2);
	double high = pick_item(hotspot, "saves_share", 2);
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
		layout_line(&below, "", TITLE_COLUMN, title);
	}
}

static void put_line(struct layout *l, const char *label, const char *text)
{
	layout_line(l, label, LABEL_COLUMN, text);
}

#define WORTH_NAMING 0.1 /* of a place's time: a call path with less says nothing of the others */

/* " b.c:31" of "/src/b.c:31", or nothing. */
static void put_line_of(struct wording *w, const json_t *line)
{
	const char *text = json_string_value(line), *base = text ? strrchr(text, '/') : NULL;

	if (text)
		wording_add(w, " %s", base ? base + 1 : text);
}

int text_callers(const json_t *callsite, size_t size, char buffer[size])
{
	const json_t *callers = pick(callsite, "callers");
	double paths = pick_number(callsite, "paths", 0.0);
	double share = pick_number(callsite, "path_share", 1.0);
	size_t n = json_array_size(callers), i;
	struct wording w = wording_begin(size, buffer);
	const char *name;

	if (n && paths > 1 && share < WORTH_NAMING) {
		wording_add(&w, "%.0f call paths, none with more than %s of its time", paths,
			    number_share(share).text);
		return 1;
	}
	for (i = 0; i < n; i++) {
		name = json_string_value(json_array_get(callers, i));
		wording_add(&w, "%s%s()", i ? " < " : "", name ? name : "?");
		put_line_of(&w, json_array_get(pick(callsite, "caller_lines"), i));
	}
	if (n && paths > 1)
		wording_add(&w, ", the one of %.0f call paths with most of its time, %s", paths,
			    number_share(share).text);
	name = json_string_value(json_array_get(callers, 0));
	return n > 1 || (n && (paths > 1 || !name || strcmp(name, "main")));
}

/* Where what is likely saved is less of the most that the title has, it is said, too. */
#define NEAR_MOST 0.75
#define NOTHING   0.0005 /* of wall time: shown as 0.0 % */

static void put_why(struct layout *l, const json_t *hotspot)
{
	double likely_s = pick_item(hotspot, "saves_s", 1);
	double most_s = pick_item(hotspot, "saves_s", 2);
	double likely = pick_item(hotspot, "saves_share", 1);

	layout_line(l, "  why", LABEL_COLUMN, pick_text(hotspot, "why", "?"));
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

int text_is_computation(const json_t *hotspot)
{
	return !strcmp(pick_text(hotspot, "kind", ""), "imbalance") &&
	       !(pick_number(hotspot, "evidence.by_files", 0.0) > 0.0);
}

const char *text_where(const json_t *hotspot, size_t size, char buffer[size])
{
	char place[400];

	snprintf(buffer, size, "%s%s  %s",
		 text_is_computation(hotspot) ? "computation before " : "",
		 pick_text(hotspot, "callsite.mpi", ""),
		 text_place(pick(hotspot, "callsite"), sizeof(place), place));
	return buffer;
}

int text_same_sends(const json_t *hotspot, size_t size, char buffer[size])
{
	snprintf(
		buffer, size,
		"number %.0f, of the same sends: each as if alone, both may save less than the sum",
		pick_number(hotspot, "same_sends_as", 0.0) + 1);
	return json_is_integer(pick(hotspot, "same_sends_as"));
}

void text_hotspot(struct layout *l, const json_t *hotspot, size_t number)
{
	const struct severity_row *severity = severity_of(hotspot);
	char label[100];
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
	put_why(l, hotspot);
	put_line(l, "  where", text_where(hotspot, sizeof(where), where));
	if (text_callers(pick(hotspot, "callsite"), sizeof(from), from))
		put_line(l, "  from", from);
	put_line(l, "  try", pick_text(hotspot, "advice", "?"));
	if (text_same_sends(hotspot, sizeof(label), label))
		put_line(l, "  with", label);
}

#define MUCH 0.05 /* of rank time */

/* Do collectives take much once all are there, and no calibration says what they take alone? */
static int has_unknown_collectives(const json_t *document)
{
	const json_t *list = pick(document, "collectives.operations"), *row;
	size_t i;

	json_array_foreach(list, i, row)
		if (pick_number(row, "signature.s", 0.0) > 0.0)
			return 0;
	return pick_number(document, "budget.parts.collective_transfer.share", 0.0) > MUCH;
}

const char *text_none(const json_t *document, size_t size, char text[size])
{
	static const char nothing[] =
		"no place in the program was found where contention costs time worth saving";
	static const char at_work[] =
		"no place in the program was found where messages in each other's way cost time "
		"worth saving; how much of what collectives take at work is contention is not "
		"known";
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
			  : !(most >= 0.01)
				  ? (has_unknown_collectives(document) ? at_work : nothing)
			  : proven >= 0.0005 ? unexplained
					     : unproven;
	char more[480];

	snprintf(text, size, "%s%s", why,
		 why == unrecorded || why == silent ? ""
						    : text_instead(document, sizeof(more), more));
	return text;
}

/* What the times in a why are sums of, and what they are not a share of. */
static void put_scales(struct layout *l, const json_t *document, size_t hotspots)
{
	double ranks_s = pick_number(document, "budget.total_s", 0.0);
	double messages_s = pick_number(document, "blame.total_s", 0.0);
	double wall_s = pick_number(document, "run.wall_s", 0.0);
	char messages[64] = "", text[300];

	if (messages_s > 0.0)
		snprintf(messages, sizeof(messages), " or all messages (together %s)",
			 number_seconds(messages_s).text);
	snprintf(text, sizeof(text),
		 "times in a \"why\" are summed over all ranks (together %s)%s; savings are of the "
		 "run's wall time (%s) and include what other ranks then no longer wait%s",
		 number_seconds(ranks_s).text, messages, number_seconds(wall_s).text,
		 hotspots > 1 ? "; each is as if it were the only change: they need not add up"
			      : "");
	layout_line(l, "", 2, text);
}

/* Is the same unknown for a kind before? */
static int is_repeated(const json_t *list, size_t k)
{
	const char *unknown = pick_text(json_array_get(list, k), "unknown", "");
	size_t i = 0;

	while (i < k && strcmp(unknown, pick_text(json_array_get(list, i), "unknown", "")) != 0)
		i++;
	return i < k;
}

const char *text_unjudged(const json_t *document, size_t size, char buffer[size], const char *first)
{
	const json_t *list = pick(document, "unjudged");
	struct wording w = wording_begin(size, buffer);

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *unknown = pick_text(json_array_get(list, i), "unknown", "");

		if (is_repeated(list, i))
			continue;
		wording_add(&w, "%s%s (%s", i ? "; " : first, unknown,
			    pick_text(json_array_get(list, i), "kind", ""));
		for (size_t k = i + 1; k < json_array_size(list); k++)
			if (!strcmp(unknown, pick_text(json_array_get(list, k), "unknown", "")))
				wording_add(&w, ", %s",
					    pick_text(json_array_get(list, k), "kind", ""));
		wording_add(&w, ")");
	}
	return buffer;
}

#define LIKELY_WORTH 0.01 /* of wall time */

const char *text_rest(const json_t *document, size_t size, char text[size])
{
	const json_t *list = pick(document, "hotspots"), *hotspot;
	char instead[480];
	size_t i;

	*text = '\0';
	json_array_foreach((json_t *)list, i, hotspot)
		if (pick_item(hotspot, "saves_share", 1) >= LIKELY_WORTH ||
		    !strcmp(pick_text(hotspot, "kind", ""), "imbalance"))
			return text;
	if (json_array_size(list))
		snprintf(text, size, "none of these likely saves 1 %% of wall time%s",
			 text_instead(document, sizeof(instead), instead));
	return text;
}

void text_hotspots(struct layout *l, const json_t *document)
{
	const json_t *list = pick(document, "hotspots");
	size_t n = json_array_size(list);
	char more[80], text[640];
	size_t i;

	layout_heading(l, "HOTSPOTS", n ? "saves at most, of wall time" : "");
	if (!n)
		put_line(l, "  none", text_none(document, sizeof(text), text));
	for (i = 0; i < n && i < l->style->top; i++)
		text_hotspot(l, json_array_get(list, i), i + 1);
	if (i < n) {
		snprintf(more, sizeof(more), "and %zu smaller: --top=%zu shows them", n - i, n);
		put_line(l, "", more);
	}
	if (*text_rest(document, sizeof(text), text))
		put_line(l, "  rest", text);
	if (*text_unjudged(document, sizeof(text), text,
			   "not judged, contend calibrate would tell: "))
		put_line(l, "  open", text);
	if (n)
		put_scales(l, document, n);
}
