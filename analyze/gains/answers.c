/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/answers.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/gains/replay_port.h"
#include "analyze/gains/retime_order.h"
#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#define AT_THE_PORT (1u << COST_receiver_port | 1u << COST_network_contention)

/* Bits of each rank, at the place. */
enum { SENDS = 1, IS_SENT_TO = 2 };

/* Per rank; NULL with *err set: out of memory. Caller frees. */
static uint8_t *mark_ranks(const struct evidence_base *b, uint32_t key, struct err *err)
{
	uint8_t *marks = calloc(b->t->n_ranks + 1u, 1);

	if (!marks)
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	for (uint32_t k = b->senders.at[key]; marks && k < b->senders.at[key + 1]; k++) {
		const struct message *m = &b->m->m[b->senders.message[k]];

		marks[m->src] |= SENDS;
		marks[m->dst] |= IS_SENT_TO;
	}
	return marks;
}

static int is_answer(const struct evidence_base *b, uint32_t key, const uint8_t *marks, uint32_t i)
{
	const struct message *m = &b->m->m[i];

	return marks[m->src] & IS_SENT_TO && marks[m->dst] & SENDS &&
	       evidence_price(b, i)->class == LOCALITY_NETWORK && m->place != key;
}

/* Into list, unless it is NULL; returns how many. */
static uint32_t gather(const struct evidence_base *b, uint32_t key, const uint8_t *marks,
		       struct answer *list)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->m->n; i++) {
		if (!is_answer(b, key, marks, i))
			continue;
		if (list)
			list[n] = (struct answer){i, b->t->ranks[b->m->m[i].dst].home, 0, 0};
		n++;
	}
	return n;
}

/* When it sets out if each call is entered so much sooner; NULL: as recorded. */
static int64_t begun_ns(const struct evidence_base *b, uint32_t i, const int64_t *sooner_ns)
{
	const struct message *m = &b->m->m[i];
	int64_t was_ns = retime_begun_ns(b, i), is_ns;

	if (!sooner_ns)
		return was_ns;
	is_ns = m->sent_ns - sooner_ns[m->send_call];
	if (was_ns > m->sent_ns) /* it waited for its receive */
		is_ns = later(is_ns, was_ns - sooner_ns[m->recv_call]);
	return is_ns;
}

static int by_port(const void *a, const void *b)
{
	const struct answer *x = a, *y = b;

	if (x->home != y->home)
		return x->home < y->home ? -1 : 1;
	return (x->comes_ns > y->comes_ns) - (x->comes_ns < y->comes_ns);
}

static void line_up(struct answers *a, const int64_t *sooner_ns)
{
	for (uint32_t k = 0; k < a->n; k++) {
		struct answer *x = &a->answer[k];

		x->comes_ns = begun_ns(a->b, x->message, sooner_ns) +
			      (int64_t)(evidence_price(a->b, x->message)->L_s * 1e9);
	}
	sort(a->answer, a->n, sizeof(*a->answer), by_port);
}

/* What others were the reason for at the port, as recorded. */
static int64_t at_the_port_ns(const struct evidence_base *b, uint32_t i)
{
	return slices_sum(&b->a->message, i, AT_THE_PORT);
}

/* What is done with how long others hold up x. */
typedef void held_fn(const struct evidence_base *b, struct answer *x, int64_t held_ns,
		     int64_t *less_ns);

static void keep(const struct evidence_base *b, struct answer *x, int64_t held_ns, int64_t *less_ns)
{
	(void)b, (void)less_ns;
	x->held_ns = held_ns;
}

/* What is saved goes by what it really was, of which the port knows the share. */
static void compare(const struct evidence_base *b, struct answer *x, int64_t held_ns,
		    int64_t *less_ns)
{
	double share = 1 - (double)held_ns / (double)x->held_ns;

	if (held_ns < x->held_ns)
		less_ns[x->message] = (int64_t)(share * (double)at_the_port_ns(b, x->message));
	else
		less_ns[x->message] = x->held_ns - held_ns;
}

/* Those that are through before then, or all; times of the port are since at_ns. */
static void let_through(struct answers *a, struct replay_port *p, double before_s, int64_t at_ns,
			held_fn *held, int64_t *less_ns)
{
	while (p->n > 0 && replay_port_next_s(p, a->passing) <= before_s) {
		double s = replay_port_next_s(p, a->passing);
		struct answer *x = &a->answer[replay_port_leave(p, a->passing, s)];
		double alone_s = evidence_price(a->b, x->message)->at.g_s;

		held(a->b, x, later(0, (int64_t)((s - alone_s) * 1e9) - (x->comes_ns - at_ns)),
		     less_ns);
	}
}

/* Calls held with how long others hold up each, as they come now. */
static void pass_all(struct answers *a, held_fn *held, int64_t *less_ns)
{
	struct replay_port p = {.first = REPLAY_NO_SEND};
	int64_t at_ns = 0;

	for (uint32_t k = 0; k < a->n; k++) {
		const struct answer *x = &a->answer[k];

		if (k == 0 || x->home != x[-1].home) {
			let_through(a, &p, INFINITY, at_ns, held, less_ns);
			p = (struct replay_port){.first = REPLAY_NO_SEND};
			at_ns = x->comes_ns;
		}
		let_through(a, &p, (x->comes_ns - at_ns) * 1e-9, at_ns, held, less_ns);
		replay_port_enter(&p, a->passing, k, evidence_price(a->b, x->message)->at.g_s,
				  (x->comes_ns - at_ns) * 1e-9);
	}
	let_through(a, &p, INFINITY, at_ns, held, less_ns);
}

int answers_find(struct answers *a, const struct evidence_base *b, uint32_t key, struct err *err)
{
	uint8_t *marks = mark_ranks(b, key, err);
	uint32_t n = marks ? gather(b, key, marks, NULL) : 0;

	*a = (struct answers){.b = b, .n = n};
	if (!marks)
		return -1;
	a->answer = table_alloc(n + 1u, sizeof(*a->answer));
	a->passing = table_alloc(n + 1u, sizeof(*a->passing));
	if (a->answer && a->passing)
		gather(b, key, marks, a->answer);
	free(marks);
	if (!a->answer || !a->passing) {
		answers_release(a);
		return err_set(err, "out of memory for %u answers", n);
	}
	line_up(a, NULL);
	pass_all(a, keep, NULL);
	return 0;
}

int answers_part(const struct evidence_base *b, uint32_t key, int64_t *less_ns, struct err *err)
{
	uint8_t *marks = mark_ranks(b, key, err);

	if (!marks)
		return -1;
	for (uint32_t i = 0; i < b->m->n; i++)
		if (is_answer(b, key, marks, i))
			less_ns[i] = at_the_port_ns(b, i);
	free(marks);
	return 0;
}

void answers_meet(struct answers *a, const int64_t *sooner_ns, int64_t *less_ns)
{
	line_up(a, sooner_ns);
	pass_all(a, compare, less_ns);
}

void answers_release(struct answers *a)
{
	table_free(a->answer);
	table_free(a->passing);
	a->answer = NULL;
	a->passing = NULL;
	a->n = 0;
}
