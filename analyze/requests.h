/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The open requests of one rank: from a request's id to the index of what it does.
 * Memory follows the number of requests that are open at the same time.
 */
#ifndef ANALYZE_REQUESTS_H
#define ANALYZE_REQUESTS_H

#include <stdint.h>

#define REQUESTS_NONE UINT32_MAX

struct open_request;

struct requests {
	struct open_request *open;  /* hash table */
	struct open_request *spare; /* to be used again */
};

/* Request id now stands for index, whatever it stood for before. 0, or -1: out of memory. */
int requests_put(struct requests *r, uint64_t id, uint32_t index);

/* What id stands for; REQUESTS_NONE when it is not open. */
uint32_t requests_find(const struct requests *r, uint64_t id);

/* Same, and close it. */
uint32_t requests_take(struct requests *r, uint64_t id);

/* Close all. */
void requests_clear(struct requests *r);

/* Frees what it holds; a zeroed struct holds nothing. */
void requests_release(struct requests *r);

#endif
