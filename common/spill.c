/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/spill.h"

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

/* A part of the file that is mapped. No other was or will be at its offset: so all begin as zero. */
struct part {
	char *at;
	size_t bytes;
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
	char trouble[512];
} file = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

static int is_in_memory(const char *folder)
{
	struct statfs fs;

	return !statfs(folder, &fs) && (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC);
}

const char *spill_folder(const char *const folders[])
{
	while (*folders && is_in_memory(*folders))
		folders++;
	return *folders;
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
		return err_set(err,
			       "no file for large tables can be made in %s: %s; set TMPDIR to a "
			       "folder on a disk",
			       folder, strerror(errno));
	unlink(path);
	snprintf(file.folder, sizeof(file.folder), "%s", folder);
	file.fd = fd;
	return 0;
}

static void say_trouble(size_t bytes, int why)
{
	double others = 0;

	for (size_t i = 0; i < file.n; i++)
		others += (double)file.parts[i].bytes;
	if (!file.trouble[0])
		snprintf(
			file.trouble, sizeof(file.trouble),
			"no room for %.2f GB of tables in %.200s, which has %.2f GB of others: %s; "
			"set TMPDIR to a folder on a disk with more",
			(double)bytes / 1e9, file.folder, others / 1e9, strerror(why));
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

/* With the lock held; bytes are whole pages. */
static void *map_part(size_t bytes)
{
	off_t offset = file.end;
	int why = more_parts() ? ENOMEM : reserve(offset, bytes);
	void *at = MAP_FAILED;

	if (!why) {
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, offset);
		why = at == MAP_FAILED ? errno : 0;
	}
	if (why) {
		say_trouble(bytes, why);
		drop(offset, bytes);
		errno = ENOMEM;
		return NULL;
	}
	file.parts[file.n++] = (struct part){.at = at, .bytes = bytes, .offset = offset};
	file.end += (off_t)bytes;
	return at;
}

void *spill_map(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at;

	if (file.fd < 0 || bytes > PTRDIFF_MAX - page)
		return NULL;
	bytes = (bytes + !bytes + page - 1) / page * page;
	pthread_mutex_lock(&file.lock);
	at = map_part(bytes);
	pthread_mutex_unlock(&file.lock);
	return at;
}

/* The part at this address, or NULL; with the lock held. */
static struct part *part_at(const void *room)
{
	for (size_t i = file.n; i-- > 0;)
		if (file.parts[i].at == room)
			return &file.parts[i];
	return NULL;
}

size_t spill_bytes(const void *room)
{
	struct part *p;
	size_t bytes;

	if (file.fd < 0 || !room)
		return 0;
	pthread_mutex_lock(&file.lock);
	p = part_at(room);
	bytes = p ? p->bytes : 0;
	pthread_mutex_unlock(&file.lock);
	return bytes;
}

int spill_unmap(void *room)
{
	struct part *p, was = {.at = NULL};

	if (file.fd < 0 || !room)
		return 0;
	pthread_mutex_lock(&file.lock);
	p = part_at(room);
	if (p) {
		was = *p;
		*p = file.parts[--file.n];
	}
	pthread_mutex_unlock(&file.lock);
	if (!was.at)
		return 0;
	munmap(was.at, was.bytes);
	drop(was.offset, was.bytes);
	return 1;
}

const char *spill_trouble(void)
{
	return file.trouble[0] ? file.trouble : NULL;
}
