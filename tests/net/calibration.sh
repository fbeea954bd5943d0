#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Calibration on the emulated cluster, where the rate is known: two calibrations agree, a size
# that was not measured takes what the measured ones say, and the signature of all ranks
# predicts the all-to-alls of fewer. Medians and wide margins: single time-outs decide nothing.
. "$srcdir/tests/testlib.sh"
need_file jq jq

cluster=$srcdir/tests/net/cluster
"$cluster" run --hosts=2 --mpi="$MPI" -- true >probe.log 2>&1 || skip "$(tail -n 1 probe.log)"
cc -shared -fPIC -O2 "$srcdir/tests/net/patient.c" -o patient.so -ldl
export CONTEND_PATIENT="$PWD/patient.so"
rate=50 # Mbit/s

calibrate() # NAME HOSTS OPTION...
{
	job=$1 hosts=$2
	shift 2
	capture "$job" timeout 100 "$cluster" run --hosts="$hosts" --rate=$rate --buffer=1000 \
		--realtime --mpi="$MPI" -- "$contend" calibrate "$@"
}

calibrate first 8 --quick --contention=16 -o first.json
expect_status 0 "contend calibrate on 8 hosts"
calibrate again 2 --contention=0 -o again.json
expect_status 0 "contend calibrate on 2 hosts"
expect_line '^BETWEEN NODES' again.out

# Its gap per byte is the link's, and of sizes that both have the gaps are the same.
jq -r --slurpfile b again.json --argjson rate $rate '
	.classes.network as $a | ($b[0].classes.network.points) as $other |
	([$a.points[] | select(.bytes >= 16384 and .g_s)]) as $large |
	(($large[-1].g_s - $large[0].g_s) / ($large[-1].bytes - $large[0].bytes) * $rate * 1e6 / 8) as $share |
	"\($share) times the time of the rate",
	if $share > 0.85 and $share < 1.2 then empty else "WRONG rate" end,
	($large[] | . as $p | $other[] | select(.bytes == $p.bytes and .g_s) |
	 "\(.bytes) B: \($p.g_s) and \(.g_s) s",
	 if (.g.low <= $p.g.high and .g.high >= $p.g.low) or (.g_s / $p.g_s | . > 0.9 and . < 1.1)
	 then empty else "WRONG gap" end)' first.json >gaps.txt
cat gaps.txt
! grep WRONG gaps.txt || fail "two calibrations differ"
[ "$(wc -l <gaps.txt)" -ge 2 ] || fail "nothing to compare"

# Sizes that were not measured, on the line between their neighbours; large ones, beside which
# the link's credit of a millisecond, which only the first message in a row gets, is little.
jq '.classes.network.there.points as $p | def at($m): [$p[] | select(.bytes <= $m)][-1] as $a |
	[$p[] | select(.bytes > $m)][0] as $b | ($a.rtt.value + ($b.rtt.value - $a.rtt.value) *
	($m - $a.bytes) / ($b.bytes - $a.bytes)) | {bytes: $m, rtt: {value: ., low: ., high: ., n: 1}};
	.classes.network.there.points = [at(100000), at(150000), at(200000)]' again.json >between.json
calibrate between 2 --json --drift=between.json
jq -r '.points[] | "\(.bytes) B: \(.before.value) s predicted, \(.now.value) s"' between.out
jq -e '[.points[] | .now.value / .before.value | . > 0.85 and . < 1.15] | length == 3 and all' \
	between.out >/dev/null || fail "sizes that were not measured take something else"

# The signature at 8 ranks for 4 and 6, of the sizes where the ports are full: above M.
jq -r '.contention.signature as $s | ($s.regimes[-1]) as $r | [$s.times[] |
	select(.ranks < $s.ranks and .bytes >= $r.from_bytes and .bytes <= $r.to_bytes) |
	(.ranks - 1) * (($s.alpha_s + .bytes * $s.beta_s_per_byte) * $r.gamma +
	if .bytes >= $r.M_bytes then $r.delta_s else 0 end) / .time.value] |
	"\(length) all-to-alls, mean error \(map(. - 1 | fabs) | add / length), gamma \($r.gamma)",
	if length >= 2 and (map(. - 1 | fabs) | add / length) < 0.2 then empty else "WRONG" end
	' first.json >signature.txt
cat signature.txt
! grep WRONG signature.txt || fail "the signature does not predict: $(sed -n '/^CONTENTION/,$p' first.out)"
