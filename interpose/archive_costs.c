/* SPDX-License-Identifier: BSD-3-Clause */
/* What recording took, in the archive: so that it is known without run.json too. */
#include "interpose/archive_defs.h"

#include <stdlib.h>

/* Time in which each rank wrote its logs, by rank; NULL without memory. */
static double *writing_of_ranks(uint32_t ranks, size_t n, const struct archive_location l[n])
{
	double *ns = calloc(ranks + 1, sizeof(*ns));
	size_t i;

	for (i = 0; ns && i < n; i++)
		if (l[i].rank < ranks)
			ns[l[i].rank] += (double)l[i].writing_ns;
	return ns;
}

/* The costs of one process. Without a measurement of calls nothing is known. */
static int write_rank(OTF2_GlobalDefWriter *w, const struct log_header *h, double writing_ns)
{
	const struct {
		OTF2_StringRef name;
		double ns;
	} all[] = {
		{STRING_COST_CALL, h->cost_ns},
		{STRING_COST_REQUEST, h->request_ns},
		{STRING_COST_WRITING, writing_ns},
		{STRING_COST_ASIDE, (double)h->aside_ns},
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
	double *writing_ns = writing_of_ranks(ranks, n, locations);
	int ret = writing_ns ? 0 : -1;

	for (i = 0; !ret && i < d->n_ranks; i++)
		if (d->ranks[i].header.rank < ranks)
			ret = write_rank(w, &d->ranks[i].header,
					 writing_ns[d->ranks[i].header.rank]);
	free(writing_ns);
	return ret;
}
