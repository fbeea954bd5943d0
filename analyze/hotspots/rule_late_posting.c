/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: receives posted after their message had come. An eager message is then
 * copied once more; a rendezvous does not start although its receiver waited in MPI and could
 * have answered. Posted before, it would have begun at the receiver's first moment in MPI
 * after the request: what lies between that and the posting is the most that can be saved, and
 * messages that would then come at the same time share the receiver's port (posting_saving.c).
 * It would have begun while the receiver computes, too, if that calls MPI now and then: no
 * computation before a receive needs what it brings. A receiver that shares its core, or was taken
 * off it, may have waited for that, and could not answer. Where the recorder looked at MPI's own
 * queue of such messages, its length is said, and no more: that was after receives, not before.
 */
#include "analyze/hotspots/rules.h"

#include "analyze/gains/could_begin.h"
#include "analyze/gains/posting_saving.h"
#include "common/number.h"
#include "common/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX   5   /* that are looked at, those with most to gain */
#define MESSAGES_MIN 10  /* fewer are no habit */
#define FEW          100 /* less than one in so many is given as a count */

struct late {
	const struct evidence_base *b;
	enum posting_doubt doubt;
	double *key_s;  /* per place of posting: sum over its messages */
	double *lost_s; /* per rank */
	struct could_begin could;
	double *has_core; /* per rank: the share of its lateness that is no wait for a core */
	int lacks;        /* some rank is known to have waited for its core; */
	int is_open;      /* what is likely is not what saves most, for any message */
	int64_t *gain_ns; /* per message received at the place at work: posted so much sooner; 0 */
	int64_t *rest_ns; /* per call: so much less is copied in it */
};

/* One message: how late its receive was; zeros where that is not known. */
struct lateness {
	int was_there; /* before the receive was posted */
	int held;      /* it could not even start, */
	int computing; /* while its receiver computed */
	double gain_s; /* it would have been complete so much earlier */
	double copy_s; /* spent on copying it */
};

/* A copy costs what a message within the node costs for its size; unknown: nothing. */
static double copy_s(const struct evidence_base *b, const struct message *x)
{
	struct idle_price all = evidence_price_of(b, x->dst, x->dst, x->bytes);
	struct idle_price none = evidence_price_of(b, x->dst, x->dst, 0);
	double measured_s = slices_part(&b->a->call, x->recv_done, COST_receive_overhead) * 1e-9;

	return fmin(fmax(all.at.g_s - none.at.g_s, 0), measured_s);
}

/* Do messages such as x move while their receiver computes? Not a number: it is not known. */
static double moves_alone(const struct late *l, const struct message *x)
{
	return l->b->machine->classes[machine_locality(l->b->t, x->src, x->dst)].progress.receiver;
}

/* When would message x have begun with its receive posted before? *computing: so it would then. */
static int64_t begins_ns(struct late *l, uint32_t i, int64_t from_ns, int *computing)
{
	double moves = moves_alone(l, &l->b->m->m[i]);
	int64_t in_mpi_ns, ns;

	*computing = 0;
	if (progress_moves(moves) || (l->doubt == POSTING_AT_MOST && !progress_waits(moves)))
		return from_ns;
	in_mpi_ns = could_begin_ns(&l->could, i, from_ns);
	ns = could_begin_computing_ns(&l->could, i, from_ns);
	*computing = ns < in_mpi_ns;
	return earlier(ns, in_mpi_ns);
}

static struct lateness lateness_of(struct late *late, uint32_t i)
{
	const struct evidence_base *b = late->b;
	const struct message *x = &b->m->m[i];
	int64_t posted_ns, could_ns, late_ns;
	struct lateness l = {0};

	if (!message_is_posted(b->t, x))
		return l;
	posted_ns = b->t->calls[x->recv_call].enter_ns;
	late_ns = slices_part(&b->a->message, i, COST_late_partner);
	if (late_ns <= 0 && b->a->arrival_ns[i] >= posted_ns)
		return l; /* held or not */
	l.held = evidence_is_held(b, i);
	if (!l.held) {
		l.was_there = b->a->arrival_ns[i] < posted_ns;
		l.copy_s = l.was_there ? copy_s(b, x) : 0;
		return l;
	}
	l.was_there = late_ns > 0;
	if (!l.was_there)
		return l;
	could_ns = begins_ns(late, i, posted_ns - late_ns, &l.computing);
	if (could_ns < posted_ns)
		l.gain_s = (posted_ns - could_ns) * 1e-9;
	if (late->doubt == POSTING_LIKELY || late->has_core[x->dst] <= 0)
		l.gain_s *= late->has_core[x->dst];
	return l;
}

