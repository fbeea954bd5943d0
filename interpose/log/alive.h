/* SPDX-License-Identifier: BSD-3-Clause */
/* Is the process that writes a log alive? Seen from outside, by who finds the log. */
#ifndef INTERPOSE_ALIVE_H
#define INTERPOSE_ALIVE_H

#include "interpose/log/log_view.h"

/*
 * ALIVE_PERHAPS: on another host, where only its own /proc can tell, or in a container that cannot
 * be looked into from here, and the log has a sign of life from the last five minutes.
 */
enum alive { ALIVE_NO, ALIVE_YES, ALIVE_PERHAPS };

/* Is there a process of this host that writes the log at path, or finishes the job's trace? */
int alive_here(const struct log_view *v, const char *path);

/* Of the log at path. *silent_s: since when it has been without a sign of life. */
enum alive alive_look(const struct log_view *v, const char *path, int64_t *silent_s);

#endif
