/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The open requests of one rank: from a request's id to the index of what it does.
 * Memory follows the number of requests that are open at the same time.
 */
#ifndef ANALYZE_OPEN_REQUESTS_H
#define ANALYZE_OPEN_REQUESTS_H

#include <stddef.h>
#include <stdint.h>

#define OPEN_REQUESTS_NONE UINT32_MAX

struct open_request;

struct open_requests {
	struct open_request *slot; /* hash table */
	size_t slots;              /* a power of 2, at least twice n; or 0 */
	size_t n;                  /* that are open */
};

/* Request id now stands for index, whatever it stood for before. 0, or -1: out of memory. */
int open_requests_put(struct open_requests *r, uint64_t id, uint32_t index);

/* What id stands for; OPEN_REQUESTS_NONE when it is not open. */
uint32_t open_requests_find(const struct open_requests *r, uint64_t id);

/* Same, and close it. */
uint32_t open_requests_take(struct open_requests *r, uint64_t id);

/* Close all. */
void open_requests_clear(struct open_requests *r);

/* Frees what it holds; a zeroed struct holds nothing. */
void open_requests_release(struct open_requests *r);

#endif
