/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Durations in a trace that say something about the idle machine, by locality class and
 * size (one bin per power of two). Each is an upper bound of what it stands for, so the
 * low end of a bin estimates it. For machine_fit.c only.
 */
#ifndef ANALYZE_MACHINE_SAMPLES_H
#define ANALYZE_MACHINE_SAMPLES_H

#include "analyze/machine/sample_table.h"

/*
 * Collect from all messages. classes: what is sent without a handshake (machine_find_eager).
 * Returns 0, or -1 with *err set (out of memory). Caller: samples_release.
 */
int samples_take(struct samples *out, const struct trace *t, const struct messages *m,
		 const struct machine_class classes[LOCALITY_COUNT], struct err *err);

/*
 * What was under way beside each message from its send to its completion: into beside[], one zero
 * per message. Notes the SAMPLE_SHAREs, a piece for each rank; sets without_core. Others beside a
 * message, on average, are: what its sender sends, what its receiver receives, what goes between
 * any two nodes. Returns 0, or -1 with *err set (out of memory).
 */
int samples_find_crowds(struct beside *beside, struct sample_pieces *pieces,
			int without_core[LOCALITY_COUNT], const struct trace *t,
			const struct messages *m, struct err *err);

#endif
