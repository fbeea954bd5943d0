/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/steady.h"
#include "interpose/log/log_seal.h"
#include "interpose/log/squeeze.h"

/* A chunk being made, at its worst. */
struct making {
	struct squeeze_room room;
	unsigned char chunk[sizeof(struct log_chunk) + LOG_HALF_UNITS * SQUEEZE_UNIT_MAX];
};

/* Writing past RLIMIT_FSIZE would be a deadly signal. Returns 0 or an error number. */
static int check_limit(uint64_t bytes)
{
	struct rlimit most;

	return !getrlimit(RLIMIT_FSIZE, &most) && bytes > most.rlim_cur ? EFBIG : 0;
}

/* posix_fallocate, again when a signal interrupts it. Returns 0 or an error number. */
static int allocate(int fd, size_t bytes)
{
	int rc = check_limit(bytes);

	if (rc)
		return rc;
	do
		rc = posix_fallocate(fd, 0, (off_t)bytes);
	while (rc == EINTR);
	return rc;
}

/* The current half, empty but for its number, is what is written next. */
static void open_half(struct log *l)
{
	struct record *half = l->half[l->sequence % 2];

	__atomic_signal_fence(__ATOMIC_RELEASE); /* the half before is whole */
	half[0].request = l->sequence;
	half[0].kind = RECORD_PAD;
	__atomic_store_n(&l->header->sequence, l->sequence, __ATOMIC_RELEASE);
	l->next = half + 1;
	l->end = half + LOG_HALF_UNITS;
}

/* Is the descriptor still our file's? Programs close what they did not open. */
static int is_ours(const struct log *l)
{
	struct stat st;

	return !fstat(l->fd, &st) && st.st_dev == l->device && st.st_ino == l->inode;
}

/* Get the descriptor out of the way of the program's own, and know its file again. */
static void guard(struct log *l)
{
	int high = fcntl(l->fd, F_DUPFD_CLOEXEC, 200);
	struct stat st;

	if (high >= 0) {
		close(l->fd);
		l->fd = high;
	}
	if (!fstat(l->fd, &st)) {
		l->device = st.st_dev;
		l->inode = st.st_ino;
	}
}

