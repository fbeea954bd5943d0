#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# EM3D on 32 ranks of a simulated mesh. Recording takes no simulated time: every flow starts and
# ends when it does without the recorder, and two recorded runs are the same to the bit. The
# trace has what the program did, and agrees with the simulator on every message to the ns
# (tests/smpi/truth fails otherwise, and so does tests/smpi/run).
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"
need_file "$OTF2_PRINT" otf2-tools

em3d() # FOLDER OPTION...
{
	to=$1
	shift
	capture "$to" "$srcdir/tests/smpi/run" -o "$to" "$@" mesh:4x8,bandwidth=20e6 32 \
		"$srcdir/share/examples/em3d.c" --nodes=640 --iterations=3 --edge-ns=100 \
		--send=$send
	expect_status 0 "em3d in $to"
	expect_line ' verified$' "$to.out"
}

count() # N WHAT
{
	[ "$(grep -c "$2" once.events)" -eq "$1" ] ||
		fail "$(grep -c "$2" once.events) times $2 in the trace instead of $1"
}

send=ssend
em3d bare --bare
em3d once
em3d again
cmp bare/flows.csv once/flows.csv || fail "recording changed the simulated time"
cmp once/flows.csv again/flows.csv || fail "two runs differ"
cmp once/truth.csv again/truth.csv || fail "two truths differ"
diff -r once/run.contend/traces again/run.contend/traces || fail "two traces differ"
[ ! -e once/run.contend/log ] || fail "logs are left over"
[ -z "$(ls -d once/.contend.* 2>/dev/null)" ] || fail "the ranks' meeting place is left over"

"$OTF2_PRINT" once/run.contend/traces.otf2 >once.events 2>once.errors
[ ! -s once.errors ] || fail "otf2-print: $(cat once.errors)"
count 32 '^ENTER .*"MPI_Init"'
count 32 '^ENTER .*"MPI_Finalize"'
count 64 '^ENTER .*"MPI_Barrier"'
count 64 '^ENTER .*"MPI_Alltoall"'
count 64 '^ENTER .*"MPI_Alltoallv"'
count 192 '^ENTER .*"MPI_Waitall"'
sends=$(grep -c '^MPI_SEND ' once.events)
count "$sends" '^MPI_IRECV '
count "$sends" '^MPI_IRECV_REQUEST '
expect_line "^truth: $sends messages, 0 without a flow" once.err
[ "$(wc -l <once/truth.csv)" -eq $((sends + 2)) ] || fail "not a line for each message in truth.csv"

# The truth's own residual: less than 1 ns in every message. What is off by 2 ns is noticed.
awk -F, 'NR > 1 && !($NF < 1e-9) { bad = 1 } END { exit bad }' once/truth.csv ||
	fail "the truth leaves a rest: $(grep ^total once/truth.csv)"
awk -F, -v OFS=, 'NR > 1 { $5 = sprintf("%.17g", $5 + 2e-9) } { print }' once/flows.csv >late.csv
capture late "$builddir/tests/smpi/truth" once/run.contend late.csv
expect_status 1 "truth of flows that end 2 ns later"
expect_line 'largest residual 2.*e-09 s$' late.err

capture report "$contend" report once/run.contend
expect_status 0 "contend report"
expect_line '32 ranks, 32 nodes' report.out
expect_line 'MPI_Ssend +em3d.c:[0-9]+ in exchange' report.out

"$contend" report --json once/run.contend >report.json
capture compare "$builddir/tests/smpi/compare" once/truth.csv report.json
expect_status 0 compare
awk '/^all:/ { d = $3 - $6; ok = $3 > 0 && d * d < 1e-12 } END { exit !ok }' compare.out ||
	fail "the messages' time is not the same: $(tail -n 1 compare.out)"
# Where the ranks' time goes: all of it, and with the machine's own parameters unknown most of it
# right.
capture ranks "$builddir/tests/smpi/compare" --ranks once/ranks.csv report.json
expect_status 0 "compare --ranks"
awk '/^all:/ { d = $3 - $6; ok = $3 > 0 && d * d < 1e-12 }
	/^network/ { network = $3 }
	/^each:/ { each = $9; n = $2 }
	END { exit !(ok && n == 32 && network > 1 && each > 0 && each < 10) }' ranks.out ||
	fail "the ranks' time: $(cat ranks.out)"

# The other ways to send and to receive.
send=send
em3d waiting --wait --overhead=2e-6
em3d handled --handler=1e-6
awk -F, '/^total/ { exit !($17 > 1e-3 && $18 > 1e-3) }' handled/truth.csv ||
	fail "nothing waited for the handler: $(tail -n 1 handled/truth.csv)"
echo "$sends messages"
