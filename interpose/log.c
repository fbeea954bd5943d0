/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int log_create(struct log *l, const char *path, struct err *err)
{
	void *header;
	int rc;

	memset(l, 0, sizeof(*l));
	l->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (l->fd < 0)
		return err_set(err, "cannot create %s: %s", path, strerror(errno));
	rc = posix_fallocate(l->fd, 0, LOG_HEADER_BYTES);
	header = rc ? MAP_FAILED :
		      mmap(NULL, LOG_HEADER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, l->fd, 0);
	if (header == MAP_FAILED) {
		err_set(err, "cannot write %s: %s", path, strerror(rc ? rc : errno));
		close(l->fd);
		unlink(path);
		return -1;
	}
	l->header = header;
	l->header->magic = LOG_MAGIC;
	l->file_bytes = LOG_HEADER_BYTES;
	return 0;
}

/* posix_fallocate, retried when a signal interrupts it. Returns 0 or an error number. */
static int allocate(int fd, uint64_t offset, size_t bytes)
{
	int rc;

	do
		rc = posix_fallocate(fd, (off_t)offset, (off_t)bytes);
	while (rc == EINTR);
	return rc;
}

int log_grow(struct log *l, size_t units, struct err *err)
{
	size_t need = units * sizeof(struct record);
	size_t bytes = l->chunk_bytes ? 2 * l->chunk_bytes : LOG_CHUNK_MIN;
	void *chunk;
	int rc;

	if (bytes > LOG_CHUNK_MAX)
		bytes = LOG_CHUNK_MAX;
	while (bytes < need)
		bytes *= 2;
	rc = allocate(l->fd, l->file_bytes, bytes);
	if (rc)
		return err_set(err, "cannot extend the log: %s", strerror(rc));
	chunk = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, l->fd,
		     (off_t)l->file_bytes);
	if (chunk == MAP_FAILED)
		return err_set(err, "cannot map the log: %s", strerror(errno));
	if (l->next < l->end) {
		l->next->aux = (uint32_t)(l->end - l->next - 1);
		l->next->kind = RECORD_PAD;
	}
	if (l->previous)
		munmap(l->previous, l->previous_bytes);
	l->previous = l->chunk;
	l->previous_bytes = l->chunk_bytes;
	l->chunk = chunk;
	l->chunk_bytes = bytes;
	l->file_bytes += bytes;
	l->next = chunk;
	l->end = l->next + bytes / sizeof(struct record);
	return 0;
}

void log_close(struct log *l)
{
	if (l->previous)
		munmap(l->previous, l->previous_bytes);
	if (l->chunk)
		munmap(l->chunk, l->chunk_bytes);
	if (l->header)
		munmap(l->header, LOG_HEADER_BYTES);
	if (l->fd >= 0)
		close(l->fd);
	memset(l, 0, sizeof(*l));
	l->fd = -1;
}

int log_view_open(struct log_view *v, const char *path, struct err *err)
{
	struct stat st;
	void *map = MAP_FAILED;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, "cannot open %s: %s", path, strerror(errno));
	if (!fstat(fd, &st) && st.st_size >= LOG_HEADER_BYTES)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return err_set(err, "%s is not a recorder log: it is too short", path);
	if (((const struct log_header *)map)->magic != LOG_MAGIC) {
		munmap(map, (size_t)st.st_size);
		return err_set(err, "%s is not a recorder log of this version", path);
	}
	v->header = map;
	v->mapped_bytes = (size_t)st.st_size;
	v->units = (const struct record *)((const char *)map + LOG_HEADER_BYTES);
	v->n = (v->mapped_bytes - LOG_HEADER_BYTES) / sizeof(struct record);
	return 0;
}

void log_view_close(struct log_view *v)
{
	if (v->header)
		munmap((void *)v->header, v->mapped_bytes);
	memset(v, 0, sizeof(*v));
}

const struct record *log_view_next(const struct log_view *v, size_t *i)
{
	while (*i < v->n) {
		const struct record *r = &v->units[*i];
		size_t payload = RECORD_IS_DEF(r->kind) || r->kind == RECORD_PAD ? r->aux : 0;

		if (r->kind == RECORD_NONE || r->kind >= RECORD_KINDS || payload >= v->n - *i)
			return NULL;
		*i += 1 + payload;
		if (r->kind != RECORD_PAD)
			return r;
	}
	return NULL;
}
