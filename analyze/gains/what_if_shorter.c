/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/what_if_trial.h"

#include <math.h>
#include <string.h>

#include "analyze/attribution/arrivals.h"
#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"

#define BUSY 0.8 /* of a call's time, handling messages */

/* Its call found message i within a short time: that it came just then would be by chance. */
static int was_there(const struct trial *t, uint32_t i, int64_t after_ns)
{
	const struct call *c = &t->b->t->calls[t->b->m->m[i].recv_done];

	return after_ns > ARRIVALS_COINCIDENCE * (c->leave_ns - c->enter_ns);
}

/* Of what may be anything, ns of message i: waiting for what a rank computed as well. */
static double unknown_cut(const struct trial *t, uint32_t i, const struct cuts *x, int64_t ns)
{
	if (t->what->machine.processors > 1 &&
	    (was_there(t, i, ns) || t->contention == CONTENTION_GOES))
		return 1;
	if (t->contention != CONTENTION_GOES)
		return 0;
	return fmax(fmax(x->way, x->port), x->o_s);
}

/* May message i wait for its receiver or not, for all that is known? */
static int is_open(const struct trial *t, uint32_t i)
{
	return machine_is_open(&t->b->machine->classes[evidence_price(t->b, i)->class],
			       t->b->m->m[i].bytes);
}

/*
 * Do its data wait until an end of it has done its own work, and is in MPI again? Else it is there
 * when that looks.
 */
static int is_held_by_work(const struct trial *t, uint32_t i)
{
	const struct machine_class *c = &t->b->machine->classes[evidence_price(t->b, i)->class];

	if (!evidence_is_held(t->b, i))
		return t->contention == CONTENTION_GOES && is_open(t, i);
	return progress_waits(c->progress.receiver) ||
	       (t->contention == CONTENTION_GOES && !progress_moves(c->progress.receiver));
}

/* And of the estimate of the wire, if no message was seen to move without its ends. */
static int64_t wire_of_work_ns(const struct trial *t, const int64_t ns[COST_COUNT])
{
	return t->b->machine->source == MACHINE_FILE ? 0 : ns[COST_wire];
}

/* Does the program work and look for it now and then, rather than wait for it? */
static int is_looked_for(const struct trace *t, uint32_t call)
{
	const struct call *c = &t->calls[call];
	const struct flood *flood = call > 0 ? trace_flood(t, c - 1) : NULL;

	return trace_call_kind(t, call) == REGION_TEST && flood && c[-1].rank == c->rank &&
	       2 * flood->inside_ns < c[-1].leave_ns - c[-1].enter_ns;
}

static int64_t shorten_message(const struct trial *t, uint32_t i)
{
	const struct cuts *x = &t->cuts[t->b->a->sizes.of[i]];
	const struct message *m = &t->b->m->m[i];
	double core = t->core[m->src] * t->core[m->dst];
	double queue = trial_queue_cut(t, x->port, core);
	int64_t ns[COST_COUNT] = {0}, way_ns = retime_way_ns(t->b, i);
	double less_ns, queue_ns;

	slices_add(&t->b->a->message, i, ns);
	less_ns = (double)ns[COST_wire] * x->way + (double)ns[COST_send_overhead] * x->o_s;
	queue_ns = (double)(ns[COST_sender_port] + ns[COST_receiver_port] +
			    ns[COST_network_contention]);
	if (t->contention == CONTENTION_STAYS) /* what is there sooner waits there longer */
		less_ns = fmax(0, less_ns - queue_ns);
	less_ns += queue_ns * queue;
	if (is_held_by_work(t, i))
		less_ns += (double)(ns[COST_inattention] + wire_of_work_ns(t, ns)) *
			   (1 - 1 / t->what->machine.processors);
	less_ns +=
		(double)ns[COST_not_identifiable] * unknown_cut(t, i, x, ns[COST_not_identifiable]);
	if (t->what->machine.processors > 1 && t->contention == CONTENTION_GOES &&
	    t->b->machine->source != MACHINE_FILE && was_there(t, i, way_ns))
		return way_ns; /* the estimate of the wire may have that in it, too */
	if (t->what->machine.processors > 1 && t->contention != CONTENTION_STAYS &&
	    is_looked_for(t->b->t, m->recv_done))
		return way_ns;
	return earlier(way_ns, (int64_t)less_ns);
}

/*
 * What an eager blocking send takes for the messages before it; and one that may be none, for
 * its own.
 */
static void shorten_send(struct trial *t, uint32_t i)
{
	const struct message *m = &t->b->m->m[i];
	const struct cuts *x = &t->cuts[t->b->a->sizes.of[i]];
	double waits_ns;

	if (evidence_is_held(t->b, i))
		return;
	if (t->contention == CONTENTION_GOES && m->send_done != TRACE_NONE && is_open(t, i))
		t->rest_ns[m->send_done] = later(t->rest_ns[m->send_done], t->less_ns[i]);
	if (m->send_done != m->send_call)
		return;
	waits_ns = (double)slices_sum(&t->b->a->call, m->send_call,
				      1u << COST_sender_port | 1u << COST_back_pressure);
	t->rest_ns[m->send_call] +=
		(int64_t)(waits_ns * trial_queue_cut(t, x->port, t->core[m->src]));
}

/* Who accesses files together may wait there for ranks that compute: in no more than that. */
static double waits_for_files_ns(const struct trial *t, uint32_t call)
{
	const struct call *c = &t->b->t->calls[call];
	int64_t files_ns;

	if (t->contention != CONTENTION_GOES || !c->is_of_files)
		return 0;
	files_ns = slices_part(&t->b->a->call, call, COST_file_access);
	return (double)earlier(files_ns, file_calls_joined_ns(&t->files, call) - c->enter_ns);
}

