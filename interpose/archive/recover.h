/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace of a job that never reached MPI_Finalize, from the logs it left: the same
 * code that runs in MPI_Finalize, in one process. What a rank was inside of when it
 * died is kept: its last call ends where the job ended.
 */
#ifndef INTERPOSE_RECOVER_H
#define INTERPOSE_RECOVER_H

#include <stdint.h>

#include "common/err.h"

/* Is told how much is done, 0 to 1, now and then. */
struct recover_watch {
	void (*share)(void *user, double done);
	void *user;
};

struct recover_result {
	unsigned ranks;        /* whose logs were found */
	uint64_t records;      /* MPI calls recovered */
	unsigned killed_ranks; /* that did not finalize */
	char summary[256];     /* one sentence */
	char lost[512];        /* another one: what of the logs could not be used; "": nothing */
};

/*
 * Finish the trace of the run directory dir. Logs are removed once the archive is
 * complete, unless the option keep-logs is on or one of them is damaged: then all but what is lost
 * is in the trace. A run that another host may still be recording is
 * refused, or with the option force finished as far as it is, and its logs kept. watch may be NULL.
 * Returns 0, or -1 with *err set.
 */
int recover_run(const char *dir, const struct recover_watch *watch, struct recover_result *out,
		struct err *err);

/*
 * Is the run still being recorded by processes of this host, or are they writing its trace? Waits
 * for them, for seconds at most.
 */
int recover_await(const char *dir, int seconds);

/*
 * Remove the logs of dir whose trace is finished, which only a kill in between leaves; those that
 * were to be kept stay, damaged ones, and those of a job that still runs. Returns how many.
 */
int recover_tidy(const char *dir);

#endif
