/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/finish.h"

#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/options.h"
#include "common/schema.h"
#include "interpose/archive/archive.h"
#include "interpose/archive/runjson.h"
#include "interpose/archive/tidy.h"
#include "interpose/job/cost.h"
#include "interpose/job/early.h"
#include "interpose/job/launch.h"
#include "interpose/job/offsets.h"
#include "interpose/job/pause.h"
#include "interpose/job/recorder.h"

/* This process's logs, open for reading, and what is to be said of them. */
struct mine {
	struct log_view *views;
	int n;
	struct bytes digest;
	struct def_rank maps;
	struct timeline clock;
	struct archive_location *locations;
};

/*
 * The lanes' logs are complete. Another thread may still be on its way out of a call: its
 * log stays mapped.
 */
static void seal_lanes(void)
{
	struct lane *l;

	early_stop();
	for (l = recorder.lanes; l; l = l->other) {
		l->log.header->anchor[1] = ticks_anchor();
		__atomic_store_n(&l->log.header->end, LOG_FINALIZED, __ATOMIC_RELEASE);
		if (l == lane_self)
			log_close(&l->log);
	}
}

static int open_mine(struct mine *m, struct err *err)
{
	char path[sizeof(recorder.dir) + 64];
	int i, n = (int)recorder.n_lanes;

	m->views = calloc((size_t)n, sizeof(*m->views));
	m->locations = calloc((size_t)n, sizeof(*m->locations));
	if (!m->views || !m->locations)
		return err_set(err, "out of memory for the archive");
	for (i = 0; i < n; i++) {
		launch_log_path(path, sizeof(path), recorder.dir, recorder.rank, (unsigned)i);
		if (log_view_open(&m->views[i], path, err))
			return -1;
		m->n++;
		if (m->views[i].lack)
			return err_set(err, "%s was changed", path);
		if (digest_add(&m->digest, &m->views[i], err))
			return -1;
	}
	return 0;
}

static void release_mine(struct mine *m)
{
	int i;

	for (i = 0; i < m->n; i++)
		log_view_close(&m->views[i]);
	free(m->views);
	free(m->locations);
	free(m->digest.p);
	timeline_release(&m->clock);
	for (i = 0; i < DEF_KINDS; i++)
		free(m->maps.maps[i].global);
}

/*
 * Is there room for the archive? It takes some five times what the squeezed logs do; OTF2
 * does not survive a file that cannot grow.
 */
static int check_room(const struct mine *m, struct err *err)
{
	uint64_t bytes = 1 << 20, largest = 0;
	struct statvfs fs;
	struct rlimit limit;
	int i;

	for (i = 0; i < m->n; i++) {
		uint64_t mine = 8 * m->views[i].mapped_bytes;

		bytes += mine;
		largest = mine > largest ? mine : largest;
	}
	if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < largest)
		return err_set(err, "the file size limit is too low for the trace");
	if (statvfs(recorder.dir, &fs) || (uint64_t)fs.f_bavail * fs.f_frsize > bytes)
		return 0;
	return err_set(err, "no room for the trace in %s", recorder.dir);
}

/* Does every rank say yes? */
static int all_agree(int yes)
{
	int all = 0;

	real.Allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, recorder.comm);
	return all;
}

/* The parts of varying size that rank 0 collects from or gives to the others. */
struct parts {
	char *p;
	int *sizes, *at; /* bytes, rank 0 only */
};

static int gather_parts(const void *mine, size_t n, struct parts *all, struct err *err)
{
	int size = (int)n, r, ok;
	size_t total = 0;

	all->sizes = calloc(2 * (size_t)recorder.ranks, sizeof(int));
	ok = all_agree(all->sizes != NULL);
	if (!ok)
		return err_set(err, "out of memory for definitions");
	all->at = all->sizes + recorder.ranks;
	real.Gather(&size, 1, MPI_INT, all->sizes, 1, MPI_INT, 0, recorder.comm);
	for (r = 0; r < recorder.ranks; r++) {
		all->at[r] = (int)total;
		total += (size_t)all->sizes[r];
	}
	all->p = malloc(total ? total : 1);
	if (!all_agree(all->p && total < INT32_MAX))
		return err_set(err, "the definitions of all ranks take too much memory");
	real.Gatherv(mine, size, MPI_BYTE, all->p, all->sizes, all->at, MPI_BYTE, 0, recorder.comm);
	return 0;
}

static void release_parts(struct parts *all)
{
	free(all->p);
	free(all->sizes);
}

