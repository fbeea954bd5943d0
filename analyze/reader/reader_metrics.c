/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of an archive: the readings of the few counters that numbers depend on. */
#include "analyze/reader/reader_callback.h"

static OTF2_CallbackCode on_member(void *data, OTF2_MetricMemberRef id, OTF2_StringRef name,
				   OTF2_StringRef description, OTF2_MetricType type,
				   OTF2_MetricMode mode, OTF2_Type value_type, OTF2_Base base,
				   int64_t exponent, OTF2_StringRef unit)
{
	struct load *l = data;
	enum reading_of of = reading_named(defs_text(&l->defs, name));

	(void)description, (void)type, (void)base, (void)unit;
	if (of == READING_KINDS || mode != OTF2_METRIC_ACCUMULATED_START ||
	    value_type != OTF2_TYPE_UINT64 || exponent != 0)
		return OTF2_CALLBACK_SUCCESS;
	return went_on(idmap_set(&l->defs.member_ids, id, of) ? load_no_memory(l) : 0);
}

/* One counter each, as the recorder writes them; of others nothing is known here. */
static OTF2_CallbackCode on_class(void *data, OTF2_MetricRef id, uint8_t n,
				  const OTF2_MetricMemberRef *members,
				  OTF2_MetricOccurrence occurrence, OTF2_RecorderKind recorder)
{
	struct load *l = data;
	uint32_t of = n == 1 ? idmap_find(&l->defs.member_ids, members[0]) : IDMAP_NONE;

	(void)occurrence, (void)recorder;
	if (of == IDMAP_NONE)
		return OTF2_CALLBACK_SUCCESS;
	l->defs.has_readings = 1;
	return went_on(idmap_set(&l->defs.metric_ids, id, of) ? load_no_memory(l) : 0);
}

void load_metric_definitions(OTF2_GlobalDefReaderCallbacks *c)
{
	OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(c, on_member);
	OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(c, on_class);
}

/* It is beside what the rank does: its time is none of the location's events'. */
static OTF2_CallbackCode on_metric(EVENT, OTF2_MetricRef metric, uint8_t n, const OTF2_Type *types,
				   const OTF2_MetricValue *values)
{
	struct load *l = data;
	uint32_t of = idmap_find(&l->defs.metric_ids, metric);
	struct counter_reading one = {.time_ns = load_ns(l, time), .rank = l->at.rank};

	UNUSED;
	if (of == IDMAP_NONE || n != 1 || types[0] != OTF2_TYPE_UINT64)
		return OTF2_CALLBACK_SUCCESS;
	one.of = (enum reading_of)of;
	one.value = values[0].unsigned_int;
	return went_on(readings_add(&l->trace.readings, one) ? load_no_memory(l) : 0);
}

void load_metric_callbacks(const struct load *l, OTF2_EvtReaderCallbacks *c)
{
	if (l->defs.has_readings)
		OTF2_EvtReaderCallbacks_SetMetricCallback(c, on_metric);
}
