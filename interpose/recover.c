/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/recover.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "common/schema.h"
#include "interpose/alive.h"
#include "interpose/archive.h"
#include "interpose/room.h"
#include "interpose/runjson.h"

/* One log file of the run. */
struct piece {
	unsigned rank, thread;
	struct log_view view;
	const struct def_rank *owner;
};

struct pieces {
	struct piece *p;
	size_t n;
	int unsure; /* somebody elsewhere may still write them */
};

static int by_rank_and_thread(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void close_pieces(struct pieces *all)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		log_view_close(&all->p[i].view);
	free(all->p);
}

/*
 * Nobody must be writing the log at path any more; of another host's process that is not known.
 * Returns 0, or -1 with *err set.
 */
static int check_ended(struct pieces *all, const char *dir, const char *path, struct err *err)
{
	const struct piece *p = &all->p[all->n - 1];
	int64_t silent_s;

	switch (alive_look(&p->view, path, &silent_s)) {
	case ALIVE_YES:
		return err_set(err, "%s is still being recorded: wait until the job has ended",
			       dir);
	case ALIVE_PERHAPS:
		all->unsure = 1;
		if (option_is_on(OPTION_FORCE))
			return 0;
		return err_set(
			err,
			"%s: rank %u was being recorded %lld s ago on host %.63s, and only "
			"there can it be seen whether it still is: wait, run contend there, or "
			"contend recover --force %s",
			dir, p->rank, (long long)silent_s, p->view.header->host, dir);
	default:
		return 0;
	}
}

/* Open the logs of dir, sorted by rank and thread. */
static int open_pieces(const char *dir, struct pieces *all, struct err *err)
{
	char path[1200];
	struct dirent *e;
	struct piece *p;
	DIR *d;
	unsigned rank, thread;
	int end, ret = -1;

	snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR, dir);
	d = opendir(path);
	if (!d)
		return err_set(err, "nothing to recover: cannot open %s: %s", path,
			       strerror(errno));
	while ((e = readdir(d))) {
		if (sscanf(e->d_name, "%u.%u.log%n", &rank, &thread, &end) != 2 || e->d_name[end])
			continue;
		p = realloc(all->p, (all->n + 1) * sizeof(*p));
		if (!p) {
			err_set(err, "out of memory for %zu logs", all->n + 1);
			goto out;
		}
		all->p = p;
		memset(&p[all->n], 0, sizeof(*p));
		p[all->n].rank = rank;
		p[all->n].thread = thread;
		snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR "/%s", dir, e->d_name);
		if (log_view_open(&p[all->n].view, path, err))
			goto out;
		all->n++;
		if (check_ended(all, dir, path, err))
			goto out;
	}
	if (!all->n) {
		err_set(err, "nothing to recover: %s/" SCHEMA_LOG_DIR " holds no logs", dir);
		goto out;
	}
	qsort(all->p, all->n, sizeof(*all->p), by_rank_and_thread);
	ret = 0;
out:
	closedir(d);
	return ret;
}

/* All ranks' digests into d; pieces get their owners once d no longer moves. */
static int collect(struct pieces *all, struct defs *d, struct err *err)
{
	struct bytes digest = {0};
	size_t i = 0, first;
	uint32_t r;
	int ret = 0;

	while (i < all->n && !ret) {
		digest.n = 0;
		for (first = i; i < all->n && all->p[i].rank == all->p[first].rank && !ret; i++)
			ret = digest_add(&digest, &all->p[i].view, err);
		if (!ret)
			ret = defs_add(d, digest.p, digest.n, err);
	}
	free(digest.p);
	defs_done(d);
	for (i = 0, r = 0; i < all->n && !ret; i++) {
		if (i && all->p[i].rank != all->p[i - 1].rank)
			r++;
		all->p[i].owner = &d->ranks[r];
	}
	return ret;
}

static int write_events(struct archive *a, struct pieces *all, struct archive_location *locations,
			struct err *err)
{
	int64_t end_ns = INT64_MIN, ns;
	size_t i;

