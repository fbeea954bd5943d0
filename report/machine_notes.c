/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/machine_notes.h"

#include "common/machine_schema.h"
#include "report/layout.h"
#include "report/style.h"

#include <math.h>
#include <string.h>

#define COLUMNS 80

/* Shares, the least and the most of all sizes; none: most is 0. */
struct shares {
	double least, most;
};

static void put_note(FILE *out, const char *title, const char *text)
{
	const struct style style = {.width = COLUMNS};
	struct layout l = {.out = out, .style = &style};

	fputc('\n', out);
	layout_line(&l, title, 6, text);
}

void machine_notes_head(const json_t *machine, FILE *out)
{
	const json_t *share = json_object_get(machine, "core_share");
	char text[256];

	if (!json_is_number(share) || json_number_value(share) >= MACHINE_CORE_MEANS)
		return;
	snprintf(text, sizeof(text),
		 "ranks had a core for %.0f %% of the time only. What follows are mostly their "
		 "waits for one, which mean nothing for messages.",
		 json_number_value(share) * 100);
	put_note(out, "BUSY:", text);
}

static void include(struct shares *s, const json_t *share)
{
	if (!json_is_number(share))
		return;
	s->least =
		s->most > 0 ? fmin(s->least, json_number_value(share)) : json_number_value(share);
	s->most = fmax(s->most, json_number_value(share));
}

/* "7 to 18 %" or "12 %". */
static const char *said(struct shares s, size_t size, char text[size])
{
	if (round(s.least * 100) < round(s.most * 100))
		snprintf(text, size, "%.0f to %.0f %%", s.least * 100, s.most * 100);
	else
		snprintf(text, size, "%.0f %%", s.most * 100);
	return text;
}

void machine_notes_key(const json_t *machine, FILE *out)
{
	struct shares trip = {0}, own = {0}, gap = {0};
	const json_t *class, *point, *o;
	char text[768], a[32], b[32], c[32];
	const char *name;
	size_t i, n;

	json_object_foreach(json_object_get(machine, "classes"), name, class)
		json_array_foreach(json_object_get(class, "points"), i, point) {
			o = json_object_get(point, "between_launches");
			include(&trip, json_object_get(o, "share"));
			include(&own, json_object_get(o, "overheads_share"));
			include(&gap, json_object_get(o, "least_gap_share"));
		}
	n = (size_t)snprintf(
		text, sizeof(text),
		"L is the time a message is on its way beside what both ends do; o_s and o_r are a "
		"rank's own time to send and to receive it, g is the least time from one message "
		"to the next. Values [low to high] are with their 95 %% intervals, another launch "
		"included");
	if (trip.most > 0)
		snprintf(text + n, sizeof(text) - n,
			 ": that its round trips differ by %s, overheads by %s and g(0) by %s is "
			 "assumed, not measured (\"this_launch\" in the file: without that).",
			 said(trip, sizeof(a), a), said(own, sizeof(b), b),
			 said(gap, sizeof(c), c));
	else
		snprintf(text + n, sizeof(text) - n, ".");
	put_note(out, "key:", text);
}

void machine_notes_conditions(const json_t *machine, FILE *out)
{
	const json_t *condition;
	size_t i;

	json_array_foreach(json_object_get(machine, "conditions"), i, condition)
		put_note(out, "note:", json_string_value(condition));
}

int machine_notes_have(const json_t *names, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)names, i, one)
		if (!strcmp(json_string_value(one), name))
			return 1;
	return 0;
}

void machine_notes_why(const json_t *way, const char *name, FILE *out)
{
	const struct style style = {.width = COLUMNS};
	struct layout l = {.out = out, .style = &style};
	const char *why =
		json_string_value(json_object_get(json_object_get(way, "why_unidentified"), name));

	if (!why)
		return;
	layout_begin(&l, "    ?:", 7);
	layout_words(&l, name);
	layout_words(&l, "is not identified:");
	layout_words(&l, why);
	layout_end(&l);
}

void machine_notes_next(const json_t *machine, const char *path, FILE *out)
{
	const json_t *share = json_object_get(machine, "core_share");

	fprintf(out, "\nwritten: %s", path);
	if (json_is_number(share) && json_number_value(share) < MACHINE_CORE_ENOUGH)
		fputs("\nmeasured on a busy machine: measure again on an idle one\n", out);
	else
		fprintf(out,
			"   next: contend report --machine=%s\n"
			"as ~/.config/contend/machine.json every report uses it\n",
			path);
}
