/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EM3D: electromagnetic waves on an irregular bipartite graph, after the benchmark that
 * Moritz and Frank measured in "LoGPC" (2001). E nodes are updated from their H
 * neighbours, then H nodes from their E neighbours; before each half step every rank
 * sends the values its peers need (ghosts) in blocks of --values. With --order=original
 * all ranks walk their destinations as 0, 1, 2, ... and so queue at the same receiver.
 *
 * Every edge is a hash of (seed, kind, node, edge), so any rank can draw any part of the
 * graph, and the same graph gives the same numbers on any number of ranks (--parts).
 */
#include "em3d_options.h"

/*
 * The E or the H nodes of one rank: n own values, then the ghosts that its edges' other side reads.
 */
struct field {
	int kind;                  /* 0 for E, 1 for H */
	int first, n, ghosts;      /* own nodes are first .. first + n - 1 */
	double *value;             /* (n + ghosts) * width */
	int *edge;                 /* n * degree indexes into the other field's value */
	double *weight;            /* of each edge */
	int *ghost;                /* global node numbers, ascending, so grouped by owner */
	int *recv_count, *recv_at; /* ghosts by source rank */
	int *send_count, *send_at; /* own values wanted, by destination rank */
	int wanted, *send_index;   /* all of those, which they are */
	double *outbox;            /* packed in that order */
	MPI_Request *request;      /* room for one per value received or sent */
	MPI_Status *status;
};

/* Nodes are dealt to parts (and to ranks) in contiguous blocks. */
static int block_first(int nodes, int parts, int p)
{
	return (int)((int64_t)nodes * p / parts);
}

static int block_of(int nodes, int parts, int node)
{
	return (int)((((int64_t)node + 1) * parts - 1) / nodes);
}

/* The global number of the neighbour at the end of an edge, and the weight of the edge. */
static int draw_edge(const struct job *job, int kind, int node, int edge, double *weight)
{
	uint64_t s = example_mix(
		example_mix(example_mix((uint64_t)job->seed * 2 + kind) ^ (uint64_t)node) ^
		(uint64_t)edge);
	int part = block_of(job->nodes, job->parts, node), span = job->span;
	int first, distance;

	if (span > job->parts - 1)
		span = job->parts - 1;
	if (span > 0 && example_draw(&s, 100) < job->nonlocal) {
		distance = 1 + example_draw(&s, span);
		part += example_draw(&s, 2) ? distance : job->parts - distance;
		part %= job->parts;
	}
	*weight = (example_draw(&s, 1000) + 1) / (2000.0 * job->degree);
	first = block_first(job->nodes, job->parts, part);
	return first + example_draw(&s, block_first(job->nodes, job->parts, part + 1) - first);
}

