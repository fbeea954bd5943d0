# SPDX-License-Identifier: GPL-3.0-or-later
#
# What each size was predicted to take beside what it took: the median of the launches is within
# 10 %, or below 2000 B, where it is of overheads that launches differ by, within the prediction's
# interval for other launches, if that is at most 30 %. Input: objects with "bytes", "before" (the
# prediction with that interval), "alone" (its interval by its own launch) and "now" (a launch's,
# without what launches are assumed to differ by). Only what was measured can say that the machine
# was too busy: an interval above 10 %, and no more off than it explains.
def median: sort | .[length / 2 | floor];
def half: (.high - .low) / 2 / .value;
group_by(.bytes)[] | .[0].before as $was | (map(.now.value) | median) as $now |
{bytes: .[0].bytes, predicted: $was.value, measured: $now, off: ($now / $was.value - 1),
 half: ([.[0].alone | half] + map(.now | half) | max)} |
.says = if (.off | fabs) <= 0.1 then "within 10 %"
	elif .bytes < 2000 and ($was | half) <= 0.3 and $now >= $was.low and $now <= $was.high then
		"within the interval of the prediction"
	elif .half > 0.1 and (.off | fabs) <= 0.1 + .half then "too busy" else "WRONG" end
