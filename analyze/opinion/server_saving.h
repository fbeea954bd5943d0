/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What another number of servers would save. How fast that is their clients tell, event by event:
 * LoPC's choose at random, and those that ask in turn with even times hardly meet; LogP says how
 * fast at most, and LoPC how near its model is to what was measured.
 */
#ifndef ANALYZE_SERVER_SAVING_H
#define ANALYZE_SERVER_SAVING_H

#include "analyze/opinion/server_load.h"

struct server_saving {
	struct lopc_server_best best;
	struct lopc_server_at now;  /* with the servers that there are, */
	struct lopc_server_at then; /* with as many as asked */
	double then_s;              /* the span with as many, if then nobody waits for a handler */
	double gain;                /* share of the span that they save; < 0: it would be longer, */
	double in_turn, at_random;  /* and if its clients choose so; */
	double likely_gain; /* where ranks share cores what the model misses may be theirs */
	double closure;     /* relative error of the model's cycle now, */
	double missing;     /* and by how much it is too short */
	double saves_low_s, saves_mid_s, saves_high_s; /* of the run's wall time */
};

/*
 * With so many servers, at least 1 and fewer than clients and servers are; 0: with the best number.
 * Returns 0, or -1 with *err set: the load is out of the models' range, or out of
 * memory.
 */
int server_saving_find(const struct evidence_base *b, const struct server_load *x, uint32_t servers,
		       struct server_saving *out, struct err *err);

/* Do clients wait for other things than their servers, or these for a core? */
int server_saving_is_another_matter(const struct evidence_base *b, const struct server_load *x,
				    const struct server_saving *s);

/* Do servers wait for cores so long that how many there are may matter more for that? */
int server_saving_lacks_cores(const struct evidence_base *b, const struct server_load *x);

#endif
