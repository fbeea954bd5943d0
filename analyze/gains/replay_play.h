/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A replay at work: what follows from what, event by event. For replay.c. */
#ifndef ANALYZE_REPLAY_PLAY_H
#define ANALYZE_REPLAY_PLAY_H

#include "analyze/gains/replay.h"
#include "analyze/gains/replay_events.h"
#include "analyze/gains/replay_port.h"

/* A rank at work. */
struct replay_player {
	uint32_t turn;      /* its turn at work, or the next one */
	uint32_t progress;  /* see replay_send.from */
	uint32_t next;      /* how many of the turn's sends have begun */
	uint32_t under_way; /* eager messages to its present destination */
	double out_s;       /* its outgoing port is free: of all that it has to pass, */
	double busy_s;      /* and if it is shared, of all that has set out */
	uint32_t begun;     /* sends of its turn that it went on from, and that are not over */
	int waits;          /* for a credit */
	int has_sent;       /* all of its turn: it waits for what is missing */
	uint32_t held;      /* the first send that waits for its progress, or REPLAY_NO_SEND */
};

/* A rank's port for what comes to it. */
struct replay_in_port {
	double free_s;             /* one by one: when it is free */
	struct replay_port shared; /* side by side */
	uint32_t plans;            /* of when the next one is through; the last one is up to date */
};

/* Of all ranks that have a turn of that number, those that have come to it, and the last one. */
struct replay_meeting {
	uint32_t members, came;
	double last_s;
};

struct replay_sim {
	const struct replay *r;
	struct replay_player *player;
	struct replay_in_port *port;    /* per rank, into it */
	uint32_t *src;                  /* per send: whose it is */
	uint32_t *missing;              /* per turn: messages that it needs */
	uint32_t *after;                /* per send that is held: the next one */
	struct replay_passing *passing; /* per send */
	double *sets_out_s;             /* per send: it sets out, if its sender's port is shared */
	struct replay_meeting *meeting; /* per number of a turn */
	struct replay_events to_come;
	double begin_s, end_s;
};

/* The rank's next turn begins after its own time from s on, or when all are there. */
void replay_come(struct replay_sim *m, uint32_t rank, double s);

/* Let events follow from events until nothing is left. */
void replay_play(struct replay_sim *m);

#endif
