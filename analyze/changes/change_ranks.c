/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As many ranks as asked for, each with as much to do as one has now. */
#include "analyze/changes/changes.h"

#include <stdio.h>

#include "analyze/gains/copies.h"
#include "analyze/opinion/pipeline_load.h"

static void name_it(const struct trace *t, uint32_t ranks, struct change *x)
{
	if (ranks == 1)
		snprintf(x->title, sizeof(x->title), "1 rank that does as much as each of %u now",
			 t->n_ranks);
	else
		snprintf(x->title, sizeof(x->title), "%u ranks that do as much each as %u do now",
			 ranks, t->n_ranks);
}

/* Do ranks pass work on in a line? Returns 1, 0, or -1 with *err set (out of memory). */
static int is_pipeline(const struct evidence_base *b, struct err *err)
{
	struct pipeline_load x;
	const char *why_not;
	int found = 0;

	for (uint32_t key = 0; key < b->senders.keys && !found; key++)
		found = pipeline_load_at(b, key, &x, &why_not, err);
	return found;
}

static int judge(const struct evidence_base *b, uint32_t ranks, struct change *x, struct err *err)
{
	const char *why = NULL;
	int apart = copies_are_apart(b, err), is_line = 0;

	if (apart > 0) /* else that says enough */
		is_line = is_pipeline(b, err);
	if (apart < 0 || is_line < 0)
		return -1;
	if (b->t->n_ranks < 2)
		why = "what one rank alone takes says nothing of how several meet";
	else if (!apart)
		why = "a rank exchanges messages with most others: with how many it would among "
		      "so many is not in this run";
	else if (is_line)
		why = "ranks pass work on in a line: with more it is longer, and its last one "
		      "begins later";
	if (!why)
		return copies_saving(b, ranks, &x->saving, err);
	snprintf(x->why_not, sizeof(x->why_not), "%s", why);
	return 0;
}

int change_ranks(const struct evidence_base *b, const struct changes_asked *asked,
		 struct changes *out, struct err *err)
{
	struct change x = {.kind = "ranks", .site = TRACE_NONE, .region = TRACE_NONE};

	if (!asked->ranks)
		return 0;
	name_it(b->t, asked->ranks, &x);
	return judge(b, asked->ranks, &x, err) ? -1 : changes_add(out, &x, err);
}
