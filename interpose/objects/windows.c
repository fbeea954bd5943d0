/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/objects/windows.h"

#include <string.h>

#include "interpose/objects/skipped.h"

/* A list of ranks that was defined. */
struct group {
	uint64_t key;
	int32_t id;
	UT_hash_handle hh;
};

static int keyval = MPI_KEYVAL_INVALID;
static uint32_t n_windows;
static int32_t n_groups;
static struct rma_target *targets; /* of all windows */
static struct group *groups;
static struct window *spare_windows;
static struct rma_target *spare_targets;
static struct rma_open *spare_open;

static void free_open(struct rma_target *t)
{
	struct rma_open *o;

	while ((o = t->open)) {
		t->open = o->next;
		o->next = spare_open;
		spare_open = o;
	}
}

static void forget(struct window *w)
{
	struct rma_target *t;

	recorder_lock();
	skipped_forget(SKIPPED_WINDOW(w->id));
	while ((t = w->targets)) {
		w->targets = t->next;
		free_open(t);
		HASH_DEL(targets, t);
		t->next = spare_targets;
		spare_targets = t;
	}
	w->spare = spare_windows;
	spare_windows = w;
	recorder_unlock();
}

/* Called by MPI when a window goes, or when MPICH is about to refuse to free it. */
static int window_gone(MPI_Win win, int key, void *value, void *extra)
{
	struct window *w = value;

	(void)win;
	(void)key;
	(void)extra;
	if (!w->leaving)
		forget(w);
	return MPI_SUCCESS;
}

void windows_start(void)
{
	if (real.Win_create_keyval(MPI_WIN_NULL_COPY_FN, window_gone, &keyval, NULL))
		keyval = MPI_KEYVAL_INVALID;
}

struct window *window_of(MPI_Win win)
{
	struct window *w;
	int found = 0;

	if (!win || win == MPI_WIN_NULL || keyval == MPI_KEYVAL_INVALID ||
	    real.Win_get_attr(win, keyval, &w, &found) || !found)
		return NULL;
	return w;
}

struct window *window_leaves(MPI_Win win)
{
	struct window *w = window_of(win);

	if (w)
		w->leaving = 1;
	return w;
}

void window_left(struct window *w, MPI_Win win)
{
	w->leaving = 0;
	if (win == MPI_WIN_NULL)
		forget(w);
	else if (!window_of(win))
		real.Win_set_attr(win, keyval, w);
}

/* A definition with its payload, bytes of head and tail; NULL when the log is at its end. */
static void define(struct lane *l, enum record_kind kind, uint32_t id, size_t n, const void *head,
		   size_t n_tail, const void *tail)
{
	size_t units = (n + n_tail + sizeof(struct record) - 1) / sizeof(struct record);
	struct record *r = lane_room(l, 1 + units);

	if (!r)
		return;
	memcpy(r + 1, head, n);
	if (n_tail)
		memcpy((char *)(r + 1) + n, tail, n_tail);
	r->comm = id;
	r->aux = (uint32_t)units;
	l->log.next = r + 1 + units;
	r->kind = (uint8_t)kind;
}

static void define_window(struct lane *l, MPI_Win win, const struct window *w, uint64_t comm_key)
{
	struct log_window about = {.key = w->key, .comm_key = comm_key};
	char name[MPI_MAX_OBJECT_NAME + sizeof(about.name)] = "";
	int length;

	real.Win_get_name(win, name, &length);
	memcpy(about.name, name, sizeof(about.name) - 1);
	define(l, RECORD_DEF_WINDOW, w->id, sizeof(about), &about, 0, NULL);
}

struct window *window_made(struct lane *l, MPI_Comm comm, MPI_Win win)
{
	const struct comm_info *c = comm_of(l, comm);
	struct window *w;

	if (!c || keyval == MPI_KEYVAL_INVALID)
		return NULL;
	recorder_lock();
	w = spare_windows;
	if (w)
		spare_windows = w->spare;
	else
		w = arena_alloc(sizeof(*w));
	if (w)
		*w = (struct window){.id = n_windows++, .rank = c->rank, .group = {-1, -1}};
	recorder_unlock();
	if (!w)
		return NULL;
	w->key = comm_reserve(l, comm, COMM_CHILD_WINDOW);
	define_window(l, win, w, c->key);
	real.Win_set_attr(win, keyval, w);
	return w;
}

void window_renamed(struct lane *l, MPI_Win win)
{
	const struct window *w = window_of(win);

	if (w)
		define_window(l, win, w, 0);
}

/* What is known of a target, made when new; NULL without memory. Under the lock. */
static struct rma_target *target_of(struct window *w, int rank)
{
	uint64_t key = (uint64_t)w->id << 32 | (uint32_t)rank;
	struct rma_target *t;

