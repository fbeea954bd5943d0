/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/early.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interpose/front/backend.h"
#include "interpose/hooks/given.h"
#include "interpose/job/deadly.h"
#include "interpose/job/recorder.h"
#include "interpose/log/log_seal.h"

static pid_t recorded; /* this process while its end is to be noted: 0 before and after */

/* When that is: the seal last, as the process may be gone before. */
static void note_when(struct log_header *h)
{
	h->end_seal = 0;
	if (h->end == LOG_RUNNING)
		return;
	h->end_at = ticks_anchor();
	__atomic_store_n(&h->end_seal, log_seal_end(h), __ATOMIC_RELEASE);
}

/* Each log of this process whose end is from has now another. */
static void turn(uint32_t from, enum log_end to)
{
	struct lane *l = recorded && recorded == getpid() ? recorder.lanes : NULL;
	uint32_t found;

	if (l)
		given_note();
	for (; l; l = l->other) {
		found = from;
		if (__atomic_compare_exchange_n(&l->log.header->end, &found, to, 0,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			note_when(l->log.header);
	}
}

/* Note how it ends, unless that is noted already or this is a child of the process. */
static void end_all(enum log_end how)
{
	turn(LOG_RUNNING, how);
}

static void note_status(int status, void *unused)
{
	(void)unused;
	if (!recorded || recorded != getpid() || recorder.header->end == LOG_ABORTED)
		return;
	recorder.header->end_status = status;
	recorder.header->has_status = 1;
}

void early_abort(int code)
{
	note_status(code, NULL);
	end_all(LOG_ABORTED);
}

/* In a signal handler: the numbers first, as the process may be gone before what says how. */
void early_killed(int number, enum log_sender from, const char by[16])
{
	struct log_header *h = recorded && recorded == getpid() ? recorder.header : NULL;

	if (!h || __atomic_load_n(&h->end, __ATOMIC_RELAXED) != LOG_RUNNING)
		return;
	h->end_status = number;
	h->end_from = from;
	memcpy(h->end_by, by, sizeof(h->end_by));
	end_all(LOG_KILLED);
}

static void left_quickly(void)
{
	end_all(LOG_LEFT);
}

/* exit(): after everything that the program wants to do then, MPI included. */
__attribute__((destructor)) static void left_by_exit(void)
{
	end_all(LOG_LEFT);
}

void contend_backend_left(int status)
{
	note_status(status, NULL);
	end_all(LOG_LEFT);
}

void contend_backend_becomes(int now)
{
	if (now)
		end_all(LOG_REPLACED);
	else
		turn(LOG_REPLACED, LOG_RUNNING);
}

void early_start(void)
{
	recorded = getpid();
	if (SIMULATED)
		return;
	on_exit(note_status, NULL);
	(void)at_quick_exit(left_quickly);
	deadly_watch();
}

void early_stop(void)
{
	deadly_leave();
	recorded = 0;
}
