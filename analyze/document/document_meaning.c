/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the largest part of the communication is, in words. */
#include "analyze/document/document_parts.h"

#include <string.h>

/* What to say when a part is the largest of the communication; ends the sentence. */
static const char *const meaning[COST_COUNT] = {
	[COST_send_overhead] = "the calls themselves: fewer and larger messages would help",
	[COST_receive_overhead] = "the calls themselves: fewer and larger messages would help",
	[COST_wire] = "the wire itself: less data, or computing meanwhile, would help",
	[COST_sender_port] = "messages queueing behind the same rank's own earlier ones",
	[COST_receiver_port] = "messages of several senders arriving at one receiver at once",
	[COST_network_contention] = "messages in each other's way in the network",
	[COST_handler_contention] = "messages queueing for receivers that are busy with others",
	[COST_back_pressure] = "sends held up because the receiver's buffers were full",
	[COST_inattention] = "messages that arrived while the partner computed outside MPI",
	[COST_uncollected] =
		"messages that had arrived while the receiver was in MPI for something else",
	[COST_late_partner] = "waiting for partners that came late: balance the work first",
	[COST_lock_wait] = "waiting for locks of windows that other ranks held",
	[COST_collective_wait] = "waiting for ranks to enter collectives: balance the work first",
	[COST_collective_transfer] = "collectives at work after the ranks they need had entered",
	[COST_not_identifiable] = "time that the trace cannot explain",
};

/* The same where lateness says nothing about balance. */
static const char *const lateness[COST_COUNT] = {
	[COST_late_partner] = "waiting for partners that came late",
	[COST_collective_wait] = "waiting for ranks to enter collectives",
};

/* The same of overheads that are most likely none. */
static const char *const away =
	"calls that took longer than such calls do: their processes may have waited for a core";

/* And of sends. */
static const char *const held_by_cores =
	"sends held up while their receiver was in MPI: its buffers were full, or it had no core";

/* And of those that are polls, which are no message. */
static const char *const polling = "MPI_Test, MPI_Iprobe and the like that found nothing yet";

/* And inattention of non-blocking collectives, alone or beside that to messages. */
static const char *const held = "non-blocking collectives that were held up while ranks that they "
				"need computed outside MPI";
static const char *const held_or_arrived =
	"messages that arrived, or non-blocking collectives that were held up, while ranks "
	"computed outside MPI";

/* Does some rank compute longer, and not just because it was without a core? */
static int is_out_of_balance(const struct analysis *a)
{
	int found = 0;

	if (trace_any_lacks_core(a->trace))
		return 0;
	for (uint32_t i = 0; i < a->hotspots->n; i++)
		found |= !strcmp(a->hotspots->h[i].kind, "imbalance") &&
			 a->hotspots->h[i].severity > SEVERITY_LOW;
	return found;
}

/* Was some message never seen alone? */
static int is_always_crowded(const struct machine *m)
{
	int always = 0;

	for (int k = 0; k < LOCALITY_COUNT; k++)
		always |= m->classes[k].crowding > 0 || m->classes[k].beyond > 0;
	return always;
}

/* Are most of the sends' overheads polls that found nothing? */
static int is_polling(const struct analysis *a)
{
	int64_t polls_ns = 0;

	for (uint32_t c = 0; c < a->trace->n_calls; c++)
		if (trace_is_poll(a->trace, c))
			polls_ns += slices_part(&a->attribution->call, c, COST_send_overhead);
	return polls_ns > a->attribution->budget.parts[COST_send_overhead].ns / 2;
}

/* Were some awaited until the job was ended? */
static int is_any_awaited(const struct trace *t)
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (t->ranks[r].awaits)
			return 1;
	return 0;
}

int64_t document_in_files_ns(const struct view *v, int part)
{
	const struct part *p = &v->parts[part], *files = &v->parts[COST_file_access];
	int64_t more_ns = p->high_ns - p->ns, doubt_ns = files->ns - files->low_ns;

	if (part != COST_collective_wait)
		return 0;
	return more_ns < doubt_ns ? more_ns : doubt_ns;
}

/* May much of what is not identifiable be another part than the wire and contention? */
static int is_otherwise(const struct view *v)
{
	const uint32_t on_the_way = COSTS_OF_CONTENTION | 1u << COST_wire | 1u << COST_sender_port |
				    1u << COST_not_identifiable;

	for (int c = 0; c < COST_COUNT; c++)
		if (!(on_the_way >> c & 1) &&
		    v->parts[c].high_ns - document_in_files_ns(v, c) - v->parts[c].ns >=
			    v->parts[COST_not_identifiable].ns / 2)
			return 1;
	return 0;
}

const char *document_meaning(const struct analysis *a, int part)
{
	const struct part *p = &a->attribution->budget.parts[part];

	if (part == COST_send_overhead && is_polling(a))
		return polling;
	if ((part == COST_send_overhead || part == COST_receive_overhead) &&
	    p->low_ns < p->ns / 2 && trace_any_lacks_core(a->trace))
		return away;
	if (part == COST_back_pressure && trace_any_lacks_core(a->trace))
		return held_by_cores;
	if (part == COST_inattention && a->collectives->n_starts)
		return a->messages->n || a->attribution->onesided.n ? held_or_arrived : held;
	if (part == COST_late_partner && is_any_awaited(a->trace))
		return "waiting for partners that came late, or never";
	if (part == COST_not_identifiable && is_always_crowded(a->machine) &&
	    !trace_any_lacks_core(a->trace) && !is_otherwise(&a->attribution->budget))
		return "the wire or contention that never lets up: a machine file (contend "
		       "calibrate) would tell";
	return lateness[part] && !is_out_of_balance(a) ? lateness[part] : meaning[part];
}