static int compare_ints(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static int ghost_find(const struct field *f, int node)
{
	int *at = bsearch(&node, f->ghost, f->ghosts, sizeof(int), compare_ints);

	return (int)(at - f->ghost);
}

/* Draw f's edges; leave in other->ghost the nodes that it needs from elsewhere. */
static void field_draw(struct field *f, struct field *other, const struct job *job)
{
	size_t edges = (size_t)f->n * job->degree, i, unique = 0, n = 0;

	f->edge = example_alloc(edges, sizeof(*f->edge));
	f->weight = example_alloc(edges, sizeof(*f->weight));
	other->ghost = example_alloc(edges, sizeof(*other->ghost));
	for (i = 0; i < edges; i++) {
		f->edge[i] = draw_edge(job, f->kind, f->first + (int)(i / job->degree),
				       (int)(i % job->degree), &f->weight[i]);
		if (f->edge[i] < other->first || f->edge[i] >= other->first + other->n)
			other->ghost[n++] = f->edge[i];
	}
	qsort(other->ghost, n, sizeof(*other->ghost), compare_ints);
	for (i = 0; i < n; i++)
		if (!unique || other->ghost[unique - 1] != other->ghost[i])
			other->ghost[unique++] = other->ghost[i];
	other->ghosts = (int)unique;
	for (i = 0; i < edges; i++) { /* global number -> index into other->value */
		if (f->edge[i] >= other->first && f->edge[i] < other->first + other->n)
			f->edge[i] -= other->first;
		else
			f->edge[i] = other->n + ghost_find(other, f->edge[i]);
	}
}

/* Tell the owners of f's ghosts what to send; allocate and preset the values. */
static void field_connect(struct field *f, const struct job *job)
{
	f->recv_count = example_alloc((size_t)job->ranks * 4, sizeof(int)); /* holds all four */
	f->recv_at = f->recv_count + job->ranks;
	f->send_count = f->recv_at + job->ranks;
	f->send_at = f->send_count + job->ranks;
	for (int i = 0; i < f->ghosts; i++)
		f->recv_count[block_of(job->nodes, job->ranks, f->ghost[i])]++;
	MPI_Alltoall(f->recv_count, 1, MPI_INT, f->send_count, 1, MPI_INT, MPI_COMM_WORLD);
	for (int r = 0; r < job->ranks; r++) {
		f->recv_at[r] = r ? f->recv_at[r - 1] + f->recv_count[r - 1] : 0;
		f->send_at[r] = f->wanted;
		f->wanted += f->send_count[r];
	}
	f->request = example_alloc((size_t)f->ghosts + f->wanted, sizeof(*f->request));
	f->status = example_alloc((size_t)f->ghosts + f->wanted, sizeof(*f->status));
	f->send_index = example_alloc(f->wanted, sizeof(int));
	f->outbox = example_alloc((size_t)f->wanted * job->width, sizeof(double));
	MPI_Alltoallv(f->ghost, f->recv_count, f->recv_at, MPI_INT, f->send_index, f->send_count,
		      f->send_at, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < f->wanted; i++)
		f->send_index[i] -= f->first;
}

static void field_preset(struct field *f, const struct job *job)
{
	f->value = example_alloc((size_t)(f->n + f->ghosts) * job->width, sizeof(double));
	for (int i = 0; i < f->n; i++)
		for (int w = 0; w < job->width; w++)
			f->value[(size_t)i * job->width + w] =
				example_wave(0.01 * (f->first + i) + f->kind + w);
}

static void fields_init(struct field field[2], const struct job *job)
{
	int first = block_first(job->nodes, job->ranks, job->rank);
	int n = block_first(job->nodes, job->ranks, job->rank + 1) - first;

	field[0] = (struct field){.kind = 0, .first = first, .n = n};
	field[1] = (struct field){.kind = 1, .first = first, .n = n};
	field_draw(&field[0], &field[1], job);
	field_draw(&field[1], &field[0], job);
	for (int kind = 0; kind < 2; kind++) {
		field_connect(&field[kind], job);
		field_preset(&field[kind], job);
	}
}

static void field_release(struct field *f)
{
	free(f->value);
	free(f->edge);
	free(f->weight);
	free(f->ghost);
	free(f->recv_count);
	free(f->send_index);
	free(f->outbox);
	free(f->request);
	free(f->status);
}

/* The order in which this rank walks the others; it has ranks entries, its own among them. */
static void walk_plan(int *walk, const struct job *job, int round)
{
	uint64_t s = example_mix(example_mix(example_mix((uint64_t)job->seed) ^ (uint64_t)round) ^
				 (uint64_t)job->rank);
	int first = job->order == ORDER_STAGGERED ? job->rank + 1 : 0;

	for (int i = 0; i < job->ranks; i++)
		walk[i] = (first + i) % job->ranks;
	for (int i = job->ranks - 1; job->order == ORDER_RANDOM && i > 0; i--) {
		int j = example_draw(&s, i + 1), kept = walk[i];

		walk[i] = walk[j];
		walk[j] = kept;
	}
}

/* Send asynchronously; of --window sends on the way the oldest, *oldest, has to be done first. */
static void send_later(const double *out, int count, int to, MPI_Request *request, int *oldest,
		       int n, int window)
{
	if (window && n - *oldest >= window)
		MPI_Wait(&request[(*oldest)++], MPI_STATUS_IGNORE);
	MPI_Isend(out, count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &request[n]);
}

/*
 * Fill f's ghosts. Messages between two ranks are told apart by their order alone. Not inlined,
 * so that profiles show its name.
 */
__attribute__((noinline)) static void exchange(struct field *f, const struct job *job,
					       const int *walk)
{
	size_t bytes = job->width * sizeof(double);
	int n = 0, oldest;

	for (int i = 0; i < f->wanted; i++)
		memcpy(f->outbox + (size_t)i * job->width,
		       f->value + (size_t)f->send_index[i] * job->width, bytes);
	for (int r = 0; r < job->ranks; r++) {
		double *in = f->value + (size_t)(f->n + f->recv_at[r]) * job->width;

		for (int left = f->recv_count[r]; left > 0; left -= job->values) {
			int count = (left < job->values ? left : job->values) * job->width;

			MPI_Irecv(in, count, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, &f->request[n++]);
			in += count;
		}
	}
	oldest = n;
	for (int i = 0; i < job->ranks; i++) {
		int to = walk[i];
		double *out = f->outbox + (size_t)f->send_at[to] * job->width;

		for (int left = f->send_count[to]; left > 0; left -= job->values) {
			int count = (left < job->values ? left : job->values) * job->width;

			if (job->send == SEND_SSEND)
				MPI_Ssend(out, count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
			else if (job->send == SEND_SEND)
				MPI_Send(out, count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
			else
				send_later(out, count, to, f->request, &oldest, n++, job->window);
			out += count;
		}
	}
	MPI_Waitall(n, f->request, f->status);
}

/* E -= w H and H += w E over all edges: leapfrog. */
static void update(struct field *f, const struct field *other, const struct job *job)
{
	double sign = f->kind ? 1 : -1;

	for (int i = 0; i < f->n; i++) {
		double *to = f->value + (size_t)i * job->width;

		for (size_t e = (size_t)i * job->degree; e < (size_t)(i + 1) * job->degree; e++) {
			const double *from = other->value + (size_t)f->edge[e] * job->width;

			for (int w = 0; w < job->width; w++) {
				double x = sign * f->weight[e] * from[w];

				for (int c = 1; c < job->compute; c++)
					x = x * 0.999 + 1e-9;
				to[w] += x;
			}
		}
	}
}

/* All iterations. time_s[0]: the whole; time_s[1]: what this rank spent in exchange(). */
static void run(struct field field[2], const struct job *job, double time_s[2])
{
	int *walk = example_alloc(job->ranks, sizeof(*walk));
	double start_s, before_s;

	time_s[1] = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	start_s = MPI_Wtime();
	for (int half = 0; half < 2 * job->iterations; half++) {
		struct field *f = &field[half % 2], *other = &field[!(half % 2)];

		walk_plan(walk, job, half);
		if (job->barrier)
			MPI_Barrier(MPI_COMM_WORLD);
		before_s = MPI_Wtime();
		exchange(other, job, walk);
		time_s[1] += MPI_Wtime() - before_s;
		update(f, other, job);
		if (job->edge_ns)
			example_spend(1e-9 * job->edge_ns * f->n * job->degree);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	time_s[0] = MPI_Wtime() - start_s;
	free(walk);
}

static double node_digest(const struct field *f, int node, int width)
{
	double sum = 0;

	for (int w = 0; w < width; w++)
		sum += f->value[(size_t)node * width + w] * (w + 1);
	return sum;
}

/*
 * Rank 0 computes everything by itself and broadcasts one number for each node, and every rank
 * compares its own. Returns how many are wrong, on all ranks; *sum is over all numbers.
 */
static int verify(const struct field field[2], const struct job *job, double *sum)
{
	struct field whole[2] = {{.n = job->nodes}, {.kind = 1, .n = job->nodes}};
	double *digest = example_alloc(job->nodes, sizeof(*digest));
	int wrong = 0;

	for (int kind = 0; job->rank == 0 && kind < 2; kind++) {
		field_draw(&whole[kind], &whole[!kind], job);
		field_preset(&whole[kind], job);
	}
	for (int half = 0; job->rank == 0 && half < 2 * job->iterations; half++)
		update(&whole[half % 2], &whole[!(half % 2)], job);
	for (int kind = 0; kind < 2; kind++) {
		for (int i = 0; job->rank == 0 && i < job->nodes; i++)
			*sum += digest[i] = node_digest(&whole[kind], i, job->width);
		MPI_Bcast(digest, job->nodes, MPI_DOUBLE, 0, MPI_COMM_WORLD);
		for (int i = 0; i < field[kind].n; i++) {
			double ought = digest[field[kind].first + i];
			double off = fabs(node_digest(&field[kind], i, job->width) - ought);

			wrong += !(off <= 1e-12 * (1 + fabs(ought))); /* a NaN is wrong */
		}
		field_release(&whole[kind]);
	}
	free(digest);
	MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return wrong;
}

/* The line of rank 0. Returns the exit status. */
static int conclude(const struct field field[2], const struct job *job, const double time_s[2])
{
	double exchange_s = 0, sum = 0;
	int wrong = job->no_verify ? 0 : verify(field, job, &sum);

	MPI_Reduce(&time_s[1], &exchange_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (job->rank == 0)
		printf("em3d: order %s %d ranks, %s of up to %zu bytes, exchange %.0f %%, "
		       "time %.6f s sum %.12g %s\n",
		       order_names[job->order], job->ranks, send_names[job->send],
		       (size_t)job->values * job->width * sizeof(double),
		       100 * exchange_s / job->ranks / time_s[0], time_s[0], sum,
		       job->no_verify ? "not verified"
		       : wrong        ? "WRONG"
				      : "verified");
	return wrong > 0;
}

/* Fill in what an option left open. Returns 0, or -1 after rank 0 said what does not fit. */
static int job_check(struct job *job)
{
	job->parts = job->parts ? job->parts : job->ranks;
	job->values = job->values ? job->values : job->nodes;
	if (job->parts <= job->nodes && job->nodes <= INT_MAX / job->width)
		return 0;
	if (job->rank == 0)
		fprintf(stderr, "em3d: too few --nodes for the parts, or too many for the width\n");
	return -1;
}

int main(int argc, char **argv)
{
	struct field field[2];
	struct job job = {0};
	double time_s[2];
	int go, ret;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	go = example_parse("em3d", "Waves on an irregular bipartite graph.", options, &job, argc,
			   argv);
	if (go > 0 && job_check(&job))
		go = -1;
	ret = go < 0 ? 2 : 0;
	if (go > 0) {
		fields_init(field, &job);
		run(field, &job, time_s);
		ret = conclude(field, &job, time_s);
		field_release(&field[0]);
		field_release(&field[1]);
	}
	MPI_Finalize();
	return ret;
}
