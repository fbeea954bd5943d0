/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/runlogs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/schema.h"
#include "interpose/archive/archive.h"
#include "interpose/log/log_seal.h"

#define STEP_NS 1000

void runlogs_path(char *path, size_t n, const char *dir, unsigned rank, unsigned thread)
{
	snprintf(path, n, "%s/" SCHEMA_LOG_DIR "/%u.%u.log", dir, rank, thread);
}

static struct record *room(struct log *l, size_t units)
{
	struct err err;
	struct record *r;

	if ((size_t)(l->end - l->next) < units && log_grow(l, units, &err))
		abort();
	r = l->next;
	l->next += units;
	memset(r, 0, units * sizeof(*r));
	return r;
}

static void describe(struct log_header *h, const struct runlogs *l, unsigned rank, unsigned thread)
{
	h->rank = rank;
	h->ranks = l->ranks;
	h->thread = thread;
	h->realtime_ns = INT64_C(1700000000) * 1000000000;
	h->anchor[0] = (struct log_anchor){0, 0};
	h->anchor[1] = (struct log_anchor){(uint64_t)l->calls * STEP_NS, l->calls * STEP_NS};
	h->pid = 0;
	h->cores = 4;
	strcpy(h->host, "here");
	strcpy(h->boot_id, "one boot");
	strcpy(h->exe, "/bin/app");
	strcpy(h->command, "./app");
	h->threads = l->threads;
	h->everybody = 1;
	h->seal = log_seal_header(h);
}

static void define(struct log *log, const struct runlogs *l)
{
	struct record *r = room(log, 2);
	struct log_frame *f;
	struct log_comm *comm;

	memcpy(r + 1, "ab12\0/bin/app", 14);
	r->site = 0;
	r->aux = 1;
	r->kind = RECORD_DEF_OBJECT;
	r = room(log, 2);
	f = (void *)(r + 1);
	f[0] = (struct log_frame){.offset = 16};
	r->peer = 1;
	r->aux = 1;
	r->kind = RECORD_DEF_SITE;
	r = room(log, 3);
	comm = (void *)(r + 1);
	*comm = (struct log_comm){.key = LOG_COMM_WORLD, .size = l->ranks};
	strcpy(comm->name, "MPI_COMM_WORLD");
	r->comm = 0;
	r->aux = 2;
	r->kind = RECORD_DEF_COMM;
}

/* Call number i of a rank: with rank's neighbour, in an order that repeats. */
static void write_call(struct log *log, const struct runlogs *l, unsigned rank, unsigned i)
{
	static const uint8_t kinds[] = {RECORD_IRECV,     RECORD_SEND,      RECORD_TEST_FAILED,
					RECORD_RECV_DONE, RECORD_COLL,      RECORD_ISEND,
					RECORD_SEND_DONE, RECORD_RECV,      RECORD_NBC,
					RECORD_NBC_DONE,  RECORD_RMA_PUT,   RECORD_RMA_DONE,
					RECORD_IO,        RECORD_CANCELLED, RECORD_METRIC,
					RECORD_PAUSE,     RECORD_RESUME,    RECORD_CALL};
	unsigned turn = i % sizeof(kinds);
	struct record *r = room(log, 1);

	r->enter = (uint64_t)i * STEP_NS;
	r->leave = r->enter + STEP_NS / 2;
	r->bytes = 8 * turn;
	r->request = 1 + i / sizeof(kinds);
	r->peer = (int32_t)((rank + (kinds[turn] == RECORD_SEND ? 1 : l->ranks - 1)) % l->ranks);
	r->tag = 1;
	r->call = (uint16_t)(turn + 5);
	r->aux = kinds[turn] == RECORD_METRIC ? 1 : 0;
	r->kind = kinds[turn];
	if (turn != 3)
		return;
	r = room(log, 1); /* the same call completes one more */
	r->flags = RECORD_FLAG_PART;
	r->request = UINT64_C(1) << 40;
	r->kind = RECORD_SEND_DONE;
}

/* A receive that nothing came for. */
static void hang(struct log *log, const struct runlogs *l, unsigned rank)
{
	struct log_header *h = log->header;
	int64_t begin_ns = (int64_t)l->calls * STEP_NS, end_ns = begin_ns + l->hung_ns;
	struct record *r = room(log, 1);

	r->enter = (uint64_t)begin_ns;
	r->peer = (int32_t)((rank + 1) % l->ranks);
	r->tag = 7;
	while (strcmp(archive_call_name(r->call), "MPI_Recv"))
		r->call++;
	r->kind = RECORD_CALL;
	h->end = LOG_KILLED;
	h->end_status = SIGTERM;
	h->end_from = LOG_FROM_OTHER;
	h->end_at = (struct log_anchor){(uint64_t)end_ns, end_ns};
	h->end_seal = log_seal_end(h);
}

static int make_log(const char *dir, const struct runlogs *l, unsigned rank, unsigned thread)
{
	char path[500];
	struct log log;
	struct err err;
	unsigned i;

	runlogs_path(path, sizeof(path), dir, rank, thread);
	if (log_create(&log, path, &err))
		return -1;
	describe(log.header, l, rank, thread);
	if (!thread)
		define(&log, l);
	for (i = 0; i < l->calls; i++)
		write_call(&log, l, rank, i);
	if (l->hung_ns)
		hang(&log, l, rank);
	log_total_of(&log, 7, 0)->calls = 3;
	log_close(&log);
	return 0;
}

int runlogs_make(const char *dir, const struct runlogs *l)
{
	char path[500];
	unsigned rank, thread;

	snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR, dir);
	if (mkdir(dir, 0777) || mkdir(path, 0777))
		return -1;
	for (rank = 0; rank < l->ranks; rank++)
		for (thread = 0; thread < l->threads; thread++)
			if (make_log(dir, l, rank, thread))
				return -1;
	return 0;
}
