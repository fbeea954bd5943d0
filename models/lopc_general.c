/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solution. The unknowns are each node's mean queues Q_q, Q_y and utilisations U_q, U_y. A
 * round goes from them to response times (25)-(28), to rates (19)(20), to new queues and
 * utilisations (21)-(24). Started like that nothing can leave its range: a thread has one
 * message in flight for each visit, so Q_q <= sum of V's column and Q_y <= 1 whatever the
 * queues before were, and no denominator comes near 0. The map is continuous on a bounded
 * box, so it has a fixed point (Brouwer).
 * Plain rounds approach it, but slowly where servers are about to saturate, so two rounds
 * are extrapolated (SQUAREM, Varadhan and Roland 2008) on the logarithms of the queues,
 * which keeps them positive and is indifferent to units and to decades between nodes. An
 * extrapolation that triples the error is dropped; rounds that raise it are damped, but
 * never to less than a quarter: with less, extrapolations cannot leave the place. Every queue
 * must agree with its round to 1e-13 (1e-10 where rounding allows no more), else it is an error.
 * With S_o, W and V random over 12 decades 250 nodes take some 150 to 300 rounds.
 */
#include "models/lopc_general.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/domain.h"

#define ROUNDS_MAX   20000
#define AGREES       1e-13 /* of the queues' logarithms */
#define AGREES_STILL 1e-10 /* where rounding allows no more */

enum { QQ, QY, UQ, UY, KINDS }; /* the state: KINDS x nodes numbers */

struct solver {
	const struct lopc_general *m;
	double *memory;
	double *X;                   /* rate of each node's thread, (19) */
	double *A;                   /* rate of requests at each node, (20) summed over i */
	double *R_w, *R_q, *R_y, *R; /* (25) to (28) */
	double *state[3], *log[3], *residual[2], *next;
	size_t rounds;
};

static const char *check_row(const struct lopc_general *m, size_t i, size_t from, size_t to)
{
	const struct lopc_visits *v = &m->V;

	for (size_t at = from; at < to; at++) {
		if (!isfinite(v->value[at]) || v->value[at] < 0)
			return "a V that is negative or not finite";
		if (v->start && v->column[at] >= m->nodes)
			return "a V for a node that is not there";
	}
	if (!isfinite(m->S_o[i]) || m->S_o[i] < 0)
		return "an S_o that is negative or not finite";
	return isnan(m->W[i]) || m->W[i] < 0 ? "a W that is negative or not a number" : NULL;
}

static void row_bounds(const struct lopc_general *m, size_t i, size_t *from, size_t *to)
{
	*from = m->V.start ? m->V.start[i] : i * m->nodes;
	*to = m->V.start ? m->V.start[i + 1] : (i + 1) * m->nodes;
}

static int check(const struct lopc_general *m, struct err *err)
{
	if (m->nodes < 2)
		return err_set(err, "P is %zu, must be at least 2", m->nodes);
	if (domain_not_negative("S_l", m->S_l, err) || domain_not_negative("C2", m->C2, err))
		return -1;
	for (size_t i = 0; i < m->nodes; i++) {
		const char *wrong;
		size_t from, to;

		row_bounds(m, i, &from, &to);
		if (from > to)
			return err_set(err, "node %zu: the rows of V are not in order", i);
		wrong = check_row(m, i, from, to);
		if (wrong)
			return err_set(err, "node %zu has %s", i, wrong);
	}
	return 0;
}

/* A_k = sum_i V_ik X_i. */
static void request_rates(const struct lopc_general *m, const double *X, double *A)
{
	memset(A, 0, m->nodes * sizeof(*A));
	for (size_t i = 0; i < m->nodes; i++) {
		const double *v = m->V.value;
		size_t from, to;

		if (X[i] == 0)
			continue;
		row_bounds(m, i, &from, &to);
		if (m->V.start)
			for (size_t at = from; at < to; at++)
				A[m->V.column[at]] += v[at] * X[i];
		else
			for (size_t k = 0; k < m->nodes; k++)
				A[k] += v[from + k] * X[i];
	}
}

