/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks/hooks.h"
#include "interpose/log/payload.h"
#include "interpose/objects/requests_plain.h"

uint64_t hook_blocks(struct scope *s, MPI_Comm comm)
{
	const struct comm_info *info = comm_of(s->lane, comm);

	return info ? (uint64_t)info->blocks : 0;
}

uint64_t hook_size(struct scope *s, MPI_Comm comm)
{
	const struct comm_info *info = comm_of(s->lane, comm);

	return info ? (uint64_t)info->size : 0;
}

int hook_at_root(struct scope *s, int root, MPI_Comm comm)
{
	const struct comm_info *info = comm_of(s->lane, comm);

	if (!info)
		return 0;
	return info->inter ? root == MPI_ROOT : root == info->rank;
}

/* Do the arguments of a rank other than the root count? A root within the group has them too. */
int hook_at_leaf(struct scope *s, int root, MPI_Comm comm)
{
	const struct comm_info *info = comm_of(s->lane, comm);

	return info && (!info->inter || root >= 0);
}

uint64_t hook_large_bytes(MPI_Count count, MPI_Datatype type)
{
	MPI_Count size = 0;

	if (real.Type_size_x(type, &size) || size < 0)
		return 0;
	return (uint64_t)count * (uint64_t)size;
}

/* Element i of an array of int or MPI_Count, at least 0. */
static inline MPI_Count count_at(const void *counts, int wide, uint64_t i)
{
	MPI_Count n = wide ? ((const MPI_Count *)counts)[i] : ((const int *)counts)[i];

	return n > 0 ? n : 0;
}

static inline int is_nobody(struct near near, uint64_t i)
{
	return i < 64 && near.nobody >> i & 1;
}

uint64_t hook_sum(struct near near, const void *counts, int wide)
{
	uint64_t sum = 0, i;

	if (counts)
		for (i = 0; i < near.places; i++)
			sum += is_nobody(near, i) ? 0 : (uint64_t)count_at(counts, wide, i);
	return sum;
}

uint64_t hook_sumw(struct scope *before, int ret, struct near near, const void *counts, int wide,
		   const MPI_Datatype *types)
{
	uint64_t sum = 0, i;

	if (counts && types)
		for (i = 0; i < near.places; i++)
			sum += is_nobody(near, i)
				       ? 0
				       : hook_bytes_when(before, ret, count_at(counts, wide, i),
							 types[i]);
	return sum;
}

uint64_t hook_own(struct scope *s, MPI_Comm comm, const void *counts, int wide)
{
	const struct comm_info *info = comm_of(s->lane, comm);

	return info && counts ? (uint64_t)count_at(counts, wide, (uint64_t)info->rank) : 0;
}

/* A place for each direction of a grid; beyond its edges nobody is. More than 32 take no part. */
static struct near on_grid(MPI_Comm comm, int n)
{
	int size[32], wraps[32], at[32], i;
	struct near near = {(uint64_t)(2 * n), (uint64_t)(2 * n), 0};

	if (n > 32 || real.Cart_get(comm, n, size, wraps, at))
		return near;
	for (i = 0; i < n; i++) {
		if (!wraps[i] && at[i] == 0)
			near.nobody |= UINT64_C(1) << (2 * i);
		if (!wraps[i] && at[i] == size[i] - 1)
			near.nobody |= UINT64_C(2) << (2 * i);
	}
	near.n -= (uint64_t)__builtin_popcountll(near.nobody);
	return near;
}

struct neighbours hook_neighbours(struct scope *s, MPI_Comm comm)
{
	int kind = MPI_UNDEFINED, in = 0, out = 0, n = 0, rank;

	if (!comm_of(s->lane, comm) || real.Topo_test(comm, &kind))
		return (struct neighbours){0};
	if (kind == MPI_CART && !real.Cartdim_get(comm, &n)) {
		struct near near = on_grid(comm, n);

		return (struct neighbours){near, near};
	}
	if (kind == MPI_GRAPH) {
		real.Comm_rank(comm, &rank);
		real.Graph_neighbors_count(comm, rank, &in);
		out = in;
	} else if (kind == MPI_DIST_GRAPH) {
		real.Dist_graph_neighbors_count(comm, &in, &out, &n);
	}
	return (struct neighbours){{(uint64_t)in, (uint64_t)in, 0},
				   {(uint64_t)out, (uint64_t)out, 0}};
}

