/* SPDX-License-Identifier: BSD-3-Clause */
#define UNW_LOCAL_ONLY
#include "interpose/hooks/callsite.h"

#include <errno.h>
#include <libunwind.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "interpose/front/symbols.h"
#include "interpose/hooks/guards.h"

/* A loaded object: the program or a shared library. */
struct object {
	uintptr_t start, end; /* its mapped range */
	uintptr_t bias;
	uint64_t name; /* hash of build id and path: the same when it is loaded again */
	uint32_t id;
	int is_binding; /* MPI itself or another tool: its frames are not the user's */
	int is_libc;    /* calls main() and the first function of each thread */
	int is_gone;    /* unloaded: another may lie in its place */
	struct object *next;
};

struct site {
	uint32_t id;
	uint32_t n;
	UT_hash_handle hh;
	struct log_frame frames[];
};

static struct object *objects;
static uint32_t n_objects;
static unsigned long long unloads; /* how many had been when objects were last looked through */
static struct site *sites;
static uint32_t n_sites;

/* What dl_iterate_phdr is to find, and what it found. */
struct search {
	uintptr_t address;
	struct object found;
	char build_id[41];
	char path[512];
};

/* Copies the GNU build id of the notes at note as hex into text. */
static void read_build_id(const char *note, size_t bytes, char text[41])
{
	static const char hex[] = "0123456789abcdef";

	while (bytes >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *n = (const void *)note;
		size_t name = (n->n_namesz + 3) & ~3u, desc = (n->n_descsz + 3) & ~3u;
		const unsigned char *id = (const unsigned char *)(n + 1) + name;
		unsigned i;

		if (sizeof(*n) + name + desc > bytes)
			return;
		if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && !memcmp(n + 1, "GNU", 4)) {
			for (i = 0; i < n->n_descsz && i < 20; i++) {
				text[2 * i] = hex[id[i] >> 4];
				text[2 * i + 1] = hex[id[i] & 15];
			}
			text[2 * i] = '\0';
			return;
		}
		note += sizeof(*n) + name + desc;
		bytes -= sizeof(*n) + name + desc;
	}
}

/* A library that offers MPI as we do stands between the program and us. */
static int is_other_tool(const struct dl_phdr_info *info)
{
	struct symbols symbols;

	if (!info->dlpi_name || !info->dlpi_name[0]) /* the program */
		return 0;
	for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++) {
		const void *dyn = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);

		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC &&
		    !symbols_of(dyn, info->dlpi_addr, &symbols))
			return symbols_define(&symbols, "MPI_Init");
	}
	return 0;
}

static int search_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct search *s = arg;
	uintptr_t low = UINTPTR_MAX, high = 0;
	ElfW(Half) i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		low = at < low ? at : low;
		high = at + p->p_memsz > high ? at + p->p_memsz : high;
	}
	if (s->address < low || s->address >= high)
		return 0;
	s->found = (struct object){.start = low,
				   .end = high,
				   .bias = info->dlpi_addr,
				   .is_binding = is_other_tool(info)};
	strncpy(s->path, info->dlpi_name ? info->dlpi_name : "", sizeof(s->path) - 1);
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_NOTE && !s->build_id[0])
			read_build_id((const char *)info->dlpi_addr + p->p_vaddr, p->p_memsz,
				      s->build_id);
	}
	return 1;
}

