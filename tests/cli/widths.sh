# SPDX-License-Identifier: GPL-3.0-or-later
# No text is wider than --width, be names as long as MPI's are; but a command to be copied and a
# path stay in one piece.
command -v jq >/dev/null || { echo "no jq: Debian package jq"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
export XDG_CONFIG_HOME="$dir" LC_ALL=C
PATH=$builddir:$PATH

# Documents of all kinds of contention, and each with the longest names there are, in collectives
# too.
set -- "$srcdir/tests/cli/order-original.json" "$srcdir/tests/cli/order-random.json"
for scenario in late-sender incast back-pressure shared-uplink oversubscription; do
	"$builddir/tests/traces/mktrace" $scenario -o $scenario.contend --ranks=12 >made || exit 99
	contend report --json $scenario.contend >$scenario.json || exit 99
	set -- "$@" $scenario.json
done
# shellcheck disable=SC2016 # jq's variables
long='.callsites[0].callsite as $site | (.collectives.operations) = [{kind: "MPI_Allgather", count: 12345,
	took_s: 0.00212, wait_s: 0.00531, moving_s: 0.0393, share: 0.2, callsite: $site,
	idle: {s: 1.43e-7, took_s: 0.002}}]
	| walk(if type == "object" and has("mpi") and has("line") then
	.mpi = "MPI_Dist_graph_create_adjacent" else . end)'
for document in "$@"; do
	name=long-$(basename "$document")
	jq "$long" "$document" >"$name" || exit 99
	set -- "$@" "$name"
done
models=$(contend model --list | awk 'NR > 1 { print $1 }')

narrow() # VERB ARGUMENT...
{
	contend "$@" --width=$width --colour=never >text
	[ $? -eq 0 ] || [ "$1" = diff ] || exit 99
	awk -v width=$width -v what="$*" 'length > width && !/^  contend / && !/^(base|new ) +\// {
		print what " --width=" width ": " length " columns: " $0 }' text
}

for width in 60 72 80 100 120; do
	for document in "$@"; do
		narrow report --top=50 "$document"
		narrow diff "$document" "$2"
	done
	for model in $models; do
		narrow model "$model" --help
	done
	narrow model logp o=15 L=21 g=15 P=32 m=64 w=8 --explain
	for scenario in incast oversubscription; do
		narrow info $scenario.contend
	done
done >wide
head -n 20 wide
echo "$(wc -l <wide) lines too wide"
# That, and what is left out to fit.
contend report --width=60 long-order-original.json | grep -A 5 '^COLLECTIVES'
