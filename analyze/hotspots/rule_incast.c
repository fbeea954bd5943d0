/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The incast hotspot: many ranks send to one at the same time, and wait there for each
 * other. Unlike an order hotspot it is always the same rank. Runs after rule_order and
 * rule_server and leaves out what they explain.
 */
#include "analyze/hotspots/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/fan_in.h"
#include "analyze/gains/taken_turns.h"
#include "analyze/hotspots/spread_saving.h"
#include "analyze/tools/instants.h"
#include "common/number.h"

#define FAN_IN_MIN    4
#define FAN_IN_FACTOR 3    /* times the median receiver's */
#define EVEN          1.05 /* times its even share of all that is sent is no more than that */
#define OPEN_FACTOR   2    /* times its share is much more than that */

/* What of a rank's call was said to be held up in turns. */
struct turn_of {
	uint32_t call;
	int64_t ns;
};

struct incast {
	const struct evidence_base *b;
	uint32_t *fan_in; /* per receiver */
	uint32_t *sorted;
	uint32_t median;    /* of fan_in */
	uint8_t *explained; /* per sending site: an order hotspot already */
	double *by_key;     /* per sending site: sums of one finding */
	struct spread_part *part;
	struct taken_turns turns; /* of the receiver at work */
	struct turn_of *turn_of;  /* per sender: its last call */
	double bytes;             /* of all messages */
};

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static uint32_t median_fan_in(struct incast *x)
{
	uint32_t n = x->b->t->n_ranks;

	memcpy(x->sorted, x->fan_in, n * sizeof(*x->sorted));
	qsort(x->sorted, n, sizeof(*x->sorted), by_number);
	return x->sorted[n / 2];
}

/* What the messages to some receivers cost, and who sends the costliest. */
struct blame {
	double caused_s; /* contention of the messages themselves */
	double held_s;   /* of that, what ranks waited for */
	double bytes;
	uint32_t fan_in; /* the highest */
	uint32_t key;    /* sending site with the most */
	double site_s;
};

/*
 * So long message i's sender waited while its receiver took others, of behind_ns that it was so,
 * beyond what was said of other messages that the same call waited for.
 */
static int64_t held_in_turns_ns(struct incast *in, uint32_t i, int64_t behind_ns)
{
	const struct message *m = &in->b->m->m[i];
	struct turn_of *of = &in->turn_of[m->src];
	int64_t ns;

	if (m->send_done == TRACE_NONE)
		return 0;
	if (of->call != m->send_done)
		*of = (struct turn_of){m->send_done, 0};
	ns = earlier(behind_ns, slices_part(&in->b->a->call, of->call, COST_late_partner));
	ns = later(0, ns - of->ns);
	of->ns += ns;
	return ns;
}

static void blame_receiver(struct incast *in, uint32_t dst, struct blame *x)
{
	const struct evidence_base *b = in->b;
	uint32_t first = b->m->by_dst[dst];

	taken_turns_find(&in->turns, b, dst);
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		in->turn_of[r].call = TRACE_NONE;
	x->fan_in = in->fan_in[dst] > x->fan_in ? in->fan_in[dst] : x->fan_in;
	for (uint32_t i = first; i < b->m->by_dst[dst + 1]; i++) {
		const struct message *msg = &b->m->m[i];
		uint32_t key = msg->place;
		int64_t behind_ns = in->turns.behind_ns[i - first];
		double caused_s = (attribution_contention_ns(b->a, i) + behind_ns) * 1e-9;

		x->bytes += msg->bytes;
		if (in->explained[key])
			continue;
		x->caused_s += caused_s;
		x->held_s += (b->a->held_ns[i] + held_in_turns_ns(in, i, behind_ns)) * 1e-9;
		in->by_key[key] += caused_s;
		if (in->by_key[key] > x->site_s) {
			x->site_s = in->by_key[key];
			x->key = key;
		}
	}
}

static struct blame blame_receivers(struct incast *in, const struct spread_part *part, uint32_t n)
{
	struct blame x = {.key = 0};

	memset(in->by_key, 0, ((size_t)in->b->senders.keys + 1) * sizeof(*in->by_key));
	for (uint32_t k = 0; k < n; k++)
		blame_receiver(in, part[k].dst, &x);
	return x;
}

static uint32_t messages_to(const struct incast *x, uint32_t dst)
{
	return x->b->m->by_dst[dst + 1] - x->b->m->by_dst[dst];
}

static double bytes_to(const struct evidence_base *b, uint32_t dst)
{
	double bytes = 0;

	for (uint32_t i = b->m->by_dst[dst]; i < b->m->by_dst[dst + 1]; i++)
		bytes += b->m->m[i].bytes;
	return bytes;
}

