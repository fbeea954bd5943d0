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
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum order { ORDER_ORIGINAL, ORDER_STAGGERED, ORDER_RANDOM };
enum send { SEND_SSEND, SEND_SEND, SEND_ISEND };

struct job {
	int nodes, degree, nonlocal, span, iterations, values, width, compute, parts, seed;
	int order, send, verify, help; /* an enum order, an enum send */
	int rank, ranks;
};

/* The E or the H nodes of one rank: n own values, then the ghosts that its edges' other side reads. */
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
};

static const char *const order_names[] = {"original", "staggered", "random", NULL};
static const char *const send_names[] = {"ssend", "send", "isend", NULL};

enum kind { NUMBER, NAME, FLAG };

static const struct row {
	const char *name;
	size_t at;
	enum kind kind;
	int least, most, preset;  /* a flag sets least */
	const char *const *names; /* a NAME is one of these */
	const char *help;
} rows[] = {
#define AT(field) offsetof(struct job, field)
	{"nodes", AT(nodes), NUMBER, 1, 10000000, 3200, NULL, "graph nodes of each kind, E and H"},
	{"degree", AT(degree), NUMBER, 1, 1000, 32, NULL, "neighbours of each node"},
	{"nonlocal", AT(nonlocal), NUMBER, 0, 100, 100, NULL, "per cent of edges to other ranks"},
	{"span", AT(span), NUMBER, 1, INT_MAX, 15, NULL, "those are at most so many ranks away"},
	{"iterations", AT(iterations), NUMBER, 1, INT_MAX / 2, 100, NULL, "updates of E and of H"},
	{"values", AT(values), NUMBER, 0, INT_MAX, 10, NULL, "values in a message; 0: no limit"},
	{"width", AT(width), NUMBER, 1, 100000, 1, NULL, "doubles in a value"},
	{"compute", AT(compute), NUMBER, 1, INT_MAX, 1, NULL, "work per edge, as a multiple"},
	{"parts", AT(parts), NUMBER, 0, 1000000, 0, NULL, "ranks the graph is drawn for; 0: all"},
	{"seed", AT(seed), NUMBER, 0, INT_MAX, 1, NULL, "of the graph and the random order"},
	{"order", AT(order), NAME, 0, 0, 0, order_names,
	 "of destinations: original (0, 1, 2, ...), staggered (next rank first) or random"},
	{"send", AT(send), NAME, 0, 0, 0, send_names, "ssend, send or isend"},
	{"verify", AT(verify), FLAG, 1, 1, 1, NULL, "compare with a serial run (the default)"},
	{"no-verify", AT(verify), FLAG, 0, 0, 1, NULL, "do not"},
	{"help", AT(help), FLAG, 1, 1, 0, NULL, "show this text"},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

struct blocks { /* in flight; room for one value in each */
	MPI_Request *request;
	MPI_Status *status;
};

static void *must_alloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p) {
		fprintf(stderr, "em3d: out of memory for %zu x %zu bytes\n", n, size);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return p;
}

static uint64_t mix(uint64_t x) /* splitmix64 */
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* A number in 0 .. n - 1 from the next state of *s. */
static int draw(uint64_t *s, int n)
{
	*s = mix(*s);
	return (int)((*s >> 32) * (uint64_t)n >> 32);
}

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
	uint64_t s =
		mix(mix(mix((uint64_t)job->seed * 2 + kind) ^ (uint64_t)node) ^ (uint64_t)edge);
	int part = block_of(job->nodes, job->parts, node), span = job->span;
	int first, distance;

	if (span > job->parts - 1)
		span = job->parts - 1;
	if (span > 0 && draw(&s, 100) < job->nonlocal) {
		distance = 1 + draw(&s, span);
		part += draw(&s, 2) ? distance : job->parts - distance;
		part %= job->parts;
	}
	*weight = (draw(&s, 1000) + 1) / (2000.0 * job->degree);
	first = block_first(job->nodes, job->parts, part);
	return first + draw(&s, block_first(job->nodes, job->parts, part + 1) - first);
}

