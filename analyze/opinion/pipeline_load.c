/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/pipeline_load.h"

#include "analyze/tools/instants.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>

#define AWAY_MOST 0.05 /* of the run, without a core: less does not matter */

/* Of the blocks that are passed on: so many at most go before they came, */
#define EARLY_MOST   0.05
/* and have others' messages in between; */
#define FOREIGN_MOST 0.1
/* and of the computation so much comes when its block has been passed on. */
#define REST_MOST    0.1

#define S(ns) ((double)(ns)*1e-9)

/* The program's own time between two calls of a rank, and what it does there with others. */
struct between {
	int64_t own_ns;
	int64_t first_ns, last_ns; /* before the first and after the last call with others */
	uint32_t foreign;          /* such calls */
};

/* What all ranks do with their blocks. */
struct passing {
	const struct evidence_base *b;
	const struct stripes *s;
	uint8_t *meets; /* per call: 1: it sends or receives a message; MPI_PROC_NULL has none */
	double passed, early, foreign;
	double work_s, rest_s; /* before a block is passed on, and after */
	double *at_s, *at;     /* per place in the line: work for blocks, and of how many */
};

/* When its first rank begins with a block, and its last one is done; how long they compute. */
struct block {
	int64_t begin_ns, end_ns;
	double first_s, last_s;
};

enum doing { OWN, WAITING, WITH_OTHERS };

static enum doing doing(const struct passing *p, uint32_t call)
{
	enum region_kind kind = trace_call_kind(p->b->t, call);

	if (kind == REGION_OTHER || kind == REGION_MPI_LOCAL || kind == REGION_IO)
		return OWN;
	if (region_waits(kind) || region_polls(kind) || kind == REGION_PROBE ||
	    kind == REGION_IRECV)
		return WAITING;
	return kind >= REGION_SEND && kind <= REGION_SENDRECV && !p->meets[call] ? WAITING
										 : WITH_OTHERS;
}

/* From the return of one call to the entry of a later one. */
static struct between look_between(const struct passing *p, uint32_t from, uint32_t to)
{
	const struct trace *t = p->b->t;
	struct between x = {0};

	for (uint32_t c = from + 1; c <= to; c++) {
		int64_t ns = later(0, t->calls[c].enter_ns - t->calls[c - 1].leave_ns);
		enum doing what = c < to ? doing(p, c) : WAITING;

		ns += what == OWN ? t->calls[c].leave_ns - t->calls[c].enter_ns : 0;
		x.own_ns += ns;
		x.last_ns += ns;
		x.first_ns += x.foreign ? 0 : ns;
		if (what == WITH_OTHERS) {
			x.foreign++;
			x.last_ns = 0;
		}
	}
	return x;
}

static void add_work(struct passing *p, enum stripes_way way, uint32_t stage, double s)
{
	uint32_t at = way == STRIPES_ONWARDS ? stage : p->s->P - 1 - stage;

	p->at_s[at] += s;
	p->at[at]++;
}

/* All blocks of a stage between the ends of the way: they come, are worked on, and go. */
static void look_at_stage(struct passing *p, enum stripes_way way, uint32_t stage)
{
	struct some_messages in = stripes_hop(p->s, way, stage - 1);
	struct some_messages out = stripes_hop(p->s, way, stage);
	const struct messages *m = p->b->m;

	for (uint32_t k = 0; k < in.n; k++) {
		uint32_t came = m->m[in.message[k]].recv_done;
		uint32_t goes = m->m[out.message[k]].send_call;
		struct between x;

		p->passed++;
		if (goes <= came) {
			p->early++;
			continue;
		}
		x = look_between(p, came, goes);
		p->foreign += x.foreign > 0;
		p->work_s += S(x.own_ns);
		add_work(p, way, stage, S(x.own_ns));
		if (k + 1 < in.n && m->m[in.message[k + 1]].recv_done > goes)
			p->rest_s += S(
				look_between(p, goes, m->m[in.message[k + 1]].recv_done).first_ns);
	}
}

/* Does every block go all the way? Returns how many; 0: none goes there; -1: not every one. */
static int64_t count_blocks(const struct stripes *s, enum stripes_way way)
{
	uint32_t n = stripes_hop(s, way, 0).n;

	for (uint32_t stage = 1; stage + 1 < s->P; stage++)
		if (stripes_hop(s, way, stage).n != n)
			return -1;
	return n;
}

/*
 * The k-th block of a way. What the first and the last rank compute for it is no more than what
 * others do: the rest has nothing to do with blocks.
 */
static struct block find_block(const struct passing *p, enum stripes_way way, uint32_t k,
			       int64_t most_ns)
{
	const struct trace *t = p->b->t;
	const struct message *m = p->b->m->m;
	struct some_messages out = stripes_hop(p->s, way, 0);
	struct some_messages in = stripes_hop(p->s, way, p->s->P - 2);
	const struct rank *begins = &t->ranks[stripes_rank(p->s, way, 0)];
	const struct rank *ends = &t->ranks[stripes_rank(p->s, way, p->s->P - 1)];
	uint32_t goes = m[out.message[k]].send_call, came = m[in.message[k]].recv_done;
	uint32_t before = k ? m[out.message[k - 1]].send_call : begins->first_call;
	uint32_t after =
		k + 1 < in.n ? m[in.message[k + 1]].recv_done : ends->first_call + ends->calls - 1;
	int64_t first_ns = look_between(p, before, goes).last_ns;
	int64_t last_ns = look_between(p, came, after).first_ns;

	return (struct block){m[out.message[k]].sent_ns - earlier(first_ns, most_ns),
			      t->calls[came].leave_ns + earlier(last_ns, most_ns), S(first_ns),
			      S(last_ns)};
}

