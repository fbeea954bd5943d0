/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/objects/files.h"

#include <string.h>

#define PATH_MOST 4096 /* bytes of a path that are kept */

/* A path that was defined. */
struct path {
	uint64_t key;
	uint32_t id;
	UT_hash_handle hh;
};

static struct file *files, *spare_files;
static struct path *paths;
static uint32_t n_files, n_paths;

struct file *file_of(MPI_File handle)
{
	struct file *f;

	if (handle == MPI_FILE_NULL)
		return NULL;
	recorder_lock();
	HASH_FIND(hh, files, &handle, sizeof(handle), f);
	recorder_unlock();
	return f;
}

/* A definition with its payload: a head, and text with its end unless NULL. */
static void define(struct lane *l, enum record_kind kind, uint32_t id, size_t n, const void *head,
		   const char *text)
{
	size_t length = text ? strnlen(text, PATH_MOST) : 0;
	size_t units = (n + length + 1 + sizeof(struct record) - 1) / sizeof(struct record);
	struct record *r = lane_room(l, 1 + units);

	if (!r)
		return;
	memset(r + 1, 0, units * sizeof(*r));
	memcpy(r + 1, head, n);
	if (text)
		memcpy((char *)(r + 1) + n, text, length);
	r->comm = id;
	r->aux = (uint32_t)units;
	l->log.next = r + 1 + units;
	r->kind = (uint8_t)kind;
}

uint32_t file_path(struct lane *l, const char *path, uint64_t *key)
{
	struct log_path about = {.key = strnlen(path, PATH_MOST)};
	uint32_t id = UINT32_MAX;
	int is_new = 0;
	struct path *p;
	size_t i, n = about.key;

	for (i = 0; i < n; i++)
		about.key = comm_mix(about.key, (unsigned char)path[i]);
	recorder_lock();
	HASH_FIND(hh, paths, &about.key, sizeof(about.key), p);
	if (!p && (p = arena_alloc(sizeof(*p)))) {
		is_new = 1;
		p->key = about.key;
		p->id = n_paths++;
		HASH_ADD(hh, paths, key, sizeof(p->key), p);
	}
	if (p)
		id = p->id;
	recorder_unlock();
	if (is_new)
		define(l, RECORD_DEF_PATH, id, sizeof(about), &about, path);
	*key = about.key;
	return id;
}

struct file *file_opened(struct lane *l, MPI_Comm comm, const char *path, MPI_File handle)
{
	const struct comm_info *c = comm_of(l, comm);
	struct log_file about;
	struct file *f;

	if (!c || !path || file_path(l, path, &about.path_key) == UINT32_MAX)
		return NULL;
	recorder_lock();
	f = spare_files;
	if (f)
		spare_files = f->spare;
	else
		f = arena_alloc(sizeof(*f));
	if (f) {
		memset(f, 0, sizeof(*f));
		f->handle = handle;
		f->id = n_files++;
	}
	recorder_unlock();
	if (!f)
		return NULL;
	about.comm_key = c->key;
	about.key = comm_mix(comm_reserve(l, comm, COMM_CHILD_FILE), about.path_key);
	define(l, RECORD_DEF_FILE, f->id, sizeof(about), &about, NULL);
	file_put_back(f);
	return f;
}

struct file *file_take(MPI_File handle)
{
	struct file *f = NULL;

	if (handle == MPI_FILE_NULL)
		return NULL;
	recorder_lock();
	HASH_FIND(hh, files, &handle, sizeof(handle), f);
	if (f)
		HASH_DEL(files, f);
	recorder_unlock();
	return f;
}

void file_put_back(struct file *f)
{
	recorder_lock();
	HASH_ADD(hh, files, handle, sizeof(f->handle), f);
	recorder_unlock();
}

void file_closed(struct file *f)
{
	recorder_lock();
	f->spare = spare_files;
	spare_files = f;
	recorder_unlock();
}
