/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/pieces.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/schema.h"
#include "interpose/log/alive.h"
#include "interpose/log/log_seal.h"
#include "interpose/log/ticks.h"

static int by_rank_and_thread(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return losses_order(x->rank, x->thread, y->rank, y->thread);
}

void pieces_close(struct pieces *all)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		log_view_close(&all->p[i].view);
	free(all->p);
	losses_release(&all->lost);
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

/*
 * Does the header's part that never changes say what was written, and of this file? NULL, or the
 * end of a sentence that begins with the file's name.
 */
static const char *check_header(const struct piece *p)
{
	const struct log_header *h = p->view.header;
	double rate = ticks_scale_of(h).ns_per_tick;

	if (!h->seal)
		return "is empty: its process ended before it recorded";
	if (h->seal != log_seal_header(h))
		return "was changed in its header";
	if (h->rank != p->rank || h->thread != p->thread)
		return "belongs to another rank or thread";
	if (!(rate > 0.05 && rate < 50.0))
		return "was changed in its header: its clock stands still or races";
	return NULL;
}

/* The log at path as one more piece; or, when it is of no use, as a loss. */
static int open_piece(struct pieces *all, unsigned rank, unsigned thread, const char *path,
		      struct err *err)
{
	struct piece *p = realloc(all->p, (all->n + 1) * sizeof(*p));
	const char *why;
	struct err said;

	if (!p)
		return err_set(err, "out of memory for %zu logs", all->n + 1);
	all->p = p;
	p += all->n;
	memset(p, 0, sizeof(*p));
	p->rank = rank;
	p->thread = thread;
	if (!log_view_open(&p->view, path, &said)) {
		why = check_header(p);
		if (!why) {
			all->n++;
			return 0;
		}
		log_view_close(&p->view);
	} else if (p->view.lack == LOG_LACKS_ALL) {
		why = said.text + strlen(path) + 1;
	} else {
		*err = said;
		return -1;
	}
	return losses_add(&all->lost, rank, thread, why, err) ? 0 : -1;
}

/* Has it been said of this one already, by the first n of them? */
static int is_lost(const struct losses *lost, size_t n, unsigned rank, unsigned thread)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (lost->l[i].rank == rank && lost->l[i].thread == thread)
			return 1;
	return 0;
}

/* known: so many losses may be its. */
static int miss(struct pieces *all, size_t known, unsigned rank, unsigned thread, struct err *err)
{
	if (is_lost(&all->lost, known, rank, thread))
		return 0;
	return losses_add(&all->lost, rank, thread, "is missing", err) ? 0 : -1;
}

/* Where the pieces after i's rank begin. */
static size_t rank_end(const struct pieces *all, size_t i)
{
	size_t end = i;

	while (end < all->n && all->p[end].rank == all->p[i].rank)
		end++;
	return end;
}

/* What describes a process is in its first thread's log: without it the others are of no use. */
static int drop_headless(struct pieces *all, struct err *err)
{
	size_t i, end, kept = 0;
	int ret = 0;

	for (i = 0; i < all->n; i = end) {
		end = rank_end(all, i);
		if (!all->p[i].thread) {
			memmove(&all->p[kept], &all->p[i], (end - i) * sizeof(*all->p));
			kept += end - i;
			continue;
		}
		ret |= miss(all, all->lost.n, all->p[i].rank, 0, err);
		for (; i < end; i++) {
			log_view_close(&all->p[i].view);
			if (!losses_add(&all->lost, all->p[i].rank, all->p[i].thread,
					"is of no use without that of the first thread", err))
				ret = -1;
		}
	}
	all->n = kept;
	return ret;
}

/* Logs of further threads that a process had. */
static int miss_threads(struct pieces *all, struct err *err)
{
	size_t i, k, end;
	unsigned thread;

	for (i = 0; i < all->n; i = end) {
		end = rank_end(all, i);
		for (thread = 1, k = i + 1; thread < all->p[i].view.header->threads; thread++) {
			if (k < end && all->p[k].thread == thread) {
				k++;
				continue;
			}
			if (miss(all, all->lost.n, all->p[i].rank, thread, err))
				return -1;
			if (k == end)
				break; /* one stands for all the others */
		}
	}
	return 0;
}

/* Logs of further ranks, where all are known to have had one and say how many they were. */
static int miss_ranks(struct pieces *all, struct err *err)
{
	unsigned ranks = all->n ? all->p[0].view.header->ranks : 0, rank;
	size_t known = all->lost.n, i; /* no rank is missed twice */
	int everybody = 0;

	for (i = 0; i < all->n; i = rank_end(all, i)) {
		everybody |= all->p[i].view.header->everybody == 1;
		if (all->p[i].view.header->ranks != ranks)
			return 0;
	}
	if (!everybody || !all->n || all->p[all->n - 1].rank >= ranks)
		return 0;
	for (i = 0, rank = 0; rank < ranks; rank++) {
		while (i < all->n && all->p[i].rank < rank)
			i++;
		if ((i == all->n || all->p[i].rank != rank) && miss(all, known, rank, 0, err))
			return -1;
	}
	return 0;
}

int pieces_are_written(const char *dir)
{
	char path[1200];
	struct log_view view = {0};
	unsigned rank, thread;
	struct dirent *e;
	struct err why;
	int end, found = 0;
	DIR *d;

	snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR, dir);
	d = opendir(path);
	while (d && !found && (e = readdir(d))) {
		if (sscanf(e->d_name, "%u.%u.log%n", &rank, &thread, &end) != 2 || e->d_name[end])
			continue;
		snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR "/%s", dir, e->d_name);
		if (log_view_open(&view, path, &why))
			continue;
		found = alive_here(&view, path);
		log_view_close(&view);
	}
	if (d)
		closedir(d);
	return found;
}

int pieces_open(const char *dir, struct pieces *all, struct err *err)
{
	char path[1200];
	struct dirent *e;
	DIR *d;
	unsigned rank, thread;
	size_t before;
	int end, ret = -1;

	snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR, dir);
	d = opendir(path);
	if (!d)
		return err_set(err, "nothing to recover: cannot open %s: %s", path,
			       strerror(errno));
	while ((e = readdir(d))) {
		if (sscanf(e->d_name, "%u.%u.log%n", &rank, &thread, &end) != 2 || e->d_name[end])
			continue;
		snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR "/%s", dir, e->d_name);
		before = all->n;
		if (open_piece(all, rank, thread, path, err) ||
		    (all->n > before && check_ended(all, dir, path, err)))
			goto out;
	}
	if (all->n)
		qsort(all->p, all->n, sizeof(*all->p), by_rank_and_thread);
	ret = drop_headless(all, err) || miss_threads(all, err) || miss_ranks(all, err) ? -1 : 0;
	if (!ret)
		losses_sort(&all->lost);
	if (!ret && !all->n && all->lost.n)
		ret = err_set(err, "nothing to recover: %s/" SCHEMA_LOG_DIR "/%u.%u.log %s", dir,
			      all->lost.l->rank, all->lost.l->thread, all->lost.l->why);
	else if (!ret && !all->n)
		ret = err_set(err, "nothing to recover: %s/" SCHEMA_LOG_DIR " holds no logs", dir);
out:
	closedir(d);
	return ret;
}
