/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/runjson_end.h"

#include <signal.h>
#include <string.h>

#include "interpose/archive/jsontext.h"

static const char *end_of(const struct def_rank *r)
{
	return r->header.end == LOG_FINALIZED  ? "finalize"
	       : r->header.end == LOG_ABORTED  ? "abort"
	       : r->header.end == LOG_LEFT     ? "exit"
	       : r->header.end == LOG_REPLACED ? "exec"
					       : "killed";
}

/*
 * How the job ended: as a rank ended that did so by itself, since the others were killed because of
 * it; else killed if a rank never finalized.
 */
static const char *job_end(const struct defs *d)
{
	static const uint8_t weights[] = {[LOG_ABORTED] = 4, [LOG_LEFT] = 3, [LOG_REPLACED] = 2};
	const char *end = "finalize";
	uint32_t weight = 0, i;

	for (i = 0; i < d->n_ranks; i++) {
		uint32_t how = d->ranks[i].header.end, its;

		its = how == LOG_FINALIZED ? 0 : 1;
		if (how < sizeof(weights) && weights[how])
			its = weights[how];
		if (its > weight) {
			weight = its;
			end = end_of(&d->ranks[i]);
		}
	}
	if (d->n_ranks && d->n_ranks < d->ranks[0].header.ranks && !strcmp(end, "finalize"))
		return "partial";
	return end;
}

static int is_among(const char *name, size_t n, const char *const names[n])
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return 1;
	return 0;
}

/* Does a call of that name wait for a message of the rank that it names, or of any? */
static int waits_for_message(const char *name)
{
	static const char *const names[] = {"MPI_Recv", "MPI_Probe", "MPI_Mprobe", "MPI_Recv_c"};

	return is_among(name, sizeof(names) / sizeof(names[0]), names);
}

/* And for the one rank that it names to take one? */
static int waits_for_receiver(const char *name)
{
	static const char *const names[] = {"MPI_Send",   "MPI_Ssend",   "MPI_Rsend",
					    "MPI_Send_c", "MPI_Ssend_c", "MPI_Rsend_c"};

	return is_among(name, sizeof(names) / sizeof(names[0]), names);
}

/* The world rank of a communicator's; negative: not known. */
static int32_t world_rank(const struct defs *d, uint32_t comm, int32_t rank)
{
	const struct def_comm *c = comm < d->n_comms ? &d->comms[comm] : NULL;

	if (!c || rank < 0 || (uint32_t)rank >= c->about.size || c->about.remote)
		return -1;
	return c->members ? c->members[rank] : comm ? -1 : rank;
}

/* For both: a message, and that its own is taken? */
static int waits_for_both(const char *name)
{
	static const char *const names[] = {"MPI_Sendrecv", "MPI_Sendrecv_replace",
					    "MPI_Sendrecv_c", "MPI_Sendrecv_replace_c"};

	return is_among(name, sizeof(names) / sizeof(names[0]), names);
}

/* A message that is to come, from any if peer is negative, or one that is to be taken. */
static void put_message(FILE *f, const struct defs *d, uint32_t comm, int32_t peer, int32_t tag)
{
	int32_t other = world_rank(d, comm, peer);

	if (peer < 0)
		fputs(", \"source\": \"any\"", f);
	if (other >= 0)
		fprintf(f, ", \"peer\": %d", other);
	if ((peer < 0 || other >= 0) && tag >= 0)
		fprintf(f, ", \"tag\": %d", tag);
	if ((peer < 0 || other >= 0) && comm < d->n_comms)
		fprintf(f, ", \"comm\": %u", comm);
}

/* The call that a thread was in, and for whom it waits, as far as that is known. */
static void put_inside(FILE *f, const struct defs *d, const struct archive_location *l)
{
	const char *name = archive_call_name(l->inside - 1);

	fprintf(f, ", \"inside\": \"%s\"", name);
	if (waits_for_message(name)) /* or MPI_PROC_NULL's, for which none waits */
		put_message(f, d, l->comm, l->peer, l->tag);
	else if (waits_for_receiver(name) && l->peer >= 0)
		put_message(f, d, l->comm, l->peer, l->tag);
	else if (waits_for_both(name) && l->from && RECORD_FROM_SOURCE(l->from) == RECORD_NOBODY)
		fputs(", \"source\": \"nobody\"", f);
	else if (waits_for_both(name) && l->from)
		put_message(f, d, l->comm, RECORD_FROM_SOURCE(l->from), RECORD_FROM_TAG(l->from));
}

/* Of a rank's threads: the latest sign of life, and the call that the first was in. */
static void put_last_seen(FILE *f, const struct defs *d, size_t n,
			  const struct archive_location locations[n], uint32_t rank,
			  int64_t first_ns)
{
	const struct archive_location *inside = NULL;
	int64_t alive_ns = INT64_MIN;
	size_t k;

	for (k = 0; k < n; k++) {
		if (locations[k].rank != rank)
			continue;
		if (!inside && locations[k].inside)
			inside = &locations[k];
		if (locations[k].alive_ns > alive_ns)
			alive_ns = locations[k].alive_ns;
	}
	if (alive_ns >= first_ns)
		fprintf(f, ", \"alive_s\": %.6f", (double)(alive_ns - first_ns) * 1e-9);
	if (inside)
		put_inside(f, d, inside);
}

/* Its name, and who sent it; what makes no sense is passed over. */
static void put_signal(FILE *f, const struct log_header *h)
{
	static const char *const senders[] = {[LOG_FROM_SELF] = "itself",
					      [LOG_FROM_LAUNCHER] = "launcher",
					      [LOG_FROM_OTHER] = "other",
					      [LOG_FROM_BETWEEN] = "between"};
	const char *name = sigabbrev_np(h->end_status);

	if (!name || h->end_from > LOG_FROM_BETWEEN)
		return;
	fprintf(f, ", \"signal\": \"SIG%s\", \"from\": \"%s\"", name, senders[h->end_from]);
	if (!h->end_by[0] || !memchr(h->end_by, '\0', sizeof(h->end_by)))
		return;
	fputs(", \"by\": ", f);
	json_put_text(f, h->end_by);
}

/* The ranks that did not finalize, with the call each was in and when it was last seen alive. */
static void put_unfinished(FILE *f, const struct defs *d, size_t n,
			   const struct archive_location locations[n], int64_t first_ns)
{
	const char *comma = "";
	uint32_t i;

	fputs(",\n  \"unfinished\": [", f);
	for (i = 0; i < d->n_ranks; i++) {
		const struct def_rank *r = &d->ranks[i];

		if (r->header.end == LOG_FINALIZED)
			continue;
		fprintf(f, "%s\n    { \"rank\": %u, \"ended\": \"%s\"", comma, r->header.rank,
			end_of(r));
		if (r->header.end == LOG_LEFT && r->header.has_status)
			fprintf(f, ", \"status\": %d", r->header.end_status & 0xff);
		if (r->header.end == LOG_ABORTED && r->header.has_status)
			fprintf(f, ", \"code\": %d", r->header.end_status);
		if (r->header.end == LOG_KILLED)
			put_signal(f, &r->header);
		put_last_seen(f, d, n, locations, r->header.rank, first_ns);
		fputs(" }", f);
		comma = ",";
	}
	fputs("]", f);
}

void run_json_put_end(FILE *f, const struct defs *d, size_t n,
		      const struct archive_location locations[n], int64_t first_ns)
{
	fprintf(f, ",\n  \"ended\": \"%s\"", job_end(d));
	put_unfinished(f, d, n, locations, first_ns);
}
