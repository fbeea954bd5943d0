/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention with others: sends that are begun together and share their own rank's port, so
 * that all messages are there late, where one by one the first ones would be there early and their
 * receivers could go on. The reverse of rule_synchronous.c. What the run saves so says a replay in
 * which the sender waits for each message; that it computes less meanwhile is in that.
 */
#include "analyze/gains/answers.h"
#include "analyze/gains/pacing_saving.h"
#include "analyze/gains/retime.h"
#include "analyze/hotspots/rules.h"
#include "analyze/tools/instants.h"
#include "common/number.h"
#include "common/table.h"

#include <stdio.h>

#define SENDS      (UINT32_C(1) << REGION_SEND | UINT32_C(1) << REGION_ISEND)
#define SENDS_MIN  10   /* that were under way together; fewer are no habit */
#define AT_ONCE_NS 2000 /* a call that found its message there may last so much longer */

/* What is known of a place's bursts. */
struct bursts {
	uint32_t key;
	uint32_t n, together;
	uint32_t most; /* messages of one */
};

static struct bursts count_bursts(const struct evidence_base *b, uint32_t key,
				  const struct pace *pace, uint32_t together)
{
	uint32_t sends = b->senders.at[key + 1] - b->senders.at[key];
	struct bursts x = {.key = key, .together = together};

	for (uint32_t k = 0; k < sends; k++) {
		uint32_t length = k + 1 - pace[k].first;

		x.n += length == 2;
		x.most = length > x.most ? length : x.most;
	}
	return x;
}

static int report(const struct evidence_base *b, const struct bursts *x,
		  const struct pacing_saving *saves, struct findings *out, struct err *err)
{
	struct hotspot h = {.kind = "asynchronous", .rank = TRACE_NONE};

	h.site = senders_site(&b->senders, x->key);
	h.region = senders_region(&b->senders, x->key);
	h.saves_mid_s = saves->waiting_s;
	h.saves_high_s = saves->most_s;
	snprintf(h.title, sizeof(h.title), "up to %u messages of a rank share its way out",
		 x->most);
	snprintf(h.why, sizeof(h.why),
		 "not contention with others: %u messages are under way while others of their rank "
		 "are, %.1f together, and slow each other down; one by one they would be there %s "
		 "sooner in all, the last ones as late",
		 x->together, (double)x->together / x->n, number_seconds(saves->sooner_s).text);
	snprintf(
		h.advice, sizeof(h.advice),
		"send what is waited for first, and begin the next when it is there (MPI_Ssend, or "
		"MPI_Issend and MPI_Wait, one or two at a time), the receives being posted");
	hotspot_evidence(&h, "bursts", x->n);
	hotspot_evidence(&h, "sends_together", x->together);
	hotspot_evidence(&h, "sends_of_a_burst", (double)x->together / x->n);
	hotspot_evidence(&h, "most_of_a_burst", x->most);
	hotspot_evidence(&h, "sooner_s", saves->sooner_s);
	return findings_add(out, &h, err);
}

/* Is it the last that its receiver waited for in that call, so long? */
static int64_t waited_ns(const struct evidence_base *b, uint32_t i)
{
	const struct message *m = b->m->m;
	uint32_t call = m[i].recv_done;
	int is_last = i + 1 == b->m->n || m[i + 1].recv_done != call;

	return is_last ? later(0, m[i].done_ns - b->t->calls[call].enter_ns) : 0;
}

/*
 * What receivers wait for a place's messages while others of the same sender hold these up, into
 * held_ns, per message; returns all of it, s. The last one of a burst is there as late in any case.
 */
static double find_held(const struct evidence_base *b, uint32_t key, const struct pace *pace,
			int64_t *held_ns)
{
	const uint32_t *message = b->senders.message + b->senders.at[key];
	uint32_t n = b->senders.at[key + 1] - b->senders.at[key];
	int64_t ns = 0;

	for (uint32_t k = 0; k + 1 < n; k++) {
		uint32_t i = message[k];

		if (pace[k + 1].first == k + 1 || evidence_price(b, i)->class != LOCALITY_NETWORK)
			continue;
		held_ns[i] =
			earlier(waited_ns(b, i), slices_part(&b->a->message, i, COST_sender_port));
		ns += held_ns[i];
	}
	return ns * 1e-9;
}

/* Did its receiver wait for it, and not find it there? */
static int is_awaited(const struct evidence_base *b, uint32_t i)
{
	return waited_ns(b, i) > (int64_t)(evidence_price(b, i)->at.o_r_s * 1e9) + AT_ONCE_NS;
}

/*
 * The same if all the time until the last of a burst was there, for which somebody waited, was its
 * port's: then each has an equal part of it. Returns what was waited for the others.
 */
