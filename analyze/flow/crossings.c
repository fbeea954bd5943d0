/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/crossings.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/share.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS    2
#define ELSEWHERE 1.1 /* times as long as here: there it is held up, not here */

/* What a thread needs to serve one link after the other. */
struct crossing_room {
	struct turns turns;
	struct turns_job *job;
};

/* To find the ways. */
struct finder {
	const struct crossings *c;
	size_t hosts; /* of the network */
	size_t *node; /* of each of the trace's nodes */
	size_t room;
	size_t *way; /* of the message at hand */
};

static size_t longest_way(const struct topology *t)
{
	size_t sum = 0;

	for (size_t d = 0; d < t->dimensions; d++)
		sum += t->size[d];
	return sum + 6;
}

static int is_grid(const struct topology *t)
{
	return t->kind == TOPOLOGY_MESH || t->kind == TOPOLOGY_TORUS;
}

/*
 * The links of message i from link 0 on, and its ports: a switched network's numbers begin with the
 * hosts' own, which are these. Returns how many there are.
 */
static size_t find_way(const struct finder *f, uint32_t i)
{
	const struct crossings *c = f->c;
	const struct trace *t = c->s->t;
	const struct facts *x = &c->s->facts[i];
	const struct topology *shape = &c->topology->shape;
	size_t own = is_grid(shape) ? 0 : 2 * f->hosts, n, kept = 0;

	if (!(x->flags & MESSAGE_NETWORK))
		return 0;
	n = topology_way(shape, f->node[t->ranks[x->src].node], f->node[t->ranks[x->dst].node],
			 f->room, f->way);
	for (size_t k = 0; k < n; k++)
		if (f->way[k] >= own)
			f->way[kept++] = f->way[k] - own;
	f->way[kept++] = c->links + x->src;
	f->way[kept++] = c->links + t->n_ranks + t->ranks[x->dst].home;
	return kept;
}

/* All messages by the links that they cross: a counting sort. */
static int line_up(struct crossings *c, const struct finder *f, struct err *err)
{
	size_t crossings = 0;

	for (uint32_t i = 0; i < c->s->m->n; i++)
		for (size_t n = find_way(f, i); n > 0; n--, crossings++)
			c->first[f->way[n - 1] + 2]++;
	if (crossings >= TRACE_NONE)
		return err_set(err, "%zu crossings of links are too many", crossings);
	c->message = table_alloc(crossings + 1, sizeof(*c->message));
	c->done_ns = table_alloc(crossings + 1, sizeof(*c->done_ns));
	if (!c->message || !c->done_ns)
		return err_set(err, "out of memory for %zu crossings of links", crossings);
	for (uint32_t l = 1; l <= c->all; l++)
		c->first[l + 1] += c->first[l];
	for (uint32_t i = 0; i < c->s->m->n; i++)
		for (size_t n = find_way(f, i); n > 0; n--)
			c->message[c->first[f->way[n - 1] + 1]++] = i;
	return 0;
}

/*
 * Messages from one rank to another are of one, unless each is by itself. Returns 0 and how many
 * there are, or -1: out of memory.
 */
static int number_connections(struct crossings *c, uint32_t *out)
{
	const struct messages *m = c->s->m;
	uint32_t ranks = c->s->t->n_ranks, n = 0;
	uint32_t *of_source = reallocarray(NULL, (size_t)ranks + 1, sizeof(*of_source));

	if (!of_source)
		return -1;
	for (uint32_t rank = 0; rank < ranks; rank++) {
		memset(of_source, 0xff, ranks * sizeof(*of_source));
		for (uint32_t i = m->by_dst[rank]; i < m->by_dst[rank + 1]; i++) {
			uint32_t *number = &of_source[m->m[i].src];

			if (c->side_by_side || *number == TRACE_NONE)
				*number = n++;
			c->connection[i] = *number;
		}
	}
	free(of_source);
	*out = n;
	return 0;
}

static int make_rooms(struct crossings *c, uint32_t connections, struct err *err)
{
	uint32_t most = 0;

	for (uint32_t l = 0; l < c->all; l++)
		if (c->first[l + 1] - c->first[l] > most)
			most = c->first[l + 1] - c->first[l];
	c->hands = share_hands();
	c->room = calloc(c->hands, sizeof(*c->room));
	if (!c->room)
		return err_set(err, "out of memory for %u threads", c->hands);
	for (unsigned k = 0; k < c->hands; k++) {
		c->room[k].job = table_alloc((size_t)most + 1, sizeof(*c->room[k].job));
		if (!c->room[k].job)
			return err_set(err, "out of memory for %u messages of a link", most);
		if (turns_init(&c->room[k].turns, connections, err))
			return -1;
	}
	return 0;
}