	HASH_FIND(hh, targets, &key, sizeof(key), t);
	if (t)
		return t;
	t = spare_targets;
	if (t)
		spare_targets = t->next;
	else
		t = arena_alloc(sizeof(*t));
	if (!t)
		return NULL;
	memset(t, 0, sizeof(*t));
	t->key = key;
	t->rank = rank;
	t->next = w->targets;
	w->targets = t;
	HASH_ADD(hh, targets, key, sizeof(t->key), t);
	return t;
}

uint64_t window_op(struct window *w, int rank, int fetches)
{
	struct rma_target *t;
	uint64_t *id, none = 0;

	recorder_lock();
	t = target_of(w, rank);
	id = !t ? &none : fetches ? &t->get : &t->put;
	if (!*id)
		*id = recorder_request();
	recorder_unlock();
	return *id;
}

/* Operations of this id are on their way. Under the lock. */
static void add_open(struct rma_target *t, uint64_t id)
{
	struct rma_open *o = spare_open;

	if (o)
		spare_open = o->next;
	else
		o = arena_alloc(sizeof(*o));
	if (!o)
		return;
	o->id = id;
	o->next = t->open;
	t->open = o;
}

void window_open(struct window *w, int rank, uint64_t id)
{
	struct rma_target *t;

	recorder_lock();
	t = target_of(w, rank);
	if (t)
		add_open(t, id);
	recorder_unlock();
}

void window_lock(struct window *w, int rank, enum rma_lock lock)
{
	struct rma_target *t;

	recorder_lock();
	t = target_of(w, rank);
	if (t)
		t->lock = (int8_t)lock;
	recorder_unlock();
}

void window_unlock(struct window *w, int rank)
{
	window_lock(w, rank, RMA_UNLOCKED);
}

/* In a pause it goes without saying. */
static struct record *part(struct lane *l)
{
	return recorder.on ? lane_part(l) : NULL;
}

static void write_done(struct lane *l, const struct window *w, uint64_t id, int what)
{
	struct record *r = id && what ? part(l) : NULL;

	if (!r)
		return;
	r->comm = w->id;
	r->request = id;
	r->aux = (uint32_t)what;
	r->kind = RECORD_RMA_DONE;
}

/* The lock on t is held, if it was asked for. */
static void write_held(struct lane *l, const struct window *w, struct rma_target *t)
{
	struct record *r;

	if (t->lock != RMA_ASKED_EXCLUSIVE && t->lock != RMA_ASKED_SHARED)
		return;
	r = part(l);
	if (r) {
		r->comm = w->id;
		r->peer = window_peer(t->rank);
		r->tag = t->lock == RMA_ASKED_SHARED;
		r->kind = RECORD_RMA_LOCKED;
	}
	t->lock = RMA_HELD;
}

static void complete_target(struct lane *l, const struct window *w, struct rma_target *t, int what)
{
	const struct rma_open *o;

	if (what & WINDOW_REMOTE)
		write_held(l, w, t);
	write_done(l, w, t->get, WINDOW_LOCAL | WINDOW_REMOTE);
	write_done(l, w, t->put, what & (WINDOW_LOCAL | WINDOW_REMOTE));
	t->get = 0;
	if (what == WINDOW_LOCAL) {
		if (t->put)
			add_open(t, t->put); /* those to come are not of this id */
		t->put = 0;
		return;
	}
	for (o = t->open; o; o = o->next)
		write_done(l, w, o->id, what & WINDOW_REMOTE);
	free_open(t);
	t->put = 0;
}

void window_complete(struct lane *l, struct window *w, int rank, int what)
{
	struct rma_target *t;

	recorder_lock();
	for (t = w->targets; t; t = t->next)
		if (rank == WINDOW_ALL || t->rank == rank)
			complete_target(l, w, t, what);
	recorder_unlock();
}

int32_t window_group(struct lane *l, MPI_Group group)
{
	struct log_group about = {0};
	struct group *g;
	int32_t id = -1;
	int n = 0, *ranks, is_new = 0;

	real.Group_size(group, &n);
	ranks = scratch_at_least(&l->handles, 2 * (size_t)n * sizeof(int) + 1);
	if (!ranks)
		return -1;
	comm_world_ranks(group, n, ranks + n, ranks);
	about.key = comm_hash_list(ranks, n);
	about.size = (uint32_t)n;
	recorder_lock();
	HASH_FIND(hh, groups, &about.key, sizeof(about.key), g);
	if (!g && (g = arena_alloc(sizeof(*g)))) {
		is_new = 1;
		g->key = about.key;
		g->id = n_groups++;
		HASH_ADD(hh, groups, key, sizeof(g->key), g);
	}
	if (g)
		id = g->id;
	recorder_unlock();
	if (is_new)
		define(l, RECORD_DEF_GROUP, (uint32_t)id, sizeof(about), &about,
		       n <= LOG_HALF_BYTES / 8 ? (size_t)n * sizeof(int) : 0, ranks);
	return id;
}
