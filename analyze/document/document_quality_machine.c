/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/document/document_quality.h"
#include "analyze/machine/machine_ranges.h"
#include "common/number.h"
#include "common/wording.h"

#include <stdio.h>
#include <string.h>

#define FASTER_MOST 0.05 /* messages faster than an idle machine: chance, clocks */
#define WIDE_LEAST  0.25 /* half an interval of the idle machine's time that is worth a word */
#define OPEN_LEAST  0.01 /* of the messages' time, before it is worth a word */

static const char *const where[] = {
	[LOCALITY_NODE] = "within a node",
	[LOCALITY_NETWORK] = "between nodes",
};

/* A factor in three digits, or all of them. */
static struct number factor_of(double x)
{
	struct number n;

	snprintf(n.text, sizeof(n.text), x < 99.5 ? "%.3g" : "%.0f", x);
	return n;
}

/* Are messages faster than the machine file can explain? */
static void judge_speed(struct quality *q, const struct analysis *a)
{
	double faster = machine_faster_share(a->machine, a->trace, a->messages);

	if (faster > FASTER_MOST)
		document_doubt(
			q, CONFIDENCE_LOW,
			"%.0f %% of the messages took less than half of what %s says that an idle "
			"machine needs: it is another machine's or was measured on a busy one",
			100 * faster, a->machine->path);
}

/* Parts of the messages' time that may be next to nothing or most of it. */
static void judge_bounds(struct quality *q, const struct analysis *a)
{
	const struct view *v = &a->attribution->blame;
	char text[200];
	struct wording w = wording_begin(sizeof(text), text);

	for (int c = 0; c < COST_COUNT; c++) {
		if (view_is_untold(v, c))
			wording_add(&w, "%s%s %.0f to %.0f %%", w.used ? "; " : "",
				    cost_rows[c].label,
				    100 * document_share(v->parts[c].low_ns, v->total_ns),
				    100 * document_share(v->parts[c].high_ns, v->total_ns));
	}
	if (w.used)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "these shares of the messages' time are not identifiable, what is "
			       "given for them is one reading%s: %s",
			       a->machine->source == MACHINE_SELF_CALIBRATED
				       ? " (a machine file of contend calibrate tells more)"
				       : "",
			       text);
}

/* " o_s of 3 of 9 sizes,", or nothing. */
static void put_zeros(struct wording *w, const char *what, uint32_t n, uint32_t of)
{
	if (n)
		wording_add(w, " %s of %u of %u sizes,", what, n, of);
}

/* Does the network's shape, if the machine file has it, have a place for all hosts? */
static void judge_topology(struct quality *q, const struct analysis *a)
{
	const struct machine_topology *network = &a->machine->topology;
	struct err why;

	if (network->shape.dimensions && machine_topology_place(network, a->trace, NULL, &why))
		document_doubt(
			q, CONFIDENCE_MEDIUM,
			"the network's shape in %s is left aside, and what messages wait for "
			"each other on links that they share is not replayed: %.120s",
			a->machine->path, why.text);
}

/* What the machine file has no number for and counts as 0. */
static void judge_zeros(struct quality *q, const struct analysis *a,
			const struct census census[LOCALITY_COUNT])
{
	char text[240];
	struct wording w = wording_begin(sizeof(text), text);
	int worse = 0;

	for (int k = 0; k < LOCALITY_COUNT; k++) {
		const struct machine_class *c = &a->machine->classes[k];
		const struct machine_zeros *z = &c->zeros;

		if (!census[k].messages || !(z->L || z->o_s || z->o_r || z->g))
			continue;
		worse |= z->L || z->g;
		wording_add(&w, " %s%s", where[k], z->L ? " L," : "");
		put_zeros(&w, "o_s", z->o_s, c->n);
		put_zeros(&w, "o_r", z->o_r, c->n);
		put_zeros(&w, "g", z->g, c->n);
	}
	if (!w.used)
		return;
	text[strlen(text) - 1] = '\0'; /* the last comma */
	document_doubt(q, worse ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH,
		       "not identified when the machine was measured, and counted as 0:%s (%s)",
		       text, a->machine->path);
}

/* Do large messages move while their ends compute? */
static void judge_progress(struct quality *q, const struct analysis *a, enum locality class)
{
	struct machine_progress p = a->machine->classes[class].progress;
	const struct part *x = &a->attribution->blame.parts[COST_inattention];
	double open = document_share(x->high_ns - x->low_ns, a->attribution->blame.total_ns);

	if (progress_moves(p.receiver) && progress_moves(p.sender))
		document_doubt(q, CONFIDENCE_HIGH,
			       "large messages %s move while both sides compute (asynchronous "
			       "progress): they do not wait for anybody's calls",
			       where[class]);
	else if (machine_progress_is_open(p) && open >= OPEN_LEAST &&
		 a->attribution->census[class].rendezvous)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "nothing shows whether large messages %s move while ranks compute: "
			       "whether they waited for those or for the network is not "
			       "identifiable (%s)",
			       where[class],
			       a->machine->source == MACHINE_SELF_CALIBRATED
				       ? "a machine file of contend calibrate tells"
				       : "the machine file does not tell");
}

