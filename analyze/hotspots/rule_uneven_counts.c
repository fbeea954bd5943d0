/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A skew hotspot of collectives: in MPI_Alltoallv and alike, or by one-sided operations between
 * fences, one rank has far more of the bytes than its share, always the same one or another each
 * time (count_loads.h), and the operation takes as long as that one's bytes do. Even shares take
 * no less than their part of that time, which ends as the last rank leaves: the rest is the most.
 * What is likely is what the machine needs for the bytes that are too many, in one message where it
 * is not known to how many others they go; where the machine is not known, that of the heaviest
 * rank's own time, if its bytes are so many that latency does not matter; of one-sided operations
 * within a host nothing; and where it is another rank each time no more than in_turns_s() has.
 *
 * Of MPI_Allgatherv everyone gets all, however even: in algorithms that pass on whole blocks in
 * turn all wait for the large one in each of ranks - 1 steps, in others it costs nothing. What it
 * took beyond the steps of even blocks on an idle machine is the most, which needs one that is
 * known; on real ones even blocks took two to three times that, so that nothing of it is likely.
 */
#include "analyze/hotspots/rules.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>

#define RANKS_MIN    4
#define SHARE_FACTOR 2.5     /* times an even share of the bytes */
#define BYTES_MIN    65536.0 /* of the heaviest rank in a call, where the machine is not known */
#define EXPLAINS_MIN 0.1     /* of the time by the bytes, where it is known */
#define SAME_RANK    0.5     /* of what is too much: less is "another rank each time" */

struct uneven_counts {
	const struct evidence_base *b;
	const struct count_load *u;
	const struct count_column *l;
	enum count_way way;
	double machine_s; /* for what the heaviest have; NAN: the machine is not known */
};

static int is_one_rank(const struct uneven_counts *x)
{
	return x->l->rank_share >= SAME_RANK;
}

/* With how many others the heaviest shares its bytes is not known. */
static int is_among_some(const struct uneven_counts *x)
{
	return x->u->kind == COUNT_NEIGHBOURS || x->u->kind == COUNT_TARGETS;
}

/*
 * What the machine needs for messages of so many bytes each with every other rank, or at least for
 * one with some of them; NAN.
 */
static double by_machine_s(const struct uneven_counts *x, double bytes)
{
	const struct trace *t = x->b->t;
	const struct comm *comm = &t->comms[x->l->comm];
	double all_s = 0, one_s = INFINITY;

	for (uint32_t k = 0; k < comm->size; k++) {
		uint32_t r = comm->members[k], of = x->l->rank;
		int gives = x->way == COUNT_GIVEN;
		struct idle_price p;

		if (r == of || r >= t->n_ranks)
			continue;
		p = evidence_price_of(x->b, gives ? of : r, gives ? r : of, bytes);
		all_s += p.known ? p.at.g_s : NAN;
		one_s = fmin(one_s, p.at.g_s);
	}
	return is_among_some(x) && isfinite(all_s) ? one_s : all_s;
}

/* Are others on other hosts? Only a network has ports that they certainly share. */
static int is_far(const struct uneven_counts *x)
{
	const struct comm *comm = &x->b->t->comms[x->l->comm];

	for (uint32_t k = 0; k < comm->size; k++)
		if (comm->members[k] < x->b->t->n_ranks &&
		    machine_locality(x->b->t, x->l->rank, comm->members[k]) == LOCALITY_NETWORK)
			return 1;
	return 0;
}

static const char *does(const struct uneven_counts *x)
{
	if (x->u->kind == COUNT_TARGETS)
		return "is the target of";
	return x->way == COUNT_GIVEN ? "gives" : "gets";
}

static void write_title(const struct uneven_counts *x, struct hotspot *out)
{
	const char *mpi = x->b->t->regions[x->u->region].name;
	const char *of = x->u->kind == COUNT_TARGETS ? "before" : "of";
	double share = x->l->rank_bytes / x->l->bytes;

	if (is_one_rank(x))
		snprintf(out->title, sizeof(out->title),
			 "rank %u %s %.0f %% of the bytes %s %s, %.1f times its share", x->l->rank,
			 does(x), 100 * share, of, mpi, share * x->u->ranks);
	else
		snprintf(out->title, sizeof(out->title),
			 "one rank %s %.0f %% of the bytes %s each %s, a different one each time",
			 does(x), 100 * x->l->most / x->l->bytes, of, mpi);
}

static void write_words(const struct uneven_counts *x, struct hotspot *out)
{
	const struct count_column *l = x->l;
	char who[100] = "", needs[120];

	write_title(x, out);
	snprintf(needs, sizeof(needs),
		 "how much of it the bytes need is not known without a "
		 "machine file");
	if (isfinite(x->machine_s) && x->u->kind == COUNT_GATHERED)
		snprintf(needs, sizeof(needs),
			 "passed on whole in each of %u steps, these blocks need %s on an idle "
			 "machine",
			 x->u->ranks - 1, number_seconds(x->machine_s).text);
	else if (isfinite(x->machine_s))
		snprintf(needs, sizeof(needs), "the machine needs %s%s for these bytes",
			 is_among_some(x) ? "at least " : "", number_seconds(x->machine_s).text);
	if (!is_one_rank(x))
		snprintf(who, sizeof(who), ", another one of %u ranks each time", l->ranks);
	snprintf(out->why, sizeof(out->why),
		 "counts are uneven: the heaviest rank of each of %s operations %s %s of %s on "
		 "average, %.1f times its share%s; the last to leave was in them for %s after the "
		 "last to enter; %s",
		 number_count(x->u->count).text, does(x), number_bytes(l->most / x->u->count).text,
		 number_bytes(l->bytes / x->u->count).text, count_times(x->u, x->way), who,
		 number_seconds(l->longest_s).text, needs);
	if (x->u->kind == COUNT_TARGETS)
		snprintf(out->advice, sizeof(out->advice),
			 "spread what one rank keeps over more targets%s",
			 is_one_rank(x) ? "" : ", or let each epoch reach all of them");
	else if (x->u->kind == COUNT_GATHERED)
		snprintf(out->advice, sizeof(out->advice),
			 "let all ranks give alike; if nearly all is one rank's, MPI_Bcast is "
			 "meant for that");
	else if (is_one_rank(x))
		snprintf(out->advice, sizeof(out->advice),
			 "spread the counts evenly, or divide what rank %u %s among several ranks",
			 l->rank, x->way == COUNT_GIVEN ? "owns" : "does with them");
	else
		snprintf(out->advice, sizeof(out->advice),
			 "let each call move something of every rank's bytes rather than all of "
			 "one's");
}

