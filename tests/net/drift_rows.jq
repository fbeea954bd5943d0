# SPDX-License-Identifier: GPL-3.0-or-later
#
# What contend calibrate --drift says in many launches, a row of a table for the smallest, the middle
# and the largest size of each. Input: an array of its documents; $who begins each row.
include "estimates";

def seen: [.[] | select(.seen_above and (.verdict == "holds" or .verdict == "moved")) |
	(.seen_above - 1) * 100];
def number: if . == null then "" else . * 10 | round / 10 end;
def verdicts($which): map(select(.verdict as $v | $which | index($v))) | length;

map(. as $all | .points | to_entries[] | .value + {place: (.key % 3), spent_s: $all.spent_s,
	looks: ([$all.classes[].looks] | max)}) | group_by(.place)[] |
["smallest", "middle", "largest"][.[0].place] as $size | (map(.bytes) | median) as $bytes |
"| \($who) | \($size), \($bytes) B | \(length) | \(verdicts(["moved"])) | " +
"\(verdicts(["cores", "waking"])) | \(verdicts(["cannot tell"])) | \(seen | median | number) | " +
"\(seen | max | number) | \(map(.spent_s) | median | number) | \(map(.looks) | median) |"
