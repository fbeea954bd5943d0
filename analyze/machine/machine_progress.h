/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do large messages move while their ends compute? One that makes a handshake needs its receiver
 * to answer and then its sender to send, in some call of theirs, unless the network or a thread
 * of MPI does so for them.
 */
#ifndef ANALYZE_MACHINE_PROGRESS_H
#define ANALYZE_MACHINE_PROGRESS_H

/* The share of a large message's time that passes while that end computes; NAN: not known. */
struct machine_progress {
	double receiver;
	double sender;
};

/* From such a share on a message moves without that end's calls, */
static inline int progress_moves(double share)
{
	return share >= 0.9;
}

/* and with less than such a share it waits for them. Between them it may do either. */
static inline int progress_waits(double share)
{
	return share < 0.5;
}

static inline int progress_is_open(double share)
{
	return !progress_moves(share) && !progress_waits(share);
}

static inline int machine_progress_is_open(struct machine_progress p)
{
	return progress_is_open(p.receiver) || progress_is_open(p.sender);
}

#endif