/*
 * Rank 0 takes in one rank's digest after another: it never holds two of them, as together they
 * can be more than its memory, or than MPI counts. It names every rank in the archive's definitions
 * anyway; a digest of a stencil's rank (5.5 KB) takes it 8 us, 16,384 of them 0.13 s, and one
 * of 10,000 call sites 4 ms.
 */
static int unify(const struct bytes *mine, struct defs *d, struct err *err)
{
	int size = (int)mine->n, most = 0, r, ok = mine->n < INT32_MAX;
	char *room = NULL;
	MPI_Status status;

	real.Allreduce(&size, &most, 1, MPI_INT, MPI_MAX, recorder.comm);
	if (recorder.rank == 0)
		room = malloc((size_t)most + 1);
	if (!all_agree(ok && (room || recorder.rank))) {
		free(room);
		return err_set(err, "the definitions of a rank take too much memory");
	}
	if (recorder.rank) {
		real.Send(mine->p, size, MPI_BYTE, 0, 1, recorder.comm);
		return 0;
	}
	ok = !defs_add(d, mine->p, mine->n, err);
	for (r = 1; r < recorder.ranks; r++) { /* all of them, as they wait for it */
		real.Recv(room, most, MPI_BYTE, r, 1, recorder.comm, &status);
		real.Get_count(&status, MPI_BYTE, &size);
		ok = ok && !defs_add(d, room, (size_t)size, err);
	}
	free(room);
	defs_done(d);
	return ok ? 0 : -1;
}

/*
 * Rank 0 gives rank r its maps: their sizes, then those that are not empty, mostly two, in a row.
 */
static void send_maps(const struct def_rank *k, int r)
{
	int sizes[DEF_KINDS], kind;

	for (kind = 0; kind < DEF_KINDS; kind++)
		sizes[kind] = (int)k->maps[kind].n;
	real.Send(sizes, DEF_KINDS, MPI_INT, r, 2, recorder.comm);
	for (kind = 0; kind < DEF_KINDS; kind++)
		if (sizes[kind])
			real.Send(k->maps[kind].global, 4 * sizes[kind], MPI_BYTE, r, 3 + kind,
				  recorder.comm);
}

/* Everyone gets its maps from rank 0. */
static int scatter_maps(const struct defs *d, struct mine *m, struct err *err)
{
	int sizes[DEF_KINDS], r, kind;

	m->maps.header = *m->views[0].header;
	m->maps.clock = &m->clock;
	if (recorder.rank == 0) {
		for (r = 1; r < recorder.ranks; r++)
			send_maps(&d->ranks[r], r);
		for (kind = 0; kind < DEF_KINDS; kind++)
			sizes[kind] = (int)d->ranks[0].maps[kind].n;
	} else {
		real.Recv(sizes, DEF_KINDS, MPI_INT, 0, 2, recorder.comm, MPI_STATUS_IGNORE);
	}
	for (kind = 0; kind < DEF_KINDS; kind++) {
		struct def_map *map = &m->maps.maps[kind];

		map->n = (uint32_t)sizes[kind];
		map->global = malloc(4 * ((size_t)map->n + 1));
		if (!map->global)
			return err_set(err, "out of memory for definitions");
		if (recorder.rank && map->n)
			real.Recv(map->global, 4 * sizes[kind], MPI_BYTE, 0, 3 + kind,
				  recorder.comm, MPI_STATUS_IGNORE);
		else if (map->n)
			memcpy(map->global, d->ranks[0].maps[kind].global, 4 * (size_t)map->n);
	}
	return 0;
}

static int write_my_events(struct archive *a, struct mine *m, struct err *err)
{
	int64_t end_ns = INT64_MIN, ns;
	int i, ret = 0;

	for (i = 0; i < m->n; i++) {
		ns = archive_log_end_ns(&m->views[i], &m->clock);
		end_ns = ns > end_ns ? ns : end_ns;
	}
	for (i = 0; i < m->n && !ret; i++)
		ret = archive_write_log(a, &m->views[i], &m->maps, NULL, end_ns, &m->locations[i],
					err);
	return ret;
}

/*
 * The collective part: after each step that may fail all ranks agree to go on, or none does.
 * Returns 0, or -1 with *err set on the rank that knows why.
 */
