#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The examples on the simulated machine: each has its pattern's name in the report, whatever
# the times.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

is() # NAME RANKS PROGRAM OPTION...
{
	name=$1 ranks=$2 program=$3
	shift 3
	capture run "$srcdir/tests/smpi/run" -o run mesh:4x8,bandwidth=20e6 "$ranks" \
		"$srcdir/share/examples/$program.c" "$@"
	expect_status 0 "$program $*"
	awk '/^truth: / { exists = $NF == "s" && $(NF - 1) < 1e-9 } END { exit !exists }' run.out run.err ||
		fail "$program $*: the truth leaves something: $(grep -h ^truth: run.out run.err)"
	capture report "$contend" report --json run/run.contend
	expect_status 0 "contend report"
	grep -E '^  *"(phase|name|scope)": ' report.out |
		awk '/"phase"/ { phase = $0 } /"name"/ { name = $0 } /"scope": "run"/ { print name }' >names
	grep -qF "\"$name" names ||
		fail "$program $*: not \"$name\" but $(cat names)"
	awk '/"phase":/ { phase = $2 } /"line":/ { line = $2 } /"mpi":/ { mpi = $2 }
		/"scope": "callsite"/ && seen[phase, line, mpi]++ { twice = 1 }
		END { exit twice }' report.out ||
		fail "$program $*: a line of the program is there twice in one phase"
	capture text "$contend" report run/run.contend
	expect_line '^PATTERN' text.out
	[ "$(awk '/^PATTERN/, /^WHERE TIME/ { if (length($0) > 80) n++ } END { print n + 0 }' text.out)" -eq 0 ] ||
		fail "lines of more than 80 columns: $(grep -A9 ^PATTERN text.out)"
	echo "$program: $name"
}

is "2-D grid 8x4" 32 stencil --size=16 --iterations=20
is "3-D torus 3x3x3" 27 stencil --dims=3 --size=12 --iterations=10 --periodic
is "2-D sweep 4x4" 16 sweep --size=8
is "1-D sweep (pipeline)" 16 diamond --length=256 --blocks=16
is "total exchange, shift rounds" 16 alltoall --by=direct --rotate --bytes=1000
is "total exchange, ascending order" 16 alltoall --by=direct --bytes=1000
is "total exchange, shift rounds" 8 alltoall --by=pairwise --bytes=1000 # to themselves too
is "client-server, 1 server" 16 workpile --chunks=20 --work=500 --handler=50
is "all-to-any, uniform" 16 remap --messages=50 --think=10 --handler=5
is "shift(3) and back" 16 remap --messages=50 --to=shift --shift=3
is "all-to-any, uniform" 16 spmv --rows=160 --products=2
is "irregular sparse" 32 em3d --nodes=640 --iterations=3 --span=3
