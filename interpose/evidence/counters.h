/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of the operating system: rows NODE, PROCESS and THREAD of counters.def. Finding their
 * sources allocates; reading them opens a few files under /proc and /sys, no more, and
 * takes some 50 us. What is not there is not present, never 0.
 */
#ifndef INTERPOSE_COUNTERS_H
#define INTERPOSE_COUNTERS_H

#include <stdint.h>

enum counter {
#define COUNTER(id, name, unit, of, missing) COUNTER_##id,
#include "interpose/evidence/counters.def"
#undef COUNTER
	COUNTERS
};

enum counter_of {
	COUNTER_OF_NODE,
	COUNTER_OF_PROCESS,
	COUNTER_OF_THREAD,
	COUNTER_OF_MPI,
	COUNTER_OF_QUEUE
};

struct counter_row {
	const char *name, *unit, *missing;
	enum counter_of of;
};
extern const struct counter_row counter_rows[COUNTERS];

struct counters {
	uint64_t value[COUNTERS];
	uint32_t present; /* bit i: value[i] is one */
};

/* The files of network and InfiniBand ports, each for one counter. */
#define COUNTER_FILES 48
struct counter_files {
	int n;
	struct {
		enum counter counter;
		char path[112];
	} file[COUNTER_FILES];
};

/* Find the ports of this node. */
void counters_find(struct counter_files *files);

/* Read the process's counters and, unless files is NULL, the node's. */
void counters_read(const struct counter_files *files, struct counters *c);

/* Read the calling thread's counters. */
void counters_read_thread(struct counters *c);

/* Add those of another thread or process that are present to into. */
void counters_join(struct counters *into, const struct counters *other);

/* later - earlier, where both are present and it did not go back. */
struct counters counters_since(const struct counters *later, const struct counters *earlier);

#endif
