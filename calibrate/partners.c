/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/partners.h"

#include <stdlib.h>
#include <string.h>

/* Ranks from host `host` of the places, at most `most` of them. */
static int of_host(const struct place places[], int n, const char *host, int most, int ranks[most])
{
	int i, found = 0;

	for (i = 0; i < n && found < most; i++)
		if (!strcmp(places[i].host, host))
			ranks[found++] = i;
	return found;
}

int partners_pairs(const struct place places[], int n, int pairs[n])
{
	int *here = calloc((size_t)n, sizeof(*here)), *there = calloc((size_t)n, sizeof(*there));
	int i, k = 0, found, n_here, n_there = 0;

	if (!here || !there)
		goto out;
	n_here = of_host(places, n, places[0].host, n, here);
	for (i = 0; i < n; i++) {
		int *ranks = pairs; /* as scratch */

		if (!strcmp(places[i].host, places[0].host))
			continue;
		found = of_host(places, n, places[i].host, n, ranks);
		if (found > n_there) {
			n_there = found;
			memcpy(there, ranks, (size_t)found * sizeof(*there));
		}
	}
	if (n_here == n) { /* the second half is "there" */
		n_here = n / 2;
		n_there = n / 2;
		memcpy(there, here + n / 2, (size_t)n_there * sizeof(*there));
	}
	for (k = 0; k < n_here && k < n_there; k++) {
		pairs[2 * k] = here[k];
		pairs[2 * k + 1] = there[k];
	}
out:
	free(there);
	free(here);
	return k;
}

/* For each rank, how many before it are on its host. Returns the most. */
static int count_before(const struct place places[], int n, int before[n])
{
	int most = 0, rank, i;

	for (rank = 0; rank < n; rank++) {
		before[rank] = 0;
		for (i = 0; i < rank; i++)
			before[rank] += !strcmp(places[i].host, places[rank].host);
		most = before[rank] > most ? before[rank] : most;
	}
	return most;
}

int partners_fan(const struct place places[], int n, int others[n])
{
	int *before = calloc((size_t)n, sizeof(*before)), found = 0, most, nth, i;

	if (!before)
		return 0;
	most = count_before(places, n, before);
	for (nth = 0; nth <= most; nth++)
		for (i = 1; i < n; i++)
			if (before[i] == nth && strcmp(places[i].host, places[0].host))
				others[found++] = i;
	for (i = 1; i < n && before[n - 1] == n - 1; i++) /* all are on one host */
		others[found++] = i;
	free(before);
	return found;
}

int partners_firsts(const struct place places[], int n, int firsts[n])
{
	int *before = calloc((size_t)n, sizeof(*before)), found = 0, i;

	if (!before)
		return 0;
	count_before(places, n, before);
	for (i = 0; i < n; i++)
		if (before[i] == 0)
			firsts[found++] = i;
	free(before);
	return found;
}
