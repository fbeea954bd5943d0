/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: some ranks compute longer than others, who wait for them in collectives and
 * receives. What equal shares would save is replayed (levelling.c): nothing where ranks work one
 * after the other. The run's steps are what calls that all ranks make equally often cut it into
 * (own_pieces.h); when each step has another longest rank, no fixed division of the work helps:
 * what levelling each step would save is the upper end of the saving, and likely only where others
 * have so much less in each that it is work. Ranks that share cores take longer by turns: what
 * that can explain, up to as many times the mean as ranks share a core, is no imbalance. Where the
 * kernel tells how long a rank waited for its core, whoever had it, that is no imbalance, and no
 * more: without it the longest has computed at least for the rest, and nobody longer than there
 * was a core. Where it is not recorded how many cores there were, none of it is certain on a host
 * of several ranks.
 */
#include "analyze/gains/own_work.h"
#include "analyze/gains/shared_cores.h"
#include "analyze/hotspots/rules.h"
#include "analyze/opinion/server_load.h"
#include "analyze/run/run_ends.h"
#include "common/number.h"
#include "common/wording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_FIXED \
	0.02 /* of the run's time: least saving when always the same ranks compute longest, */
#define SHARE_CHANGING 0.05 /* when others do from step to step: that much is noise, */
#define SHARE_OF_WORK  0.5  /* of the mean: no computation varies by that from step to step */
#define CORES_MATTER   1.1  /* times what a replay saves at most: waits for cores may go, too */
#define BY_IDLE        0.1  /* of what steps differ by, if ranks with nothing to do are left out */
#define BY_FILES       0.5  /* of what ranks differ by, and then it is that; */
#define FILES_NAMED    0.05 /* of their own time, and it is named */
#define ALWAYS         0.75 /* of what steps differ by, with the same rank having most */
#define REPEATS_MIN    3    /* and so it is where the difference is not of so many pieces */

/* What may be saved. */
struct balance {
	struct own_sums own;
	struct levelling saves; /* by an even share, by the replay and the cores; */
	double replayed_most_s; /* by the replay */
	int by_files;           /* most of what the longest does beyond the mean is for files */
};

/*
 * Does another rank compute longest from step to step? Where most of that is by a rank that has
 * nothing to do the others differ as computations do.
 */
static int is_changing(const struct balance *x)
{
	int is_even = x->own.among_s < x->own.steps_s * (1 - BY_IDLE) &&
		      x->own.among_s < SHARE_OF_WORK * x->own.mean_s;

	return x->saves.run_s < x->saves.steps_s / 2 && x->own.led_share < ALWAYS && !is_even;
}

static uint32_t count_long(const struct own_work *w, const struct balance *x)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < w->b->t->n_ranks; r++)
		n += r != w->cut.apart && w->rank_s[r] >= x->own.mean_s + x->own.fixed_s / 2;
	return n;
}

/* "between MPI_Recv at a.c:7 and MPI_Send at a.c:9", or from one call of a place to the next. */
static void write_bounds(const struct trace *t, const struct own_bounds *at, size_t size,
			 char text[size])
{
	char from[80] = "the start", to[80] = "the end";

	if (at->from != TRACE_NONE)
		rule_place(t, at->from, sizeof(from), from);
	if (at->to != TRACE_NONE)
		rule_place(t, at->to, sizeof(to), to);
	if (strcmp(from, to) != 0)
		snprintf(text, size, "between %s and %s", from, to);
	else
		snprintf(text, size, "from one %s to the next", to);
}

/* Is access to files as much of the ranks' own time that it has to be named? */
static int has_files(const struct balance *x)
{
	return x->own.mean_files_s > FILES_NAMED * x->own.mean_s;
}

/* Do most ranks do as much as the longest, and one has little to do? */
static int is_of_least(const struct own_work *w, const struct balance *x)
{
	return 2 * count_long(w, x) > w->cut.share;
}

/* Is most of what the longest does beyond the mean, or the one with little below, for files? */
static int is_by_files(const struct own_work *w, const struct balance *x)
{
	if (is_changing(x))
		return x->own.files_steps_s > BY_FILES * x->own.steps_s;
	if (is_of_least(w, x))
		return x->own.mean_files_s - w->files_s[x->own.least] >
		       BY_FILES * (x->own.mean_s - x->own.least_s);
	return x->own.files_s - x->own.mean_files_s > BY_FILES * (x->own.most_s - x->own.mean_s);
}

/* May it have shared a core with another rank, unsaid? */
static int may_share_core(const struct trace *t, uint32_t rank)
{
	for (uint32_t r = 0; r < t->n_ranks && !(t->ranks[rank].crowd > 0); r++)
		if (r != rank && t->ranks[r].home == t->ranks[rank].home)
			return 1;
	return 0;
}

static const char *words_of_cores(const struct trace *t, const struct balance *x)
{
	if (may_share_core(t, x->own.most))
		return "; whether ranks shared cores is not recorded: waiting for a core looks "
		       "like this, too";
	if (x->saves.most_s >= CORES_MATTER * x->replayed_most_s)
		return "; ranks that wait less leave cores to others: that may save more";
	return "";
}