static int write_archive(const struct defs *d, struct mine *m, int64_t begun_ns, struct err *err)
{
	struct parts locations = {0};
	struct archive_location *all = NULL;
	struct run_facts facts;
	struct archive *a;
	size_t n = 0;
	int ok;

	a = archive_open(recorder.dir, (uint32_t)recorder.ranks, &recorder.comm, err);
	if (!all_agree(a != NULL))
		return -1; /* leaves a half-open archive behind; the logs are still there */
	ok = !write_my_events(a, m, err);
	if (!all_agree(ok))
		goto abandon;
	ok = !archive_events_done(a, err);
	ok &= !gather_parts(m->locations, (size_t)m->n * sizeof(*m->locations), &locations, err);
	if (ok && recorder.rank == 0) {
		n = (size_t)(locations.at[recorder.ranks - 1] +
			     locations.sizes[recorder.ranks - 1]) /
		    sizeof(struct archive_location);
		all = (void *)locations.p;
		ok = !archive_write_definitions(a, d, n, all, err);
	}
	if (!all_agree(ok))
		goto abandon;
	ok = !archive_close(a, err);
	facts = (struct run_facts){.d = d, .n = n, .locations = all};
	facts.keeps_logs = option_is_on(OPTION_KEEP_LOGS);
	facts.finishing_ns = ticks_clock_ns(CLOCK_MONOTONIC) - begun_ns;
	if (ok && recorder.rank == 0) /* the last: it says that the archive is whole */
		ok = !run_json_write(recorder.dir, &facts, err);
	release_parts(&locations);
	return ok ? 0 : -1;
abandon:
	release_parts(&locations);
	archive_abandon(a);
	return -1;
}

/* Each rank its own, unless its options keep them: those of another program may differ. */
static void remove_logs(void)
{
	unsigned i, n = option_is_on(OPTION_KEEP_LOGS) ? 0 : recorder.n_lanes;

	for (i = 0; i < n; i++)
		tidy_log(recorder.dir, (unsigned)recorder.rank, i);
	real.Barrier(recorder.comm);
	if (recorder.rank == 0)
		tidy_log_dir(recorder.dir);
}

/* One rank, the first that knows, says why there is no trace yet. */
static void say_why(const struct err *err)
{
	int mine = *err->text ? recorder.rank : INT_MAX, first;

	real.Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, recorder.comm);
	if (first == recorder.rank)
		dprintf(STDERR_FILENO,
			"contend: %s; what was recorded is kept: contend recover %s\n", err->text,
			recorder.dir);
}

/* Every rank has been recording to the end, which was at begun_ns. */
static void write_together(int64_t begun_ns)
{
	struct mine m = {0};
	struct defs defs = {0};
	struct err err = {""};
	int ok;

	ok = all_agree(!open_mine(&m, &err) && !check_room(&m, &err));
	if (!ok)
		goto out;
	ok = all_agree(!offsets_share(m.digest.p, m.digest.n, &m.clock, &err));
	if (!ok)
		goto out;
	ok = all_agree(!unify(&m.digest, &defs, &err));
	if (!ok)
		goto out;
	ok = all_agree(!scatter_maps(&defs, &m, &err));
	if (!ok)
		goto out;
	ok = all_agree(!write_archive(&defs, &m, begun_ns, &err));
	if (ok)
		remove_logs();
	else if (recorder.rank == 0)
		tidy_archive(recorder.dir); /* the disk, which may be full, has its room back */
out:
	if (!ok)
		say_why(&err);
	defs_release(&defs);
	release_mine(&m);
}

/*
 * Every file is written with the program's signals and locale as it left them, but for two: a limit
 * on the size of files is an error, not the end; no number has a comma.
 */
struct aside {
	struct sigaction too_large;
	locale_t numbers, own;
};

static void put_aside(struct aside *a)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigaction(SIGXFSZ, &ignore, &a->too_large);
	a->numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	a->own = uselocale(a->numbers);
}

static void put_back(const struct aside *a)
{
	sigaction(SIGXFSZ, &a->too_large, NULL);
	uselocale(a->own);
	if (a->numbers)
		freelocale(a->numbers);
}

void finish_job(void)
{
	struct aside aside;
	int healthy = recorder.on && recorder.header->full != LOG_FULL_DISK;
	int64_t begun_ns = ticks_clock_ns(CLOCK_MONOTONIC);

	if (recorder.on)
		cost_note(recorder.header);
	offsets_measure(recorder.header);
	recorder.on = 0;
	seal_lanes();
	if (recorder.comm == MPI_COMM_NULL)
		return;
	put_aside(&aside);
	if (all_agree(pause_never_ended()))
		pause_say_never_ended();
	if (all_agree(healthy))
		write_together(begun_ns);
	put_back(&aside);
	real.Comm_free(&recorder.comm);
}
