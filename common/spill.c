/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/spill.h"

#include "common/number.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#define CLUSTER (2u << 20) /* bytes; so many come from the disk at a time, where the kernel can */

/*
 * A part of the file: a table's bytes from here on. One that has grown has several, in a row where
 * they are mapped. No other part was or will be at its offset: so all begin as zero.
 */
struct part {
	const char *table;
	size_t from, bytes;
	off_t offset;
};

/* One of a process, as its memory is one. */
static struct {
	pthread_mutex_t lock;
	int fd;
	char folder[PATH_MAX];
	off_t end;
	struct part *parts;
	size_t n, room;
	size_t held, most; /* bytes that they have, and the most that they had */
	char trouble[512];
} file = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

int spill_is_in_memory(const char *folder)
{
	struct statfs fs;

	return !statfs(folder, &fs) && (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC);
}

int spill_open(const char *folder, struct err *err)
{
	char path[PATH_MAX];
	int fd;

	if (file.fd >= 0)
		return 0;
	if (snprintf(path, sizeof(path), "%s/contend-XXXXXX", folder) >= (int)sizeof(path))
		return err_set(err, "%s: too long a path for a file of tables", folder);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return err_set(err, "no file for large tables can be made in %s: %s", folder,
			       strerror(errno));
	unlink(path);
	snprintf(file.folder, sizeof(file.folder), "%s", folder);
	file.fd = fd;
	return 0;
}

static void say_trouble(size_t bytes, int why)
{
	if (!file.trouble[0])
		snprintf(file.trouble, sizeof(file.trouble),
			 "no room for %s of tables in %.200s, which has %s of others: %s; "
			 "set TMPDIR to a folder on a disk with more",
			 number_room((double)bytes).text, file.folder,
			 number_room((double)file.held).text, strerror(why));
}

/* Have the disk keep this part of the file. Returns what is wrong, 0 if nothing. */
static int reserve(off_t offset, size_t bytes)
{
	struct rlimit most;
	int why;

	/* going beyond it ends the process, by a signal */
	if (!getrlimit(RLIMIT_FSIZE, &most) && most.rlim_cur != RLIM_INFINITY &&
	    (uint64_t)offset + bytes > most.rlim_cur)
		return EFBIG;
	do
		why = posix_fallocate(file.fd, offset, (off_t)bytes);
	while (why == EINTR);
	return why;
}

static void drop(off_t offset, size_t bytes)
{
	/* where a file cannot have holes its disk space comes back at the end */
	fallocate(file.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, (off_t)bytes);
}

/* Room for one more part in the list. */
static int more_parts(void)
{
	size_t room = file.room ? 2 * file.room : 64;
	struct part *grown;

	if (file.n < file.room)
		return 0;
	grown = reallocarray(file.parts, room, sizeof(*grown));
	if (!grown)
		return -1;
	file.parts = grown;
	file.room = room;
	return 0;
}

/* The bytes of those that begin in place of so many: whole pages, of many whole clusters. */
static size_t rounded(size_t bytes)
{
	size_t unit = bytes < CLUSTER ? (size_t)sysconf(_SC_PAGESIZE) : CLUSTER;

	return (bytes + !bytes + unit - 1) / unit * unit;
}

/* Map a part of the file here. Returns 0, or what is wrong. */
static int show(char *at, size_t bytes, off_t offset)
{
	if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.fd, offset) ==
	    MAP_FAILED)
		return errno;
	/*
	 * a page that is not there then comes with its cluster, and not with all that is read
	 * ahead:
	 */
	madvise(at, bytes, MADV_HUGEPAGE);
	/* nor with the next one, which is gone before it is used when memory is short */
	madvise(at, bytes, MADV_RANDOM);
	return 0;
}

/* Map all parts of this table once more, from here on. Returns 0, or what is wrong. */
static int show_again(const char *table, char *at)
{
	int why = 0;

	for (size_t i = 0; i < file.n && !why; i++)
		if (file.parts[i].table == table)
			why = show(at + file.parts[i].from, file.parts[i].bytes,
				   file.parts[i].offset);
	return why;
}

/*
 * A new table of so many bytes or, with all that another one has, its continuation: nothing is
 * copied, and on failure nothing has happened. With the lock held; bytes are rounded.
 */
static char *map_part(char *table, size_t had, size_t bytes)
{
	off_t skip = bytes < CLUSTER ? 0 : (CLUSTER - file.end % CLUSTER) % CLUSTER;
	off_t offset = file.end + skip;
	int why = more_parts() ? ENOMEM : reserve(offset, bytes);
	char *at = MAP_FAILED;

	if (!why) {
		at = mmap(NULL, had + bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		why = at == MAP_FAILED ? errno : show(at + had, bytes, offset);
	}
	if (!why && had)
		why = show_again(table, at);
	if (why) {
		say_trouble(bytes, why);
		if (at != MAP_FAILED)
			munmap(at, had + bytes);
		drop(offset, bytes);
		errno = ENOMEM;
		return NULL;
	}
	if (had)
		munmap(table, had);
	for (size_t i = 0; i < file.n && had; i++)
		if (file.parts[i].table == table)
			file.parts[i].table = at;
	file.parts[file.n++] = (struct part){at, had, bytes, offset};
	file.end = offset + (off_t)bytes;
	file.held += bytes;
	file.most = file.held > file.most ? file.held : file.most;
	return at;
}

/* What a table has; with the lock held. */
static size_t bytes_of(const char *table)
{
	size_t bytes = 0;

	for (size_t i = 0; i < file.n; i++)
		bytes += file.parts[i].table == table ? file.parts[i].bytes : 0;
	return bytes;
}

void *spill_map(size_t bytes)
{
	void *at;

	if (file.fd < 0 || bytes > PTRDIFF_MAX - CLUSTER)
		return NULL;
	pthread_mutex_lock(&file.lock);
	at = map_part(NULL, 0, rounded(bytes));
	pthread_mutex_unlock(&file.lock);
	return at;
}

void *spill_grow(void *room, size_t bytes)
{
	size_t had;
	void *at = room;

	if (bytes > PTRDIFF_MAX - CLUSTER)
		return NULL;
	pthread_mutex_lock(&file.lock);
	had = bytes_of(room);
	if (had < bytes)
		at = map_part(room, had, rounded(bytes - had));
	pthread_mutex_unlock(&file.lock);
	return at;
}

size_t spill_bytes(const void *room)
{
	size_t bytes;

	if (file.fd < 0 || !room)
		return 0;
	pthread_mutex_lock(&file.lock);
	bytes = bytes_of(room);
	pthread_mutex_unlock(&file.lock);
	return bytes;
}

int spill_unmap(void *room)
{
	size_t bytes;

	if (file.fd < 0 || !room)
		return 0;
	pthread_mutex_lock(&file.lock);
	bytes = bytes_of(room);
	if (bytes)
		munmap(room, bytes);
	file.held -= bytes;
	for (size_t i = bytes ? file.n : 0; i-- > 0;) {
		struct part p = file.parts[i];

		if (p.table != room)
			continue;
		drop(p.offset, p.bytes);
		file.parts[i] = file.parts[--file.n];
	}
	pthread_mutex_unlock(&file.lock);
	return bytes > 0;
}

const char *spill_trouble(void)
{
	return file.trouble[0] ? file.trouble : NULL;
}

size_t spill_most(const char **folder)
{
	*folder = file.folder;
	return file.most;
}
