# SPDX-License-Identifier: GPL-3.0-or-later
# One run in other words (tests/traces/mkwords.c) has one report; what no clock says is refused.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
command -v jq >/dev/null || { echo "no jq: Debian package jq"; exit 77; }
for words in plain fine finest far early apart places groups nested locks lost; do
	"$builddir/tests/traces/mkwords" $words.d $words || exit 99
	if ! "$builddir/contend" report --json --messages=$words.csv $words.d >report.json 2>error; then
		echo "$words: $(cat error)"
		continue
	fi
	jq 'del(.run)' report.json >$words.json
	cmp $words.csv plain.csv && cmp $words.json plain.json && echo "$words: as plain"
done
jq -r '"messages \(.messages.count), unmatched \(.messages.unmatched_sends) and \(.messages.unmatched_receives)",
	(.one_sided.waits[] | "\(.cause): \(.waits) for rank \(.rank), \(.s * 512) units"),
	(.collectives.operations[] | "\(.callsite.mpi) \(.count)")' plain.json
awk -F, 'NR > 1 { print $1 " to " $2 ", tag " $4 ": " ($9 - $6) / 1953125 " units" }' plain.csv |
	sort | uniq -c
