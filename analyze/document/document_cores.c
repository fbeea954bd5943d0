/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks that share cores, in words: who, how, and what could be done. */
#include "analyze/document/document_parts.h"
#include "analyze/document/document_quality.h"
#include "analyze/run/run_cores.h"
#include "common/number_list.h"
#include "common/wording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIST_LONG    24 /* characters: longer lists are only counted */
#define MOST_OF_LATE (2.0 / 3.0)
#define OTHERS_SAID  0.1 /* of the cores' time, and other processes are named */

/* Nobody has bound them, as far as is known: they are all of their node, and have all its cores. */
static int is_whole_node(const struct core_group *g)
{
	return g->by == CORE_GROUP_NODE || (g->by == CORE_GROUP_SET && g->is_alike &&
					    g->n == g->node_ranks && g->cores >= g->of_node);
}

static void add_who(struct wording *w, const struct trace *t, const struct core_group *g)
{
	char *list = number_list_text(g->n, g->ranks);
	const char *host = t->ranks[g->ranks[0]].host;

	if (is_whole_node(g))
		wording_add(w, "%u ranks", g->n);
	else if (g->n == 2)
		wording_add(w, "ranks %u and %u", g->ranks[0], g->ranks[1]);
	else if (list && strlen(list) <= LIST_LONG)
		wording_add(w, "rank%s %s", document_plural(g->n), list);
	else
		wording_add(w, "%u ranks", g->n);
	if (t->nodes > 1 && !is_whole_node(g))
		wording_add(w, " of %.60s", host ? host : "a node");
	free(list);
}

/*
 * While one of ranks that may use the same cores waits for one, all of these are in use: of their
 * time in the run, what at least other processes had. 0: none, or nobody knows.
 */
static double others_share(const struct trace *t, const struct core_group *g)
{
	double used_ns = 0, awaited_ns = 0, all_ns = g->cores * (double)t->wall_ns;

	if (g->by == CORE_GROUP_QUOTA || !(is_whole_node(g) || g->is_alike))
		return 0;
	for (uint32_t k = 0; k < g->n; k++) {
		const struct rank *r = &t->ranks[g->ranks[k]];

		if (r->core_used_ns <= 0)
			return 0;
		used_ns += (double)r->core_used_ns;
		awaited_ns = fmax(awaited_ns, (double)r->core_awaited_ns);
	}
	return all_ns > 0 ? fmax(0, (g->cores * awaited_ns - used_ns) / all_ns) : 0;
}

#define ASLEEP_TOLD 0.05 /* of rank time */

/*
 * Outside MPI, neither running nor waiting for a core, at least: as if MPI's own time had been none
 * in which they ran. Of a rank with threads nobody knows which of them slept.
 */
static int64_t asleep_ns(const struct analysis *a)
{
	int64_t sum_ns = 0;

	for (uint32_t k = 0; k < a->trace->n_ranks; k++) {
		const struct rank *r = &a->trace->ranks[k];

		if (r->core_used_ns > 0 && !r->is_threaded)
			sum_ns += later(0, a->attribution->rank_budget[k].parts[COST_compute].ns -
						   r->core_used_ns - r->core_awaited_ns);
	}
	return sum_ns;
}

void document_asleep_text(const struct analysis *a, size_t n, char text[n])
{
	double share = document_share(asleep_ns(a), a->attribution->budget.total_ns);
	char b[16];

	*text = '\0';
	if (share >= ASLEEP_TOLD)
		snprintf(
			text, n,
			"At least %s of rank time counts as computation, but ranks were asleep: in "
			"a sleep of the program's own, or until a file or another program was "
			"ready.",
			document_percent(b, share));
}

/* For whom most waits are: late partners', or an imbalance's. TRACE_NONE: nobody, or several. */
static uint32_t awaited_rank(const struct analysis *a)
{
	const struct lateness *l = a->lateness;
	const struct hotspots *h = a->hotspots;
	int64_t ns = 0;

	for (size_t k = 0; l && k < l->n; k++)
		if (l->rows[k].rank == l->rows[0].rank)
			ns += l->rows[k].ns;
	if (l && (double)ns > MOST_OF_LATE * (double)l->ns)
		return l->rows[0].rank;
	if (l && l->n)
		return TRACE_NONE;
	return h && h->n && !strcmp(h->h->kind, "imbalance") ? h->h->rank : TRACE_NONE;
}

/* Had it its core, unlike others? Then it is not for cores that these wait. */
static int has_core(const struct analysis *a, uint32_t rank)
{
	const struct rank *longest = run_cores_longest_without(a->trace);

	return rank < a->trace->n_ranks && a->trace->ranks[rank].core_used_ns > 0 &&
	       2 * a->trace->ranks[rank].core_awaited_ns < longest->core_awaited_ns &&
	       document_share(a->trace->ranks[rank].core_awaited_ns, a->trace->wall_ns) <
		       DOCUMENT_AWAY / 2;
}

void document_cores_consequence(const struct analysis *a, size_t n, char text[n])
{
	int is_own = view_is_of_own(&a->attribution->budget);
	uint32_t rank = awaited_rank(a);
	char b[16];

	if (has_core(a, rank))
		snprintf(text, n, ", but rank %u, for which they wait, for %s only", rank,
			 document_percent(b, document_share(a->trace->ranks[rank].core_awaited_ns,
							    a->trace->wall_ns)));
	else if (document_recorded_share(a) < 1.0)
		snprintf(text, n, ": some of this may be that");
	else
		snprintf(text, n, ": much of this%s may be that",
			 is_own ? ", and of computation," : "");
}

