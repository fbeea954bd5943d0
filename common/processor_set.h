/* SPDX-License-Identifier: BSD-3-Clause */
/* Some of a machine's processors (its hardware threads), by the kernel's numbers. */
#ifndef COMMON_PROCESSOR_SET_H
#define COMMON_PROCESSOR_SET_H

#include <stdint.h>

#define PROCESSOR_SET_WORDS 16
#define PROCESSOR_SET_ROOM  (64 * PROCESSOR_SET_WORDS) /* what may use others is not known */

struct processor_set {
	uint64_t word[PROCESSOR_SET_WORDS];
};

static inline int processor_set_has(const struct processor_set *s, unsigned processor)
{
	return (int)(s->word[processor / 64] >> processor % 64 & 1);
}

static inline void processor_set_add(struct processor_set *s, unsigned processor)
{
	s->word[processor / 64] |= UINT64_C(1) << processor % 64;
}

/* Those of other, too. */
static inline void processor_set_join(struct processor_set *s, const struct processor_set *other)
{
	for (int k = 0; k < PROCESSOR_SET_WORDS; k++)
		s->word[k] |= other->word[k];
}

static inline unsigned processor_set_count(const struct processor_set *s)
{
	unsigned n = 0;

	for (int k = 0; k < PROCESSOR_SET_WORDS; k++)
		n += (unsigned)__builtin_popcountll(s->word[k]);
	return n;
}

/* Their numbers, in order. Returns how many. */
static inline unsigned processor_set_list(const struct processor_set *s,
					  uint32_t numbers[PROCESSOR_SET_ROOM])
{
	unsigned n = 0;

	for (unsigned k = 0; k < PROCESSOR_SET_ROOM; k++)
		if (processor_set_has(s, k))
			numbers[n++] = k;
	return n;
}

#endif
