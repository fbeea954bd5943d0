/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What models that apply say about the main phases, beside what was measured. */
#include "common/number.h"
#include "report/main_phases.h"
#include "report/pick.h"
#include "report/text.h"

#include <stdio.h>
#include <string.h>

#define TEXT_COLUMN 11

static void put_words(struct layout *l, const json_t *model, const char *text)
{
	const char *name = pick_text(model, "name", "?");
	unsigned needs = (unsigned)strlen(name) + 2;

	layout_line(l, name, needs > TEXT_COLUMN ? needs : TEXT_COLUMN, text);
}

/* How long something takes, and by the model. without: what is not in that, or "". */
static void put_compared(struct layout *l, const json_t *model, const char *what, double took_s,
			 const char *without, double says_s)
{
	double best = pick_number(model, "predicted.b_best", 0.0);
	char text[400], then[120] = "";

	if (best > 0.0) /* of a sweep */
		snprintf(then, sizeof(then), "; it has %s blocks; with %.0f, by the model, %s",
			 number_words(pick_number(model, "inputs.b", 0.0)).text, best,
			 number_seconds(pick_number(model, "predicted.makespan_best_s", 0.0)).text);
	snprintf(text, sizeof(text), "phase %.0f: %s takes %s%s, by the model %s: %.*f times%s",
		 pick_number(model, "phase", 0.0), what, number_seconds(took_s).text, without,
		 number_seconds(says_s).text, took_s < 10 * says_s ? 2 : 0, took_s / says_s, then);
	put_words(l, model, text);
}

/* What LogGP, which knows an idle machine, says of a message. */
static void put_idle(struct layout *l, const json_t *model)
{
	const json_t *measured = pick(model, "measured");
	double says = pick_number(pick(model, "predicted"), "message_s", 0.0);
	double took = pick_number(measured, "message_s", 0.0);
	double left_out = pick_number(measured, "left_out_s", 0.0);
	char text[240], without[100] = "";

	if (pick(measured, "idle_too_slow")) {
		snprintf(text, sizeof(text),
			 "phase %.0f: a message takes %s, but would take %s by the estimate of an "
			 "idle machine: the estimate is too slow",
			 pick_number(model, "phase", 0.0), number_seconds(took).text,
			 number_seconds(says).text);
		put_words(l, model, text);
		return;
	}
	if (left_out > 0.0)
		snprintf(without, sizeof(without),
			 ", without inattention and what is not identifiable (%s)",
			 number_seconds(left_out).text);
	put_compared(l, model, "a message", took - left_out, without, says);
}

/* What nothing measured stands beside: no number of a machine that is only estimated, too. */
static void put_alone(struct layout *l, const json_t *model, const char *why, int is_estimated)
{
	char text[400], takes[80] = "";

	if (!is_estimated)
		snprintf(takes, sizeof(takes), "a message takes %s by the model; ",
			 number_seconds(pick_number(model, "predicted.message_s", 0.0)).text);
	snprintf(text, sizeof(text), "phase %.0f: %snot compared: %s",
		 pick_number(model, "phase", 0.0), takes, why);
	put_words(l, model, text);
}

static void put_opinion(struct layout *l, const json_t *model)
{
	static const struct {
		const char *key;
		const char *what;
	} rows[] = {
		{"message_s", "a message"},
		{"R_s", "a cycle of work, request and reply"},
		{"exchange_s", "an exchange"},
		{"makespan_s", "a sweep over all its ranks"},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double says = pick_number(pick(model, "predicted"), rows[i].key, 0.0);
		double took = pick_number(pick(model, "measured"), rows[i].key, 0.0);

		if (says <= 0.0)
			continue;
		put_compared(l, model, rows[i].what, took, "", says);
	}
}

/* WHERE TIME GOES has more of a message's time: what no model knows. */
static void put_unasked(struct layout *l)
{
	layout_line(l, "", 2,
		    "a message's time here leaves out \"late partner\" and \"arrived, not yet "
		    "collected\": WHERE TIME GOES counts these, too, but no machine shortens "
		    "them");
}

/* No model was asked: why not about the phase that takes longest, of those shown if any is. */
static void put_none(struct layout *l, const json_t *document, const struct main_phases *x)
{
	const json_t *phases = pick(document, "phases"), *model, *longest = NULL;
	int is_any = json_array_size(x->patterns) == 0;
	double most_s = -1.0;
	char text[400];
	size_t i;

	json_array_foreach(pick(document, "models"), i, model) {
		double phase = pick_number(model, "phase", 1.0);
		double s = pick_number(json_array_get(phases, (size_t)phase - 1), "spent_s", 0.0);

		if (!pick_text(model, "why_not", NULL) ||
		    strcmp(pick_text(model, "name", ""), "LogGP") != 0 ||
		    !(is_any || main_phases_have(x, phase)) || s <= most_s)
			continue;
		most_s = s;
		longest = model;
	}
	if (!longest)
		return;
	snprintf(text, sizeof(text), "none about phase %.0f, the longest: %s",
		 pick_number(longest, "phase", 0.0), pick_text(longest, "why_not", "?"));
	layout_heading(l, "SECOND OPINION", "--json: the other phases");
	layout_line(l, "", 2, text);
}

/* How many phases that are not shown have a model. */
static size_t count_left(const json_t *list, const struct main_phases *x)
{
	double last = -1.0; /* of a phase they are in a row */
	const json_t *model;
	size_t n = 0, i;

	json_array_foreach((json_t *)list, i, model) {
		double phase = pick_number(model, "phase", 0.0);

		if (!json_is_true(pick(model, "valid")) || main_phases_have(x, phase))
			continue;
		n += phase != last;
		last = phase;
	}
	return n;
}

static void put_left(struct layout *l, const struct main_phases *x, size_t n)
{
	char text[80];

	snprintf(text, sizeof(text), "and of %zu smaller phase%s: --top=%u", n, n > 1 ? "s" : "",
		 x->top);
	layout_line(l, "", 2, text);
}

/* Returns how many are shown; of_messages: so many of what a message takes beside a model. */
static size_t put_models(struct layout *l, const json_t *document, const struct main_phases *x,
			 size_t *of_messages)
{
	int is_estimated = !strcmp(pick_text(document, "machine.source", ""), "self-calibrated");
	const json_t *list = pick(document, "models"), *model;
	size_t shown = 0, i;

	json_array_foreach((json_t *)list, i, model) {
		const char *why = pick_text(model, "not_compared", NULL);

		if (!json_is_true(pick(model, "valid")) ||
		    !main_phases_have(x, pick_number(model, "phase", 0.0)))
			continue;
		*of_messages += !why && pick_number(model, "measured.message_s", 0.0) > 0.0;
		if (!shown++)
			layout_heading(l, "SECOND OPINION",
				       "--json: inputs, and why others are not here");
		if (why)
			put_alone(l, model, why, is_estimated);
		else if (pick_number(model, "measured.slowdown", 0.0) > 0.0)
			put_idle(l, model);
		else
			put_opinion(l, model);
	}
	return shown;
}

void text_models(struct layout *l, const json_t *document)
{
	struct main_phases x = main_phases_find(document, l->style->top);
	size_t of_messages = 0, shown = put_models(l, document, &x, &of_messages);
	size_t left = count_left(pick(document, "models"), &x);

	if (shown && left)
		put_left(l, &x, left);
	if (of_messages)
		put_unasked(l);
	if (!shown)
		put_none(l, document, &x);
	main_phases_free(&x);
}
