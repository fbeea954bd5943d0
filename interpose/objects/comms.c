/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/objects/comms.h"

#include <stdlib.h>
#include <string.h>

#include "interpose/job/sessions.h"
#include "interpose/objects/quiet.h"
#include "interpose/objects/skipped.h"

/* How often a member list was seen under a parent; it goes when the parent goes. */
struct occurrence {
	uint64_t key;
	uint64_t count;
	struct occurrence *next; /* under the same parent, or spare */
	UT_hash_handle hh;
};

atomic_uint comms_epoch;

static int keyval = MPI_KEYVAL_INVALID;
static uint32_t n_comms;
static MPI_Group world_group = MPI_GROUP_NULL;
static struct occurrence *occurrences, *spare_occurrences;
static struct comm_info *known; /* by handle: those that MPI will tell us the end of */
static struct comm_info *spare; /* of freed communicators; linked through key */
static atomic_flag describing = ATOMIC_FLAG_INIT; /* one thread finds out about a new one */

static uint64_t mix(uint64_t h, uint64_t x)
{
	h ^= x + UINT64_C(0x9e3779b97f4a7c15) + (h << 6) + (h >> 2);
	h ^= h >> 29;
	h *= UINT64_C(0xbf58476d1ce4e5b9);
	return h ^ h >> 32;
}

uint64_t comm_mix(uint64_t h, uint64_t x)
{
	return mix(h, x);
}

uint64_t comm_hash_list(const int *ranks, int n)
{
	uint64_t h = (uint64_t)n;
	int i;

	for (i = 0; i < n; i++)
		h = mix(h, (uint32_t)ranks[i]);
	return h;
}

/* Called by MPI when a communicator goes. */
static int comm_gone(MPI_Comm comm, int key, void *value, void *extra)
{
	struct comm_info *info = value;

	(void)comm;
	(void)key;
	(void)extra;
	recorder_lock();
	comms_epoch++;
	while (info->seen) {
		struct occurrence *o = info->seen;

		info->seen = o->next;
		HASH_DEL(occurrences, o);
		o->next = spare_occurrences;
		spare_occurrences = o;
	}
	if (info->hh.tbl)
		HASH_DEL(known, info);
	skipped_forget(info->id);
	info->key = (uintptr_t)spare;
	spare = info;
	recorder_unlock();
	return MPI_SUCCESS;
}

void comm_world_ranks(MPI_Group group, int n, int *from, int *ranks)
{
	MPI_Group all = world_group;
	int i, known = all != MPI_GROUP_NULL || !sessions_group(&all);

	for (i = 0; i < n; i++)
		from[i] = i;
	if (known)
		real.Group_translate_ranks(group, n, from, all, ranks);
	for (i = 0; i < n; i++)
		if (!known || ranks[i] == MPI_UNDEFINED)
			ranks[i] = -1;
	if (known && world_group == MPI_GROUP_NULL)
		real.Group_free(&all);
}

/* The member lists of comm: local first, then remote. NULL when out of memory. */
static int *member_lists(struct lane *l, MPI_Comm comm, int n, int n_remote)
{
	MPI_Group group;
	int most = n > n_remote ? n : n_remote;
	int *lists = scratch_at_least(&l->members, (size_t)(n + n_remote + most) * sizeof(int));

	if (!lists)
		return NULL;
	real.Comm_group(comm, &group);
	comm_world_ranks(group, n, lists + n + n_remote, lists);
	real.Group_free(&group);
	if (n_remote) {
		real.Comm_remote_group(comm, &group);
		comm_world_ranks(group, n_remote, lists + n + n_remote, lists + n);
		real.Group_free(&group);
	}
	return lists;
}

/* The occurrence number of key, counting up. parent: NULL when there is none. */
static uint64_t count_occurrence(struct comm_info *parent, uint64_t key)
{
	struct occurrence *o;

	HASH_FIND(hh, occurrences, &key, sizeof(key), o);
	if (!o) {
		o = spare_occurrences;
		if (o)
			spare_occurrences = o->next;
		else
			o = arena_alloc(sizeof(*o));
		if (!o)
			return 0;
		memset(o, 0, sizeof(*o));
		o->key = key;
		if (parent) {
			o->next = parent->seen;
			parent->seen = o;
		}
		HASH_ADD(hh, occurrences, key, sizeof(key), o);
	}
	return o->count++;
}

