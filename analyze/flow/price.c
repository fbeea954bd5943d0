/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/price.h"

#include "analyze/machine/machine_ranges.h"
#include "analyze/tools/instants.h"

#include <math.h>

/* What an interval leaves at least, also one that reaches 0: nothing takes no time. */
#define LEAST_SHARE 0.1

/* A message of so many bytes takes hardly longer than an empty one. */
#define SMALL_BYTES 1024

#define LONGEST_S 1e6 /* a damaged archive's messages are of any size */

static int64_t ns(double s)
{
	return llround(fmin(s, LONGEST_S) * 1e9);
}

/* What a value in such a range is in the scenario. */
static double within(struct machine_range r, double value, enum scenario scenario)
{
	if (scenario == SCENARIO_LOW)
		return fmax(LEAST_SHARE * value, r.least);
	return scenario == SCENARIO_HIGH ? r.most : value;
}

/* Overheads and L + g are measured apart; the wire, between them, is least where those are most. */
static enum scenario opposite(enum scenario s)
{
	return s == SCENARIO_LOW ? SCENARIO_HIGH : s == SCENARIO_HIGH ? SCENARIO_LOW : s;
}

/*
 * What handling a message of so many bytes may take where no receive shows it: what the slowest
 * processor and memory take, or what a message too small for its bytes to matter takes as a whole,
 * as a program's own handler may be part of that.
 */
static double most_handling_s(const struct machine_class *c, double bytes)
{
	const struct plogp_point *least = &c->points[0];
	double most_s = machine_slowest_handling_s(bytes);

	if (least->bytes <= SMALL_BYTES)
		most_s = fmax(most_s, machine_latency_s(c, (uint64_t)least->bytes) + least->g_s);
	return most_s;
}

/*
 * What posting one may take where no send shows it, ns: what the slowest processor and memory take,
 * of L. Before a handshake the data stay where they are.
 */
static int64_t most_posting_ns(const struct machine_class *c, const struct price *p, uint64_t bytes)
{
	double copied = bytes > c->eager_bytes ? 0 : (double)bytes;

	return later(0, earlier(p->L_ns - p->o_r_ns, ns(machine_slowest_handling_s(copied))));
}

struct price price_at(const struct machine_class *c, enum scenario scenario, uint64_t bytes)
{
	struct plogp_point x;
	struct price p = {0};
	const struct machine_ranges ranges = machine_ranges_at(c, bytes);
	const enum scenario overheads = c->ends ? opposite(scenario) : scenario;
	double factor = within(ranges.time, 1, scenario), L = machine_latency_s(c, bytes);
	double more_s, sum_s;

	if (c->n == 0)
		return p;
	x = plogp_at((struct plogp){c->L_s, c->n, c->points}, bytes);
	more_s = machine_more_s(c, bytes);
	if (more_s > 0)
		more_s += (L + x.g_s + more_s) * c->uncertainty;
	sum_s = L + x.g_s;
	if (scenario == SCENARIO_LOW || scenario == SCENARIO_PROGRESS) {
		x.g_s = c->joint & MACHINE_JOINT_L_G ? 0 : x.g_s;
		if (c->joint & MACHINE_JOINT_L_G || more_s > 0)
			L = (sum_s + more_s) / factor - x.g_s;
	}
	if (scenario == SCENARIO_CROWDS && c->late_handling)
		x.o_r_s = within(ranges.o_r_s, x.o_r_s, SCENARIO_LOW);
	if (scenario == SCENARIO_HANDLERS && c->joint & (MACHINE_JOINT_O_R | MACHINE_JOINT_L_G)) {
		double all = L + x.g_s;

		if (c->joint & MACHINE_JOINT_O_R)
			x.o_r_s = fmax(0, fmin(all + more_s - x.o_s_s, most_handling_s(c, bytes)));
		if (c->joint & MACHINE_JOINT_L_G || x.o_r_s >= x.g_s) /* its pace, not a port's */
			x.g_s = 0;
		x.g_s = fmax(0, fmin(x.g_s, all - x.o_s_s - x.o_r_s));
		L = all - x.g_s;
	} else if (scenario == SCENARIO_CROWDS && (c->crowding > 0 || c->without_core || c->slow)) {
		L = x.o_s_s + x.o_r_s;
		x.g_s = 0;
	} else if (scenario == SCENARIO_CROWDS) {
		double o = x.o_s_s + x.o_r_s;

		L = o + fmax(0, L - o) / (1 + c->company) / (1 + c->vague);
		x.g_s /= (1 + c->company) * (1 + c->vague);
	}
	p.o_s_ns = ns(within(ranges.o_s_s, x.o_s_s, overheads));
	p.o_r_ns = ns(within(ranges.o_r_s, x.o_r_s, overheads));
	p.g_ns = ns(x.g_s * within(ranges.g, 1, scenario));
	p.L_ns = ns(L * within(ranges.L, 1, scenario));
	if (scenario == SCENARIO_LOW && c->joint & MACHINE_JOINT_O_S)
		p.o_s_ns = most_posting_ns(c, &p, bytes);
	p.empty_ns = ns(c->L_s * factor);
	p.handshake_ns = c->has_handshake ? ns(c->handshake_s * factor) : ns(L * factor);
	if (scenario == SCENARIO_CROWDS)
		p.handshake_ns = later(p.handshake_ns, ns(c->way_back_s));
	p.wire_ns = later(0, p.L_ns + p.g_ns - p.o_s_ns - p.o_r_ns);
	p.slack_ns = ns((L + x.g_s) * (ranges.time.most - 1));
	if (scenario == SCENARIO_MID || scenario >= SCENARIO_EAGER)
		p.doubt_ns = ns(more_s);
	p.known = 1;
	p.joint = !!(c->joint & MACHINE_JOINT_L_G);
	return p;
}