/* sum_k V_ik (S_l + R_qk). */
static double request_time(const struct lopc_general *m, size_t i, const double *R_q)
{
	size_t from, to;
	double sum = 0;

	row_bounds(m, i, &from, &to);
	if (m->V.start)
		for (size_t at = from; at < to; at++)
			sum += m->V.value[at] * (m->S_l + R_q[m->V.column[at]]);
	else
		for (size_t k = 0; k < m->nodes; k++)
			sum += m->V.value[from + k] * (m->S_l + R_q[k]);
	return sum;
}

/* (25) to (27) with the C2 terms of (5') and (6'). */
static void response_times(struct solver *s, const double *x)
{
	size_t n = s->m->nodes;
	double c = (s->m->C2 - 1) / 2;

	for (size_t k = 0; k < n; k++) {
		double S = s->m->S_o[k], Qq = x[QQ * n + k], Qy = x[QY * n + k];
		double Uq = x[UQ * n + k], Uy = x[UY * n + k];

		s->R_q[k] = S * (1 + Qq + Qy + c * (Uq + Uy));
		s->R_y[k] = S * (1 + Qq + c * Uq);
		s->R_w[k] = s->m->W[k];
		if (s->m->handlers == LOPC_INTERRUPT_WORK && isfinite(s->m->W[k]))
			s->R_w[k] = (s->m->W[k] + S * Qq) / (1 - Uq);
	}
}

/* One round from the state x to the state to. */
static void one_round(struct solver *s, const double *x, double *to)
{
	const struct lopc_general *m = s->m;
	size_t n = m->nodes;

	s->rounds++;
	response_times(s, x);
	for (size_t i = 0; i < n; i++) {
		s->R[i] = s->R_w[i] + m->S_l + s->R_y[i] + request_time(m, i, s->R_q);
		s->X[i] = 1 / s->R[i];
	}
	request_rates(m, s->X, s->A);
	for (size_t k = 0; k < n; k++) {
		double Qq = s->R_q[k] * s->A[k];

		to[QQ * n + k] = Qq;
		to[QY * n + k] = s->X[k] * s->R_y[k];
		/* No solution is above these (R_q >= S_o (1/4 + Q_q)), but a round may be. */
		to[UQ * n + k] = fmin(m->S_o[k] * s->A[k], Qq / (Qq + 0.25));
		to[UY * n + k] = fmin(m->S_o[k] * s->X[k], 1);
	}
}

/* Zeros stay: nothing ever asks there. */
static double safe_log(double x)
{
	return x > 0 ? log(x) : -INFINITY;
}

/*
 * residual = logarithms of the round from state[at] - log[at]; next = that round.
 * Returns the largest residual.
 */
static double evaluate(struct solver *s, int at, double *residual, double *next)
{
	double worst = 0;

	one_round(s, s->state[at], next);
	for (size_t i = 0; i < KINDS * s->m->nodes; i++) {
		double before = s->log[at][i];

		residual[i] = isinf(before) ? 0 : safe_log(next[i]) - before;
		worst = fmax(worst, fabs(residual[i]));
	}
	return worst;
}

/* state[to] = state[from] moved by step x residual in logarithms, kept where a round can be. */
static void move(struct solver *s, int from, int to, double step, const double *residual)
{
	size_t n = s->m->nodes;
	double *x = s->state[to];

	for (size_t i = 0; i < KINDS * n; i++)
		x[i] = exp(s->log[from][i] + step * residual[i]);
	for (size_t k = 0; k < n; k++) {
		x[QY * n + k] = fmin(x[QY * n + k], 1);
		x[UY * n + k] = fmin(x[UY * n + k], 1);
		x[UQ * n + k] = fmin(x[UQ * n + k], x[QQ * n + k] / (x[QQ * n + k] + 0.25));
	}
	for (size_t i = 0; i < KINDS * n; i++)
		s->log[to][i] = safe_log(x[i]);
}

/* SQUAREM's step from two residuals a round apart; into first. */
static void extrapolation(size_t n, double damping, double *first, const double *second)
{
	double r2 = 0, v2 = 0, a;

	for (size_t i = 0; i < n; i++) {
		double v = second[i] - first[i];

		r2 += first[i] * first[i];
		v2 += v * v;
	}
	a = v2 > 0 ? fmin(fmax(sqrt(r2 / v2), 1), 1000) : 1;
	for (size_t i = 0; i < n; i++)
		first[i] = damping * (2 * a * first[i] + a * a * (second[i] - first[i]));
}

