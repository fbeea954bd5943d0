#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# EM3D with its destinations in another order, or its sends begun instead: what contend predict says
# of a run of one is what the other takes. With the machine file the likely value is next to it, of
# what takes longer less so; without, the interval covers it.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"
need_file jq jq
. "$srcdir/tests/smpi/true_machine.sh"

true_machine 1e-6 1e-6 0 ports >machine.json

for order in original staggered random; do
	for send in ssend isend; do
		run=$order-$send
		capture $run "$srcdir/tests/smpi/run" -o $run --wait --overhead=1e-6 --handler=1e-6 \
			switch:8,bandwidth=40e6,contention=ports 8 "$srcdir/share/examples/em3d.c" \
			--nodes=1600 --values=1000 --width=100 --iterations=3 --edge-ns=20 \
			--order=$order --send=$send
		expect_status 0 "em3d in $run"
		expect_line ' verified$' "$run.out"
	done
done

wall() { sed -n 's/.*"wall_s": *\([0-9.e+-]*\).*/\1/p' "$1.wall"; }
for run in *-ssend *-isend; do
	[ ! -d "$run/run.contend" ] ||
		"$contend" report --json "$run/run.contend" | jq '.run | {wall_s}' >"$run.wall"
done

# NOW THEN OPTION: one becomes the other.
expect_change()
{
	for source in file alone; do
		given=
		[ $source = alone ] || given=--machine=machine.json
		# One word or none. shellcheck disable=SC2086
		"$contend" predict --json $given "$3" "$1/run.contend" >said.json ||
			fail "$1: no prediction"
		said=$(jq -r '[.changes[] | select(.saves_share)][0].saves_share | map(tostring) | join(" ")' said.json)
		echo "$said" | awk -v now="$(wall "$1")" -v then="$(wall "$2")" -v source=$source -v what="$1 to $2" '{
			saved = 1 - then / now
			off = $2 > saved ? $2 - saved : saved - $2
			printf "%s, %s: saves %.3f, said %.3f [%.3f, %.3f]\n", what, source, saved, $2, $1, $3
			exit !($1 <= saved + 0.005 && saved - 0.005 <= $3 &&
			       (source == "alone" || off <= 0.02 + (saved < 0 ? -0.3 : 0.12) * saved))
		}' || fail "$1 to $2, $source: not what it saves"
	done
}

expect_change original-ssend staggered-ssend --order=staggered
expect_change original-ssend random-ssend --order=random
expect_change random-ssend staggered-ssend --order=staggered
expect_change staggered-ssend random-ssend --order=random
expect_change original-ssend original-isend --async
expect_change random-ssend random-isend --async
expect_change staggered-ssend staggered-isend --async
expect_change original-isend staggered-isend --order=staggered
expect_change staggered-isend random-isend --order=random
