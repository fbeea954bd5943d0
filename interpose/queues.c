/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/queues.h"

#include <string.h>

#include "common/options.h"
#include "interpose/evidence.h"
#include "interpose/recorder.h"

/* The variable's names in the MPIs that have it. */
static const struct {
	enum counter counter;
	const char *names[2];
} known[QUEUES] = {
	{COUNTER_QUEUE_UNEXPECTED, {"pml_ob1_unexpected_msgq_length", "unexpected_recvq_length"}},
	{COUNTER_QUEUE_POSTED, {"pml_ob1_posted_recvq_length", "posted_recvq_length"}},
};

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

static void open_queue(struct queues *q, struct queue *queue, int index, const struct variable *v)
{
	MPI_Comm world = MPI_COMM_WORLD;
	void *object = v->bind == MPI_T_BIND_NO_OBJECT ? NULL : (void *)&world;

	if (v->bind != MPI_T_BIND_NO_OBJECT && v->bind != MPI_T_BIND_MPI_COMM)
		return;
	queue->wide = v->type == MPI_UNSIGNED_LONG || v->type == MPI_UNSIGNED_LONG_LONG;
	if (!queue->wide && v->type != MPI_UNSIGNED && v->type != MPI_INT)
		return;
	if (real.T_pvar_handle_alloc(q->session, index, object, &queue->handle, &queue->count) ||
	    queue->count <= 0)
		return;
	if (!v->continuous && real.T_pvar_start(q->session, queue->handle))
		return;
	queue->value = arena_alloc((size_t)queue->count * sizeof(uint64_t));
	q->open |= queue->value != NULL;
}

void queues_start(void)
{
	struct queues *q = &recorder.queues;
	struct variable v;
	int level, n = 0, i, k, j;

	memset(q, 0, sizeof(*q));
	if (!option_is_on(OPTION_QUEUES) ||
	    real.T_init_thread(recorder.multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level))
		return;
	if (real.T_pvar_session_create(&q->session) || real.T_pvar_get_num(&n))
		return;
	for (k = 0; k < QUEUES; k++)
		q->queue[k].counter = known[k].counter;
	for (i = 0; i < n; i++) {
		if (look_up(i, &v))
			continue;
		for (k = 0; k < QUEUES; k++)
			for (j = 0; j < 2; j++)
				if (!q->queue[k].value && !strcmp(v.name, known[k].names[j]))
					open_queue(q, &q->queue[k], i, &v);
	}
}

/* Messages in all of the queue's parts. Returns 0, or -1 when MPI refuses. */
static int length(const struct queues *q, const struct queue *queue, uint64_t *sum)
{
	const uint32_t *narrow = (const void *)queue->value;
	int i;

	if (real.T_pvar_read(q->session, queue->handle, queue->value))
		return -1;
	for (*sum = 0, i = 0; i < queue->count; i++)
		*sum += queue->wide ? queue->value[i] : narrow[i];
	return 0;
}

void queues_look(struct lane *l, uint64_t now)
{
	struct queues *q = &recorder.queues;
	struct log_header *h = recorder.header;
	uint64_t sum;
	int k;

	if (l->thread || now < q->due)
		return;
	q->due = now + ticks_about_ms(1);
	for (k = 0; k < QUEUES; k++) {
		if (!q->queue[k].value || length(q, &q->queue[k], &sum))
			continue;
		h->queue[k].looks++;
		h->queue[k].sum += sum;
		if (sum > h->queue[k].most)
			h->queue[k].most = sum;
		if (recorder.evidence.series)
			evidence_record(l, q->queue[k].counter, sum, now);
	}
}
