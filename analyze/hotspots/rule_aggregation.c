/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: many small messages to one destination, one right after the other, that
 * could be one.
 */
#include "analyze/gains/joining.h"
#include "analyze/hotspots/rules.h"
#include "analyze/opinion/pipeline_load.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACES_MAX 5 /* that are named, those with most to save */
#define JOINED_MIN 3 /* messages that one would replace, on average */

/*
 * Where ranks share cores, what calls took beyond their overheads was mostly waiting for turns,
 * and goes with the calls; but for the cores that the program's own time needs. 0: each has one,
 * whoever else does.
 */
static double turns_s(const struct evidence_base *b, double most_s)
{
	double sum_s = 0, left_s;
	uint32_t share = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		const struct part *parts = b->a->rank_budget[r].parts;

		share += trace_shares_core(b->t, r);
		sum_s +=
			(double)(parts[COST_start_end].ns + parts[COST_file_access].low_ns) * 1e-9 +
			fmax(b->t->ranks[r].crowd, 1) * (double)parts[COST_compute].ns * 1e-9;
	}
	left_s = b->wall_s - sum_s / b->t->n_ranks;
	return share * 2 > b->t->n_ranks ? fmax(fmin(most_s, left_s), 0) : 0;
}

/* Does a rank send to another one than that between two calls of it? */
static int sends_on(const struct evidence_base *b, uint32_t rank, uint32_t but, uint32_t from,
		    uint32_t to)
{
	const uint32_t *by_call = b->senders.by_call;
	uint32_t low = b->senders.of_rank[rank], high = b->senders.of_rank[rank + 1];

	while (low < high) { /* to the first one after from */
		uint32_t k = low + (high - low) / 2;

		if (b->m->m[by_call[k]].send_call > from)
			high = k;
		else
			low = k + 1;
	}
	return low < b->senders.of_rank[rank + 1] && b->m->m[by_call[low]].send_call < to &&
	       b->m->m[by_call[low]].dst != but;
}

/* Does who gets the messages of a place mostly send something on after each? */
static int is_handed_on(const struct evidence_base *b, uint32_t key)
{
	uint32_t follow = 0, handed = 0;

	for (uint32_t k = b->senders.at[key] + 1; k < b->senders.at[key + 1]; k++) {
		const struct message *x = &b->m->m[b->senders.message[k]];
		const struct message *before = &b->m->m[b->senders.message[k - 1]];

		if (x->src != before->src || x->dst != before->dst ||
		    b->senders.breaks[x->send_call] != b->senders.breaks[before->send_call])
			continue;
		handed += sends_on(b, x->dst, x->src, before->recv_done, x->recv_done);
		follow++;
	}
	return 2 * handed > follow;
}

static int report(const struct evidence_base *b, struct joining *j, uint32_t key,
		  struct findings *out, struct err *err)
{
	struct hotspot h = {.kind = "aggregation", .rank = TRACE_NONE};
	struct joining_sums s = joining_sum(j, key);
	struct joining_saving saves;
	struct pipeline_load passed_on;
	const char *why_not;
	int is_pipeline = pipeline_load_at(b, key, &passed_on, &why_not, err);

	if (is_pipeline) /* what is passed on is not there before: rule_block_size.c */
		return is_pipeline < 0 ? -1 : 0;
	if (is_handed_on(b, key)) /* one message would be passed on later */
		return 0;
	if (joining_save(j, key, &saves, err))
		return -1;
	if (saves.likely_s < RULE_LEAST_SHARE * b->wall_s)
		return 0;
	h.site = senders_site(&b->senders, key);
	h.region = senders_region(&b->senders, key);
	h.saves_mid_s = fmax(saves.likely_s, turns_s(b, saves.most_s));
	h.saves_high_s = saves.most_s;
	snprintf(h.title, sizeof(h.title), "%.0f messages of %.0f bytes each where %.0f would do",
		 s.messages, s.bytes / s.messages, s.joined);
	snprintf(h.why, sizeof(h.why),
		 "not contention: %s in a row go to one destination; one instead saves %s of all "
		 "ranks' overhead and %s of their ports' time",
		 number_words(s.messages / s.joined).text, number_seconds(s.overhead_s).text,
		 number_seconds(s.port_s).text);
	snprintf(h.advice, sizeof(h.advice),
		 "%scollect what goes to one destination and send it once: MPI_Pack, a derived "
		 "datatype or an array of records",
		 s.across > 0 ? "if the later values are known by then, as no answer is awaited "
				"in between: "
			      : "");
	hotspot_evidence(&h, "messages", s.messages);
	hotspot_evidence(&h, "joined", s.joined);
	hotspot_evidence(&h, "messages_in_a_row", s.messages / s.joined);
	hotspot_evidence(&h, "across_receives", s.across / s.messages);
	hotspot_evidence(&h, "mean_bytes", s.bytes / s.messages);
	hotspot_evidence(&h, "overhead_s", s.overhead_s);
	hotspot_evidence(&h, "port_s", s.port_s);
	return findings_add(out, &h, err);
}

/* The places with most to save, one after the other. key_s: what is lost at each. */
static int look(const struct evidence_base *b, struct joining *j, double *key_s,
		struct findings *out, struct err *err)
{
	struct unjudged u = {.kind = "aggregation", .unknown = "what longer messages take"};

	for (uint32_t key = 0; key < b->senders.keys; key++) {
		struct joining_sums s = joining_sum(j, key);

		if (s.open_bursts > 0 && s.open_messages >= JOINED_MIN * s.open_bursts)
			u.at_stake_s += s.open_s;
		if (s.joined > 0 && s.messages >= JOINED_MIN * s.joined)
			key_s[key] = fmax(s.overhead_s, s.port_s);
	}
	out->unjudged = u;
	for (int n = 0; n < PLACES_MAX; n++) {
		uint32_t most =
			rule_take_most(key_s, b->senders.keys, RULE_LEAST_SHARE * b->wall_s);

		if (most == TRACE_NONE)
			break;
		if (report(b, j, most, out, err))
			return -1;
	}
	return 0;
}

int rule_aggregation(const struct evidence_base *b, struct findings *out, struct err *err)
{
	double *key_s = calloc(b->senders.keys + 1u, sizeof(*key_s));
	struct joining *j = joining_new(b, err);
	int ret = -1;

	if (!key_s)
		err_set(err, "out of memory for %u call sites", b->senders.keys);
	else if (j)
		ret = look(b, j, key_s, out, err);
	joining_free(j);
	free(key_s);
	return ret;
}