/*
 * What a message that may be held back or not keeps its ends waiting, as far as its receiver could
 * have begun with it before.
 */
static void leave_open(struct late *l, uint32_t i)
{
	const uint32_t waiting = COSTS_OF_CONTENTION | 1u << COST_wire | 1u << COST_sender_port |
				 1u << COST_late_partner | 1u << COST_not_identifiable;
	const struct evidence_base *b = l->b;
	const struct message *x = &b->m->m[i];
	const uint32_t ends[] = {x->recv_done, x->send_done};
	const struct machine_class *c = &b->machine->classes[evidence_price(b, i)->class];
	int64_t posted_ns, could_ns, gain_ns;

	if (!message_is_posted(b->t, x) || x->src == x->dst || evidence_is_held(b, i) ||
	    !machine_is_open(c, x->bytes) || trace_lacks_core(b->t, x->dst))
		return;
	posted_ns = b->t->calls[x->recv_call].enter_ns;
	if (x->sent_ns >= posted_ns)
		return;
	could_ns = progress_moves(moves_alone(l, x)) ? x->sent_ns
						     : could_begin_ns(&l->could, i, x->sent_ns);
	gain_ns = posted_ns - could_ns;
	for (size_t k = 0; k < sizeof(ends) / sizeof(*ends); k++)
		if (ends[k] != TRACE_NONE)
			l->rest_ns[ends[k]] =
				later(l->rest_ns[ends[k]],
				      earlier(gain_ns, slices_sum(&b->a->call, ends[k], waiting)));
}

static void leave_all_open(struct late *l, struct findings *out)
{
	struct unjudged u = {"late_posting", .unknown = "whether sends wait for their receives"};

	for (uint32_t i = 0; i < l->b->m->n; i++) {
		messages_fetch_all(l->b->t, l->b->m, i);
		leave_open(l, i);
	}
	for (uint32_t c = 0; c < l->b->t->n_calls; c++)
		u.at_stake_s += l->rest_ns[c] * 1e-9;
	out->unjudged = u;
}

/* Sums over the messages received at one place. */
struct place {
	uint32_t key;
	uint32_t call; /* one that posts there */
	uint32_t n, late, held;
	/* Of those held: their receiver was in MPI before, and could begin; it computed. */
	uint32_t answerable, computing;
	int waits_known; /* these move in MPI's calls only */
	double gain_s, copy_s;
	struct unexpected queue; /* the longest, of those to whom messages came early */
};

static void weigh_place(struct late *l, struct place *p)
{
	const struct evidence_base *b = l->b;

	memset(l->gain_ns, 0, b->m->n * sizeof(*l->gain_ns));
	memset(l->rest_ns, 0, b->t->n_calls * sizeof(*l->rest_ns));
	memset(l->lost_s, 0, b->t->n_ranks * sizeof(*l->lost_s));
	for (uint32_t i = 0; i < b->m->n; i++) {
		const struct message *x = &b->m->m[i];
		struct lateness one;

		messages_fetch_all(b->t, b->m, i);
		if (!message_is_posted(b->t, x) || trace_place(b->t, x->recv_call) != p->key)
			continue;
		one = lateness_of(l, i);
		p->call = x->recv_call;
		p->n++;
		p->late += one.was_there;
		p->held += one.was_there && one.held;
		p->computing += one.gain_s > 0 && one.computing;
		p->waits_known |= one.computing && progress_waits(moves_alone(l, x));
		p->answerable +=
			one.gain_s > 0 && !one.computing && !progress_moves(moves_alone(l, x));
		p->gain_s += one.gain_s;
		p->copy_s += one.copy_s;
		if (one.was_there && b->t->ranks[x->dst].unexpected.mean >= p->queue.mean)
			p->queue = b->t->ranks[x->dst].unexpected;
		l->lost_s[x->dst] += one.copy_s;
		l->rest_ns[x->recv_done] += (int64_t)(one.copy_s * 1e9);
		l->gain_ns[i] = (int64_t)(one.gain_s * 1e9);
	}
}