/*
 * Does none of these ranks get more than others do, of the bytes, which ports are busy with, and of
 * the messages, which have to be handled? Nothing of it is to be spread then.
 */
static int are_even_shares(const struct incast *x, const struct spread_part *part, uint32_t n)
{
	double ranks = x->b->t->n_ranks;

	for (uint32_t k = 0; k < n; k++)
		if (bytes_to(x->b, part[k].dst) * ranks > EVEN * x->bytes ||
		    messages_to(x, part[k].dst) * ranks > EVEN * x->b->m->n)
			return 0;
	return 1;
}

static void write_advice(const struct incast *x, const struct spread_part *part, uint32_t n,
			 struct hotspot *h)
{
	int is_even = are_even_shares(x, part, n);
	uint32_t dst = part->dst;
	char others[40] = "";

	if (n > 1)
		snprintf(others, sizeof(others), " and %s the %u others", is_even ? "to" : "of",
			 n - 1);
	if (is_even)
		snprintf(h->advice, sizeof(h->advice),
			 "send to rank %u%s at different times: each rank another one first, or "
			 "the next when the one before is there (spreading saves nothing: no more "
			 "than an even share goes there)",
			 dst, others);
	else
		snprintf(h->advice, sizeof(h->advice),
			 "spread %s%u%s%s over more ranks, combine on the way (a tree or a "
			 "collective), "
			 "or send at different times",
			 n > 1 ? "the part of rank " : "rank ", dst, n > 1 ? "" : "'s part",
			 others);
}

static void write_words(const struct incast *x, const struct spread_part *part, uint32_t n,
			const struct blame *blame, struct hotspot *h)
{
	uint32_t dst = part->dst;
	char others[40] = "";

	if (n > 1)
		snprintf(others, sizeof(others), " and to %u others each", n - 1);
	snprintf(h->title, sizeof(h->title), "up to %u ranks send to rank %u%s at the same time",
		 blame->fan_in, dst, others);
	snprintf(h->why, sizeof(h->why),
		 "fan-in %u (median rank %u), %s of the bytes; %s messages queue for %s, "
		 "which holds ranks up for %s in all",
		 blame->fan_in, x->median,
		 number_share(x->bytes > 0 ? blame->bytes / x->bytes : 0).text,
		 n > 1 ? "their" : "its", number_seconds(blame->caused_s).text,
		 number_seconds(blame->held_s).text);
	write_advice(x, part, n, h);
}

/* The receivers' finding: of one, or of several together, whose costliest is the first. */
static void describe(void *incast, const struct spread_part *part, uint32_t n, struct hotspot *h)
{
	struct incast *x = incast;
	const struct evidence_base *b = x->b;
	struct blame blame = blame_receivers(x, part, n);

	h->kind = "incast";
	h->site = senders_site(&b->senders, blame.key);
	h->region = senders_region(&b->senders, blame.key);
	write_words(x, part, n, &blame, h);
	hotspot_evidence(h, "fan_in", blame.fan_in);
	hotspot_evidence(h, "fan_in_median", x->median);
	hotspot_evidence(h, "wait_caused_s", blame.caused_s);
	hotspot_evidence(h, "wait_caused_share", blame.caused_s / b->rank_time_s);
	hotspot_evidence(h, "held_s", blame.held_s);
	hotspot_evidence(h, "bytes_share", x->bytes > 0 ? blame.bytes / x->bytes : 0);
	hotspot_evidence(h, "site_share_of_wait",
			 blame.caused_s > 0 ? blame.site_s / blame.caused_s : 0);
}

/*
 * A receiver that others crowd around gets what is left when all get as much, of empty messages as
 * many. Nothing is saved for certain: it has to take it all in any case.
 */
static struct spread_part part_of(struct incast *x, uint32_t dst)
{
	struct spread_part part = {.dst = dst};
	struct blame blame = blame_receivers(x, &part, 1);

	part.caused_s = blame.caused_s;
	part.left =
		blame.bytes > 0 ? x->bytes / blame.bytes : (double)x->b->m->n / messages_to(x, dst);
	part.left = fmin(part.left / x->b->t->n_ranks, 1);
	return part;
}

/* Is it much that messages to this rank wait? */
static int is_waited_for(struct incast *x, uint32_t rank)
{
	const struct evidence_base *b = x->b;
	int64_t ns = b->a->wait_caused_ns[rank], most_ns = ns;

	for (uint32_t i = b->m->by_dst[rank]; i < b->m->by_dst[rank + 1]; i++)
		most_ns += slices_part(&b->a->message, i, COST_late_partner);
	if (most_ns * 1e-9 < RULE_LEAST_SHARE * b->rank_time_s)
		return 0; /* told without the calls, which are far from here in memory */
	taken_turns_find(&x->turns, b, rank);
	for (uint32_t k = 0; k < messages_to(x, rank); k++)
		ns += x->turns.behind_ns[k];
	return ns * 1e-9 >= RULE_LEAST_SHARE * b->rank_time_s;
}

