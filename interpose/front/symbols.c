/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/front/symbols.h"

#include <string.h>

/* The hash table's head; bloom filter, buckets and chains follow. */
enum { N_BUCKETS, FIRST_HASHED, N_BLOOM, BLOOM_SHIFT, HEAD };

/* The loader has made most tables' addresses absolute, but not those of every object. */
static const void *at(uintptr_t bias, uintptr_t address)
{
	return (const void *)(address < bias ? bias + address : address);
}

int symbols_of(const ElfW(Dyn) * dyn, uintptr_t bias, struct symbols *out)
{
	struct symbols s = {NULL, NULL, NULL};

	for (; dyn && dyn->d_tag != DT_NULL; dyn++) {
		if (dyn->d_tag == DT_SYMTAB)
			s.table = at(bias, dyn->d_un.d_ptr);
		else if (dyn->d_tag == DT_STRTAB)
			s.names = at(bias, dyn->d_un.d_ptr);
		else if (dyn->d_tag == DT_GNU_HASH)
			s.hash = at(bias, dyn->d_un.d_ptr);
	}
	if (!s.table || !s.names || !s.hash)
		return -1;
	*out = s;
	return 0;
}

static uint32_t hash_of(const char *name)
{
	uint32_t h = 5381;

	while (*name)
		h = h * 33 + (unsigned char)*name++;
	return h;
}

int symbols_define(const struct symbols *s, const char *name)
{
	const uint32_t *buckets =
		(const uint32_t *)((const ElfW(Addr) *)(s->hash + HEAD) + s->hash[N_BLOOM]);
	const uint32_t *chain = buckets + s->hash[N_BUCKETS];
	uint32_t h = hash_of(name), i, first = s->hash[FIRST_HASHED];

	if (!s->hash[N_BUCKETS])
		return 0;
	i = buckets[h % s->hash[N_BUCKETS]];
	if (i < first)
		return 0;
	for (;; i++) {
		uint32_t of_i = chain[i - first];

		if ((of_i | 1) == (h | 1) && s->table[i].st_shndx != SHN_UNDEF &&
		    !strcmp(s->names + s->table[i].st_name, name))
			return 1;
		if (of_i & 1) /* the last of its bucket */
			return 0;
	}
}

int symbols_want(const struct symbols *s, const char *name)
{
	uint32_t i;

	/* What is only wanted is not hashed, and stands before what is. */
	for (i = 1; i < s->hash[FIRST_HASHED]; i++)
		if (s->table[i].st_shndx == SHN_UNDEF &&
		    !strcmp(s->names + s->table[i].st_name, name))
			return 1;
	return 0;
}
