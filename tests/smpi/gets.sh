#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Remote gets on the simulated machine: each is one flow, and a call waits for it only while it is
# on its way. Where the ranks' time goes by the report, with the machine as it is, is what it really
# was.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

capture run "$srcdir/tests/smpi/run" -o run switch:16,backplane=160e6,bandwidth=40e6 16 \
	"$srcdir/share/examples/spmv.c" --rows=320 --products=1 --work=20 --handler=0 --get=rma
expect_status 0 "spmv by MPI_Get"
expect_line ' verified$' run.out
expect_line '^truth: [0-9]{4} puts and gets, 0 without a flow' run.err

# There and back is one flow of 1 us: half of it each way. 16 bytes are the simulator's.
cat >machine.json <<'END'
{"schema": "contend-machine/1", "name": "as simulated", "classes": {
 "network": {"L_s": 5e-7, "handshake_s": 0, "eager_bytes": 65535, "uncertainty": 0.01,
  "points": [{"bytes": 0, "o_s_s": 0, "o_r_s": 0, "g_s": 4e-7},
   {"bytes": 1048576, "o_s_s": 0, "o_r_s": 0, "g_s": 0.0262148}],
  "there": {"asynchronous_progress": 1}}}}
END
for machine in "" --machine=machine.json; do
	# A word or none. shellcheck disable=SC2086
	"$contend" report --json $machine run/run.contend >report.json
	capture compare "$builddir/tests/smpi/compare" --ranks run/ranks.csv report.json
	expect_status 0 "compare --ranks $machine"
	# LABEL TRUTH REPORT ERROR LOW-HIGH, % of the ranks' time, to 0.1
	awk '/[-+][0-9.]+ +[0-9.]+-[0-9.]+$/ {
			split($NF, bound, "-")
			truth = $(NF - 3)
			n++
			if ($1 == "collectives" && $(NF - 1) != 0) bad = 1
			if ($1 != "not" && (truth < bound[1] - 0.11 || truth > bound[2] + 0.11)) bad = 1
		}
		END { exit !(n > 8 && !bad) }' compare.out ||
		fail "the report${machine:+ with the machine file} misses the truth: $(cat compare.out)"
done