/* MPI_ROOT and MPI_PROC_NULL differ between MPIs. */
static int32_t root_of(int root)
{
	if (USUAL(root >= 0 || root == NO_ROOT))
		return root >= 0 ? root : LOG_ROOT_NONE;
	return root == MPI_ROOT        ? LOG_ROOT_SELF
	       : root == MPI_PROC_NULL ? LOG_ROOT_THIS_GROUP
				       : LOG_ROOT_NONE;
}

static void fill(struct record *r, const struct comm_info *info, const struct coll *coll)
{
	r->comm = info->id;
	r->peer = root_of(coll->root);
	r->bytes = coll->out;
	r->bytes_in = coll->in;
}

void hook_coll(struct scope *s, MPI_Comm comm, const struct coll *coll)
{
	const struct comm_info *info = comm_of(s->lane, comm);

	if (!info)
		return;
	fill(s->r, info, coll);
	s->r->aux = hook_on_channel(s, SKIPPED_COLLS, info->id, 0, 0);
	hook_count_coll(s, coll->out, coll->in);
	scope_become(s->r, RECORD_COLL);
}

void hook_size_coll(struct scope *s, const struct coll *coll)
{
	hook_count_coll(s, coll->out - s->r->bytes, coll->in - s->r->bytes_in);
	s->r->bytes = coll->out;
	s->r->bytes_in = coll->in;
	hook_asked(s);
}

/* made: a communicator of that key, which is there when the request is complete, or 0. */
static void start(struct scope *s, MPI_Comm comm, const struct coll *coll, MPI_Comm made,
		  uint64_t key, MPI_Request request)
{
	const struct comm_info *info = comm_of(s->lane, comm);
	struct record *r = s->r;
	uint64_t id;
	struct request *q;

	if (!info)
		return;
	id = recorder_request();
	hook_count_coll(s, coll->out, coll->in);
	fill(r, info, coll);
	r->request = id;
	scope_become(r, RECORD_NBC);
	q = request_new(request);
	if (!q)
		return;
	*q = (struct request){.id = id,
			      .bytes = coll->out,
			      .bytes_in = coll->in,
			      .comm_key = key,
			      .made = made,
			      .comm = info->id,
			      .thread = s->lane->thread,
			      .peer = r->peer,
			      .call = r->call,
			      .kind = REQUEST_COLL,
			      .off = (uint8_t)s->off,
			      .active = 1,
			      .plain = !s->off && !made};
	request_ready(request);
}

void hook_icoll(struct scope *s, int ret, MPI_Comm comm, const struct coll *coll,
		const MPI_Request *request)
{
	if (ret == MPI_SUCCESS)
		start(s, comm, coll, (MPI_Comm)0, 0, *request);
}

void hook_coll_init(struct scope *s, int ret, MPI_Comm comm, const struct coll *coll,
		    const MPI_Request *request)
{
	const struct comm_info *info = comm_of(s->lane, comm);
	struct request q = {.kind = REQUEST_COLL, .persistent = 1};

	if (ret != MPI_SUCCESS || !info)
		return;
	q.comm = info->id;
	q.call = s->r->call;
	q.peer = root_of(coll->root);
	q.bytes = coll->out;
	q.bytes_in = coll->in;
	request_add(*request, &q);
}

void hook_comm_tagged(struct scope *s, int ret, MPI_Comm parent, const MPI_Comm *made, uint64_t tag)
{
	hook_result(s, ret);
	if (ret == MPI_SUCCESS)
		comm_made(s->lane, parent, *made, tag);
}

void hook_comm(struct scope *s, int ret, MPI_Comm parent, const MPI_Comm *made)
{
	hook_comm_tagged(s, ret, parent, made, 0);
}

/* FNV-1a; never 0, which is no tag. */
uint64_t hook_text_tag(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; text && *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return h | 1;
}

void hook_renamed(struct scope *s, int ret, MPI_Comm comm)
{
	if (ret == MPI_SUCCESS)
		comm_renamed(s->lane, comm);
}

void hook_comm_idup(struct scope *s, int ret, MPI_Comm parent, const MPI_Comm *made,
		    const MPI_Request *request)
{
	/* made may be a variable of the Fortran binding, and gone when the request is complete */
	if (ret == MPI_SUCCESS)
		start(s, parent, COLL(NO_ROOT, 0, 0), *made,
		      comm_reserve(s->lane, parent, COMM_CHILD_IDUP), *request);
}