/*
 * So long its calls took messages of others from the network, ns, which may be contention that
 * never lets up: where the machine is only estimated, that is not known.
 */
static int64_t untold_ns(const struct incast *x, uint32_t rank)
{
	const struct evidence_base *b = x->b;
	uint32_t call = TRACE_NONE;
	int64_t ns = 0;

	for (uint32_t i = b->m->by_dst[rank]; i < b->m->by_dst[rank + 1]; i++) {
		if (b->m->m[i].recv_done == call || evidence_price(b, i)->class != LOCALITY_NETWORK)
			continue;
		call = b->m->m[i].recv_done;
		ns += slices_part(&b->a->call, call, COST_wire);
	}
	return ns;
}

/* Does much more than its share go to it: of the bytes or, if there are none, of the messages? */
static int is_much(const struct incast *x, uint32_t rank)
{
	const struct evidence_base *b = x->b;
	double share = x->bytes > 0 ? bytes_to(b, rank) / x->bytes
				    : (double)messages_to(x, rank) / b->m->n;

	return share * b->t->n_ranks >= OPEN_FACTOR;
}

static int is_open(const struct incast *x, uint32_t rank)
{
	const struct evidence_base *b = x->b;

	return machine_is_of_crowds(b->machine, &b->machine->classes[LOCALITY_NETWORK]) &&
	       is_much(x, rank) && untold_ns(x, rank) * 1e-9 >= RULE_LEAST_SHARE * b->wall_s;
}

static void leave_open(const struct incast *x, const struct spread_part *part, struct findings *out)
{
	struct unjudged u = {.kind = "incast", .unknown = "what a message takes alone"};

	if (is_open(x, part->dst))
		u.at_stake_s = (1 - part->left) * 1e-9 * (double)untold_ns(x, part->dst) *
			       x->b->t->n_ranks;
	if (u.at_stake_s > out->unjudged.at_stake_s)
		out->unjudged = u;
}

/* Do many more send to it at once than to others, and not as they ask it and wait? */
static int is_crowded(const struct incast *x, uint32_t rank, const struct findings *out)
{
	return x->fan_in[rank] >= FAN_IN_MIN && x->fan_in[rank] >= FAN_IN_FACTOR * x->median &&
	       !findings_has(out, "server", rank);
}

static int judge_all(struct incast *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;
	uint32_t n = 0;

	for (uint32_t k = 0; k < out->n; k++)
		if (!strcmp(out->h[k].kind, "order"))
			x->explained[out->h[k].site < b->t->n_sites
					     ? out->h[k].site
					     : b->t->n_sites + out->h[k].region] = 1;
	x->median = median_fan_in(x);
	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		if (!is_crowded(x, r, out))
			continue;
		x->part[n] = part_of(x, r);
		if (x->part[n].caused_s >= RULE_LEAST_SHARE * b->rank_time_s)
			n++;
		else
			leave_open(x, &x->part[n], out);
	}
	return spread_saving_find(b, x->part, n, x->explained, describe, x, out, err);
}

/* Is there a receiver of which more is to be known? That takes longer. */
static int is_worthwhile(struct incast *x)
{
	for (uint32_t r = 0; r < x->b->t->n_ranks; r++)
		if (is_waited_for(x, r) || is_open(x, r))
			return 1;
	return 0;
}

static int look(struct incast *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;
	size_t ranks = (size_t)b->t->n_ranks + 1;

	if (taken_turns_init(&x->turns, b, err))
		return -1;
	for (uint32_t i = 0; i < b->m->n; i++)
		x->bytes += b->m->m[i].bytes;
	if (!is_worthwhile(x))
		return 0;
	x->fan_in = calloc(ranks, sizeof(*x->fan_in));
	x->sorted = calloc(ranks, sizeof(*x->sorted));
	x->explained = calloc((size_t)b->senders.keys + 1, sizeof(*x->explained));
	x->by_key = calloc((size_t)b->senders.keys + 1, sizeof(*x->by_key));
	x->part = calloc(ranks, sizeof(*x->part));
	x->turn_of = calloc(ranks, sizeof(*x->turn_of));
	if (!x->turn_of || !x->fan_in || !x->sorted || !x->explained || !x->by_key || !x->part)
		return err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	return fan_in_find(b, x->fan_in, err) ? -1 : judge_all(x, out, err);
}

int rule_incast(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct incast x = {.b = b};
	int ret = look(&x, out, err);

	taken_turns_release(&x.turns);
	free(x.turn_of);
	free(x.part);
	free(x.by_key);
	free(x.explained);
	free(x.sorted);
	free(x.fan_in);
	return ret;
}