void document_cores_text(const struct trace *t, const struct core_group *g, size_t n, char text[n])
{
	struct wording w = wording_begin(n, text);
	const char *s = document_plural((size_t)g->cores);
	double others = others_share(t, g);

	add_who(&w, t, g);
	if (is_whole_node(g))
		wording_add(&w, " shared %.0f core%s", g->cores, s);
	else if (g->by == CORE_GROUP_QUOTA)
		wording_add(&w,
			    " might use no more than %.3g cores at once, by a quota of their "
			    "control group",
			    g->cores);
	else if (!g->is_alike)
		wording_add(&w, " were bound to %.0f core%s together", g->cores, s);
	else if (g->cores > 1)
		wording_add(&w, " were bound to the same %.0f cores", g->cores);
	else
		wording_add(&w, " were bound to the same core");
	if (others >= OTHERS_SAID)
		wording_add(&w, " (of these other processes had at least %.0f %%)", 100 * others);
}

const struct core_group *document_worst_cores(const struct trace *t, size_t n, char text[n])
{
	const struct core_groups *all = &t->core_groups;
	const struct core_group *worst = core_groups_worst(all);
	struct wording w;
	uint32_t more = 0;

	text[0] = '\0';
	if (!worst)
		return NULL;
	document_cores_text(t, worst, n, text);
	for (const struct core_group *g = all->g; g < all->g + all->n; g++)
		more += g != worst && core_group_crowd(g) > 1 && !is_whole_node(g);
	w = (struct wording){text, n, strlen(text)};
	if (more)
		wording_add(&w, " (%u more group%s of ranks likewise)", more,
			    document_plural(more));
	return worst;
}

void document_cores_advice(const struct analysis *a, const struct core_group *g, size_t n,
			   char text[n])
{
	const char *mpi = a->run ? run_text(a->run, "mpi", "") : "";
	int is_openmpi = !strncmp(mpi, "Open MPI", strlen("Open MPI"));

	text[0] = '\0';
	if (others_share(a->trace, g) >= OTHERS_SAID)
		snprintf(text, n, "keep other processes off their cores%s",
			 is_whole_node(g) ? ", and start no more ranks than there are cores" : "");
	else if (is_whole_node(g))
		return;
	else if (g->by == CORE_GROUP_QUOTA)
		snprintf(text, n, "let them have a larger quota, or start fewer ranks there");
	else if (g->node_ranks <= g->open)
		snprintf(text, n,
			 "there is a core for each rank: bind them so, as %s or srun "
			 "--cpu-bind=cores does",
			 is_openmpi ? "mpirun --map-by core --bind-to core"
				    : "mpiexec -bind-to core -map-by core");
	else if (g->of_node > g->open)
		snprintf(text, n,
			 "the ranks there may use %.0f of the node's %.0f cores: look for what "
			 "binds them (the launcher, taskset, a batch system's cpuset)",
			 g->open, g->of_node);
}

/* The most ranks to a core first; of equal ones the first ranks'. */
static int by_crowd(const void *a, const void *b)
{
	const struct core_group *x = *(const struct core_group *const *)a,
				*y = *(const struct core_group *const *)b;
	double cx = core_group_crowd(x), cy = core_group_crowd(y);

	if (cx != cy)
		return cx > cy ? -1 : 1;
	return (x->ranks[0] > y->ranks[0]) - (x->ranks[0] < y->ranks[0]);
}

static json_t *group_section(const struct trace *t, const struct core_group *g)
{
	static const char *const by[] = {
		[CORE_GROUP_NODE] = "node", [CORE_GROUP_SET] = "set", [CORE_GROUP_QUOTA] = "quota"};
	char *list = number_list_text(g->n, g->ranks), text[320];
	json_t *section;

	document_cores_text(t, g, sizeof(text), text);
	section = json_pack("{s:o, s:s, s:s, s:I, s:f, s:o, s:o, s:s}", "host",
			    document_text(t->ranks[g->ranks[0]].host), "by", by[g->by], "ranks",
			    list ? list : "", "count", (json_int_t)g->n, "cores", g->cores, "which",
			    document_text(g->which), "cores_of_node",
			    g->of_node > 0 ? document_real(g->of_node) : json_null(), "text", text);
	free(list);
	return section;
}

json_t *document_shared_cores(const struct trace *t)
{
	const struct core_groups *all = &t->core_groups;
	const struct core_group **of = calloc(all->n + 1u, sizeof(*of));
	json_t *list = all->n ? json_array() : json_null();
	size_t n = 0;

	if (!of) {
		json_decref(list);
		return NULL;
	}
	for (uint32_t k = 0; k < all->n; k++)
		if (core_group_crowd(&all->g[k]) > 1)
			of[n++] = &all->g[k];
	qsort(of, n, sizeof(*of), by_crowd);
	for (size_t k = 0; k < n; k++)
		json_array_append_new(list, group_section(t, of[k]));
	free(of);
	return list;
}
