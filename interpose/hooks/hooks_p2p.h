/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls.def says of point-to-point calls. */
#ifndef INTERPOSE_HOOKS_P2P_H
#define INTERPOSE_HOOKS_P2P_H

#include "interpose/hooks/hooks_count.h"

/* In place of a communicator's number: it is not known. */
#define NO_COMM UINT32_MAX

/*
 * The other end of a point-to-point call. Rank and tag are apart: side by side, as in a record,
 * they are copied as one word, and that has to wait until both halves' stores are done.
 */
struct peer {
	int rank;
	MPI_Comm comm;
	MPI_Datatype type;
	MPI_Count count;
	int tag;
};
#define PEER(count, type, rank, tag, comm) (&(struct peer){rank, comm, type, count, tag})

void hook_send(struct scope *s, MPI_Count count, MPI_Datatype type, int dest, int tag,
	       MPI_Comm comm);
void hook_size_sent(struct scope *s, MPI_Count count, MPI_Datatype type);
MPI_Status *hook_recv(struct scope *s, int source, int tag, MPI_Comm comm, MPI_Status *status);
void hook_received(struct scope *s, int ret, MPI_Status *status);
/* source, tag: of what is to come. */
MPI_Status *hook_sendrecv(struct scope *s, const struct peer *to, int source, int tag,
			  MPI_Status *status);
/* from: what was sent, and from where the other message came. */
void hook_sendreceived(struct scope *s, int ret, const struct peer *from, MPI_Status *status);
void hook_isend(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request);
void hook_irecv(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request);
void hook_isendrecv(struct scope *s, int ret, const struct peer *to, const struct peer *from,
		    const MPI_Request *request);
void hook_send_init(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request);
void hook_recv_init(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request);
void hook_starting(struct scope *s, int count, const MPI_Request *requests);
void hook_started(struct scope *s, int ret, int count, const MPI_Request *requests);
void hook_probe(struct scope *s, int source, int tag, MPI_Comm comm);
void hook_probed(struct scope *s, int ret, int flag);

/* A blocking send has returned. */
static inline void hook_sent(struct scope *s, int ret, MPI_Count count, MPI_Datatype type)
{
	hook_result(s, ret);
	if (hook_asks_again(s, ret))
		hook_size_sent(s, count, type);
}

/* hooks_matched.c */
MPI_Status *hook_mprobe(struct scope *s, int source, int tag, MPI_Comm comm, MPI_Status *status);
void hook_matched(struct scope *s, int ret, int flag, const MPI_Message *message,
		  const MPI_Status *status);
void hook_take_message(struct scope *s, const MPI_Message *message);
MPI_Status *hook_mrecv(struct scope *s, const MPI_Message *message, MPI_Status *status);
void hook_mreceived(struct scope *s, int ret, const MPI_Message *message, MPI_Status *status);
void hook_imrecv(struct scope *s, int ret, const MPI_Message *message, const MPI_Request *request);

/* r becomes the receive that status tells of; source MPI_PROC_NULL received nothing. */
void hook_came(struct scope *s, struct record *r, uint32_t comm, MPI_Status *status);

/* The start of q, in r. */
void hook_begun(struct scope *s, struct record *r, const struct request *q);

#endif
