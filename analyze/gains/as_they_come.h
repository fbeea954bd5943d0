/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stretches of turns again, each rank's in their order, but of all ranks the one whose message is
 * there first: the receiver does with each what it did, and whoever waited for it, or for its
 * answer, goes on as much sooner or later. Where a rank waited for others between its turns, what
 * it gained may be lost there.
 */
#ifndef ANALYZE_AS_THEY_COME_H
#define ANALYZE_AS_THEY_COME_H

#include "analyze/gains/replay_events.h"
#include "analyze/gains/retime.h"

struct turn {
	uint32_t message; /* the first one */
	uint32_t src;
	uint32_t answer;   /* the last message back in this turn; TRACE_NONE: none */
	uint32_t next;     /* turn of the same rank in the stretch; TRACE_NONE: none */
	int64_t sent_ns;   /* the message was sent; */
	int64_t asked_ns;  /* the receiver began to ask for it, */
	int64_t there_ns;  /* and it was there; */
	int64_t ready_ns;  /* it would have been, or could have set out, had it been asked before */
	int sets_out_late; /* that: it sets out when it is asked for */
	/* Played: its rank goes on so much sooner after this call; TRACE_NONE: as it did. */
	uint32_t then;
	int64_t then_ns;
};

/* A rank with turns. */
struct coming {
	uint32_t chain;   /* that this is of */
	uint32_t stretch; /* in which it waits for its turn; 0: in none */
	/* The last call in which it waited, TRACE_NONE: none: */
	uint32_t last;
	int64_t entered_ns, sooner_ns; /* so much sooner it enters it, and goes on; */
	int64_t was_ns, is_ns;         /* what it waits for was there, and is */
	/* And the message of its next turn: after which call it goes on before it sends that, */
	uint32_t from;
	int64_t from_ns;  /* so much sooner, */
	uint32_t turn;    /* the first one after which it may, and */
	int64_t ready_ns; /* when the message is there */
};

/* Zero but for b, waited_ns, coming, heap and to. */
struct as_they_come {
	const struct evidence_base *b;
	const int64_t *waited_ns;  /* per call, and one more: what those before waited for others */
	struct coming *coming;     /* one per rank, zero; */
	struct replay_event *heap; /* room for one per rank */
	struct retime_return *to;  /* per call, filled in: those that wait for turns, or answers */
	uint32_t chain, stretch;   /* from 1 */
	uint32_t base;             /* the chain's first call */
	uint32_t last;             /* and the receiver's last one so far: */
	int64_t ahead_ns;          /* it is so much sooner after that, beside what the base is */
};

/* Nothing that was so far has to do with what is played next. first: the first turn's call. */
void as_they_come_start(struct as_they_come *x, uint32_t first);

/* n turns, and their ranks' answers. */
void as_they_come_play(struct as_they_come *x, struct turn *turn, uint32_t n);

/* Then the receiver sends message i to a rank that may have had a turn. */
void as_they_come_send(struct as_they_come *x, uint32_t i);

#endif