static void write_title(const struct own_work *w, const struct balance *x, struct hotspot *h)
{
	uint32_t many = count_long(w, x);
	int is_one = many <= 1;
	char others[24] = "";

	if (!is_one)
		snprintf(others, sizeof(others), " and %u more", many - 1);
	if (is_changing(x))
		snprintf(h->title, sizeof(h->title),
			 "from step to step another rank %s longest, the others wait",
			 x->by_files ? "accesses files" : "computes");
	else if (is_of_least(w, x) && x->by_files)
		snprintf(h->title, sizeof(h->title),
			 "rank %u accesses files for least, and waits for the others",
			 x->own.least);
	else if (is_of_least(w, x))
		snprintf(h->title, sizeof(h->title),
			 "rank %u computes %.0f %% of the mean, and waits for the others",
			 x->own.least,
			 x->own.mean_s > 0 ? 100 * x->own.least_s / x->own.mean_s : 0);
	else if (x->by_files)
		snprintf(h->title, sizeof(h->title), "rank %u%s access%s files, the others wait",
			 x->own.most, others, is_one ? "es" : "");
	else
		snprintf(h->title, sizeof(h->title),
			 "rank %u%s compute%s %.1f times the mean, the others wait", x->own.most,
			 others, is_one ? "s" : "",
			 x->own.mean_s > 0 ? x->own.most_s / x->own.mean_s : 0);
}

/* Where a rank's own access to files took most: a call there; TRACE_NONE: it has none. */
static uint32_t find_files(const struct own_work *w, uint32_t rank)
{
	const struct trace *t = w->b->t;
	const struct rank *r = &t->ranks[rank];
	uint32_t most = TRACE_NONE;
	double *place_s = calloc(trace_places(t) + 1u, sizeof(*place_s));

	for (uint32_t c = r->first_call; place_s && c < r->first_call + r->calls; c++) {
		double *s = &place_s[trace_place(t, c)];

		if (trace_call_kind(t, c) != REGION_IO)
			continue;
		*s += (double)(t->calls[c].leave_ns - t->calls[c].enter_ns);
		if (most == TRACE_NONE || *s > place_s[trace_place(t, most)])
			most = c;
	}
	free(place_s);
	return most;
}

static const char *advice_of(const struct balance *x)
{
	if (x->by_files)
		return "let all ranks access their own part at once (MPI_File_write_at_all, "
		       "_read_at_all), or let it go on while they compute (MPI_File_iwrite, "
		       "_iread)";
	if (is_changing(x))
		return "divide the work anew while it runs, or let ranks run ahead: fewer or "
		       "non-blocking collectives";
	return "divide the work by its cost rather than by its count, as the saving has it; look "
	       "for a rank that does I/O or others' work alone: without that more is saved";
}

/* files: a call that accesses files, most of what rank most does so; or TRACE_NONE. */
static void write_words(const struct own_work *w, const struct balance *x,
			const struct own_bounds *at, uint32_t files, struct hotspot *h)
{
	const struct trace *t = w->b->t;
	struct wording why = wording_begin(sizeof(h->why), h->why);
	char where[180], which[80];

	write_title(w, x, h);
	write_bounds(t, at, sizeof(where), where);
	wording_add(&why, "not contention: computation%s between MPI calls is %s a rank",
		    has_files(x) ? " and access to files" : "", number_seconds(x->own.mean_s).text);
	if (w->cut.apart != TRACE_NONE)
		wording_add(&why, " without rank %u, which serves the others", w->cut.apart);
	if (is_changing(x)) {
		wording_add(&why,
			    "; what the longest of each step does beyond the mean is %s together, "
			    "most of it",
			    number_seconds(x->own.steps_s).text);
	} else {
		wording_add(&why, ", %s on rank %u", number_seconds(x->own.most_s).text,
			    x->own.most);
		if (files != TRACE_NONE && has_files(x))
			wording_add(&why, " (%s of that in access to files, most in %s)",
				    number_seconds(x->own.files_s).text,
				    rule_place(t, files, sizeof(which), which));
		wording_add(&why, ", most of the difference");
	}
	wording_add(&why, " %s; a rank waits %s for late ones on average%s", where,
		    number_seconds(x->own.wait_s).text, words_of_cores(t, x));
	snprintf(h->advice, sizeof(h->advice), "%s", advice_of(x));
}

/*
 * Would always the same share save that much, or another share step by step? Beside what may be
 * the time in which ranks were without their cores.
 */
static int is_long(const struct balance *x, double share_fixed)
{
	return fmin(x->own.proven_s, x->own.wait_s) >= share_fixed * x->own.span_s ||
	       fmin(x->own.steps_s - x->own.all_away_s, x->own.wait_s) >=
		       SHARE_CHANGING * x->own.span_s;
}

/* Is it worth a line? */
static int is_saving(const struct own_work *w, const struct balance *x)
{
	return x->saves.run_s >= SHARE_FIXED * w->b->wall_s ||
	       x->saves.steps_s >= SHARE_CHANGING * w->b->wall_s;
}

/*
 * Is what another rank has more in each step so much that it is work, not what any computation
 * varies by? Then it can be divided anew.
 */
