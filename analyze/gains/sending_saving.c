/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/sending_saving.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

/* The row at work, whose messages are the first n due. */
struct row {
	enum sending_aim aim;
	uint32_t last, n;
	uint32_t until;    /* the call that waits for all of them */
	unsigned doubts;   /* whether they move until then */
	int64_t sooner_ns; /* a send begins than it did */
};

static int64_t price_ns(double s)
{
	return (int64_t)(s * 1e9);
}

/* So long a message keeps the port from the next one; perhaps not at all, if none was seen to. */
static int64_t port_ns(const struct sending_saving *s, enum sending_aim aim, uint32_t i)
{
	const struct idle_price *p = evidence_price(s->b, i);

	if (aim == SENDING_PORTLESS && s->b->machine->classes[p->class].joint & MACHINE_JOINT_L_G)
		return 0;
	return price_ns(p->at.g_s);
}

/*
 * They pass the port in the order in which they can; none is later for that than it was. At most,
 * the last one has to wait for the others as if all had come with the first.
 */
static void share_port(struct sending_saving *s, const struct row *row)
{
	int64_t free_ns = INT64_MIN;

	sort(s->due, row->n, sizeof(*s->due), dated_order);
	for (uint32_t k = 0; k < row->n; k++) {
		uint32_t i = s->due[k].number;
		int64_t own_ns = s->due[k].ns, there_ns = own_ns;
		int is_free = row->aim != SENDING_LIKELY;

		if (k > 0) {
			free_ns += port_ns(s, row->aim, i);
			there_ns = later(own_ns, earlier(free_ns, s->b->a->arrival_ns[i]));
		}
		s->less_ns[i] = is_free && k + 1 < row->n ? 0 : own_ns - there_ns;
		free_ns = is_free && k > 0 ? free_ns : there_ns;
	}
}

/*
 * Would message i not move while its sender computes? A large one has to be known to do so. Of a
 * small synchronous one the data are under way when it is begun, and its receiver says the rest.
 */
static unsigned doubts_of(const struct evidence_base *b, uint32_t i)
{
	const struct idle_price *p = evidence_price(b, i);
	double moves = b->machine->classes[p->class].progress.sender;

	if (!p->is_held_back || progress_moves(moves))
		return 0;
	return progress_waits(moves) ? SENDING_UNMOVED : SENDING_UNKNOWN;
}

/*
 * The rank's next call that waits for others, or this one: there a send is over at the latest.
 * *own_ns: what its rank has to do until then.
 */
static uint32_t next_wait(const struct trace *t, uint32_t call, int64_t *own_ns)
{
	const struct rank *r = &t->ranks[t->calls[call].rank];

	*own_ns = 0;
	for (uint32_t c = call; c + 1 < r->first_call + r->calls; c++) {
		enum region_kind kind = trace_call_kind(t, c);

		if (kind == REGION_OTHER || kind == REGION_IO)
			*own_ns += t->calls[c].leave_ns - t->calls[c].enter_ns;
		*own_ns += evidence_own_after_ns(t, c);
		if (senders_waits(trace_call_kind(t, c + 1)))
			return c + 1;
	}
	return call;
}

/* What the row's last call would not wait where its rank goes on to the next one that does. */
static int64_t go_on(struct sending_saving *s, struct row *row, int64_t waited_ns)
{
	int64_t own_ns;
	uint32_t until = next_wait(s->b->t, row->last, &own_ns);

	if (earlier(waited_ns, own_ns) <= 0)
		return 0;
	if (row->aim == SENDING_LIKELY && row->doubts) {
		s->doubts |= row->doubts;
		return 0;
	}
	row->until = until;
	return earlier(waited_ns, own_ns);
}

/*
 * What the call would not wait. What it queues behind others likely remains: begun together those
 * queue as long. A row's last one waits on, but at most beside the computation after it.
 */
static int64_t spared_ns(struct sending_saving *s, struct row *row, uint32_t i)
{
	uint32_t call = s->b->m->m[i].send_call;
	unsigned parts = SENDING_WAITS;
	int64_t waited_ns;

	if (row->aim != SENDING_LIKELY)
		parts |= SENDING_QUEUES;
	if (row->aim != SENDING_LIKELY && s->b->machine->source != MACHINE_FILE)
		parts |= 1u << COST_not_identifiable;
	waited_ns = slices_sum(&s->b->a->call, call, parts);
	return call == row->last ? go_on(s, row, waited_ns) : waited_ns;
}