static uint64_t name_of(const struct search *s)
{
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
	const char *c;

	for (c = s->build_id; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
	for (c = s->path; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
	return hash;
}

static int count_unloads(struct dl_phdr_info *info, size_t size, void *n)
{
	(void)size;
	*(unsigned long long *)n = info->dlpi_subs;
	return 1;
}

/* What is known by address is not that any more if objects were unloaded since. */
static void forget_unloaded(struct lane *l)
{
	unsigned long long now = 0;
	struct object *o;

	dl_iterate_phdr(count_unloads, &now);
	if (now == l->unloads)
		return;
	l->unloads = now;
	for (size_t i = 0; i < SITE_CACHE; i++)
		l->sites[i].ra = 0;
	unw_flush_cache(unw_local_addr_space, 0, 0);
	recorder_lock();
	for (o = now == unloads ? NULL : objects; o; o = o->next) {
		struct search s = {.address = o->start};

		o->is_gone |= !dl_iterate_phdr(search_object, &s) || s.found.bias != o->bias ||
			      name_of(&s) != o->name;
	}
	unloads = now;
	recorder_unlock();
}

static int is_called(const char *path, const char *name)
{
	const char *base = strrchr(path, '/');

	return !strncmp(base ? base + 1 : path, name, strlen(name));
}

/* Names of the objects that are MPI and not the user's program. */
static int is_binding(const char *path)
{
	static const char *const names[] = {"libmpi",     "libmpich", "libcontend",
					    "libsimgrid", "libopen-", "mca_"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_called(path, names[i]))
			return 1;
	return 0;
}

/* Write the definition of o into the lane's log. */
static int define_object(struct lane *l, const struct object *o, const struct search *s)
{
	size_t id = strlen(s->build_id) + 1, path = strlen(s->path) + 1;
	size_t units = (id + path + sizeof(struct record) - 1) / sizeof(struct record);
	struct record *r = lane_room(l, 1 + units);

	if (!r)
		return -1;
	memcpy(r + 1, s->build_id, id);
	memcpy((char *)(r + 1) + id, s->path, path);
	r->site = o->id;
	r->bytes = o->bias;
	r->aux = (uint32_t)units;
	l->log.next = r + 1 + units;
	r->kind = RECORD_DEF_OBJECT;
	return 0;
}

/* The object that is loaded again, now elsewhere; NULL when it never was. */
static const struct object *object_again(const struct object *now)
{
	struct object *o;

	for (o = objects; o; o = o->next)
		if (o->is_gone && o->name == now->name) {
			o->start = now->start;
			o->end = now->end;
			o->bias = now->bias;
			o->is_gone = 0;
			return o;
		}
	return NULL;
}

/* The program's path, which it is loaded without; a path from the root. */
static void complete_path(char *path, size_t bytes)
{
	char relative[512];
	ssize_t n;

	if (!path[0]) {
		n = readlink("/proc/self/exe", path, bytes - 1);
		path[n > 0 ? n : 0] = '\0';
	} else if (strchr(path, '/') && path[0] != '/') {
		strcpy(relative, path + (strncmp(path, "./", 2) ? 0 : 2));
		if (getcwd(path, bytes - 1) && strlen(path) + 1 + strlen(relative) < bytes)
			strcat(strcat(path, "/"), relative);
		else
			strcpy(path, relative);
	}
}

/* The object that holds address, defined if new; NULL when there is none. */
static const struct object *object_at(struct lane *l, uintptr_t address)
{
	struct search s = {.address = address};
	const struct object *again;
	struct object *o;

	for (o = objects; o; o = o->next)
		if (address >= o->start && address < o->end && !o->is_gone)
			return o;
	if (!dl_iterate_phdr(search_object, &s))
		return NULL;
	s.found.name = name_of(&s);
	again = object_again(&s.found);
	if (again)
		return again;
	complete_path(s.path, sizeof(s.path));
	if (SIMULATED)
		simulated_object(sizeof(s.path), s.path);
	s.found.id = n_objects;
	s.found.is_binding |= is_binding(s.path);
	s.found.is_libc = is_called(s.path, "libc.so");
	o = define_object(l, &s.found, &s) ? NULL : arena_alloc(sizeof(*o));
	if (!o)
		return NULL;
	*o = s.found;
	n_objects++;
	o->next = objects;
	objects = o;
	return o;
}

static uint32_t define_site(struct lane *l, uint32_t n, const struct log_frame *frames)
{
	size_t bytes = n * sizeof(*frames);
	size_t units = (bytes + sizeof(struct record) - 1) / sizeof(struct record);
	struct record *r = lane_room(l, 1 + units);
	struct site *site = r ? arena_alloc(sizeof(*site) + bytes) : NULL;

	if (!site)
		return SITE_UNKNOWN;
	memcpy(site->frames, frames, bytes);
	site->n = n;
	site->id = n_sites++;
	HASH_ADD_KEYPTR(hh, sites, site->frames, bytes, site);
	memcpy(r + 1, frames, bytes);
	r->site = site->id;
	r->peer = (int32_t)n;
	r->aux = (uint32_t)units;
	l->log.next = r + 1 + units;
	r->kind = RECORD_DEF_SITE;
	return site->id;
}

/*
 * How many of the n callers may be others another time: not those that begin a thread, which
 * are the C library's and, of the first thread, the program's entry before them.
 */
static int callers_that_vary(struct lane *l, int n, void *const callers[n])
{
	const struct object *o;

	if (n && (uintptr_t)callers[n - 1] - getauxval(AT_ENTRY) < 64)
		n--;
	while (n && (o = object_at(l, (uintptr_t)callers[n - 1])) && o->is_libc)
		n--;
	return n;
}

uint32_t site_unwind(struct lane *l, uintptr_t ra, struct site_key *key)
{
	void *address[SITE_FRAMES_MAX + 8];
	struct log_frame frames[SITE_FRAMES_MAX];
	uint64_t begin = ticks_now();
	int saved = errno, depth, vary, first, i;
	uint32_t n = 0, id = SITE_UNKNOWN;
	struct site *site = NULL;

	if (key) {
		key->site = SITE_UNKNOWN;
		key->guards = 0;
	}
	if (recorder.depth <= 0)
		return SITE_UNKNOWN;
	forget_unloaded(l);
	depth = unw_backtrace(address, SITE_FRAMES_MAX + 8);
	for (i = 0; i < depth && (uintptr_t)address[i] != ra; i++)
		;
	if (i >= depth) { /* not unwound as far as the caller: keep at least that */
		address[0] = (void *)ra;
		depth = 1;
		i = 0;
	}
	first = i + 1;
	recorder_lock();
	vary = callers_that_vary(l, depth - first, &address[first]);
	for (; i < depth && n < (uint32_t)recorder.depth; i++) {
		const struct object *o = object_at(l, (uintptr_t)address[i]);

		if (SIMULATED && o && o->is_binding && n)
			break; /* who called main() is the simulator */
		if (!o || (o->is_binding && !n))
			continue;
		frames[n++] = (struct log_frame){(uintptr_t)address[i] - o->bias, o->id, 0};
	}
	if (n) {
		HASH_FIND(hh, sites, frames, n * sizeof(*frames), site);
		id = site ? site->id : define_site(l, n, frames);
	}
	recorder_unlock();
	if (key) {
		int n_guards = vary < i - first ? vary : i - first;

		key->site = id;
		if (!guards_find(l, key, n_guards, &address[first]))
			key->ra = 0; /* no memory: the next call is unwound again */
	}
	l->log.header->unwinding_ticks += ticks_now() - begin;
	errno = saved;
	return id;
}
