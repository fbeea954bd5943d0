#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# EM3D on 32 ranks of a simulated mesh. Recording takes no simulated time: every flow starts and
# ends when it does without the recorder, and two recorded runs are the same. The trace has
# what the program did, and is one that others can read.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

machine=mesh:4x8,bandwidth=20e6
em3d()
{
	to=$1
	shift
	"$srcdir/tests/smpi/run" -o "$to" "$@" $machine 32 "$srcdir/share/examples/em3d.c" \
		--nodes=1600 --iterations=3 >"$to.out" || fail "em3d in $to: $(cat "$to.out")"
	grep -q ' verified' "$to.out" || fail "em3d in $to: $(cat "$to.out")"
}

em3d bare --bare
em3d once
em3d again
cmp bare/flows.csv once/flows.csv || fail "recording changed the simulated time"
cmp once/flows.csv again/flows.csv || fail "two runs differ"
diff -r once/run.contend/traces again/run.contend/traces || fail "two traces differ"

"$OTF2_PRINT" once/run.contend/traces.otf2 >once.events 2>once.errors
[ ! -s once.errors ] || fail "otf2-print: $(cat once.errors)"