#define ONCE        1.0
#define ONCE_WITHIN 0.05 /* "1.0 times" says less than "as much" */

/* Half an interval as a share of its middle; beyond all of it it is a number of times that. */
static void judge_width(struct quality *q, const char *place, double width)
{
	if (width < ONCE - ONCE_WITHIN)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "machine parameters %s are known to +-%.0f %% only", place,
			       width * 100);
	else if (width < ONCE + ONCE_WITHIN)
		document_doubt(q, CONFIDENCE_MEDIUM,
			       "machine parameters %s are hardly known: they may be off by as much "
			       "as they are taken for",
			       place);
	else
		document_doubt(
			q, CONFIDENCE_MEDIUM,
			"machine parameters %s are hardly known: they may be off by %.*f times "
			"what they are taken for",
			place, width < 10.0 ? 1 : 0, width);
}

/* Who was it measured by, and when? */
static void judge_source(struct quality *q, const struct analysis *a)
{
	const struct machine *m = a->machine;

	if (m->source == MACHINE_SELF_CALIBRATED)
		document_doubt(
			q, CONFIDENCE_LOW,
			"self-calibrated: the idle machine is estimated from this trace's own "
			"fastest messages; contention that never lets up is missed");
	else
		judge_speed(q, a);
	if (m->misfit)
		document_doubt(q, CONFIDENCE_LOW, "%s", m->misfit);
	if (m->likeness)
		document_doubt(q, CONFIDENCE_HIGH, "%s", m->likeness);
	if (m->caveats)
		document_doubt(q, m->busy ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM,
			       "%s was measured under conditions: %s", m->path, m->caveats);
}

/* Was what this class's idle machine does never seen as it is? */
static void judge_company(struct quality *q, const struct machine_class *c, const char *place)
{
	if (c->without_core)
		document_doubt(
			q, CONFIDENCE_LOW,
			"what the idle machine does %s is estimated from ranks most of which "
			"were without a core at times: it may be faster by any factor",
			place);
	if (c->crowding > 0)
		document_doubt(q, CONFIDENCE_LOW,
			       "of some sizes no message %s was seen alone (ranks shared cores, "
			       "or all sent at once): latency and gap may be up to %s times "
			       "what is taken for the idle machine's, and what they waited for up "
			       "to that is called not identifiable",
			       place, factor_of(1 + c->crowding).text);
	else if (c->company > 0)
		document_doubt(q, CONFIDENCE_LOW,
			       "all messages %s had others beside them on the network, and "
			       "nothing shows that it did not matter: alone they may take "
			       "%.2g %% of what is taken for the idle machine's",
			       place, 100 / (1 + c->company));
	if (c->vague > 0)
		document_doubt(
			q, CONFIDENCE_LOW,
			"what a message %s takes one way on the idle machine is not told by clocks "
			"that are off by less, nor apart from the way back: what that leaves open "
			"is called not identifiable",
			place);
	if (c->slow && !c->without_core) /* then that is said */
		document_doubt(q, CONFIDENCE_LOW,
			       "the fastest messages %s took longer than any idle machine needs "
			       "for them: it may be faster by any factor",
			       place);
	if (c->beyond > 0)
		document_doubt(q, CONFIDENCE_LOW,
			       "messages %s of some sizes took up to %s times what the line "
			       "through the other sizes' times says, and none of them was seen "
			       "alone with its receiver waiting: whether they need that or waited "
			       "for others is called not identifiable",
			       place, factor_of(1 + c->beyond).text);
}

/* What is known of a class that has messages. */
static void judge_class(struct quality *q, const struct analysis *a, enum locality class)
{
	const struct machine_class *c = &a->machine->classes[class];
	const struct census *n = &a->attribution->census[class];
	double width = machine_ranges_width(a->machine, class, a->trace, a->messages);

	if (!c->n)
		document_doubt(q, CONFIDENCE_LOW, "no machine parameters for the %u message%s %s",
			       n->messages, document_plural(n->messages), where[class]);
	else if (width > WIDE_LEAST && !c->slow && !c->without_core) /* by any factor */
		judge_width(q, where[class], width);
	if (c->n && n->open_late)
		document_doubt(q, CONFIDENCE_HIGH,
			       "nothing shows whether %u message%s %s waited for a receive to be "
			       "posted: both are in the intervals",
			       n->open_late, document_plural(n->open_late), where[class]);
	if (c->joint & MACHINE_JOINT_SUM)
		document_doubt(q, CONFIDENCE_HIGH,
			       "the machine's round trips tell latency and gap %s as a sum only: "
			       "all of it counts as gap",
			       where[class]);
	if (c->n)
		judge_progress(q, a, class);
	judge_company(q, c, where[class]);
}

void document_doubt_machine(struct quality *q, const struct analysis *a)
{
	const struct census *census = a->attribution->census;

	if (!a->messages->n)
		return;
	judge_source(q, a);
	if (census[LOCALITY_NETWORK].messages)
		judge_topology(q, a);
	judge_zeros(q, a, census);
	for (int k = 0; k < LOCALITY_COUNT; k++)
		if (census[k].messages)
			judge_class(q, a, (enum locality)k);
	judge_bounds(q, a);
}
