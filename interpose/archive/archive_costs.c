/* SPDX-License-Identifier: BSD-3-Clause */
/* What recording took, in the archive: so that it is known without run.json too. */
#include "interpose/archive/archive_defs.h"

#include <stdlib.h>

/* What was timed as it happened, of all threads of a rank. */
struct timed {
	double writing_ns, unwinding_ns;
};

/* By rank; NULL without memory. */
static struct timed *timed_of_ranks(uint32_t ranks, size_t n, const struct archive_location l[n])
{
	struct timed *all = calloc(ranks + 1, sizeof(*all));
	size_t i;

	for (i = 0; all && i < n; i++) {
		if (l[i].rank >= ranks)
			continue;
		all[l[i].rank].writing_ns += (double)l[i].writing_ns;
		all[l[i].rank].unwinding_ns += (double)l[i].unwinding_ns;
	}
	return all;
}

/* The costs of one process. Without a measurement of calls nothing is known. */
static int write_rank(OTF2_GlobalDefWriter *w, const struct log_header *h,
		      const struct timed *timed)
{
	const struct {
		OTF2_StringRef name;
		double ns;
	} all[] = {
		{STRING_COST_CALL, h->cost_ns},           {STRING_COST_REQUEST, h->request_ns},
		{STRING_COST_POLL, h->poll_ns},           {STRING_COST_SITES, timed->unwinding_ns},
		{STRING_COST_WRITING, timed->writing_ns}, {STRING_COST_ASIDE, (double)h->aside_ns},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]) && h->cost_ns > 0; i++)
		if (OTF2_GlobalDefWriter_WriteLocationGroupProperty(
			    w, h->rank, all[i].name, OTF2_TYPE_DOUBLE,
			    (OTF2_AttributeValue){.float64 = all[i].ns}) != OTF2_SUCCESS)
			return -1;
	return 0;
}

int archive_costs_write(OTF2_GlobalDefWriter *w, const struct defs *d, size_t n,
			const struct archive_location locations[n])
{
	uint32_t i, ranks = d->n_ranks ? d->ranks[0].header.ranks : 0;
	struct timed *timed = timed_of_ranks(ranks, n, locations);
	int ret = timed ? 0 : -1;

	for (i = 0; !ret && i < d->n_ranks; i++)
		if (d->ranks[i].header.rank < ranks)
			ret = write_rank(w, &d->ranks[i].header, &timed[d->ranks[i].header.rank]);
	free(timed);
	return ret;
}