int log_create(struct log *l, const char *path, struct err *err)
{
	char *map;
	struct making *making;
	int rc;

	memset(l, 0, sizeof(*l));
	l->fd = steady_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (l->fd < 0)
		return err_set(err, "cannot create %s: %s", path, strerror(errno));
	rc = allocate(l->fd, LOG_DATA_BYTES);
	map = rc ? MAP_FAILED
		 : mmap(NULL, LOG_DATA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
			l->fd, 0);
	making = mmap(NULL, sizeof(*making), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (map == MAP_FAILED || making == MAP_FAILED) {
		err_set(err, "cannot write %s: %s", path, strerror(rc ? rc : errno));
		close(l->fd);
		unlink(path);
		errno = 0;
		return -1;
	}
	guard(l);
	l->making = making;
	l->file_bytes = LOG_DATA_BYTES;
	l->header = (void *)map;
	l->half[0] = (void *)(map + LOG_HEADER_BYTES);
	l->half[1] = (void *)(map + LOG_HEADER_BYTES + LOG_HALF_BYTES);
	l->tail = (void *)(map + LOG_TAIL_AT);
	l->totals = (void *)(map + LOG_TOTALS_AT);
	l->gather = (void *)(map + LOG_GATHER_AT);
	open_half(l);
	__atomic_store_n(&l->header->magic, LOG_MAGIC, __ATOMIC_RELEASE); /* it is one now */
	return 0;
}

void log_takes(struct log *l, uint64_t bytes)
{
	uint64_t now = __atomic_load_n(l->left, __ATOMIC_RELAXED), then;

	do
		then = now > bytes ? now - bytes : 0;
	while (!__atomic_compare_exchange_n(l->left, &now, then, 0, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
}

/* All of bytes behind the file's end, of which chunks up to the one before flushed are made. */
static int write_out(struct log *l, const unsigned char *from, size_t bytes, uint32_t flushed,
		     struct err *err)
{
	size_t done = 0;
	ssize_t n;
	int rc;

	if (!is_ours(l))
		return err_set(err, "the program closed the log");
	rc = check_limit(l->file_bytes + bytes);
	while (!rc && done < bytes) {
		n = pwrite(l->fd, from + done, bytes - done, (off_t)(l->file_bytes + done));
		rc = n < 0 && errno != EINTR ? errno : 0;
		done += n > 0 ? (size_t)n : 0;
	}
	if (rc)
		return err_set(err, "cannot extend the log: %s", strerror(rc));
	l->file_bytes += bytes;
	__atomic_store_n(&l->header->written, flushed, __ATOMIC_RELEASE);
	return 0;
}

/*
 * Keep the next chunk, which has been squeezed: with those gathered before it, or, if there is no
 * room for it even when those are written, behind the end like them.
 */
static int keep_chunk(struct log *l, size_t bytes, struct err *err)
{
	if (l->gathered && bytes > LOG_GATHER_BYTES - l->gathered) {
		if (write_out(l, l->gather, l->gathered, l->header->flushed, err))
			return -1;
		l->gathered = 0;
	}
	if (bytes > LOG_GATHER_BYTES) {
		if (write_out(l, l->making->chunk, bytes, l->sequence, err))
			return -1;
	} else {
		memcpy(l->gather + l->gathered, l->making->chunk, bytes);
		l->gathered += bytes;
	}
	__atomic_store_n(&l->header->flushed, l->sequence, __ATOMIC_RELEASE);
	return 0;
}

/* Make a chunk of the older half and clear it. */
static int flush_older(struct log *l, struct err *err)
{
	struct record *half = l->half[(l->sequence + 1) % 2];
	struct log_chunk head = {.sequence = l->sequence - 1};
	size_t bytes;

	head.bytes = (uint32_t)squeeze(LOG_HALF_UNITS, half, &l->making->room,
				       l->making->chunk + sizeof(head));
	head.seal = log_seal_chunk(&head, l->making->chunk + sizeof(head));
	memcpy(l->making->chunk, &head, sizeof(head));
	bytes = sizeof(head) + head.bytes;
	l->at_limit = l->left && __atomic_load_n(l->left, __ATOMIC_RELAXED) < bytes;
	if (l->at_limit)
		return err_set(err, "the log has reached the size of --max-trace");
	if (keep_chunk(l, bytes, err))
		return -1;
	if (l->left)
		log_takes(l, bytes);
	memset(half + 1, 0, LOG_HALF_BYTES - sizeof(*half));
	return 0;
}

/* Nothing more in this half: readers pass over its rest. */
static void pad_half(struct log *l)
{
	if (l->next >= l->end)
		return;
	l->next->aux = (uint32_t)(l->end - l->next - 1);
	l->next->kind = RECORD_PAD;
}

int log_grow(struct log *l, size_t units, struct err *err)
{
	if (log_is_in_tail(l))
		return err_set(err, "the log is full");
	if (units >= LOG_HALF_UNITS)
		return err_set(err, "a definition of %zu units does not fit into the log", units);
	if (l->sequence && flush_older(l, err))
		return -1;
	pad_half(l);
	l->sequence++;
	open_half(l);
	return 0;
}

void log_begin_tail(struct log *l)
{
	pad_half(l);
	l->next = l->tail + 1;
	l->end = l->tail + LOG_TAIL_UNITS - LOG_TAIL_KEPT;
	l->tail->kind = RECORD_PAD;
}

struct log_total *log_total_of(struct log *l, uint16_t call, uint32_t site)
{
	unsigned at = (site * 31u + call) * 2654435761u >> 24, n;
	struct log_total *t;

	_Static_assert(LOG_TOTALS == 256, "the hash has 8 bits");
	for (n = 0; n < LOG_TOTALS - 1; n++, at++) {
		t = &l->totals[1 + at % (LOG_TOTALS - 1)];
		if (t->used && (t->call != call || t->site != site))
			continue;
		t->call = call;
		t->site = site;
		t->used = 1;
		return t;
	}
	l->totals->call = UINT16_MAX;
	l->totals->site = UINT32_MAX;
	l->totals->used = 1;
	return l->totals;
}

void log_close(struct log *l)
{
	if (l->header)
		munmap(l->header, LOG_DATA_BYTES);
	if (l->making)
		munmap(l->making, sizeof(*l->making));
	if (l->fd >= 0 && is_ours(l))
		close(l->fd);
	memset(l, 0, sizeof(*l));
	l->fd = -1;
}