static int64_t shorten_call(const struct trial *t, uint32_t call)
{
	const struct factors *x = &t->what->machine;
	const struct call *c = &t->b->t->calls[call];
	const struct onesided_call *o = onesided_at(&t->b->a->onesided, call);
	double work = 1 - x->overhead, most = fmax(1 - x->latency, 1 - 1 / x->bandwidth);
	double core = t->core[c->rank];
	int64_t ns[COST_COUNT] = {0};
	double rest_ns;

	if (t->contention == CONTENTION_GOES && trace_flood(t->b->t, c)) /* a wait as any other */
		return c->leave_ns - c->enter_ns;
	slices_add(&t->b->a->call, call, ns);
	rest_ns = (double)(ns[COST_send_overhead] + ns[COST_receive_overhead]) * work;
	rest_ns += (double)ns[COST_handler_contention] * trial_queue_cut(t, work, core);
	rest_ns += waits_for_files_ns(t, call) * (1 - 1 / x->processors);
	if (call_collective(c) != TRACE_NONE) {
		double cut = t->coll[call_collective(c)];

		rest_ns += trial_collective_ns(t, call_collective(c), c->rank,
					       (double)ns[COST_collective_transfer]);
		rest_ns += (double)ns[COST_network_contention] * trial_queue_cut(t, cut, core);
	} else if (o && t->contention == CONTENTION_GOES) {
		rest_ns += (double)(ns[COST_wire] + ns[COST_network_contention] +
				    ns[COST_not_identifiable]) *
			   most;
	}
	return (int64_t)rest_ns;
}

static void shorten_own(void *trial, const struct own_piece *p)
{
	struct trial *t = trial;

	t->own_ns[p->call] +=
		(int64_t)((p->own_s - p->files_s) * 1e9 * (1 - 1 / t->what->machine.processors));
}

static void handle(struct trial *t, uint32_t i)
{
	const struct message *m = &t->b->m->m[i];
	struct handled *h = &t->handled[m->recv_done];
	double o_r_s = evidence_price(t->b, i)->at.o_r_s;

	h->takes_ns += (int64_t)(o_r_s * t->what->machine.overhead * 1e9);
	h->took_less_ns += (int64_t)(o_r_s * (1 - t->what->machine.overhead) * 1e9);
	h->less_ns = later(h->less_ns, t->less_ns[i]);
	h->waited_ns =
		later(h->waited_ns, t->b->a->arrival_ns[i] - t->b->t->calls[m->recv_done].enter_ns);
}

/* A call that does next to nothing but handle its messages has each when the one before is done. */
static int64_t handled_sooner_ns(const struct trial *t, uint32_t i)
{
	uint32_t call = t->b->m->m[i].recv_done;
	const struct call *c = &t->b->t->calls[call];
	const struct handled *h = &t->handled[call];

	if (t->contention == CONTENTION_GOES)
		return h->took_less_ns;
	if (t->contention == CONTENTION_STAYS ||
	    (double)(h->takes_ns + h->took_less_ns) < BUSY * (double)(c->leave_ns - c->enter_ns))
		return 0;
	return h->took_less_ns;
}

/* However soon messages come, the call takes as long as it takes to handle them. */
static int64_t kept_busy_ns(const struct trial *t, uint32_t call)
{
	const struct call *c = &t->b->t->calls[call];
	const struct handled *h = &t->handled[call];

	if (t->contention == CONTENTION_GOES || !h->takes_ns)
		return 0;
	return later(0, earlier(h->less_ns, h->waited_ns) -
				later(0, c->leave_ns - c->enter_ns - h->takes_ns));
}

/* What a call does for non-blocking collectives that it completes is that of one of them. */
static void shorten_completion(struct trial *t, const struct collective_start *x)
{
	int64_t ns = slices_part(&t->b->a->call, x->done, COST_collective_transfer);

	if (x->is_first)
		t->rest_ns[x->done] += (int64_t)trial_collective_ns(
			t, x->collective, t->b->t->calls[x->done].rank, (double)ns);
}

static void shorten_messages(struct trial *t)
{
	const struct evidence_base *b = t->b;

	memset(t->handled, 0, b->t->n_calls * sizeof(*t->handled));
	for (uint32_t i = 0; i < b->m->n; i++) {
		messages_fetch_all(b->t, b->m, i);
		t->less_ns[i] = shorten_message(t, i);
		shorten_send(t, i);
		handle(t, i);
	}
	for (uint32_t i = 0; t->what->machine.overhead != 1 && i < b->m->n; i++)
		t->less_ns[i] =
			earlier(retime_way_ns(b, i), t->less_ns[i] + handled_sooner_ns(t, i));
}

void trial_shorten(struct trial *t)
{
	const struct evidence_base *b = t->b;

	for (uint32_t c = 0; c < b->t->n_calls; c++)
		t->rest_ns[c] = shorten_call(t, c);
	for (uint32_t k = 0; k < b->c->n_starts; k++)
		shorten_completion(t, &b->c->starts[k]);
	shorten_messages(t);
	for (uint32_t c = 0; c < b->t->n_calls; c++) {
		if (t->contention != CONTENTION_STAYS)
			t->rest_ns[c] = later(t->rest_ns[c], t->handled[c].took_less_ns);
		t->rest_ns[c] -= kept_busy_ns(t, c);
	}
	memset(t->own_ns, 0, b->t->n_calls * sizeof(*t->own_ns));
	for (uint32_t r = 0; t->what->machine.processors != 1 && r < b->t->n_ranks; r++)
		own_pieces_each(b, &t->steps, r, shorten_own, t);
}
