# SPDX-License-Identifier: GPL-3.0-or-later
# Archives that lack something: what is there is described, and of what is not nothing is claimed.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
command -v jq >/dev/null || { echo "no jq: Debian package jq"; exit 77; }
for dialect in bare translated beside begun functions contexts untold threads device empty; do
	echo "== $dialect"
	"$builddir/tests/traces/mkdialect" $dialect.d $dialect || exit 99
	"$builddir/contend" info --width=100 $dialect.d | sed -n 's/ *$//; /^  [a-z]/p'
	"$builddir/contend" report --json --fail-on=low $dialect.d >report.json 2>report.err
	echo "report: status $?"
	cat report.err
	[ -s report.json ] || continue
	jq -r '.summary.verdict[0], "pattern \(if .patterns[0].confident == false then "perhaps " else "" end)\(.patterns[0].name), messages \(.messages.count)",
		"collectives \([.collectives.operations[].count] | add)",
		(.callsites[0].callsite.function | "in \(.)"), (.quality.conditions[] |
		select(test("recorded|archive|no partner")) | "- \(.)")' report.json
	"$builddir/contend" report $dialect.d | sed -n '/^HOTSPOTS/,/^$/p' | sed -n 2p
done
