/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What Score-P leaves of a region that the program asked to be forgotten (SCOREP_User_Rewind): the
 * events in it are taken back, and recording is said to have been off meanwhile. Only of the rank
 * that asked: the others keep their ends of the same messages and collectives.
 */
#include "tests/traces/mkforeign.h"

static const struct {
	uint32_t rank;
	int from, to; /* rounds */
} forgotten[] = {{1, 10, 12}, {2, 20, 21}, {3, 17, 18}};

void foreign_rewind(struct rank *r, int round)
{
	static uint64_t from;

	for (uint32_t k = 0; k < sizeof(forgotten) / sizeof(*forgotten); k++) {
		if (forgotten[k].rank != r->rank)
			continue;
		if (round == forgotten[k].from) {
			must(OTF2_EvtWriter_StoreRewindPoint(r->w, k));
			from = r->now;
		} else if (round == forgotten[k].to) {
			must(OTF2_EvtWriter_Rewind(r->w, k));
			must(OTF2_EvtWriter_MeasurementOnOff(r->w, NULL, from,
							     OTF2_MEASUREMENT_OFF));
			EVENT(r, 0, MeasurementOnOff, OTF2_MEASUREMENT_ON);
			must(OTF2_EvtWriter_ClearRewindPoint(r->w, k));
		}
	}
}
