/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/share.h"

#include "common/cores.h"
#include "common/options.h"

#include <pthread.h>

#define OWN_MOST 16 /* cores that nobody gave us explicitly: others may want some as well */

struct task {
	uint32_t n;
	share_piece *piece;
	void *work;
	uint32_t next; /* piece to be taken */
};

struct worker {
	struct task *task;
	unsigned hand;
	pthread_t thread;
	uint32_t failed; /* the piece that did; n: none */
	struct err err;
};

unsigned share_hands(void)
{
	int copies = option_job_copies();
	unsigned n;

	if (copies > 0)
		return copies < SHARE_MOST ? (unsigned)copies : SHARE_MOST;
	n = cores_allowed();
	return n < 1 ? 1 : n < OWN_MOST ? n : OWN_MOST;
}

static void work_on(struct worker *w)
{
	struct task *t = w->task;
	uint32_t k;

	w->failed = t->n;
	while ((k = __atomic_fetch_add(&t->next, 1, __ATOMIC_RELAXED)) < t->n) {
		if (!t->piece(t->work, w->hand, k, &w->err))
			continue;
		w->failed = k;
		__atomic_store_n(&t->next, t->n, __ATOMIC_RELAXED);
	}
}

/* A launcher may have bound the first copy to a core of its own: the others' are free. */
static void *help(void *worker)
{
	if (option_job_copies() > 0)
		cores_allow_all();
	work_on(worker);
	return NULL;
}

int share_run(unsigned hands, uint32_t n, share_piece *piece, void *work, struct err *err)
{
	struct task task = {.n = n, .piece = piece, .work = work};
	struct worker worker[SHARE_MOST], *first = &worker[0];
	unsigned started = 1;

	hands = hands < SHARE_MOST ? hands : SHARE_MOST;
	hands = hands < n ? hands : n;
	worker[0] = (struct worker){.task = &task};
	for (; started < hands; started++) {
		struct worker *w = &worker[started];

		*w = (struct worker){.task = &task, .hand = started};
		if (pthread_create(&w->thread, NULL, help, w))
			break;
	}
	work_on(&worker[0]);
	for (unsigned k = 1; k < started; k++) {
		pthread_join(worker[k].thread, NULL);
		if (worker[k].failed < first->failed)
			first = &worker[k];
	}
	if (first->failed == n)
		return 0;
	*err = first->err;
	return -1;
}
