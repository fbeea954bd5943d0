/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/thresholds.h"

#define MOST_BYTES   ((size_t)4 << 20)
#define MOST_CREDITS 2048
#define MOST_QUEUED  ((size_t)8 << 20) /* bytes of unreceived messages at once */

/* Does a message of this size complete with the receiver so absent? Two of three decide. */
static int completes(struct pair *p, size_t bytes, enum absence absence, double time_s)
{
	int yes = pair_completed(p, bytes, 1, absence, time_s);

	yes += pair_completed(p, bytes, 1, absence, time_s);
	if (yes == 1)
		yes += pair_completed(p, bytes, 1, absence, time_s);
	return yes >= 2;
}

/* The largest size that completes: by doubling, then halving. */
static uint64_t threshold(struct pair *p, enum absence absence, double time_s)
{
	size_t yes = 0, no = 0, m;

	if (!completes(p, 0, absence, time_s))
		return 0;
	for (m = 64; m <= MOST_BYTES; m *= 2) {
		if (!completes(p, m, absence, time_s)) {
			no = m;
			break;
		}
		yes = m;
	}
	if (!no)
		return THRESHOLD_NONE;
	while (no - yes > 8 && no - yes > yes / 256) {
		m = (yes + no) / 2;
		if (completes(p, m, absence, time_s))
			yes = m;
		else
			no = m;
	}
	return yes;
}

static struct credit credits(struct pair *p, size_t bytes, double time_s)
{
	size_t most = bytes ? MOST_QUEUED / bytes : MOST_CREDITS;
	struct credit c = {.bytes = bytes};
	int n = most > MOST_CREDITS ? MOST_CREDITS : (int)most;

	c.messages = pair_completed(p, bytes, n, ABSENCE_COMPUTES, time_s);
	c.capped = c.messages == n;
	return c;
}

void thresholds_measure(struct pair *p, double rtt_s, size_t large_bytes, double large_s,
			struct thresholds *out)
{
	static const size_t sizes[CREDIT_SIZES] = {0, 64, 1024, 4096, 16384, 65536};
	double begun = MPI_Wtime(), look_s = 20 * rtt_s < 0.5e-3 ? 0.5e-3 : 20 * rtt_s;
	double left_s;
	int i;

	if (look_s < 2 * large_s)
		look_s = 2 * large_s;
	out->tried_bytes = MOST_BYTES;
	out->t1_bytes = threshold(p, ABSENCE_COMPUTES, look_s);
	out->t2_bytes = threshold(p, ABSENCE_PROGRESSES, look_s);
	for (i = 0; i < CREDIT_SIZES; i++)
		out->credit[i] = credits(p, sizes[i], 2 * look_s);
	left_s = pair_unattended(p, large_bytes, 3 * large_s);
	out->progress = large_s > 0 && left_s < large_s ? 1 - left_s / large_s : 0;
	out->spent_s = MPI_Wtime() - begun;
}
