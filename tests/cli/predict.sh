# SPDX-License-Identifier: GPL-3.0-or-later
# What a run would take on better machines: as text, as a document, and what is no such machine.
command -v jq >/dev/null || { echo "no jq: Debian package jq"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
export XDG_CONFIG_HOME="$dir" LC_ALL=C
PATH=$builddir:$PATH
"$builddir/tests/traces/mktrace" incast -o incast.contend --ranks=6 >made || exit 99

try()
{
	echo "\$ $*"
	"$@" 2>&1
	echo "exit $?"
}

try contend predict --width=80 incast.contend
try contend predict --width=60 --bandwidth=4 --latency=0.25 incast.contend
contend predict --json incast.contend >all.json || exit 99
contend predict --json --overhead=0 --processors=2 incast.contend >one.json || exit 99
jq -c '.predictions[] | [.name, .title, .bandwidth, .latency, .overhead, .processors]' all.json one.json
# What is saved and what is left are the whole, the likely between the least and the most.
jq -e -s '[.[] | .run.wall_s as $wall | .predictions[]
	| (.saves_s[0] <= .saves_s[1]) and (.saves_s[1] <= .saves_s[2]) and
	  ([range(3) as $k | .saves_s[$k] + .wall_s[2 - $k] - $wall | fabs < 1e-9] | all)] | all' \
	all.json one.json
# Two hands find the same as one, and less memory.
OMPI_COMM_WORLD_LOCAL_SIZE=2 contend predict --json --memory=0 incast.contend | cmp - all.json
# Twice as good in all is better than in one.
contend predict --json --bandwidth=2 --latency=0.5 --overhead=0.5 --processors=2 incast.contend |
	jq -s '.[1].predictions[0].saves_s[1] as $all | [.[0].predictions[].saves_s[1] <= $all] | all' all.json -
# The program changed: what is known, and what is not, of a run that has it or not.
"$builddir/tests/traces/mktrace" order-hotspot -o order.contend --ranks=6 >made || exit 99
echo '[2, 3, 0, 1, 4, 5]' >map.json
try contend predict --width=80 --order=staggered --servers=2 --async --map=map.json incast.contend
try contend predict --width=80 --servers=2 order.contend
contend predict --json --order=random --servers=2 --async --map=map.json order.contend >changes.json ||
	exit 99
jq -c '.predictions, (.changes[] | [.kind, .callsite.function, .why_not, (.saves_s | type)])' changes.json
jq -c '[.changes[] | select(.saves_s) | .saves_s[0] <= .saves_s[1] and .saves_s[1] <= .saves_s[2]] | all' \
	changes.json
OMPI_COMM_WORLD_LOCAL_SIZE=2 contend predict --json --order=random --servers=2 --async --map=map.json \
	--memory=0 order.contend | cmp - changes.json
# What is likely nothing may be much.
"$builddir/tests/traces/mktrace" order-random -o random.contend --ranks=8 >made || exit 99
contend predict --async --width=80 random.contend | sed -n '/^With sends/,/^$/p'
try contend predict --order=sideways incast.contend
try contend predict --servers=0 incast.contend
try contend predict --ranks=0 incast.contend
try contend predict --width=80 --ranks=64 incast.contend
"$builddir/tests/traces/mktrace" quiet -o quiet.contend --ranks=16 >made || exit 99
try contend predict --width=80 --ranks=64 quiet.contend
try contend predict --map=none.json incast.contend
for map in '[0, 1' '{}' '[]' '[0, -1]' '[0, "1"]' '[0, 1]' '[0, 1, 2, 3, 4, 4]' '[0, 1, 2, 3, 4, 6]'; do
	echo "$map" >map.json
	try contend predict --map=map.json incast.contend
done
# A report of the document has nothing of it; a prediction needs the run.
contend report all.json >with.txt && contend report incast.contend | cmp - with.txt
try contend predict all.json
try contend predict --bandwidth=0.5 incast.contend
try contend predict --bandwidth=1 incast.contend
try contend predict --latency=2 incast.contend
try contend predict --overhead=x incast.contend
try contend predict --processors= incast.contend
try contend predict none.contend
try contend predict one two
