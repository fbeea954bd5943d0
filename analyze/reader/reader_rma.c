/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One-sided communication: records of windows, and the groups that synchronize on them. */
#include "analyze/reader/reader_callback.h"

#include <stdlib.h>
#include <string.h>

static void *memdup(const void *p, size_t n)
{
	void *copy = malloc(n);

	return copy ? memcpy(copy, p, n) : NULL;
}

uint32_t load_window_comm(struct load *l, uint32_t window)
{
	struct def_window *w = &l->defs.windows[window];
	uint32_t i = idmap_find(&l->defs.comm_ids, w->comm);
	struct trace *t = &l->trace;
	struct comm made;

	if (i == IDMAP_NONE)
		return TRACE_NONE;
	if (l->defs.comms[i].kind == COMM_SELF)
		return load_self_comm(l, i);
	if (w->table != TRACE_NONE)
		return w->table;
	made = t->comms[l->defs.comms[i].table];
	made.name = strdup(made.name);
	made.members = made.size ? memdup(made.members, made.size * sizeof(*made.members)) : NULL;
	if (!made.name || (made.size && !made.members) ||
	    GROW(t->comms, t->n_comms, l->cap_comms) || GROW(l->made, l->n_made, l->cap_made)) {
		free(made.name);
		free(made.members);
		return TRACE_NONE;
	}
	l->made[l->n_made++] = (struct made_comm){i, window};
	t->comms[t->n_comms] = made;
	return w->table = t->n_comms++;
}

/* Is it no window of MPI, but a device's memory or SHMEM's? Its communicator is none of MPI's. */
static int is_alien(const struct load *l, uint32_t window)
{
	return window != IDMAP_NONE &&
	       idmap_find(&l->defs.comm_ids, l->defs.windows[window].comm) == IDMAP_NONE;
}

/* Append a record of a window; peer is a rank of it, or nobody. */
static int add_op(struct load *l, OTF2_TimeStamp time, uint64_t window, uint32_t peer,
		  struct op *op)
{
	uint32_t at = idmap_find(&l->defs.window_ids, window);

	op->time_ns = load_time(l, time);
	if (is_alien(l, at))
		return 0;
	op->call = l->at.call;
	op->peer = peer > INT32_MAX ? -1 : (int32_t)peer;
	op->comm = at == IDMAP_NONE ? TRACE_NONE : load_window_comm(l, at);
	return load_append(l, op);
}

/* MPI_Rput and the like begin a request; other operations are completed by their window alone. */
static int begin_request(struct load *l, OTF2_TimeStamp time, uint64_t id)
{
	const struct trace *t = &l->trace;

	if (l->at.call == TRACE_NONE ||
	    strncmp(t->regions[t->calls[l->at.call].region].name, "MPI_R", 5) != 0)
		return 0;
	return load_request(l, time, &(struct op){.kind = OP_ASIDE, .request = id});
}

static OTF2_CallbackCode on_done(EVENT, OTF2_RmaWinRef window, uint64_t id)
{
	UNUSED, (void)window;
	return went_on(
		load_request(data, time, &(struct op){.kind = OP_ASIDE_DONE, .request = id}));
}

uint32_t load_group(struct load *l, uint64_t id)
{
	struct trace *t = &l->trace;
	uint32_t at = idmap_find(&l->group_of, id);
	struct rank_group made = {0};

	if (at != IDMAP_NONE)
		return at;
	if (load_members(l, id, &made.size, &made.members) ||
	    GROW(t->groups, t->n_groups, l->cap_groups) ||
	    GROW(l->group_ids, t->n_groups, l->cap_group_ids) ||
	    idmap_set(&l->group_of, id, t->n_groups)) {
		free(made.members);
		return TRACE_NONE;
	}
	l->group_ids[t->n_groups] = id;
	t->groups[t->n_groups] = made;
	return t->n_groups++;
}

static OTF2_CallbackCode on_coll(EVENT, OTF2_CollectiveOp what, OTF2_RmaSyncLevel level,
				 OTF2_RmaWinRef window, uint32_t root, uint64_t sent,
				 uint64_t received)
{
	struct op op = {.kind = OP_COLL, .coll_op = what};

	UNUSED, (void)level, (void)root, (void)sent, (void)received;
	load_around_pause(data, list, &op);
	return went_on(add_op(data, time, window, TRACE_NONE, &op));
}

static OTF2_CallbackCode on_put(EVENT, OTF2_RmaWinRef window, uint32_t target, uint64_t bytes,
				uint64_t id)
{
	struct op op = {.kind = OP_PUT, .bytes = bytes};

	UNUSED;
	return went_on(add_op(data, time, window, target, &op) || begin_request(data, time, id));
}

static OTF2_CallbackCode on_get(EVENT, OTF2_RmaWinRef window, uint32_t target, uint64_t bytes,
				uint64_t id)
{
	struct op op = {.kind = OP_GET, .bytes_in = bytes};

	UNUSED;
	return went_on(add_op(data, time, window, target, &op) || begin_request(data, time, id));
}

static OTF2_CallbackCode on_atomic(EVENT, OTF2_RmaWinRef window, uint32_t target,
				   OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
				   uint64_t id)
{
	struct op op = {.kind = OP_ATOMIC, .bytes = sent, .bytes_in = received};

	UNUSED, (void)type;
	return went_on(add_op(data, time, window, target, &op) || begin_request(data, time, id));
}

static OTF2_CallbackCode on_epoch(EVENT, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
				  OTF2_GroupRef group)
{
	uint32_t at = load_group(data, group);

	UNUSED, (void)level;
	if (at == TRACE_NONE)
		return went_on(load_no_memory(data));
	return went_on(add_op(data, time, window, TRACE_NONE,
			      &(struct op){.kind = OP_EPOCH, .request = at}));
}

static OTF2_CallbackCode on_lock(EVENT, OTF2_RmaWinRef window, uint32_t target, uint64_t lock,
				 OTF2_LockType type)
{
	UNUSED, (void)lock;
	return went_on(add_op(data, time, window, target,
			      &(struct op){.kind = OP_LOCK, .tag = type == OTF2_LOCK_SHARED}));
}

static OTF2_CallbackCode on_unlock(EVENT, OTF2_RmaWinRef window, uint32_t target, uint64_t lock)
{
	UNUSED, (void)lock;
	return went_on(add_op(data, time, window, target, &(struct op){.kind = OP_UNLOCK}));
}

void load_rma_callbacks(OTF2_EvtReaderCallbacks *c)
{
	OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(c, on_coll);
	OTF2_EvtReaderCallbacks_SetRmaPutCallback(c, on_put);
	OTF2_EvtReaderCallbacks_SetRmaGetCallback(c, on_get);
	OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(c, on_atomic);
	OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(c, on_done);
	OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(c, on_epoch);
	OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(c, on_lock);
	OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(c, on_lock);
	OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(c, on_unlock);
}
