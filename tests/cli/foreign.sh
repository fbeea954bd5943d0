# SPDX-License-Identifier: GPL-3.0-or-later
# Archives as other recorders write them: all ranks, messages and collectives, nothing else; and
# what they leave out is said, and takes no other message's place.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
command -v jq >/dev/null || { echo "no jq: Debian package jq"; exit 77; }
for shape in extended blocking eztrace more rewound; do
	echo "== $shape"
	"$builddir/tests/traces/mkforeign" $shape.d $shape || exit 99
	"$builddir/contend" info --json $shape.d >info.json || exit 1
	jq -r '"ranks \(.run.ranks), hosts \([.nodes[] | "\(.host): \(.ranks)"] | join(", "))",
		"calls \(.archive.calls), communicators \([.communicators[] | .name] | join(", "))",
		"messages \(.messages.count), unmatched \(.messages.unmatched_sends) and \(.messages.unmatched_receives)",
		"collectives \(.collectives.count)"' info.json
	"$builddir/contend" report --json $shape.d/traces.otf2 >$shape.json || exit 1
	jq -r '"pattern \(if .patterns[0].confident == false then "perhaps " else "" end)\(.patterns[0].name), hotspots \(.hotspots | length)",
		(.one_sided | select(.) | "put \(.put.count) of \(.put.bytes) bytes",
			(.waits | sort_by(.cause, .callsite.mpi)[] | "\(.callsite.mpi): \(.cause), rank \(.rank), \(.waits) of \(.s * 1e6 | round) us")),
		(.collectives.operations[] | "\(.callsite.mpi) in \(.callsite.function) \(.count)"),
		(.quality.conditions[] | select(test("(are|start a) collective|recording was off|in a pause|nobody was told")) | "- \(.)")' $shape.json
	"$builddir/contend" report --messages=$shape.csv $shape.d >/dev/null || exit 1
done

# All took as long, with what was rewound or without.
echo "== messages of rewound"
awk -F, 'NR > 1 { print $1 " to " $2 ": " int(($9 - $6) / 1000) " us" }' rewound.csv | sort | uniq -c
jq -r '.collectives.operations[] | "\(.callsite.mpi): waiting \(.wait_s * 1e6 | round) us"' \
	rewound.json extended.json

# Each of these took 10 us, if it is joined with its own receive.
echo "== messages of more"
awk -F, 'NR > 1 && $4 > 8 { print $1 " to " $2 ", tag " $4 ": " ($9 - $6) / 1000 " us" }' more.csv |
	sort | uniq -c
jq -r '.quality.conditions[] | select(test("have no|nobody"))' more.json

# By their ids communicators without a name are told apart, as in the table of messages.
echo "== patterns of more"
jq -r '.patterns[] | select(.scope == "communicator" and .messages > 0) |
	"\(.communicator_id) \(.communicator): \(.messages) messages"' more.json
awk -F, 'NR > 1 { print $15 }' more.csv | sort | uniq -c