/* The sweeps of a way. */
static void cut_sweeps(struct passing *p, enum stripes_way way, struct pipeline_load *x)
{
	uint32_t blocks = stripes_hop(p->s, way, 0).n;
	int64_t most_ns = llround(x->work_s * 1e9), begin_ns = 0;
	struct block now, before = {0};

	for (uint32_t k = 0; k < blocks; k++, before = now) {
		now = find_block(p, way, k, most_ns);
		if (k > 0 && now.begin_ns < before.end_ns) {
			add_work(p, way, 0, now.first_s);
			add_work(p, way, p->s->P - 1, before.last_s);
			continue;
		}
		x->makespan_s += S(before.end_ns - begin_ns);
		x->sweeps++;
		begin_ns = now.begin_ns;
	}
	x->makespan_s += S(before.end_ns - begin_ns);
}

/* How its messages go. */
static void look_at_messages(const struct evidence_base *b, const struct stripes *s,
			     struct some_messages some, struct pipeline_load *x)
{
	double synchronous = 0, blocking = 0;

	for (uint32_t i = 0; i < some.n; i++) {
		const struct message *m = &b->m->m[some.message[i]];

		x->bytes += (double)m->bytes;
		synchronous +=
			machine_is_synchronous(&b->t->regions[b->t->calls[m->send_call].region]);
		blocking += m->send_done == m->send_call;
	}
	x->bytes /= some.n;
	x->is_synchronous = synchronous > some.n / 2.0;
	x->is_blocking = blocking > some.n / 2.0;
	x->send_call = b->m->m[some.message[some.n / 2]].send_call;
	for (uint32_t k = 0; k + 1 < s->P; k++) {
		enum locality class = machine_locality(b->t, s->rank[k], s->rank[k + 1]);

		x->hops[class]++;
		x->ends[class][0] = s->rank[k];
		x->ends[class][1] = s->rank[k + 1];
	}
}

static const char *judge(const struct passing *p)
{
	if (p->early > EARLY_MOST * p->passed)
		return "its ranks send before they have received: they pass nothing on";
	if (p->foreign > FOREIGN_MOST * p->passed)
		return "its ranks have other messages between a block's receipt and its sending";
	if (p->rest_s > REST_MOST * (p->work_s + p->rest_s))
		return "it asks that ranks compute before they pass a block on; these do after";
	return NULL;
}

static const char *look(struct passing *p, struct some_messages some, struct pipeline_load *x)
{
	uint32_t blocks = 0;
	const char *why_not;

	for (int way = 0; way < STRIPES_WAYS; way++) {
		int64_t n = count_blocks(p->s, way);

		if (n < 0)
			return "not every block goes along the whole line";
		blocks += (uint32_t)n;
		for (uint32_t stage = 1; stage + 1 < p->s->P; stage++)
			look_at_stage(p, way, stage);
	}
	why_not = judge(p);
	if (why_not)
		return why_not;
	x->P = p->s->P;
	x->work_s = p->work_s / (p->passed - p->early);
	for (int way = 0; way < STRIPES_WAYS; way++) {
		if (stripes_hop(p->s, way, 0).n)
			cut_sweeps(p, way, x);
	}
	for (uint32_t at = 0; at < x->P; at++)
		if (p->at[at] > 0)
			x->slowest_s = fmax(x->slowest_s, p->at_s[at] / p->at[at]);
	x->blocks = (double)blocks / x->sweeps;
	x->makespan_s /= x->sweeps;
	look_at_messages(p->b, p->s, some, x);
	return NULL;
}

/* Per call; NULL: out of memory. Caller frees with table_free. */
static uint8_t *find_meetings(const struct evidence_base *b)
{
	uint8_t *meets = table_calloc((size_t)b->t->n_calls + 1, 1);

	for (uint32_t i = 0; meets && i < b->m->n; i++) {
		meets[b->m->m[i].send_call] = 1;
		meets[b->m->m[i].recv_done] = 1;
	}
	return meets;
}

int pipeline_lacks_cores(const struct trace *t)
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (trace_shares_core(t, r) ||
		    (double)t->ranks[r].core_awaited_ns > AWAY_MOST * (double)t->wall_ns)
			return 1;
	return 0;
}

int pipeline_load_find(const struct evidence_base *b, struct some_messages some,
		       struct pipeline_load *out, const char **why_not, struct err *err)
{
	struct passing p = {.b = b};
	struct pipeline_load x = {0};
	struct stripes s;
	int ret = stripes_find(b->t, b->m, some, &s, why_not, err);

	if (ret <= 0)
		return ret;
	p.s = &s;
	p.at_s = calloc(s.P, sizeof(*p.at_s));
	p.at = calloc(s.P, sizeof(*p.at));
	p.meets = find_meetings(b);
	if (!p.at_s || !p.at || !p.meets) {
		ret = err_set(err, "out of memory for a pipeline of %u ranks", s.P);
	} else {
		*why_not = look(&p, some, &x);
		ret = !*why_not;
	}
	if (ret > 0)
		*out = x;
	table_free(p.meets);
	free(p.at);
	free(p.at_s);
	stripes_release(&s);
	return ret;
}

int pipeline_load_at(const struct evidence_base *b, uint32_t key, struct pipeline_load *out,
		     const char **why_not, struct err *err)
{
	uint32_t from = b->senders.at[key];
	struct some_messages some = {b->senders.message + from, b->senders.at[key + 1] - from};

	return pipeline_load_find(b, some, out, why_not, err);
}