	for (i = 0; i < all->n; i++) {
		ns = archive_log_end_ns(&all->p[i].view, all->p[i].owner->clock);
		end_ns = ns > end_ns ? ns : end_ns;
	}
	for (i = 0; i < all->n; i++)
		if (archive_write_log(a, &all->p[i].view, all->p[i].owner, end_ns, &locations[i],
				      err))
			return -1;
	return archive_events_done(a, err);
}

static void summarize(const struct defs *d, size_t n, const struct archive_location locations[n],
		      struct recover_result *out)
{
	uint32_t i;
	size_t k;

	memset(out, 0, sizeof(*out));
	out->ranks = d->n_ranks;
	for (k = 0; k < n; k++)
		out->records += locations[k].calls;
	for (i = 0; i < d->n_ranks; i++)
		out->killed_ranks += d->ranks[i].header.end != LOG_FINALIZED;
	snprintf(out->summary, sizeof(out->summary),
		 "recovered %llu MPI calls of %u of %u ranks; %u did not reach MPI_Finalize",
		 (unsigned long long)out->records, out->ranks, d->ranks[0].header.ranks,
		 out->killed_ranks);
}

void recover_remove_logs(const char *dir, unsigned rank, unsigned threads)
{
	char path[1200];
	unsigned t;

	for (t = 0; t < threads; t++) {
		snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR "/%u.%u.log", dir, rank, t);
		unlink(path);
	}
}

void recover_remove_log_dir(const char *dir)
{
	char folder[1100], path[1400];
	struct dirent *e;
	DIR *d;

	snprintf(folder, sizeof(folder), "%s/" SCHEMA_LOG_DIR, dir);
	d = opendir(folder);
	while (d && (e = readdir(d))) {
		const char *suffix = strrchr(e->d_name, '.');

		if (suffix && (suffix == e->d_name || !strcmp(suffix, ".log")))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		unlink(path); /* a mark of the recorder */
	}
	if (d)
		closedir(d);
	rmdir(folder);
}

/* An archive that an earlier attempt left unfinished would be in the way. */
static void remove_archive(const char *dir)
{
	static const char *const names[] = {SCHEMA_ARCHIVE ".otf2", SCHEMA_ARCHIVE ".def"};
	char path[1600];
	struct dirent *e;
	size_t i;
	DIR *d;

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/" SCHEMA_ARCHIVE, dir);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/" SCHEMA_ARCHIVE "/%s", dir, e->d_name);
		if (e->d_name[0] != '.')
			unlink(path);
	}
	if (d)
		closedir(d);
	snprintf(path, sizeof(path), "%s/" SCHEMA_ARCHIVE, dir);
	rmdir(path); /* OTF2 wants to make it itself */
}

int recover_run(const char *dir, struct recover_result *out, struct err *err)
{
	struct archive_location *locations = NULL;
	struct pieces all = {0};
	struct defs defs = {0};
	struct archive *a = NULL;
	size_t i;
	int ret = -1;

	if (open_pieces(dir, &all, err) || collect(&all, &defs, err))
		goto out;
	locations = calloc(all.n, sizeof(*locations));
	if (!locations) {
		err_set(err, "out of memory for %zu logs", all.n);
		goto out;
	}
	remove_archive(dir);
	if (room_check(dir, err))
		goto out;
	a = archive_open(dir, NULL, err);
	if (!a || write_events(a, &all, locations, err) ||
	    archive_write_definitions(a, &defs, all.n, locations, err))
		goto out;
	ret = archive_close(a, err);
	a = NULL;
	if (!ret)
		ret = run_json_write(dir, &defs, all.n, locations, err);
	if (ret)
		goto out;
	summarize(&defs, all.n, locations, out);
	if (!option_is_on(OPTION_KEEP_LOGS) && !all.unsure) {
		for (i = 0; i < all.n; i++)
			recover_remove_logs(dir, all.p[i].rank, all.p[i].thread + 1);
		recover_remove_log_dir(dir);
	}
out:
	if (a)
		archive_abandon(a);
	if (ret && locations)
		remove_archive(dir); /* half of one would be taken for the whole */
	free(locations);
	defs_release(&defs);
	close_pieces(&all);
	return ret;
}
