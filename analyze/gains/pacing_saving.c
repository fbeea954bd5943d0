/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/pacing_saving.h"

#include <math.h>

#include "analyze/gains/answers.h"
#include "analyze/gains/retime.h"
#include "analyze/gains/retime_order.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

/* What others are the reason for on a message's way, of the same sender and of all. */
#define ON_THE_WAY \
	(1u << COST_sender_port | 1u << COST_receiver_port | 1u << COST_network_contention)
#define HANDLING (1u << COST_handler_contention | 1u << COST_back_pressure)

struct saver {
	const struct evidence_base *b;
	const uint32_t *message; /* of n sends */
	const struct pace *pace;
	uint32_t n;
	int64_t *less_ns; /* per message: its way is so much shorter, < 0: longer */
	int64_t *rest_ns; /* per call: likewise */
	double sooner_s;
};

/* As much later as its call is entered then, it would set out. */
static int64_t delay_ns(const struct saver *s, uint32_t i, int64_t later_ns)
{
	const struct message *m = &s->b->m->m[i];
	int64_t was_ns = retime_begun_ns(s->b, i), is_ns = m->sent_ns + later_ns;

	if (was_ns > m->sent_ns) /* it waited for its receive */
		is_ns = later(is_ns, was_ns);
	return is_ns - was_ns;
}

/*
 * It is there sooner only by what others held it up. Within a node messages are copied as their
 * calls come: they are one by one.
 */
static int64_t there_ns(const struct saver *s, uint32_t k)
{
	uint32_t i = s->message[k];
	int64_t was_ns = s->b->a->arrival_ns[i];

	if (evidence_price(s->b, i)->class != LOCALITY_NETWORK)
		return later(was_ns, s->pace[k].there_ns);
	return later(s->pace[k].there_ns, was_ns - slices_sum(&s->b->a->message, i, ON_THE_WAY));
}

/* The call that waited for what had been sent finds all of it gone. */
static void spare_sender(struct saver *s, const struct message *m)
{
	if (m->send_done != TRACE_NONE && m->send_done != m->send_call)
		s->rest_ns[m->send_done] =
			slices_sum(&s->b->a->call, m->send_done, ON_THE_WAY | 1u << COST_wire);
}

static void pace_all(struct saver *s)
{
	const struct call *calls = s->b->t->calls;
	uint32_t call = TRACE_NONE;
	int64_t begun_ns = 0;

	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t i = s->message[k];
		const struct message *m = &s->b->m->m[i];
		int64_t is_ns, was_ns = s->b->a->arrival_ns[i];

		messages_fetch_in(s->b->m, s->message, s->n, k);
		is_ns = there_ns(s, k);
		if (m->send_call != call) /* which may start several */
			begun_ns = s->pace[k].begun_ns;
		call = m->send_call;
		s->rest_ns[call] = earlier(0, calls[call].leave_ns - calls[call].enter_ns -
						      (s->pace[k].ended_ns - begun_ns));
		spare_sender(s, m);
		s->less_ns[i] = was_ns - is_ns + delay_ns(s, i, begun_ns - m->sent_ns);
		s->sooner_s += later(0, was_ns - is_ns) * 1e-9;
	}
}

/*
 * What may be others' fault: with an estimated machine also what is not told apart, and what it
 * takes for a message's own time.
 */
static uint32_t perhaps_others(const struct evidence_base *b)
{
	return b->machine->source == MACHINE_FILE
		       ? ON_THE_WAY
		       : ON_THE_WAY | 1u << COST_not_identifiable | 1u << COST_wire;
}

/* As if all others were not there, and each waited only for its sender's own ones before it. */
static void pace_at_most(struct saver *s)
{
	const struct evidence_base *b = s->b;
	uint32_t parts = perhaps_others(b);
	int64_t port_ns = INT64_MIN;

	for (uint32_t i = 0; i < b->m->n; i++)
		s->less_ns[i] = earlier(slices_sum(&b->a->message, i, parts), retime_way_ns(b, i));
	for (uint32_t c = 0; c < b->t->n_calls; c++)
		s->rest_ns[c] = slices_sum(&b->a->call, c, HANDLING);
	for (uint32_t k = 0; k < s->n; k++) {
		uint32_t i = s->message[k];
		const struct idle_price *p = evidence_price(b, i);
		int64_t alone_ns = retime_begun_ns(b, i) + (int64_t)((p->L_s + p->at.g_s) * 1e9);

		if (s->pace[k].first == k)
			port_ns = INT64_MIN;
		port_ns = port_ns == INT64_MIN
				  ? alone_ns
				  : later(alone_ns, port_ns + (int64_t)(p->at.g_s * 1e9));
		if (b->machine->source == MACHINE_FILE)
			s->less_ns[i] = later(0, b->a->arrival_ns[i] - port_ns);
		else
			s->less_ns[i] = later(s->less_ns[i], b->a->arrival_ns[i] - port_ns);
	}
}

/*
 * With what comes back, which meets as the replay says that it was sent: twice, as who gets his
 * answers at another time sends the next ones then.
 */
static int wait_for_each(struct saver *s, uint32_t key, struct retime *paced, double *saved_s,
			 struct err *err)
{
	struct answers answers;
	int ret;

	pace_all(s);
	if (answers_find(&answers, s->b, key, err))
		return -1;
	ret = retime_run(s->b, paced, saved_s, err);
	for (int again = 0; again < 2 && answers.n > 0 && !ret; again++) {
		answers_meet(&answers, paced->sooner_ns, s->less_ns);
		ret = retime_run(s->b, paced, saved_s, err);
	}
	answers_release(&answers);
	return ret;
}

int pacing_saving_find(const struct evidence_base *b, uint32_t key, const struct pace *pace,
		       double least_s, struct pacing_saving *out, struct err *err)
{
	struct saver s = {.b = b,
			  .message = &b->senders.message[b->senders.at[key]],
			  .pace = pace,
			  .n = b->senders.at[key + 1] - b->senders.at[key]};
	int64_t *sooner_ns;
	struct retime paced;
	int ret = -1;

	s.less_ns = table_calloc((size_t)b->m->n + 1, sizeof(*s.less_ns));
	s.rest_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*s.rest_ns));
	sooner_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*sooner_ns));
	if (!s.less_ns || !s.rest_ns || !sooner_ns) {
		err_set(err, "out of memory for %u messages", b->m->n);
		goto out;
	}
	paced = (struct retime){.less_ns = s.less_ns, .rest_ns = s.rest_ns, .sooner_ns = sooner_ns};
	if (wait_for_each(&s, key, &paced, &out->waiting_s, err))
		goto out;
	out->most_s = out->waiting_s;
	out->sooner_s = s.sooner_s;
	if (out->waiting_s >= least_s) {
		pace_at_most(&s);
		if (retime_run(b, &paced, &out->most_s, err))
			goto out;
		out->most_s = fmax(out->most_s, out->waiting_s);
	}
	ret = 0;
out:
	table_free(sooner_ns);
	table_free(s.rest_ns);
	table_free(s.less_ns);
	return ret;
}