static int64_t part_evenly(const struct evidence_base *b, const uint32_t *message, uint32_t n,
			   int64_t *held_ns)
{
	int64_t begin_ns = b->m->m[message[0]].sent_ns, all_ns = begin_ns, ns = 0;

	for (uint32_t k = 0; k < n; k++)
		if (is_awaited(b, message[k]))
			all_ns = later(all_ns, b->a->arrival_ns[message[k]]);
	for (uint32_t k = 0; k < n && all_ns > begin_ns; k++) {
		uint32_t i = message[k];
		int64_t turn_ns = begin_ns + (all_ns - begin_ns) / n * (k + 1);

		if (evidence_price(b, i)->class != LOCALITY_NETWORK)
			continue;
		held_ns[i] = earlier(later(0, b->a->arrival_ns[i] - turn_ns), retime_way_ns(b, i));
		if (is_awaited(b, i))
			ns += earlier(waited_ns(b, i), held_ns[i]);
	}
	return ns;
}

static double find_perhaps(const struct evidence_base *b, uint32_t key, const struct pace *pace,
			   int64_t *held_ns)
{
	const uint32_t *message = b->senders.message + b->senders.at[key];
	uint32_t n = b->senders.at[key + 1] - b->senders.at[key];
	int64_t ns = 0;

	for (uint32_t first = 0, k = 1; k <= n; k++)
		if (k == n || pace[k].first == k) {
			ns += part_evenly(b, message + first, k - first, held_ns);
			first = k;
		}
	return ns * 1e-9;
}

typedef double find_fn(const struct evidence_base *b, uint32_t key, const struct pace *pace,
		       int64_t *held_ns);

/*
 * How much sooner would the run end if nothing held up them or their answers? No less than a
 * finding, or 0. Returns 0, or -1 with *err set (out of memory).
 */
static int find_worth(const struct evidence_base *b, uint32_t key, const struct pace *pace,
		      find_fn *find, double *saved_s, struct err *err)
{
	int64_t *held_ns = table_calloc((size_t)b->m->n + 1, sizeof(*held_ns));
	double least_s = RULE_LEAST_SHARE * b->wall_s;
	int ret = 0;

	*saved_s = 0;
	if (!held_ns)
		return err_set(err, "out of memory for %u messages", b->m->n);
	if (find(b, key, pace, held_ns) >= least_s)
		ret = answers_part(b, key, held_ns, err)
			      ? -1
			      : retime_run(b, &(struct retime){.less_ns = held_ns}, saved_s, err);
	table_free(held_ns);
	if (*saved_s < least_s)
		*saved_s = 0;
	return ret;
}

/* Is it not known how long a port is busy with one: none was seen alone, or no port busy? */
static int is_open(const struct evidence_base *b)
{
	const struct machine_class *c = &b->machine->classes[LOCALITY_NETWORK];

	return b->machine->source != MACHINE_FILE && c->n > 0 &&
	       (c->joint & MACHINE_JOINT_L_G || machine_is_of_crowds(b->machine, c));
}

/* What is at stake if ports were what took so long. Returns 0, or -1 with *err set. */
static int leave_open(const struct evidence_base *b, uint32_t key, const struct pace *pace,
		      struct findings *out, struct err *err)
{
	struct unjudged u = {.kind = "asynchronous", .unknown = "what a message takes alone"};
	double saved_s = 0;

	if (is_open(b) && find_worth(b, key, pace, find_perhaps, &saved_s, err))
		return -1;
	u.at_stake_s = saved_s * b->t->n_ranks;
	if (u.at_stake_s > out->unjudged.at_stake_s)
		out->unjudged = u;
	return 0;
}

static int judge_place(const struct evidence_base *b, uint32_t key, struct pace *pace,
		       struct findings *out, struct err *err)
{
	uint32_t together = pacing_cut(b, key, pace);
	struct pacing_saving saves = {0};
	double least_s = RULE_LEAST_SHARE * b->wall_s, saved_s;
	struct bursts x;

	if (together < SENDS_MIN)
		return 0;
	if (find_worth(b, key, pace, find_held, &saved_s, err))
		return -1;
	if (saved_s > 0 && (pacing_find(b, key, pace, err) ||
			    pacing_saving_find(b, key, pace, least_s, &saves, err)))
		return -1;
	if (saves.waiting_s < least_s)
		return leave_open(b, key, pace, out, err);
	x = count_bursts(b, key, pace, together);
	return report(b, &x, &saves, out, err);
}

int rule_asynchronous(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct pace *pace = NULL;
	uint32_t room = 0;
	int ret = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		if (trace_shares_core(b->t, r))
			return 0; /* who waits for a core has messages late, not its port */
	for (uint32_t key = 0; key < b->senders.keys; key++) {
		uint32_t n = b->senders.at[key + 1] - b->senders.at[key];

		room = b->senders.kinds[key] & SENDS && n > room ? n : room;
	}
	pace = table_alloc((size_t)room + 1, sizeof(*pace));
	if (!pace)
		return err_set(err, "out of memory for %u sends", room);
	for (uint32_t key = 0; key < b->senders.keys && !ret; key++)
		if (b->senders.kinds[key] & SENDS)
			ret = judge_place(b, key, pace, out, err);
	table_free(pace);
	return ret;
}