static void add(struct sending_saving *s, struct row *row, uint32_t i)
{
	const struct evidence_base *b = s->b;
	uint32_t call = b->m->m[i].send_call;
	int64_t begun_ns = b->t->calls[call].enter_ns - row->sooner_ns;

	if (message_is_posted(b->t, &b->m->m[i]))
		begun_ns = later(begun_ns, b->t->calls[b->m->m[i].recv_call].enter_ns);
	s->due[row->n++] = (struct dated){begun_ns + retime_way_ns(b, i), i};
	row->doubts |= doubts_of(b, i);
	s->rest_ns[call] = spared_ns(s, row, i);
	row->sooner_ns += s->rest_ns[call];
}

static void settle(struct sending_saving *s, const struct row *row)
{
	share_port(s, row);
	for (uint32_t k = 0; k < row->n; k++)
		s->until[s->b->m->m[s->due[k].number].send_call] = row->until;
}

static void begin_all(struct sending_saving *s, uint32_t key, enum sending_aim aim)
{
	const struct senders *all = &s->b->senders;
	struct row row = {.aim = aim, .last = TRACE_NONE};

	for (uint32_t k = all->at[key]; k < all->at[key + 1]; k++) {
		uint32_t last;

		messages_fetch_in(s->b->m, all->message, all->at[key + 1], k);
		last = s->last[s->b->m->m[all->message[k]].send_call];
		if (last == TRACE_NONE)
			continue;
		/* a call that sent more messages than there are ranks is none of MPI's */
		if (last != row.last || row.n > s->b->t->n_ranks) {
			settle(s, &row);
			row = (struct row){.aim = aim, .last = last, .until = last};
		}
		add(s, &row, all->message[k]);
	}
	settle(s, &row);
}

static int make_room(struct sending_saving *s)
{
	size_t calls = (size_t)s->b->t->n_calls + 1;

	s->rest_ns = table_calloc(calls, sizeof(*s->rest_ns));
	s->until = table_alloc(calls, sizeof(*s->until));
	s->less_ns = table_calloc((size_t)s->b->m->n + 1, sizeof(*s->less_ns));
	s->due = table_alloc((size_t)s->b->t->n_ranks + 1, sizeof(*s->due));
	if (!s->rest_ns || !s->until || !s->less_ns || !s->due)
		return -1;
	for (uint32_t c = 0; c < s->b->t->n_calls; c++)
		s->until[c] = c;
	return 0;
}

int sending_saving_init(struct sending_saving *s, const struct evidence_base *b, struct err *err)
{
	*s = (struct sending_saving){.b = b};
	s->last = table_alloc((size_t)b->t->n_calls + 1, sizeof(*s->last));
	if (!s->last)
		return err_set(err, "out of memory for %u calls", b->t->n_calls);
	memset(s->last, 0xff, b->t->n_calls * sizeof(*s->last));
	return 0;
}

int sending_saving_find(struct sending_saving *s, uint32_t key, enum sending_aim aim,
			double *saved_s, struct err *err)
{
	struct retime begun;

	if (!s->due && make_room(s))
		return err_set(err, "out of memory for %u messages", s->b->m->n);
	if (aim == SENDING_LIKELY)
		s->doubts = 0;
	begin_all(s, key, aim);
	begun = (struct retime){.less_ns = s->less_ns, .rest_ns = s->rest_ns, .until = s->until};
	return retime_run(s->b, &begun, saved_s, err);
}

void sending_saving_forget(struct sending_saving *s, uint32_t key)
{
	const struct senders *all = &s->b->senders;

	for (uint32_t k = all->at[key]; k < all->at[key + 1]; k++) {
		uint32_t i = all->message[k], call = s->b->m->m[i].send_call;

		messages_fetch_in(s->b->m, all->message, all->at[key + 1], k);
		s->last[call] = TRACE_NONE;
		if (!s->due)
			continue;
		s->until[call] = call;
		s->rest_ns[call] = s->less_ns[i] = 0;
	}
}

void sending_saving_release(struct sending_saving *s)
{
	table_free(s->due);
	table_free(s->less_ns);
	table_free(s->until);
	table_free(s->rest_ns);
	table_free(s->last);
}
