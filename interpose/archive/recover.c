/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/recover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/steady.h"
#include "interpose/archive/archive.h"
#include "interpose/archive/pieces.h"
#include "interpose/archive/runjson.h"
#include "interpose/archive/tidy.h"
#include "interpose/archive/unreceived.h"
#include "interpose/log/room.h"
#include "interpose/log/settings.h"

/* Writing a log's events takes some six times as long as going through it. */
#define WRITING 6

/* Going through it once more for what was never completed. */
#define LOOKING 1

/* How far it is: bytes of logs that were gone through, of all that there will be. */
struct way {
	const struct recover_watch *watch; /* NULL: nobody looks */
	double done, all;
};

static void way_begin(struct way *w, const struct pieces *all, const struct recover_watch *watch)
{
	size_t i;

	*w = (struct way){.watch = watch};
	for (i = 0; i < all->n; i++)
		w->all += (2.0 + LOOKING + WRITING) * (double)all->p[i].view.mapped_bytes;
}

static void way_add(struct way *w, const struct piece *p, int times)
{
	w->done += times * (double)p->view.mapped_bytes;
	if (w->watch)
		w->watch->share(w->watch->user, w->done / w->all);
}

/* All ranks' digests into d; pieces get their owners once d no longer moves. */
static int collect(struct pieces *all, struct defs *d, struct way *way, struct err *err)
{
	struct bytes digest = {0};
	size_t i = 0, first;
	uint32_t r;
	int ret = 0;

	while (i < all->n && !ret) {
		digest.n = 0;
		for (first = i; i < all->n && all->p[i].rank == all->p[first].rank && !ret; i++) {
			ret = digest_add(&digest, &all->p[i].view, err);
			way_add(way, &all->p[i], 1);
		}
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

/* The receives of the rank of pieces from first on that were never completed. */
static struct unreceived find_unreceived(const struct pieces *all, size_t first, struct way *way)
{
	struct unreceived open = {0};
	size_t i;

	for (i = first; i < all->n && all->p[i].rank == all->p[first].rank; i++) {
		if (all->p[i].owner->header.end != LOG_FINALIZED)
			unreceived_add(&open, &all->p[i].view);
		way_add(way, &all->p[i], LOOKING);
	}
	return open;
}

/* Returns 0, or -1 with *err set. */
static int write_ranks(struct archive *a, const struct pieces *all, int64_t end_ns,
		       struct archive_location *locations, struct way *way, struct err *err)
{
	struct unreceived open = {0};
	int ret = 0;
	size_t i;

	for (i = 0; i < all->n && !ret; i++) {
		if (!i || all->p[i].rank != all->p[i - 1].rank) {
			unreceived_release(&open);
			open = find_unreceived(all, i, way);
		}
		ret = archive_write_log(a, &all->p[i].view, all->p[i].owner, &open, end_ns,
					&locations[i], err);
		way_add(way, &all->p[i], WRITING);
	}
	unreceived_release(&open);
	return ret;
}

static int write_events(struct archive *a, struct pieces *all, struct archive_location *locations,
			struct way *way, struct err *err)
{
	int64_t end_ns = INT64_MIN, ns;
	size_t i;

	for (i = 0; i < all->n; i++) {
		ns = archive_log_end_ns(&all->p[i].view, all->p[i].owner->clock);
		end_ns = ns > end_ns ? ns : end_ns;
		way_add(way, &all->p[i], 1);
	}
	if (write_ranks(a, all, end_ns, locations, way, err))
		return -1;
	return archive_events_done(a, err);
}

/* What could not be read of the pieces' ends, to what is lost. */
static int add_damaged(struct pieces *all, const struct archive_location *locations,
		       struct err *err)
{
	char why[sizeof(all->lost.l->why)];
	struct loss *l;
	size_t i;

	for (i = 0; i < all->n; i++) {
		if (!all->p[i].view.lack)
			continue;
		log_view_lack_text(&all->p[i].view, sizeof(why), why);
		l = losses_add(&all->lost, all->p[i].rank, all->p[i].thread, why, err);
		if (!l)
			return -1;
		l->is_used = locations[i].calls > 0;
		l->until_ns = locations[i].lost_ns;
	}
	losses_sort(&all->lost);
	return 0;
}

static void summarize(const struct defs *d, const struct pieces *all,
		      const struct archive_location *locations, struct recover_result *out)
{
	int64_t first_ns = INT64_MAX;
	uint32_t i;
	size_t k;

	memset(out, 0, sizeof(*out));
	out->ranks = d->n_ranks;
	for (k = 0; k < all->n; k++) {
		out->records += locations[k].calls;
		first_ns = locations[k].first_ns < first_ns ? locations[k].first_ns : first_ns;
	}
	for (i = 0; i < d->n_ranks; i++)
		out->killed_ranks += d->ranks[i].header.end != LOG_FINALIZED;
	snprintf(out->summary, sizeof(out->summary),
		 "recovered %llu MPI calls of %u of %u ranks; %u did not reach MPI_Finalize",
		 (unsigned long long)out->records, out->ranks, d->ranks[0].header.ranks,
		 out->killed_ranks);
	losses_text(&all->lost, first_ns, sizeof(out->lost), out->lost);
}

int recover_run(const char *dir, const struct recover_watch *watch, struct recover_result *out,
		struct err *err)
{
	struct archive_location *locations = NULL;
	struct run_facts facts = {0};
	struct pieces all = {0};
	struct defs defs = {0};
	struct archive *a = NULL;
	struct way way;
	size_t i;
	int ret = -1;

	if (pieces_open(dir, &all, err))
		goto out;
	way_begin(&way, &all, watch);
	if (collect(&all, &defs, &way, err))
		goto out;
	locations = calloc(all.n, sizeof(*locations));
	if (!locations) {
		err_set(err, "out of memory for %zu logs", all.n);
		goto out;
	}
	tidy_archive(dir);
	if (room_check(dir, err))
		goto out;
	a = archive_open(dir, defs.ranks[0].header.ranks, NULL, err);
	if (!a || write_events(a, &all, locations, &way, err) ||
	    add_damaged(&all, locations, err) ||
	    archive_write_definitions(a, &defs, all.n, locations, err))
		goto out;
	ret = archive_close(a, err);
	a = NULL;
	facts = (struct run_facts){&defs,
				   all.n,
				   locations,
				   &all.lost,
				   option_is_on(OPTION_KEEP_LOGS) || all.unsure || all.lost.n,
				   0};
	if (!ret)
		ret = run_json_write(dir, &facts, err);
	if (ret)
		goto out;
	summarize(&defs, &all, locations, out);
	for (i = 0; i < all.n && !facts.keeps_logs; i++)
		tidy_log(dir, all.p[i].rank, all.p[i].thread);
	if (!facts.keeps_logs)
		tidy_log_dir(dir);
out:
	if (a)
		archive_abandon(a);
	if (ret && locations)
		tidy_archive(dir); /* half of one would be taken for the whole */
	free(locations);
	defs_release(&defs);
	pieces_close(&all);
	return ret;
}

int recover_await(const char *dir, int seconds)
{
	int tries = 10 * seconds;

	while (pieces_are_written(dir)) {
		if (!tries--)
			return 1;
		steady_sleep_us(100000);
	}
	return 0;
}

/* Does one of the options that the process was recorded with keep its logs? */
static int is_kept(const struct log_header *h)
{
	struct setting s;
	size_t at = 0;

	while (settings_next(sizeof(h->options), h->options, &at, &s))
		if (s.option == OPTION_KEEP_LOGS)
			return option_word_is_on(s.value);
	return 0;
}

int recover_tidy(const char *dir)
{
	struct pieces all = {0};
	struct err why;
	int removed = 0, keeps = 0;
	size_t i;

	if (!pieces_open(dir, &all, &why))
		for (i = 0; i < all.n; i++) {
			if (!all.p[i].thread)
				keeps = is_kept(all.p[i].view.header);
			if (!keeps)
				removed += tidy_log(dir, all.p[i].rank, all.p[i].thread);
		}
	if (removed)
		tidy_log_dir(dir);
	pieces_close(&all);
	return removed;
}
