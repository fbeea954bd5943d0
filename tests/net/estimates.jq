# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a machine file has estimates of: L and g(0) of each way, and of each of its sizes the round
# trip, the gap and the overheads.

# All of a file's by name, an object: of which kind and size, from where to where, and the estimate.
def estimates: .classes | to_entries | map(.key as $class | .value | (.there, .back) as $way |
	"\($class) \($way.from) " as $name |
	({kind: "L", value: $way.L}, {kind: "g(0)", value: $way.g0},
	 ($way.points[] | . as $p | ("rtt", "g", "o_s", "o_r", "expected") |
		{kind: ., bytes: $p.bytes, value: $p[.]})) |
	{key: "\($name)\(.kind) \(.bytes)", value: .}) | map(select(.value.value.n > 0)) | from_entries;

# Of an estimate: half its interval as a share of it.
def half: if .value == 0 then 1e9 else (.high - .low) / 2 / (.value | fabs) end;

# Do two intervals have something in common?
def agree($a; $b): $a.low <= $b.high and $b.low <= $a.high;

def median: sort | .[length / 2 | floor];