/* What fits into the log in one piece. */
#define LISTED_MAX (LOG_HALF_BYTES / 2 / (int)sizeof(int))

/* Write a definition of comm: head, the name that comm has now, n members of its lists. */
static void write_definition(struct lane *l, MPI_Comm comm, uint32_t id, struct log_comm *head,
			     size_t n, const int *lists)
{
	char name[MPI_MAX_OBJECT_NAME + sizeof(head->name)] = "";
	size_t bytes = sizeof(*head) + n * sizeof(int);
	size_t units = (bytes + sizeof(struct record) - 1) / sizeof(struct record);
	struct record *r = lane_room(l, 1 + units);
	int length;

	if (!r)
		return;
	real.Comm_get_name(comm, name, &length);
	memcpy(head->name, name, sizeof(head->name) - 1);
	memcpy(r + 1, head, sizeof(*head));
	if (n)
		memcpy((char *)(r + 1) + sizeof(*head), lists, n * sizeof(int));
	r->comm = id;
	r->aux = (uint32_t)units;
	l->log.next = r + 1 + units;
	r->kind = RECORD_DEF_COMM;
}

/* Is this rank the lowest of the local group that is of this world? */
static int is_first(const struct comm_info *info, const int *list)
{
	int i;

	for (i = 0; i < info->rank; i++)
		if (list[i] >= 0)
			return 0;
	return 1;
}

/*
 * Define a communicator: with the lists if this rank is the lowest of the local group. The
 * world needs none, and a communicator too large for the log is known by its size.
 */
static void define(struct lane *l, MPI_Comm comm, const struct comm_info *info, uint64_t parent,
		   const int *lists, int n_remote)
{
	struct log_comm head = {.key = info->key,
				.parent_key = parent,
				.size = (uint32_t)info->size,
				.remote = (uint32_t)n_remote};
	int n = info->size + n_remote;

	head.listed = info->key > LOG_COMM_SELF && n <= LISTED_MAX && is_first(info, lists);
	head.self = comm == MPI_COMM_SELF;
	write_definition(l, comm, info->id, &head, head.listed ? (size_t)n : 0, lists);
}

void comm_renamed(struct lane *l, MPI_Comm comm)
{
	const struct comm_info *info = comm_of(l, comm);
	struct log_comm head = {.listed = LOG_COMM_RENAMED};

	if (!info)
		return;
	head.key = info->key;
	write_definition(l, comm, info->id, &head, 0, NULL);
}

/* A place for what is known of a communicator; NULL when out of memory. Under the lock. */
static struct comm_info *new_info(void)
{
	struct comm_info *info = spare;

	if (info)
		spare = (struct comm_info *)(uintptr_t)info->key;
	else
		info = arena_alloc(sizeof(*info));
	return info;
}

/* What is not known of how a communicator came to be. */
#define NO_PARENT NULL
#define NO_KEY    0
#define NO_TAG    0

/*
 * Find out about comm and define it. NO_KEY: work it out from parent, members and tag. MPI is
 * asked before the lock is taken: it may have a lock of its own around comm_gone().
 */
static struct comm_info *describe(struct lane *l, MPI_Comm comm, struct comm_info *parent,
				  uint64_t key, uint64_t tag)
{
	struct comm_info about = {.key = key}, *info;
	uint64_t list, parent_key = parent ? parent->key : LOG_COMM_UNKNOWN;
	int n_remote = 0, *lists;

	real.Comm_size(comm, &about.size);
	real.Comm_rank(comm, &about.rank);
	real.Comm_test_inter(comm, &about.inter);
	if (about.inter)
		real.Comm_remote_size(comm, &n_remote);
	about.blocks = about.inter ? n_remote : about.size;
	lists = member_lists(l, comm, about.size, n_remote);
	if (!lists)
		return NULL;
	/* xor: both sides of an inter-communicator see the two lists the other way round */
	list = comm_hash_list(lists, about.size) ^
	       (n_remote ? comm_hash_list(lists + about.size, n_remote) : 0);
	recorder_lock();
	info = new_info();
	if (info && !key) {
		about.key = mix(parent_key, tag ? mix(list, tag) : list);
		about.key = mix(about.key, count_occurrence(parent, about.key));
	}
	if (info) {
		about.id = n_comms++;
		*info = about;
	}
	recorder_unlock();
	if (info)
		define(l, comm, info, parent_key, lists, n_remote);
	return info;
}

