/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks/hooks.h"

#include <string.h>

/* Polls closer together than this are one flood. */
#define POLL_GAP_NS 10000

static inline int alike(const struct record *p, const struct record *r)
{
	return p->request == r->request && p->site == r->site && p->call == r->call &&
	       p->peer == r->peer && p->tag == r->tag && p->comm == r->comm;
}

/* The entry that counts polls like r: in a cycle it is the one after the last. */
static struct record *entry_of(struct flood *f, const struct record *r)
{
	unsigned i, at = f->turn;

	for (i = 0; i < f->n; i++) {
		at = at + 1 < f->n ? at + 1 : 0;
		if (alike(f->entry[at], r)) {
			f->turn = at;
			return f->entry[at];
		}
	}
	return NULL;
}

/* One more poll of entry p: it began then and took this long. */
static inline void count(struct record *p, uint64_t began, uint64_t took)
{
	if (p->aux < UINT32_MAX)
		p->aux++;
	p->bytes += took;
	p->bytes_in = began;
}

/* The poll in r is counted elsewhere. */
static inline void drop(struct lane *l, struct record *r)
{
	memset(r, 0, sizeof(*r));
	l->log.next = r;
}

/* The poll in r belongs to the flood: count it where its like are, or give it an entry. */
static __attribute__((noinline)) void join(struct lane *l, struct flood *f, struct record *r)
{
	struct record *head = f->entry[0], *p = entry_of(f, r);
	uint64_t took = r->leave - r->enter, began = r->enter;

	if (!head->bytes_in) { /* it was alone so far */
		head->bytes = head->leave - head->enter;
		head->bytes_in = head->enter;
	}
	head->leave = r->leave;
	if (!p && f->n < FLOOD_ENTRIES) {
		r->aux = 1;
		r->bytes = took;
		r->bytes_in = began;
		r->flags = RECORD_FLAG_PART;
		scope_become(r, RECORD_TEST_FAILED);
		f->turn = f->n;
		f->entry[f->n++] = r;
		f->end = r + 1;
		return;
	}
	if (p)
		count(p, began, took);
	else
		count(head, head->bytes_in, took); /* of too many kinds: its time and number */
	drop(l, r);
}

/* A probe's record has its channel already. */
static void name_request(struct record *r, struct polled of)
{
	r->request = of.id;
	if (!of.id || (of.kind != REQUEST_RMA && of.kind != REQUEST_IO))
		return;
	r->comm = of.comm;
	r->tag = of.kind == REQUEST_RMA ? LOG_TESTED_RMA : LOG_TESTED_IO;
}

void hook_poll_failed(struct scope *s, struct polled of)
{
	struct record *r = s->r, *head;
	struct lane *l = s->lane;
	struct flood *f = &l->flood;
	uint64_t gap = ticks_are_cycles ? 4 * POLL_GAP_NS : POLL_GAP_NS; /* some GHz */

	if (s->off)
		return;
	name_request(r, of);
	head = f->entry[0];
	if (f->n && f->end == r && l->log.next == r + 1 && r->enter - head->leave < gap) {
		if (USUAL(f->n == 1 && head->bytes_in && alike(head, r))) {
			head->leave = r->leave;
			count(head, r->enter, r->leave - r->enter);
			drop(l, r);
		} else {
			join(l, f, r);
		}
		return;
	}
	r->aux = 1;
	scope_become(r, RECORD_TEST_FAILED);
	f->n = 1;
	f->turn = 0;
	f->entry[0] = r;
	f->end = r + 1;
}
