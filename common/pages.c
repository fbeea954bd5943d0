/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/pages.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Bytes in a row. */
struct extent {
	char *at;
	size_t bytes;
	int is_spare;
	int is_one; /* mapping: the kernel can move all of it at once */
};

/* One of a process, as its memory is one. */
static struct {
	pthread_mutex_t lock;
	struct extent *extents;
	size_t n, room;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t up_to(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static size_t rounded(size_t bytes)
{
	return up_to(bytes + !bytes, bytes < PAGES_WHOLE ? PAGES_LINE : PAGES_HUGE);
}

/* Room for what one call may add to the list: what is left of each, and its own. */
static int more_extents(void)
{
	size_t room = all.room ? all.room : 64;
	struct extent *grown;

	while (room < 2 * all.n + 4)
		room *= 2;
	if (room == all.room)
		return 0;
	grown = reallocarray(all.extents, room, sizeof(*grown));
	if (!grown)
		return -1;
	all.extents = grown;
	all.room = room;
	return 0;
}

static void remove_extent(struct extent *x)
{
	*x = all.extents[--all.n];
}

static struct extent *find(const char *at)
{
	for (size_t k = 0; k < all.n; k++)
		if (all.extents[k].at == at && !all.extents[k].is_spare)
			return &all.extents[k];
	return NULL;
}

/* The huge pages that are all of it; of 0 bytes: none is. */
static struct extent whole_of(struct extent x)
{
	size_t before = -(uintptr_t)x.at % PAGES_HUGE;

	x.at += before;
	x.bytes = before < x.bytes ? (x.bytes - before) / PAGES_HUGE * PAGES_HUGE : 0;
	return x;
}

/* What of an extent somebody can have who asks for so many bytes. */
static struct extent part_for(struct extent x, size_t bytes)
{
	return bytes < PAGES_WHOLE ? x : whole_of(x);
}

/* The smallest that is kept and large enough, or NULL. */
static struct extent *find_spare(size_t bytes)
{
	struct extent *best = NULL;

	for (size_t k = 0; k < all.n; k++) {
		struct extent *x = &all.extents[k];

		if (x->is_spare && part_for(*x, bytes).bytes >= bytes &&
		    (!best || x->bytes < best->bytes))
			best = x;
	}
	return best;
}

/* Out of one that is kept take a part; what is before and behind it stays. */
static void cut(struct extent *x, char *at, size_t bytes)
{
	struct extent before = *x, behind = *x;

	before.bytes = (size_t)(at - x->at);
	behind.at = at + bytes;
	behind.bytes = x->bytes - before.bytes - bytes;
	if (before.bytes)
		*x = before;
	else
		remove_extent(x);
	if (behind.bytes)
		all.extents[all.n++] = behind;
}

/* Together with those next to them. */
static void keep(struct extent x)
{
	for (size_t k = all.n; k-- > 0;) {
		struct extent *y = &all.extents[k];

		if (!y->is_spare || (y->at + y->bytes != x.at && x.at + x.bytes != y->at))
			continue;
		x.at = x.at < y->at ? x.at : y->at;
		x.bytes += y->bytes;
		x.is_one = 0;
		remove_extent(y);
	}
	x.is_spare = 1;
	all.extents[all.n++] = x;
}

static void drop(void)
{
	for (size_t k = all.n; k-- > 0;) {
		struct extent whole = whole_of(all.extents[k]);

		if (!whole.is_spare || !whole.bytes)
			continue;
		munmap(whole.at, whole.bytes);
		cut(&all.extents[k], whole.at, whole.bytes);
	}
}

/* Whole pages of new addresses. NULL: there is no room. */
static char *map(size_t bytes, int protection)
{
	char *room = mmap(NULL, bytes + PAGES_HUGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (room == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)room % PAGES_HUGE;
	if (before)
		munmap(room, before);
	munmap(room + before + bytes, PAGES_HUGE - before);
	madvise(room + before, bytes, MADV_HUGEPAGE); /* a refusal changes nothing */
	return room + before;
}

/* Move whole pages. Returns how many bytes were, all or up to where the kernel refused. */
static size_t move(struct extent from, char *to)
{
	size_t n = from.is_one ? from.bytes : PAGES_HUGE, moved = 0;

	while (moved < from.bytes && mremap(from.at + moved, n, n, MREMAP_MAYMOVE | MREMAP_FIXED,
					    to + moved) != MAP_FAILED)
		moved += n;
	return moved;
}

/*
 * Have new ones begin with those that are kept. Returns how many bytes these are; then their
 * addresses are nobody's any more. SIZE_MAX: there is no room, and the new ones may be gone.
 */
static size_t reuse(char *at, size_t bytes)
{
	size_t filled = 0, moved;

	for (size_t k = all.n; k-- > 0 && filled < bytes;) {
		struct extent whole = whole_of(all.extents[k]);

		if (!whole.is_spare || !whole.bytes)
			continue;
		if (whole.bytes > bytes - filled)
			whole.bytes = bytes - filled;
		moved = move(whole, at + filled);
		if (moved)
			cut(&all.extents[k], whole.at, moved);
		if (moved < whole.bytes)
			return SIZE_MAX;
		filled += moved;
	}
	return filled;
}

/* New ones, as far as there are no whole pages that are kept. NULL: there is no room. */
static char *take_new(size_t bytes, size_t *used)
{
	size_t pages = up_to(bytes, PAGES_HUGE);
	char *at = map(pages, PROT_READ | PROT_WRITE);

	if (!at) {
		drop();
		at = map(pages, PROT_READ | PROT_WRITE);
	}
	*used = at ? reuse(at, pages) : 0;
	if (*used > pages) {
		munmap(at, pages);
		at = NULL;
	}
	if (at && pages > bytes)
		all.extents[all.n++] = (struct extent){at + bytes, pages - bytes, 1, !*used};
	if (at)
		all.extents[all.n++] = (struct extent){at, bytes, 0, !*used};
	return at;
}

/* Those that are kept, else new ones; bytes are rounded. */
static char *take(size_t bytes, size_t *used)
{
	struct extent *x = find_spare(bytes), taken;

	if (!x)
		return take_new(bytes, used);
	taken = part_for(*x, bytes);
	cut(x, taken.at, bytes);
	taken.bytes = *used = bytes;
	taken.is_spare = 0;
	all.extents[all.n++] = taken;
	return taken.at;
}

/* used: so many of their bytes, from the first on, may not be zero. */
static char *alloc(size_t bytes, size_t *used)
{
	char *at = NULL;

	if (bytes > PTRDIFF_MAX - 2 * (size_t)PAGES_HUGE)
		return NULL;
	pthread_mutex_lock(&all.lock);
	if (!more_extents())
		at = take(rounded(bytes), used);
	pthread_mutex_unlock(&all.lock);
	return at;
}

void *pages_alloc(size_t bytes)
{
	size_t used;

	return alloc(bytes, &used);
}

void *pages_calloc(size_t bytes)
{
	size_t used;
	char *at = alloc(bytes, &used);

	return at ? memset(at, 0, used < bytes ? used : bytes) : NULL;
}

/* All of an extent, which is whole pages, to new ones; what the kernel does not move is copied. */
static void move_all(struct extent *x, char *to)
{
	size_t moved = move(*x, to);
	struct extent left = *x;

	left.at += moved;
	left.bytes -= moved;
	if (!left.bytes)
		return;
	memcpy(to + moved, left.at, left.bytes);
	left.is_spare = 1;
	all.extents[all.n++] = left;
}

/* With all that is in it, its pages and new ones behind them. NULL: that cannot be. */
static char *stretch(struct extent *x, size_t bytes)
{
	int is_whole = whole_of(*x).bytes == x->bytes && bytes >= PAGES_WHOLE;
	/* what is kept stays so: it may take long until a table fills all that it asks for */
	char *at = is_whole ? map(bytes, x->is_one ? PROT_NONE : PROT_READ | PROT_WRITE) : NULL;

	if (!at)
		return NULL;
	if (!x->is_one) {
		move_all(x, at);
	} else if (mremap(x->at, x->bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) ==
		   MAP_FAILED) {
		munmap(at, bytes);
		return NULL;
	}
	x->at = at;
	x->bytes = bytes;
	return at;
}

void *pages_grow(void *pages, size_t bytes)
{
	size_t had = pages_bytes(pages);
	char *at;

	if (bytes <= had)
		return pages;
	if (bytes > PTRDIFF_MAX - 2 * (size_t)PAGES_HUGE)
		return NULL;
	pthread_mutex_lock(&all.lock);
	at = more_extents() ? NULL : stretch(find(pages), rounded(bytes));
	pthread_mutex_unlock(&all.lock);
	if (at)
		return at;
	at = pages_alloc(bytes);
	if (at) {
		memcpy(at, pages, had);
		pages_free(pages);
	}
	return at;
}

size_t pages_bytes(const void *pages)
{
	const struct extent *x = NULL;
	size_t bytes;

	if (!pages || (uintptr_t)pages % PAGES_LINE)
		return 0;
	pthread_mutex_lock(&all.lock);
	x = find(pages);
	bytes = x ? x->bytes : 0;
	pthread_mutex_unlock(&all.lock);
	return bytes;
}

int pages_free(void *pages)
{
	struct extent *x, given;

	if (!pages || (uintptr_t)pages % PAGES_LINE)
		return 0;
	pthread_mutex_lock(&all.lock);
	x = find(pages);
	if (x) {
		given = *x;
		remove_extent(x);
		keep(given);
	}
	pthread_mutex_unlock(&all.lock);
	return x != NULL;
}

void pages_drop(void)
{
	pthread_mutex_lock(&all.lock);
	if (!more_extents())
		drop();
	pthread_mutex_unlock(&all.lock);
}