static struct comm_info *add(struct lane *l, MPI_Comm comm, struct comm_info *parent, uint64_t key,
			     uint64_t tag)
{
	struct comm_info *info = describe(l, comm, parent, key, tag);

	if (!info || real.Comm_set_attr(comm, keyval, info))
		return info;
	recorder_lock();
	info->comm = comm;
	HASH_ADD(hh, known, comm, sizeof(comm), info);
	recorder_unlock();
	return info;
}

/* Of the two that are there without being made. */
static uint64_t known_key(MPI_Comm comm)
{
	return comm == MPI_COMM_WORLD  ? LOG_COMM_WORLD
	       : comm == MPI_COMM_SELF ? LOG_COMM_SELF
				       : NO_KEY;
}

/*
 * A handle that we do not know: made by a call that is not recorded, or none at all. MPI is
 * asked without the program's error handler hearing of it, which will hear from the call.
 */
static struct comm_info *find_out(struct lane *l, MPI_Comm comm)
{
	struct comm_info *info = NULL;
	struct quiet quiet;
	int found = 0, bad;

	quiet_begin(&quiet);
	spin_lock(&describing);
	bad = real.Comm_get_attr(comm, keyval, &info, &found) != MPI_SUCCESS;
	if (!bad && !found)
		info = add(l, comm, NO_PARENT, known_key(comm), NO_TAG);
	spin_unlock(&describing);
	quiet_end(&quiet);
	return bad ? NULL : info;
}

int comms_start_session(void)
{
	return real.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, comm_gone, &keyval, NULL) ? -1 : 0;
}

int comms_start(void)
{
	struct lane *l = lane_self;

	if (real.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, comm_gone, &keyval, NULL) ||
	    real.Comm_group(MPI_COMM_WORLD, &world_group))
		return -1;
	return add(l, MPI_COMM_WORLD, NO_PARENT, LOG_COMM_WORLD, NO_TAG) &&
			       add(l, MPI_COMM_SELF, NO_PARENT, LOG_COMM_SELF, NO_TAG)
		       ? 0
		       : -1;
}

struct comm_info *comm_lookup(struct lane *l, MPI_Comm comm)
{
	struct comm_info *info;

	if (comm == MPI_COMM_NULL)
		return NULL;
	recorder_lock();
	HASH_FIND(hh, known, &comm, sizeof(comm), info);
	recorder_unlock();
	if (!info)
		info = find_out(l, comm);
	if (!info)
		return NULL;
	l->comm = comm;
	l->info = info;
	l->comm_epoch = comms_epoch;
	return info;
}

void comm_made(struct lane *l, MPI_Comm parent, MPI_Comm comm, uint64_t tag)
{
	if (comm != MPI_COMM_NULL)
		add(l, comm, comm_of(l, parent), NO_KEY, tag);
}

uint64_t comm_reserve(struct lane *l, MPI_Comm parent, enum comm_child what)
{
	struct comm_info *p = comm_of(l, parent);
	uint64_t key;

	if (!p)
		return 0;
	recorder_lock();
	key = mix(p->key, what); /* a list of its own under the parent */
	key = mix(key, count_occurrence(p, key));
	recorder_unlock();
	return key;
}

void comm_arrived(struct lane *l, MPI_Comm comm, uint64_t key)
{
	if (comm != MPI_COMM_NULL)
		add(l, comm, NO_PARENT, key, NO_TAG);
}
