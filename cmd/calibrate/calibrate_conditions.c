/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/calibrate/calibrate_conditions.h"

#include "calibrate/derived.h"
#include "common/machine_schema.h"
#include "common/number.h"

double calibrate_core_share(const struct calibration *c)
{
	double least = 1;
	int i, way;

	for (i = 0; i < NEAR_COUNT; i++)
		for (way = 0; way < 2 && c->class[i].present; way++)
			if (c->class[i].way[way].core_share < least)
				least = c->class[i].way[way].core_share;
	return least;
}

static void say_busy(json_t *list, const struct calibration *c)
{
	const double least = calibrate_core_share(c);

	if (least < MACHINE_CORE_MEANS)
		json_array_append_new(
			list,
			json_sprintf("the machine was busy: who measured had a core for %.0f %% of "
				     "the time only, so what is written here are mostly waits for "
				     "a core, which mean nothing for messages: measure again when "
				     "it is idle, with no more ranks than cores",
				     least * 100));
	else if (least < MACHINE_CORE_ENOUGH)
		json_array_append_new(
			list,
			json_sprintf("the machine was busy: who measured had a core for %.0f %% of "
				     "the time only, so on an idle machine all may take as little "
				     "as that share of what is written here, or less",
				     least * 100));
}

static void say_disorder(json_t *list, const struct calibrated_direction *d)
{
	struct derived_disorder x = derived_disorder(d);

	if (x.larger)
		json_array_append_new(
			list,
			json_sprintf("rank %d to rank %d: %s take %s, but %s only %s: something "
				     "else held the smaller ones up",
				     d->from, d->to, number_bytes((double)x.bytes).text,
				     number_seconds(x.g_s).text,
				     number_bytes((double)x.larger).text,
				     number_seconds(x.larger_g_s).text));
}

/* Sizes that were measured in one of two states are not alike, nor is another launch. */
static void say_cores(json_t *list, const struct calibrated_direction *d)
{
	if (d->cores.n && d->core_share >= MACHINE_CORE_ENOUGH &&
	    d->cores.high > CACHELINE_APART * d->cores.low)
		json_array_append_new(
			list,
			json_sprintf("rank %d to rank %d: their cores came nearer or went further "
				     "apart meanwhile, a cache line took %s to %s there and back "
				     "(a virtual machine's host moves its processors): what is "
				     "written here may be of either, its intervals are of both",
				     d->from, d->to, number_seconds(d->cores.low).text,
				     number_seconds(d->cores.high).text));
}

/* Hosts that are none: the ranks of all of them may have to share the cores of one. */
static void say_one_machine(json_t *list, const struct calibration *c)
{
	if (c->machines > 0 && c->machines < c->hosts)
		json_array_append_new(
			list,
			json_sprintf(
				"the %d hosts are %d machine%s (containers, namespaces): what is "
				"between them is that machine's own work and no network card's, "
				"and their ranks have its cores in common",
				c->hosts, c->machines, c->machines == 1 ? "" : "s"));
}

/* Ranks share cores although no host seems to have more of them than cores. */
static void say_shared_cores(json_t *list, const struct calibration *c)
{
	if (!c->crowded && c->contention.ranks && c->contention.core_share < MACHINE_CORE_ENOUGH)
		json_array_append_new(
			list,
			json_sprintf(
				"when all ranks communicated one had a core for %.0f %% of the "
				"time only, though no host has more ranks than cores (hosts that "
				"are one machine, a CPU quota, other programs): rates, what one "
				"more message costs, delays and the signature may be waits for "
				"cores, not the network's",
				c->contention.core_share * 100));
}

json_t *calibrate_conditions_json(const struct calibration *c)
{
	json_t *list = json_array();
	int i, way;

	if (c->crowded)
		json_array_append_new(
			list,
			json_string("more ranks than cores on a host: overheads, the time that "
				    "messages wait for their receiver, the test for asynchronous "
				    "progress and what many ranks of that host do at once mean "
				    "little"));
	say_one_machine(list, c);
	say_shared_cores(list, c);
	say_busy(list, c);
	for (i = 0; i < NEAR_COUNT; i++)
		for (way = 0; way < 2 && c->class[i].present; way++) {
			say_disorder(list, &c->class[i].way[way]);
			say_cores(list, &c->class[i].way[way]);
		}
	return list;
}