static void swap(struct solver *s, int a, int b)
{
	double *state = s->state[a], *log_of = s->log[a];

	s->state[a] = s->state[b];
	s->state[b] = state;
	s->log[a] = s->log[b];
	s->log[b] = log_of;
}

/* state[0] becomes the solution. Returns the error that is left. */
static double iterate(struct solver *s)
{
	double damping = 1, best = INFINITY, error = evaluate(s, 0, s->residual[0], s->next);
	int idle = 0;

	while (error > AGREES && s->rounds < ROUNDS_MAX && (idle < 30 || error > AGREES_STILL)) {
		double second, third;

		move(s, 0, 1, damping, s->residual[0]);
		second = evaluate(s, 1, s->residual[1], s->next);
		damping = second > error ? fmax(damping / 2, 0.25) : fmin(damping * 1.5, 1);
		extrapolation(KINDS * s->m->nodes, damping, s->residual[0], s->residual[1]);
		move(s, 0, 2, 1, s->residual[0]);
		third = evaluate(s, 2, s->residual[0], s->next);
		if (!(third < 3 * error)) {
			move(s, 1, 2, damping, s->residual[1]);
			third = evaluate(s, 2, s->residual[0], s->next);
		}
		swap(s, 0, 2);
		error = third;
		idle = error < best ? 0 : idle + 1;
		best = fmin(best, error);
	}
	return error;
}

static int alloc(struct solver *s, struct err *err)
{
	size_t n = s->m->nodes;
	double *at = s->memory = calloc(n, (6 + 9 * KINDS) * sizeof(double));
	double **const per_node[] = {&s->X, &s->A, &s->R_w, &s->R_q, &s->R_y, &s->R};

	if (!at)
		return err_set(err, "out of memory for %zu nodes", n);
	for (size_t i = 0; i < sizeof(per_node) / sizeof(per_node[0]); i++, at += n)
		*per_node[i] = at;
	for (int i = 0; i < 3; i++, at += 2 * KINDS * n) {
		s->state[i] = at;
		s->log[i] = at + KINDS * n;
	}
	s->residual[0] = at;
	s->residual[1] = at + KINDS * n;
	s->next = at + 2 * KINDS * n;
	return 0;
}

static void copy(double *to, const double *from, size_t n)
{
	if (to)
		memcpy(to, from, n * sizeof(*to));
}

/* The answers of the last round, from state[0]. */
static void answer(struct solver *s, struct lopc_general_result *out)
{
	size_t n = s->m->nodes;

	one_round(s, s->state[0], s->next);
	copy(out->R, s->R, n);
	copy(out->R_w, s->R_w, n);
	copy(out->R_q, s->R_q, n);
	copy(out->R_y, s->R_y, n);
	copy(out->U_q, s->next + UQ * n, n);
	copy(out->U_y, s->next + UY * n, n);
	copy(out->Q_q, s->next + QQ * n, n);
	copy(out->Q_y, s->next + QY * n, n);
	out->X = 0;
	for (size_t i = 0; i < n; i++)
		out->X += s->X[i];
	out->rounds = s->rounds;
}

/* The first round, without queues; refuses a cycle of no time. */
static int start(struct solver *s, struct err *err)
{
	one_round(s, s->next, s->state[0]);
	for (size_t i = 0; i < s->m->nodes; i++)
		if (!(s->R[i] > 0))
			return err_set(err, "node %zu: W, S_o and S_l are 0: a cycle takes no time",
				       i);
	for (size_t i = 0; i < KINDS * s->m->nodes; i++)
		s->log[0][i] = safe_log(s->state[0][i]);
	return 0;
}

int lopc_general_solve(const struct lopc_general *m, struct lopc_general_result *out,
		       struct err *err)
{
	struct solver s = {.m = m};
	double error;
	int ret = -1;

	if (check(m, err) || alloc(&s, err))
		return -1;
	if (start(&s, err))
		goto out;
	error = iterate(&s);
	if (!(error <= AGREES_STILL)) {
		err_set(err, "no solution after %zu rounds: queues still change by %.1e", s.rounds,
			error);
		goto out;
	}
	answer(&s, out);
	ret = 0;
out:
	free(s.memory);
	return ret;
}