__attribute__((format(printf, 2, 3))) static void say(struct hotspot *h, const char *format, ...)
{
	size_t used = strlen(h->why);
	va_list more;

	va_start(more, format);
	vsnprintf(h->why + used, sizeof(h->why) - used, format, more);
	va_end(more);
}

/* How many were early, and what that cost; of what there is none nothing is said. */
static void say_what(const struct place *p, double waiting_s, struct hotspot *h)
{
	say(h, "not contention: %u of %u messages came early", p->late, p->n);
	if (p->held > 0)
		say(h, ", %u of them were held back until the receive", p->held);
	if (p->answerable > 0)
		say(h, "%s%s while their receiver was in MPI",
		    p->answerable < p->held ? ", of these " : "",
		    p->answerable < p->held ? number_count(p->answerable).text : "");
	if (p->computing > 0)
		say(h, "%s%s while %s computed", p->answerable > 0 ? ", " : ", of these ",
		    number_count(p->computing).text, p->answerable > 0 ? "it" : "their receiver");
	if (p->copy_s > 0)
		say(h, "; copies %s", number_seconds(p->copy_s).text);
	if (waiting_s > 0)
		say(h, "%s waiting %s of all ranks", p->copy_s > 0 ? "," : ";",
		    number_seconds(waiting_s).text);
}

/* What MPI's own queue had of such messages, if that was seen. */
static void say_queue(const struct unexpected *queue, struct hotspot *h)
{
	if (queue->looks <= 0)
		return;
	say(h, "; in MPI's own queue lay %s unexpected messages on average, at most %.0f",
	    number_words(queue->mean).text, queue->most);
	hotspot_evidence(h, "unexpected_mean", queue->mean);
	hotspot_evidence(h, "unexpected_most", queue->most);
}

static void write_advice(const struct place *p, struct hotspot *h)
{
	snprintf(h->advice, sizeof(h->advice),
		 "post these receives with MPI_Irecv before the calls that wait for others, and "
		 "before computing; wait for them where the data are needed%s",
		 p->computing == 0 ? ""
		 : p->waits_known
			 ? "; this MPI moves them in its calls only: call MPI_Test in the "
			   "computation"
			 : "; should they not move meanwhile, call MPI_Test in the computation");
}

/* What earlier posts of that place save. Returns 0, or -1 with *err set. */
static int save(struct late *l, struct place *p, struct posting_saving *saves, struct err *err)
{
	const struct posting_changes sooner = {l->doubt, l->gain_ns, l->rest_ns, l->lost_s};

	*p = (struct place){.key = p->key};
	weigh_place(l, p);
	return posting_saving_find(l->b, &sooner, saves, err);
}

static int report(struct late *l, struct place *p, struct findings *out, struct err *err)
{
	const struct evidence_base *b = l->b;
	struct hotspot h = {.kind = "late_posting", .rank = TRACE_NONE};
	struct posting_saving saves, most = {0};
	double lost_s = 0;

	l->doubt = POSTING_AT_MOST;
	if (l->is_open && save(l, p, &most, err))
		return -1;
	l->doubt = POSTING_LIKELY;
	if (save(l, p, &saves, err))
		return -1;
	most = l->is_open ? most : saves;
	if (p->late < MESSAGES_MIN)
		return 0;
	h.site = rule_key_site(b->t, p->key);
	h.region = b->t->calls[p->call].region;
	rule_saves(b, l->lost_s, &h);
	h.saves_mid_s = saves.mid_s;
	h.saves_high_s = fmax(fmax(h.saves_high_s, saves.high_s), most.high_s);
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		lost_s += l->lost_s[r];
	if (p->late >= (double)p->n / FEW)
		snprintf(h.title, sizeof(h.title),
			 "%.0f %% of the messages come before their receive is posted",
			 100.0 * p->late / p->n);
	else
		snprintf(h.title, sizeof(h.title),
			 "%u of %u messages come before their receive is posted", p->late, p->n);
	say_what(p, fmax(lost_s - p->copy_s, 0), &h);
	write_advice(p, &h);
	if (h.saves_high_s > h.saves_mid_s + RULE_LEAST_SHARE * b->wall_s &&
	    most.high_s > saves.high_s)
		say(&h, l->lacks ? "; the most is if nobody waited for a core meanwhile"
				 : "; the most is if messages move while ranks compute: contend "
				   "calibrate tells");
	say_queue(&p->queue, &h);
	hotspot_evidence(&h, "messages", p->n);
	hotspot_evidence(&h, "late", p->late);
	hotspot_evidence(&h, "late_share", (double)p->late / p->n);
	hotspot_evidence(&h, "held_back", p->held);
	hotspot_evidence(&h, "lateness_s", p->gain_s);
	hotspot_evidence(&h, "copies_s", p->copy_s);
	hotspot_evidence(&h, "lost_s", lost_s);
	return findings_add(out, &h, err);
}