static int compare_ints(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Draw f's edges; leave in other->ghost the nodes of the other kind that they need from elsewhere. */
static void field_draw(struct field *f, struct field *other, const struct job *job)
{
	size_t edges = (size_t)f->n * job->degree, i, unique = 0, n = 0;

	f->edge = must_alloc(edges, sizeof(*f->edge));
	f->weight = must_alloc(edges, sizeof(*f->weight));
	other->ghost = must_alloc(edges, sizeof(*other->ghost));
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
			f->edge[i] =
				other->n + (int)((int *)bsearch(&f->edge[i], other->ghost, unique,
								sizeof(int), compare_ints) -
						 other->ghost);
	}
}

/* Tell the owners of f's ghosts what to send; allocate and preset the values. */
static void field_connect(struct field *f, const struct job *job)
{
	f->recv_count = must_alloc((size_t)job->ranks * 4, sizeof(int)); /* holds all four */
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
	f->send_index = must_alloc(f->wanted, sizeof(int));
	f->outbox = must_alloc((size_t)f->wanted * job->width, sizeof(double));
	MPI_Alltoallv(f->ghost, f->recv_count, f->recv_at, MPI_INT, f->send_index, f->send_count,
		      f->send_at, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < f->wanted; i++)
		f->send_index[i] -= f->first;
}

static void field_preset(struct field *f, const struct job *job)
{
	f->value = must_alloc((size_t)(f->n + f->ghosts) * job->width, sizeof(double));
	for (int i = 0; i < f->n; i++)
		for (int w = 0; w < job->width; w++)
			f->value[(size_t)i * job->width + w] =
				cos(0.01 * (f->first + i) + f->kind + w);
}

static void fields_init(struct field field[2], const struct job *job)
{
	for (int kind = 0; kind < 2; kind++) {
		field[kind].first = block_first(job->nodes, job->ranks, job->rank);
		field[kind].n =
			block_first(job->nodes, job->ranks, job->rank + 1) - field[kind].first;
	}
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
}

/* The order in which this rank walks the others; it has ranks entries, its own among them. */
static void walk_plan(int *walk, const struct job *job, int round)
{
	uint64_t s = mix(mix(mix((uint64_t)job->seed) ^ (uint64_t)round) ^ (uint64_t)job->rank);
	int first = job->order == ORDER_STAGGERED ? job->rank + 1 : 0;

	for (int i = 0; i < job->ranks; i++)
		walk[i] = (first + i) % job->ranks;
	for (int i = job->ranks - 1; job->order == ORDER_RANDOM && i > 0; i--) {
		int j = draw(&s, i + 1), kept = walk[i];

		walk[i] = walk[j];
		walk[j] = kept;
	}
}

/*
 * Fill f's ghosts. Messages between two ranks are told apart by their order alone. Not inlined,
 * so that profiles show its name.
 */
static __attribute__((noinline)) void exchange(struct field *f, const struct job *job,
					       const int *walk, struct blocks *blocks)
{
	size_t bytes = job->width * sizeof(double);
	int n = 0;

	for (int i = 0; i < f->wanted; i++)
		memcpy(f->outbox + (size_t)i * job->width,
		       f->value + (size_t)f->send_index[i] * job->width, bytes);
	for (int r = 0; r < job->ranks; r++) {
		double *in = f->value + (size_t)(f->n + f->recv_at[r]) * job->width;

		for (int left = f->recv_count[r]; left > 0; left -= job->values) {
			int count = (left < job->values ? left : job->values) * job->width;

			MPI_Irecv(in, count, MPI_DOUBLE, r, 0, MPI_COMM_WORLD,
				  &blocks->request[n++]);
			in += count;
		}
	}
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
				MPI_Isend(out, count, MPI_DOUBLE, to, 0, MPI_COMM_WORLD,
					  &blocks->request[n++]);
			out += count;
		}
	}
	MPI_Waitall(n, blocks->request, blocks->status);
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
	size_t n = (size_t)field[0].ghosts + field[0].wanted + field[1].ghosts + field[1].wanted;
	struct blocks blocks = {must_alloc(n, sizeof(MPI_Request)),
				must_alloc(n, sizeof(MPI_Status))};
	int *walk = must_alloc(job->ranks, sizeof(*walk));
	double start_s, before_s;

	time_s[1] = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	start_s = MPI_Wtime();
	for (int half = 0; half < 2 * job->iterations; half++) {
		struct field *f = &field[half % 2], *other = &field[!(half % 2)];

		walk_plan(walk, job, half);
		before_s = MPI_Wtime();
		exchange(other, job, walk, &blocks);
		time_s[1] += MPI_Wtime() - before_s;
		update(f, other, job);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	time_s[0] = MPI_Wtime() - start_s;
	free(walk);
	free(blocks.status);
	free(blocks.request);
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
	double *digest = must_alloc(job->nodes, sizeof(*digest));
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

			wrong += !(off <= 1e-12 * fmax(1, fabs(ought))); /* a NaN is wrong */
		}
		field_release(&whole[kind]);
	}
	free(digest);
	MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return wrong;
}

