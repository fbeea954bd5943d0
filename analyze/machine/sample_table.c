/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/sample_table.h"

#include "analyze/tools/growing.h"
#include "analyze/tools/sorting.h"

#include <stdlib.h>
#include <string.h>

struct noted {
	struct sample sample;
	uint32_t place;
};

int samples_bin(uint64_t bytes)
{
	return bytes ? 64 - __builtin_clzll(bytes) : 0;
}

enum sample_kind samples_any_of(enum sample_kind kind)
{
	switch (kind) {
	case SAMPLE_RENDEZVOUS:
	case SAMPLE_ALONE_RENDEZVOUS:
	case SAMPLE_ANY_RENDEZVOUS:
		return SAMPLE_ANY_RENDEZVOUS;
	default:
		return SAMPLE_ANY;
	}
}

static uint32_t place_of(enum locality class, enum sample_kind kind, int bin)
{
	return ((uint32_t) class * SAMPLE_KINDS + kind) * SAMPLE_BINS + (uint32_t)bin;
}

int sample_pieces_init(struct sample_pieces *p, uint32_t n)
{
	*p = (struct sample_pieces){.piece = calloc((size_t)n + 1, sizeof(*p->piece)), .n = n};
	return p->piece ? 0 : -1;
}

void sample_pieces_release(struct sample_pieces *p)
{
	for (unsigned k = 0; k < SHARE_MOST; k++)
		table_free(p->hand[k].v);
	free(p->piece);
	*p = (struct sample_pieces){0};
}

int samples_note(struct sample_notes *notes, enum sample_kind kind, enum locality class,
		 struct sample one)
{
	if (one.ns < 0) /* clocks disagree: no evidence */
		return 0;
	if (GROW(notes->v, notes->n, notes->cap))
		return -1;
	notes->v[notes->n++] = (struct noted){one, place_of(class, kind, samples_bin(one.bytes))};
	return 0;
}

/* Count them, and copy each to its place, in order of the pieces. Returns 0, or -1. */
static int distribute(struct samples *out, const struct sample_pieces *p)
{
	size_t at[SAMPLE_PLACES], *first = out->first;

	memset(first, 0, sizeof(out->first));
	for (unsigned k = 0; k < SHARE_MOST; k++)
		for (size_t i = 0; i < p->hand[k].n; i++)
			first[p->hand[k].v[i].place + 1]++;
	for (uint32_t k = 0; k < SAMPLE_PLACES; k++)
		first[k + 1] += first[k];
	memcpy(at, first, sizeof(at));
	out->s = table_alloc(first[SAMPLE_PLACES] + 1, sizeof(*out->s));
	if (!out->s)
		return -1;
	for (uint32_t k = 0; k < p->n; k++) {
		const struct noted *v = p->hand[p->piece[k].hand].v;

		for (size_t i = p->piece[k].from; i < p->piece[k].to; i++)
			out->s[at[v[i].place]++] = v[i].sample;
	}
	return 0;
}

static int by_ns(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

static int put_in_order(void *samples, unsigned hand, uint32_t place, struct err *err)
{
	struct samples *s = samples;

	(void)hand, (void)err;
	sort(s->s + s->first[place], s->first[place + 1] - s->first[place], sizeof(*s->s), by_ns);
	return 0;
}

int samples_join(struct samples *out, struct sample_pieces *p, struct err *err)
{
	int ret = distribute(out, p);

	sample_pieces_release(p);
	if (ret)
		return err_set(err, "out of memory for %zu samples", out->first[SAMPLE_PLACES]);
	return share_run(share_hands(), SAMPLE_PLACES, put_in_order, out, err);
}

void samples_release(struct samples *s)
{
	table_free(s->s);
	memset(s, 0, sizeof(*s));
}

const struct sample *samples_of(const struct samples *s, enum locality class, enum sample_kind kind,
				int bin, size_t *n)
{
	uint32_t place = place_of(class, kind, bin);

	*n = s->first[place + 1] - s->first[place];
	return s->s + s->first[place];
}
