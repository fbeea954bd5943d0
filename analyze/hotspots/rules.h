/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a hotspot rule gets and gives. A rule looks at the tables and adds what it finds;
 * hotspots.c has the table of rules, sets the severity and sorts.
 */
#ifndef ANALYZE_RULES_H
#define ANALYZE_RULES_H

#include "analyze/hotspots/hotspots.h"

/* Below this share of all ranks' time a finding is not worth a line. */
#define RULE_LEAST_SHARE 0.01

struct findings {
	struct hotspot *h;
	uint32_t n;
	uint32_t room;
	struct unjudged unjudged; /* by the rule at work */
};

/*
 * A copy of h joins the list, which owns its order and about from then on. Returns 0, or -1 with
 * *err set (out of memory).
 */
int findings_add(struct findings *f, const struct hotspot *h, struct err *err);

/* Is there a finding of this kind about that rank already, alone or with others? */
int findings_has(const struct findings *f, const char *kind, uint32_t rank);

/* Not worth a line: less than a hundredth of the run at the very best. */
int hotspot_is_trifle(const struct hotspot *h, double wall_s);

/*
 * Does a finding that is worth a line say what messages to that rank wait for: all send to it at
 * once, it serves, or far more than its share goes to it?
 */
int findings_explain_sends(const struct findings *f, const struct evidence_base *b, uint32_t rank);

/* Beyond HOTSPOT_EVIDENCE_MAX nothing is kept. key: a literal. */
void hotspot_evidence(struct hotspot *h, const char *key, double value);

/*
 * The largest of n values, e.g. of what places cost, each time another one: it is 0 from then on.
 * TRACE_NONE: none is left that is at least least, and more than 0.
 */
uint32_t rule_take_most(double *x, uint32_t n, double least);

/* The site of a place, which may be TRACE_NONE. */
uint32_t rule_key_site(const struct trace *t, uint32_t key);

/*
 * The function and place of a call in words: "MPI_Recv at em3d.c:118"; where no line is known
 * "MPI_Recv in exchange()" or "MPI_Recv at solver+0x30". Returns buffer.
 */
const char *rule_place(const struct trace *t, uint32_t call, size_t size, char buffer[size]);

/*
 * What the run would save if every rank lost lost_s[rank] less: an average rank's loss, at
 * most the hardest hit one's; nothing for certain. Not more than the run's time.
 */
void rule_saves(const struct evidence_base *b, const double *lost_s, struct hotspot *h);

int rule_order(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_incast(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_back_pressure(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_shared_link(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_late_posting(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_overlap(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_server(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_polling(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_sleep(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_chain(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_receive_order(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_block_size(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_aggregation(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_small_calls(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_uneven_counts(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_hot_target(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_skew(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_asynchronous(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_synchronous(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_mapping(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_rounds(const struct evidence_base *b, struct findings *out, struct err *err);
int rule_imbalance(const struct evidence_base *b, struct findings *out, struct err *err);

/* Gini coefficient of n values >= 0, which are sorted by this: 0 = all equal. */
double rule_gini(double *x, size_t n);

#endif