static void help(void)
{
	puts("usage: em3d [OPTION...]\n"
	     "Waves on an irregular bipartite graph, whose ghost values go over MPI.");
	for (int i = 0; i < ROWS; i++) {
		printf("  --%-12s %s", rows[i].name, rows[i].help);
		printf(rows[i].kind == NUMBER ? " (%d)\n" : "\n", rows[i].preset);
	}
}

/* Returns 0, or -1 when arg is no value of the option. */
static int option_set(struct job *job, const struct row *row, const char *arg)
{
	long n = row->least;
	char *end;

	if (row->kind == NUMBER) {
		n = strtol(arg, &end, 10);
		if (end == arg || *end || n < row->least || n > row->most)
			return -1;
	} else if (row->kind == NAME) {
		for (n = 0; row->names[n] && strcmp(row->names[n], arg);)
			n++;
		if (!row->names[n])
			return -1;
	}
	*(int *)((char *)job + row->at) = (int)n;
	return 0;
}

/* Fill *job from the command line. Returns 0, or -1 after rank 0 said what is wrong. */
static int job_parse(struct job *job, int argc, char **argv)
{
	struct option table[ROWS + 1] = {{0}};
	int i, bad = 0;

	opterr = job->rank == 0;
	for (i = 0; i < ROWS; i++) {
		table[i] = (struct option){rows[i].name, rows[i].kind != FLAG, NULL, i};
		*(int *)((char *)job + rows[i].at) = rows[i].preset;
	}
	while (!bad && (i = getopt_long(argc, argv, "", table, NULL)) != -1)
		bad = i == '?' || option_set(job, &rows[i], optarg);
	job->parts = job->parts ? job->parts : job->ranks;
	job->values = job->values ? job->values : job->nodes;
	bad = bad || optind < argc || job->parts > job->nodes || job->nodes > INT_MAX / job->width;
	if (bad && job->rank == 0)
		fprintf(stderr, "em3d: bad option or value; see em3d --help\n");
	return bad ? -1 : 0;
}

/* The line of rank 0. Returns the exit status. */
static int conclude(const struct field field[2], const struct job *job, const double time_s[2])
{
	double exchange_s = 0, sum = 0;
	int wrong = job->verify ? verify(field, job, &sum) : 0;

	MPI_Reduce(&time_s[1], &exchange_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (job->rank)
		return wrong > 0;
	printf("em3d: order %s %d ranks, %s of up to %zu bytes, exchange %.0f %%, time %.3f s ",
	       order_names[job->order], job->ranks, send_names[job->send],
	       (size_t)job->values * job->width * sizeof(double),
	       100 * exchange_s / job->ranks / time_s[0], time_s[0]);
	if (job->verify)
		printf("sum %.12g %s\n", sum, wrong ? "WRONG" : "verified");
	else
		puts("not verified");
	return wrong > 0;
}

int main(int argc, char **argv)
{
	struct field field[2] = {{.kind = 0}, {.kind = 1}};
	struct job job = {0};
	double time_s[2];
	int ret = 2;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	if (job_parse(&job, argc, argv))
		goto out;
	ret = 0;
	if (job.help) {
		if (job.rank == 0)
			help();
		goto out;
	}
	fields_init(field, &job);
	run(field, &job, time_s);
	ret = conclude(field, &job, time_s);
	field_release(&field[0]);
	field_release(&field[1]);
out:
	MPI_Finalize();
	return ret;
}