/*
 * Waiting for its core may have kept a rank from posting, too: of its lateness so much is not
 * counted; all of it, where that is not known.
 */
static void find_cores(struct late *l)
{
	const struct trace *t = l->b->t;

	for (uint32_t r = 0; r < t->n_ranks; r++) {
		l->has_core[r] = 1;
		l->lacks |= trace_lacks_core(t, r) && t->ranks[r].core_awaited_ns > 0;
	}
	l->doubt = POSTING_LIKELY;
	for (uint32_t i = 0; l->lacks && i < l->b->m->n; i++)
		l->lost_s[l->b->m->m[i].dst] += lateness_of(l, i).gain_s;
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		double away_s = t->ranks[r].core_awaited_ns * 1e-9;

		if (!trace_lacks_core(t, r))
			continue;
		l->has_core[r] =
			away_s > 0 && l->lost_s[r] > away_s ? 1 - away_s / l->lost_s[r] : 0;
		l->is_open |= l->has_core[r] > 0;
	}
	for (int k = 0; k < LOCALITY_COUNT; k++)
		l->is_open |= progress_is_open(l->b->machine->classes[k].progress.receiver) ||
			      l->b->machine->classes[k].joint & MACHINE_JOINT_L_G;
}

static void find_places(struct late *l)
{
	const struct evidence_base *b = l->b;

	l->doubt = POSTING_AT_MOST;
	for (uint32_t i = 0; i < b->m->n; i++) {
		const struct message *x = &b->m->m[i];
		struct lateness one;

		messages_fetch_all(b->t, b->m, i);
		one = lateness_of(l, i);
		if (message_is_posted(b->t, x))
			l->key_s[trace_place(b->t, x->recv_call)] +=
				one.gain_s * l->has_core[x->dst] + one.copy_s;
	}
}

/* The places with most to gain, one after the other. */
static int look(struct late *l, struct findings *out, struct err *err)
{
	const struct evidence_base *b = l->b;

	if (b->machine->source != MACHINE_FILE)
		leave_all_open(l, out);
	find_cores(l);
	find_places(l);
	for (int k = 0; k < PLACES_MAX; k++) {
		struct place p = {.key = rule_take_most(l->key_s, trace_places(b->t),
							RULE_LEAST_SHARE * b->wall_s)};

		if (p.key == TRACE_NONE)
			break;
		if (report(l, &p, out, err))
			return -1;
	}
	return 0;
}

int rule_late_posting(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct late l = {.b = b};
	int ret = -1;

	l.has_core = calloc(b->t->n_ranks + 1u, sizeof(*l.has_core));
	l.key_s = calloc(trace_places(b->t) + 1u, sizeof(*l.key_s));
	l.lost_s = calloc(b->t->n_ranks + 1u, sizeof(*l.lost_s));
	l.gain_ns = table_calloc(b->m->n + 1u, sizeof(*l.gain_ns));
	l.rest_ns = table_calloc(b->t->n_calls + 1u, sizeof(*l.rest_ns));
	if (!l.has_core || !l.key_s || !l.lost_s || !l.gain_ns || !l.rest_ns)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else if (!could_begin_init(&l.could, b, err))
		ret = look(&l, out, err);
	could_begin_release(&l.could);
	table_free(l.rest_ns);
	table_free(l.gain_ns);
	free(l.lost_s);
	free(l.key_s);
	free(l.has_core);
	return ret;
}