/*
 * Where the heaviest is another one each time, the others may go on to the next operation while it
 * is still at work: likely no more is saved than what is too much of the time that ranks were in
 * them on average.
 */
static double in_turns_s(const struct uneven_counts *x)
{
	return (1 - 1 / count_times(x->u, x->way)) * x->u->moved_s / x->u->ranks;
}

/* Of counts and targets: the time of what is too much. 0: the bytes do not explain it. */
static int judge_counts(struct uneven_counts *x, struct hotspot *h)
{
	const struct count_column *l = x->l;
	uint32_t messages = is_among_some(x) ? 1 : x->u->ranks - 1;
	double each = l->most / x->u->count, mean = l->bytes / x->u->count / x->u->ranks;
	double even_s = x->u->count * by_machine_s(x, mean / messages);

	x->machine_s = x->u->count * by_machine_s(x, each / messages);
	if (isfinite(x->machine_s) ? x->machine_s < EXPLAINS_MIN * l->longest_s : each < BYTES_MIN)
		return 0;
	h->saves_high_s = fmin(l->longest_excess_s, x->b->wall_s);
	if (isfinite(x->machine_s)) /* what a message takes whatever its bytes stays */
		h->saves_mid_s = fmin(fmax(x->machine_s - even_s, 0), h->saves_high_s);
	else if (x->u->kind != COUNT_TARGETS || is_far(x))
		h->saves_mid_s = fmin(l->excess_s, h->saves_high_s);
	if (!is_one_rank(x))
		h->saves_mid_s = fmin(h->saves_mid_s, in_turns_s(x));
	return 1; /* who puts into memory may copy the bytes itself: nothing is likely */
}

/* All may have waited for the large blocks there; other hotspots of the kind are not these. */
static void leave_open(const struct uneven_counts *x, struct unjudged *u)
{
	u->kind = "skew";
	u->unknown = "what large blocks of MPI_Allgatherv take";
	u->at_stake_s += x->l->longest_excess_s * x->u->ranks;
	u->is_apart = 1;
}

/* Of what all get: what it took beyond the steps of an algorithm with even blocks. */
static int judge_gathered(struct uneven_counts *x, struct findings *out, struct hotspot *h)
{
	const struct count_column *l = x->l;
	double each = l->most / x->u->count, mean = l->bytes / x->u->count / x->u->ranks;
	double even_s = x->u->count * by_machine_s(x, mean);

	x->machine_s = x->u->count * by_machine_s(x, each);
	if (!isfinite(x->machine_s)) {
		if (each >= BYTES_MIN)
			leave_open(x, &out->unjudged);
		return 0;
	}
	h->saves_high_s = fmin(fmax(l->longest_s - even_s, 0), x->b->wall_s);
	return x->machine_s >= EXPLAINS_MIN * l->longest_s;
}

static int report(struct uneven_counts *x, struct findings *out, struct err *err)
{
	const struct count_column *l = x->l;
	struct hotspot h = {.kind = "skew",
			    .rank = is_one_rank(x) ? l->rank : TRACE_NONE,
			    .site = x->u->site < x->b->t->n_sites ? x->u->site : TRACE_NONE,
			    .region = x->u->region};

	if (!(x->u->kind == COUNT_GATHERED ? judge_gathered(x, out, &h) : judge_counts(x, &h)))
		return 0;
	write_words(x, &h);
	hotspot_evidence(&h, "bytes_share", l->most / l->bytes);
	hotspot_evidence(&h, "even_share", 1.0 / x->u->ranks);
	hotspot_evidence(&h, "rank_share", l->rank_bytes / l->bytes);
	hotspot_evidence(&h, "heaviest_ranks", l->ranks);
	hotspot_evidence(&h, "bytes", l->most);
	hotspot_evidence(&h, "calls", x->u->count);
	hotspot_evidence(&h, "moving_s", l->longest_s);
	return findings_add(out, &h, err);
}

int rule_uneven_counts(const struct evidence_base *b, struct findings *out, struct err *err)
{
	for (uint32_t k = 0; k < b->a->counts.n; k++) {
		struct uneven_counts x = {.b = b, .u = &b->a->counts.l[k]};

		x.way = count_way(x.u);
		x.l = &x.u->load[x.way];
		if (x.u->ranks >= RANKS_MIN && count_times(x.u, x.way) >= SHARE_FACTOR &&
		    x.u->moved_s >= RULE_LEAST_SHARE * b->rank_time_s && report(&x, out, err))
			return -1;
	}
	return 0;
}
