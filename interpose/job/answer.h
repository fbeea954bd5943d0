/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether all ranks of a job are recorded, in its run directory: whichever rank knows first says it
 * for all, and no two can. What is not yet known is a file in the folder of logs; who renames it
 * has answered.
 */
#ifndef INTERPOSE_ANSWER_H
#define INTERPOSE_ANSWER_H

#include "common/err.h"

enum answer { ANSWER_PART, ANSWER_ALL };

/*
 * Nothing is known in dir, which is new and has its folder of logs. Returns 0, or -1 with *err set.
 */
int answer_begin(const char *dir, struct err *err);

/* dir is not used after all: its folder of logs is empty again. */
void answer_cancel(const char *dir);

/*
 * Answer, unless it is answered. Returns what holds for all ranks; ANSWER_PART if that cannot be.
 */
enum answer answer_give(const char *dir, enum answer mine);

int answer_is_given(const char *dir);

/*
 * The answer that some rank gives; a file system may take a minute to show it. ANSWER_PART when it
 * does not come.
 */
enum answer answer_await(const char *dir);

#endif