static int is_work(const struct balance *x)
{
	return is_changing(x) && x->own.steps_s >= SHARE_OF_WORK * x->own.mean_s;
}

/* What several threads of a rank do is not replayed: all that they wait for may be saved. */
static void guess_saving(struct balance *x)
{
	x->saves.run_s = fmin(x->own.fixed_s, x->own.wait_s);
	x->saves.steps_s = fmin(x->own.steps_s, x->own.wait_s);
	x->saves.most_s = fmax(x->saves.run_s, x->saves.steps_s);
}

static int find_saving(const struct own_work *w, struct balance *x, struct err *err)
{
	for (uint32_t r = 0; r < w->b->t->n_ranks; r++) {
		if (!w->b->t->ranks[r].is_threaded)
			continue;
		guess_saving(x);
		return 0;
	}
	if (levelling_find(w->b, &w->cut, &x->saves, err))
		return -1;
	/* whom a rank waits for is not always known: no more than this is lost by it */
	x->saves.most_s = fmax(x->saves.most_s, fmin(x->own.steps_s, x->own.kept_s));
	return 0;
}

static int report(struct own_work *w, const struct balance *x, struct findings *out,
		  struct err *err)
{
	const struct evidence_base *b = w->b;
	struct hotspot h = {.kind = "imbalance", .site = TRACE_NONE, .region = TRACE_NONE};
	const struct own_bounds *at = own_work_bounds(w, is_changing(x) ? TRACE_NONE : x->own.most);
	uint32_t files = find_files(w, x->own.most);
	int is_there = files != TRACE_NONE && x->by_files;

	if (at->pieces < REPEATS_MIN && !is_long(x, SHARE_CHANGING))
		return 0;
	if (is_there || at->to != TRACE_NONE) {
		h.site = b->t->calls[is_there ? files : at->to].site;
		h.region = b->t->calls[is_there ? files : at->to].region;
	}
	h.rank = x->own.most;
	h.saves_mid_s = is_work(x) ? x->saves.steps_s : x->saves.run_s;
	h.saves_high_s = x->saves.most_s;
	/* The longest rank's own waiting shows that it is not always the one to be waited for. */
	if (!may_share_core(b->t, x->own.most))
		h.saves_low_s =
			fmin(fmax(x->own.proven_s - w->wait_s[x->own.most], 0), x->saves.least_s);
	write_words(w, x, at, files, &h);
	hotspot_evidence(&h, "compute_mean_s", x->own.mean_s);
	hotspot_evidence(&h, "compute_most_s", x->own.most_s);
	hotspot_evidence(&h, "compute_least_s", x->own.least_s);
	hotspot_evidence(&h, "by_files", x->by_files);
	hotspot_evidence(&h, "files_mean_s", x->own.mean_files_s);
	hotspot_evidence(&h, "files_most_s", x->own.files_s);
	hotspot_evidence(&h, "rank_least", x->own.least);
	hotspot_evidence(&h, "excess_fixed_s", x->own.fixed_s);
	hotspot_evidence(&h, "excess_by_steps_s", x->own.steps_s);
	hotspot_evidence(&h, "excess_at_site_s", at->excess_s);
	hotspot_evidence(&h, "wait_mean_s", x->own.wait_s);
	hotspot_evidence(&h, "wait_of_rank_s", w->wait_s[x->own.most]);
	hotspot_evidence(&h, "core_awaited_s", x->own.away_s);
	return findings_add(out, &h, err);
}

/* Can the difference be that ranks take turns on their cores, of which the kernel does not tell? */
static int is_turns(const struct own_work *w, const struct balance *x)
{
	const struct trace *t = w->b->t;

	return trace_shares_core(t, x->own.most) && x->own.away_s <= 0 &&
	       x->own.most_s <= t->ranks[x->own.most].crowd * x->own.mean_s;
}

/* Pauses and ranks that were not recorded, or that died, hide who had to compute what. */
static int is_whole(const struct trace *t)
{
	if (run_ends_first_gone(t) != TRACE_NONE)
		return 0;
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (trace_recorded_ns(t, r) < t->wall_ns)
			return 0;
	return t->n_ranks > 1;
}

int rule_imbalance(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct own_work w;
	struct balance x = {0};
	struct server_load load;
	int ret;

	if (!is_whole(b->t) || server_load_is_dialogue(b))
		return 0;
	/* Who asks for more when it is done has no fixed share; servers compute nothing. */
	ret = server_load_find(b, &load, err);
	if (ret)
		return ret < 0 ? -1 : 0;
	if (own_work_init(&w, b, err))
		return -1;
	x.own = w.sum;
	if (!is_turns(&w, &x) && is_long(&x, SHARE_FIXED)) {
		ret = find_saving(&w, &x, err);
		x.replayed_most_s = x.saves.most_s;
		shared_cores_allow(b, w.rank_s, x.own.most, &x.saves);
		x.by_files = is_by_files(&w, &x);
		if (!ret && is_saving(&w, &x))
			ret = report(&w, &x, out, err);
	}
	own_work_release(&w);
	return ret;
}
