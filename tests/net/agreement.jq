# SPDX-License-Identifier: GPL-3.0-or-later
#
# How often calibrations of one machine agree: of all pairs of machine files (input: an array of
# them) and all values that both have, how many intervals have something in common. A row of a table
# for each kind of value and range of sizes, after one of all together. $who begins each row; with
# $alike only pairs count that found the ranks' cores as near, to a quarter.
include "estimates";

def ways: .classes[] | .there, .back;
def cores: [ways | .core_to_core.value // 0];
def are_near($a; $b): [range($a | length) | ($a[.] - $b[.] | fabs) <= 0.25 * $a[.]] | all;

def limits: [[64, "to 64 B"], [1024, "to 1 KiB"], [8192, "to 8 KiB"], [infinite, "above"]];
def sizes: .bytes as $bytes | if $bytes == null then ["", ""]
	else first(limits[] | select($bytes <= .[0])) end;
def row($what): (map(select(.same)) | length) as $same |
	"| \($who) | \($what) | \(length) | \($same / length * 1000 | round / 10) | " +
	"\(map(.half) | median * 100 | round) |";

map({cores: cores, of: estimates}) as $files |
[range($files | length) as $i | range($i) as $k | $files[$i] as $a | $files[$k] as $b |
	select($alike == "" or are_near($a.cores; $b.cores)) |
	{pair: "\($i) \($k)"} + ($a.of | to_entries[] | select($b.of[.key]) | .key as $key | .value |
	{kind, sizes: sizes, same: agree(.value; $b.of[$key].value),
	 half: ([.value, $b.of[$key].value | half] | max)})] |
if length == 0 then "| \($who) | no such pairs | | | |" else
	row("all, \($files | length) launches, \(map(.pair) | unique | length) pairs"),
	(group_by([.kind, .sizes])[] | .[0] as $first | row("\($first.kind) \($first.sizes[1])"))
end
