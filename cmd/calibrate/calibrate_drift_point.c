/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/calibrate/calibrate_drift_point.h"

#include "common/number.h"

static const char *says_text(const struct drift_point *p, enum drift_says verdict)
{
	static const char *const says[DRIFT_SAYS] = {
		[DRIFT_HOLDS] = "holds",          [DRIFT_MOVED] = "moved",
		[DRIFT_CORES] = "unclear: cores", [DRIFT_WAKES] = "unclear: wakes",
		[DRIFT_UNCLEAR] = "cannot tell",
	};

	return p->now.n ? says[verdict] : "no time for it";
}

/* For what there was no time there is no number. */
void calibrate_drift_point_put(FILE *out, enum nearness n, const struct drift_point *p,
			       enum drift_says verdict)
{
	const struct number none = {"-"};
	const struct drift_seen seen = drift_seen(p);

	fprintf(out, "  %-7s %8s %8s %8s %7s  %-14s", nearness_name(n),
		number_bytes((double)p->bytes).text, number_seconds(p->before.value).text,
		(p->now.n ? number_seconds(p->now.value) : none).text,
		(p->now.n ? number_change(p->now.value / p->before.value - 1) : none).text,
		says_text(p, verdict));
	if (seen.longer > 0)
		fprintf(out, "  seen from %s\n", number_change(seen.longer - 1).text);
	else
		fprintf(out, "  %s\n", seen.shorter > 0 ? "seen if shorter" : "not seen");
}

int calibrate_drift_point_untold(const struct drift_tally *t)
{
	return t->n[DRIFT_CORES] + t->n[DRIFT_WAKES] + t->n[DRIFT_UNCLEAR];
}

void calibrate_drift_point_sum(FILE *out, const struct drift_tally *t)
{
	const int untold = calibrate_drift_point_untold(t), moved = t->n[DRIFT_MOVED];

	fprintf(out, "%d of %d moved by more than %.0f %% and beyond the intervals", moved,
		t->n[DRIFT_HOLDS] + moved + untold, DRIFT_SHARE * 100);
	if (untold)
		fprintf(out, ", %d cannot be told", untold);
	fputs(moved ? ": calibrate again\n" : "\n", out);
}

static json_t *estimate_json(struct estimate e)
{
	return e.n ? json_pack("{s:f, s:f, s:f}", "value", e.value, "low", e.low, "high", e.high)
		   : json_null();
}

json_t *calibrate_drift_point_json(enum nearness n, const struct drift_point *p,
				   enum drift_says verdict)
{
	static const char *const says[DRIFT_SAYS] = {
		[DRIFT_HOLDS] = "holds",  [DRIFT_MOVED] = "moved",         [DRIFT_CORES] = "cores",
		[DRIFT_WAKES] = "waking", [DRIFT_UNCLEAR] = "cannot tell",
	};
	const struct drift_seen seen = drift_seen(p);

	return json_pack("{s:s, s:I, s:o, s:o, s:s, s:b, s:b, s:o, s:o, s:f}", "class",
			 nearness_name(n), "bytes", (json_int_t)p->bytes, "before",
			 estimate_json(p->before), "now", estimate_json(p->now), "verdict",
			 says[verdict], "moved", verdict == DRIFT_MOVED, "cannot_tell",
			 verdict != DRIFT_MOVED && verdict != DRIFT_HOLDS, "seen_above",
			 seen.longer > 0 ? json_real(seen.longer) : json_null(), "seen_below",
			 seen.shorter > 0 ? json_real(seen.shorter) : json_null(), "launches_share",
			 p->launch_share);
}
