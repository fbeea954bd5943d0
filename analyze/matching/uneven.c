/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/uneven.h"

static uint32_t fewer(const struct uneven *u)
{
	return u->n_recvs < u->n_sends ? u->n_recvs : u->n_sends;
}

/* Of the side with fewer ends the nth, of the other the mth. */
static int can_be(const struct uneven *u, uint32_t n, uint32_t m)
{
	if ((n < u->first && m != n) ||
	    (n >= fewer(u) - u->last && fewer(u) - n != u->n_sends + u->n_recvs - fewer(u) - m))
		return 0;
	return u->n_recvs < u->n_sends ? u->can_be(u->user, m, n) : u->can_be(u->user, n, m);
}

/*
 * For each end of the side with fewer the partner on the other side, if there is only one: the
 * first it can have, those before it having their first, is the last it can have.
 * Returns 0, or -1: there is no way to join all.
 */
static int join(const struct uneven *u, uint32_t n, uint32_t missing, uint32_t *partner)
{
	uint32_t by = 0, i;

	for (i = 0; i < n; i++) {
		while (by <= missing && !can_be(u, i, i + by))
			by++;
		if (by > missing)
			return -1;
		partner[i] = i + by;
	}
	for (by = missing; i-- > 0;) {
		while (!can_be(u, i, i + by))
			by--;
		if (partner[i] != i + by)
			partner[i] = UNEVEN_UNKNOWN;
	}
	return 0;
}

static void fill(uint32_t *send_of, uint32_t from, uint32_t to, uint32_t with)
{
	while (from < to)
		send_of[from++] = with;
}

/*
 * From the receive of each send to the send of each receive: in the same table, from its end, as
 * none is before its send's place. Between two sends in a row that are known all others are
 * missing.
 */
static void turn(uint32_t *of, uint32_t n_sends, uint32_t n_recvs)
{
	uint32_t to = n_recvs, between = UNEVEN_NONE, i;

	for (i = n_sends; i-- > 0;) {
		uint32_t recv = of[i];

		if (recv == UNEVEN_UNKNOWN) {
			between = UNEVEN_UNKNOWN;
			continue;
		}
		fill(of, recv + 1, to, between);
		of[recv] = i;
		to = recv;
		between = UNEVEN_NONE;
	}
	fill(of, 0, to, between);
}

void uneven_place(const struct uneven *u, uint32_t *send_of)
{
	if (u->n_recvs < u->n_sends) {
		if (join(u, u->n_recvs, u->n_sends - u->n_recvs, send_of))
			fill(send_of, 0, u->n_recvs, UNEVEN_UNKNOWN);
	} else if (join(u, u->n_sends, u->n_recvs - u->n_sends, send_of)) {
		fill(send_of, 0, u->n_recvs, UNEVEN_UNKNOWN);
	} else {
		turn(send_of, u->n_sends, u->n_recvs);
	}
}

void uneven_place_ends(const struct uneven *u, uint32_t *send_of)
{
	uint32_t i;

	fill(send_of, 0, u->n_recvs, UNEVEN_UNKNOWN);
	if (u->first + u->last > fewer(u))
		return;
	for (i = 0; i < u->first; i++)
		send_of[i] = i;
	for (i = 1; i <= u->last; i++)
		send_of[u->n_recvs - i] = u->n_sends - i;
	for (i = 0; i < u->n_recvs; i++)
		if (send_of[i] != UNEVEN_UNKNOWN && !u->can_be(u->user, send_of[i], i))
			fill(send_of, 0, u->n_recvs, UNEVEN_UNKNOWN);
}