static int make_tables(struct crossings *c, const struct finder *f, struct err *err)
{
	size_t n = (size_t)c->s->m->n + 1;
	uint32_t connections;

	c->first = calloc((size_t)c->all + 2, sizeof(*c->first));
	c->connection = table_alloc(n, sizeof(*c->connection));
	c->through_ns = table_alloc(n, sizeof(*c->through_ns));
	if (!c->first || !c->connection || !c->through_ns || number_connections(c, &connections))
		return err_set(err, "out of memory for the ways of %u messages", c->s->m->n);
	if (line_up(c, f, err))
		return -1;
	return make_rooms(c, connections, err);
}

int crossings_init(struct crossings *c, const struct scene *s, const struct machine *machine,
		   struct err *err)
{
	const struct machine_topology *topology = &machine->topology;
	struct finder f = {.c = c};
	size_t links;
	struct err why;
	int ret = 0;

	*c = (struct crossings){.s = s,
				.topology = topology,
				.side_by_side =
					machine->classes[LOCALITY_NETWORK].side_by_side > 0};
	if (!topology->shape.dimensions || topology_size(&topology->shape, &f.hosts, &links, &why))
		return 0;
	f.room = longest_way(&topology->shape);
	f.node = calloc((size_t)s->t->nodes + 1, sizeof(*f.node));
	f.way = calloc(f.room, sizeof(*f.way));
	if (!f.node || !f.way) {
		ret = err_set(err, "out of memory for the ways between %u hosts", s->t->nodes);
	} else if (!machine_topology_place(topology, s->t, f.node, &why)) {
		c->links = (uint32_t)links;
		c->all = c->links + s->t->n_ranks + s->t->homes;
		ret = make_tables(c, &f, err);
	}
	free(f.way);
	free(f.node);
	if (ret)
		crossings_release(c);
	return ret;
}

void crossings_release(struct crossings *c)
{
	for (unsigned k = 0; c->room && k < c->hands; k++) {
		turns_release(&c->room[k].turns);
		table_free(c->room[k].job);
	}
	free(c->room);
	table_free(c->through_ns);
	table_free(c->connection);
	table_free(c->done_ns);
	table_free(c->message);
	free(c->first);
	memset(c, 0, sizeof(*c));
}

struct crossing_work {
	struct crossings *c;
	crossings_job *job_of;
	const void *flow;
	int round;
};

/*
 * Message k of a link. One that the round before had done elsewhere so much later than here is held
 * up there: it takes no turns here but what it needs until then.
 */
static void make_job(const struct crossing_work *w, uint32_t link, uint32_t k, struct turns_job *j)
{
	const struct crossings *c = w->c;
	uint32_t at = c->first[link] + k, i = c->message[at];

	j->connection = c->connection[i];
	w->job_of(w->flow, i, link >= c->links, j);
	j->message = k;
	if (w->round > 0 && (double)(c->through_ns[i] - j->ready_ns) >
				    ELSEWHERE * (double)(c->done_ns[at] - j->ready_ns)) {
		j->connection = TURNS_APART;
		j->limit_ns = c->through_ns[i];
	}
}

static int run_link(void *work, unsigned hand, uint32_t link, struct err *err)
{
	const struct crossing_work *w = work;
	struct crossings *c = w->c;
	struct crossing_room *room = &c->room[hand];
	uint32_t first = c->first[link], n = c->first[link + 1] - first;

	for (uint32_t k = 0; k < n; k++)
		make_job(w, link, k, &room->job[k]);
	if (turns_serve(&room->turns, room->job, n, err))
		return -1;
	for (uint32_t k = 0; k < n; k++) {
		const struct turns_job *j = &room->job[k];

		c->done_ns[first + j->message] =
			j->connection != TURNS_APART ? j->done_ns : j->ready_ns + j->work_ns;
	}
	return 0;
}

int crossings_run(struct crossings *c, crossings_job *job_of, const void *flow, struct err *err)
{
	struct crossing_work work = {c, job_of, flow, 0};

	for (; work.round < ROUNDS; work.round++) {
		if (share_run(c->hands, c->all, run_link, &work, err))
			return -1;
		for (uint32_t i = 0; i < c->s->m->n; i++)
			c->through_ns[i] = INT64_MIN;
		for (uint32_t k = 0; k < c->first[c->all]; k++) {
			int64_t *through_ns = &c->through_ns[c->message[k]];

			*through_ns = later(*through_ns, c->done_ns[k]);
		}
	}
	return 0;
}
