/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/evidence/queues.h"

#include <string.h>

#include "common/options.h"
#include "interpose/evidence/evidence.h"
#include "interpose/job/recorder.h"

/*
 * The variables of the MPIs that have them, and what one of their units is in ours. MPICH has a
 * timer twice under one name, as seconds and as how often it was started: those in seconds are
 * real numbers, all others whole. Nor do MPICH 4.0's seconds begin at 0.
 */
#define SECOND 1e9
static const struct {
	enum counter counter;
	const char *name;
	double unit;
} known[QUEUE_VARIABLES] = {
	{COUNTER_QUEUE_UNEXPECTED, "pml_ob1_unexpected_msgq_length", 1},
	{COUNTER_QUEUE_UNEXPECTED, "unexpected_recvq_length", 1},
	{COUNTER_QUEUE_POSTED, "pml_ob1_posted_recvq_length", 1},
	{COUNTER_QUEUE_POSTED, "posted_recvq_length", 1},
	{COUNTER_MATCH_TIME, "runtime_spc_OMPI_SPC_MATCH_TIME", SECOND / 1e6},
	{COUNTER_MATCH_TIME, "time_failed_matching_postedq", SECOND},
	{COUNTER_MATCH_TIME, "time_matching_unexpectedq", SECOND},
};
static const char countable[] = "runtime_spc_"; /* how Open MPI's own counters begin */

static const enum counter lengths[QUEUES] = {COUNTER_QUEUE_UNEXPECTED, COUNTER_QUEUE_POSTED};

struct variable {
	char name[128];
	int class, bind, readonly, continuous;
	MPI_Datatype type;
};

static int look_up(int index, struct variable *v)
{
	int name_length = sizeof(v->name), description_length = 0, verbosity, atomic;
	MPI_T_enum values;

	return real.T_pvar_get_info(index, v->name, &name_length, &verbosity, &v->class, &v->type,
				    &values, NULL, &description_length, &v->bind, &v->readonly,
				    &v->continuous, &atomic);
}

/* How the values of the k-th are to be read. Returns 0, or -1 when they are none of it. */
static int set_type(struct queue_variable *to, int k, MPI_Datatype type)
{
	if ((type == MPI_DOUBLE) != (known[k].unit == SECOND))
		return -1;
	if (type == MPI_UNSIGNED || type == MPI_INT)
		to->type = QUEUE_NARROW;
	else if (type == MPI_UNSIGNED_LONG || type == MPI_UNSIGNED_LONG_LONG)
		to->type = QUEUE_WIDE;
	else if (type == MPI_DOUBLE)
		to->type = QUEUE_REAL;
	else
		return -1;
	return 0;
}

static void open_variable(struct queues *q, int k, int index, const struct variable *v)
{
	struct queue_variable *to = &q->variable[k];
	MPI_Comm world = MPI_COMM_WORLD;
	void *object = v->bind == MPI_T_BIND_NO_OBJECT ? NULL : (void *)&world;

	if (v->bind != MPI_T_BIND_NO_OBJECT && v->bind != MPI_T_BIND_MPI_COMM)
		return;
	if (set_type(to, k, v->type) ||
	    real.T_pvar_handle_alloc(q->session, index, object, &to->handle, &to->count) ||
	    to->count <= 0)
		return;
	if (!v->continuous && real.T_pvar_start(q->session, to->handle))
		return;
	to->value = arena_alloc((size_t)to->count * sizeof(uint64_t));
	q->open |= to->value != NULL;
}

/* The sum of a variable's values, in our unit. Returns 0, or -1 when MPI refuses. */
static int read_variable(const struct queues *q, int k, double *sum)
{
	const struct queue_variable *from = &q->variable[k];
	const uint32_t *narrow = (const void *)from->value;
	const double *fraction = (const void *)from->value;
	int i;

	if (real.T_pvar_read(q->session, from->handle, from->value))
		return -1;
	for (*sum = 0, i = 0; i < from->count; i++)
		*sum += from->type == QUEUE_REAL   ? fraction[i]
			: from->type == QUEUE_WIDE ? (double)from->value[i]
						   : narrow[i];
	*sum *= known[k].unit;
	return 0;
}

void queues_start(void)
{
	struct queues *q = &recorder.queues;
	struct variable v;
	int level, n = 0, i, k;

	memset(q, 0, sizeof(*q));
	if (!option_is_on(OPTION_QUEUES) ||
	    real.T_init_thread(recorder.multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level))
		return;
	if (real.T_pvar_session_create(&q->session) || real.T_pvar_get_num(&n))
		return;
	recorder.header->queues = LOG_QUEUES_LOOKED;
	for (i = 0; i < n; i++) {
		if (look_up(i, &v))
			continue;
		if (!strncmp(v.name, countable, strlen(countable)))
			recorder.header->queues = LOG_QUEUES_COUNTABLE;
		for (k = 0; k < QUEUE_VARIABLES; k++)
			if (!q->variable[k].value && !strcmp(v.name, known[k].name))
				open_variable(q, k, i, &v);
	}
	for (k = 0; k < QUEUE_VARIABLES; k++)
		if (known[k].counter == COUNTER_MATCH_TIME && q->variable[k].value)
			read_variable(q, k, &q->variable[k].origin);
}

/* What all variables of a counter say together. Returns whether there is one. */
static int read_counter(const struct queues *q, enum counter counter, uint64_t *value)
{
	double sum = 0, one;
	int k, any = 0;

	for (k = 0; k < QUEUE_VARIABLES; k++) {
		if (known[k].counter != counter || !q->variable[k].value ||
		    read_variable(q, k, &one))
			continue;
		sum += one - q->variable[k].origin;
		any = 1;
	}
	*value = sum > 0 ? (uint64_t)(sum + 0.5) : 0;
	return any;
}

void queues_count(struct counters *c)
{
	uint64_t value;

	if (!recorder.queues.open || !read_counter(&recorder.queues, COUNTER_MATCH_TIME, &value) ||
	    !value)
		return;
	c->value[COUNTER_MATCH_TIME] = value;
	c->present |= 1u << COUNTER_MATCH_TIME;
}

void queues_look(struct lane *l, uint64_t now)
{
	struct queues *q = &recorder.queues;
	struct log_header *h = recorder.header;
	struct counters c = {.present = 0};
	uint64_t length;
	int k;

	if (l->thread || now < q->due)
		return;
	q->due = now + ticks_about_ms(1);
	for (k = 0; k < QUEUES; k++) {
		if (!read_counter(q, lengths[k], &length))
			continue;
		h->queue[k].looks++;
		h->queue[k].sum += length;
		if (length > h->queue[k].most)
			h->queue[k].most = length;
		if (recorder.evidence.series)
			evidence_record(l, lengths[k], length, now);
	}
	if (!recorder.evidence.series)
		return;
	queues_count(&c);
	if (c.present)
		evidence_record(l, COUNTER_MATCH_TIME, c.value[COUNTER_MATCH_TIME], now);
}
