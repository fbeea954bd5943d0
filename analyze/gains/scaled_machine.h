/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another machine, said in factors of this one: what its messages and collectives take. How much of
 * a message's time is its bytes and how much is latency is what sizes tell (Hockney's t = alpha +
 * beta m): where a trace has no small ones, that has bounds.
 */
#ifndef ANALYZE_SCALED_MACHINE_H
#define ANALYZE_SCALED_MACHINE_H

#include "analyze/machine/machine.h"

/* So many times this machine's; 1 leaves it as it is. */
struct factors {
	double bandwidth;  /* bytes/s, of ports and ways */
	double latency;    /* s, of what does not depend on the bytes */
	double overhead;   /* s, of MPI's work in calls: o_s and o_r */
	double processors; /* speed of the program's own work */
};

/* How much of a message's time is its bytes, where that is not known. */
enum bytes_reading { BYTES_LIKELY, BYTES_LEAST, BYTES_MOST };

struct machine_reading {
	enum bytes_reading bytes;
	int all_work; /* what overheads and latency are together, if they are known as a sum only */
};

/*
 * Fills in *out, of which only the classes' prices and what belongs to them are set. Returns 0, or
 * -1 with *err set (out of memory). Caller: scaled_machine_release.
 */
int scaled_machine_init(struct machine *out, const struct machine *m, const struct factors *x,
			struct machine_reading reading, struct err *err);
void scaled_machine_release(struct machine *m);

/* Does it depend on what is read of the bytes, and of the work? */
int scaled_machine_is_open(const struct machine *m);
int scaled_machine_work_is_open(const struct machine *m);

#endif
