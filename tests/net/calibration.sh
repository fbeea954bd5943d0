#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Calibration on the emulated cluster, where the rate is known: repeated calibrations agree
# within their intervals, a slower link is noticed, sizes that were not measured take what the
# measured ones say, and the signature of all ranks predicts the all-to-alls of fewer.
# A busy machine makes intervals wide, and wide ones agree: that is no failure.
. "$srcdir/tests/testlib.sh"
need_file jq jq

# What near.jq says of made-up round trips, with so large a half of their own launch's intervals.
near_says() # SENTENCE BYTES PREDICTED MEASURED HALF
{
	said=$(jq -n --argjson bytes "$2" --argjson was "$3" --argjson now "$4" --argjson half "$5" '
		def about($s; $h): {value: $s, low: ($s * (1 - $h)), high: ($s * (1 + $h))};
		[{$bytes, before: about($was; $half + 0.1), alone: about($was; $half),
			now: about($now; $half)}]' | jq -r -f "$srcdir/tests/net/near.jq" | jq -r .says)
	[ "$said" = "$1" ] || fail "of $2 B, $3 predicted and $4 measured: '$said' instead of '$1'"
}
near_says WRONG 300 22 66 0.03
near_says WRONG 300 22 66 0.2
near_says WRONG 3000 100 112 0.05
near_says 'within 10 %' 300 22 23 0.03
near_says 'within the interval of the prediction' 300 100 112 0.05
near_says 'too busy' 3000 100 115 0.15

cluster=$srcdir/tests/net/cluster
"$cluster" run --hosts=2 --mpi="$MPI" -- true >probe.log 2>&1 || no_hosts $? probe.log
cc -shared -fPIC -O2 "$srcdir/tests/net/patient.c" -o patient.so -ldl
export CONTEND_PATIENT="$PWD/patient.so"

calibrate() # NAME HOSTS RATE OPTION...
{
	job=$1 hosts=$2 rate=$3
	shift 3
	capture "$job" timeout 200 "$cluster" run --hosts="$hosts" --rate="$rate" --buffer=1000 \
		--realtime --mpi="$MPI" -- "$contend" calibrate "$@"
	[ "$status" = 0 ] || {
		echo "$job: exit status $status: $(cat "$job.err")"
		return 1
	}
}

# The median half-width of intervals that say something: of 16 to 31 % overheads alone are assumed.
widest=0.35

cat >agree.jq <<'JQ'
include "estimates";
map(estimates | map_values(.value)) as $of |
[range(length) as $i | range($i) as $k | $of[$k] as $a | $of[$i] as $b |
	$a | keys[] | select($b[.]) | {name: ., a: $a[.], b: $b[.]} | .agree = agree(.a; .b)] |
{parameters: length, agree: map(select(.agree)) | length,
 half: (map(.a, .b | half) | median), other: map(select(.agree | not)) | .[:9]}
JQ

# Do all pairs of files agree in SHARE of their parameters? Intervals wide enough for anything do
# not say.
agree() # SHARE FILE...
{
	share=$1
	shift
	jq -s -c -L "$srcdir/tests/net" -f agree.jq "$@" >agree.json
	jq -r --arg files "$*" '"\($files): \(.agree) of \(.parameters) parameters agree, " +
		"half-widths about \(.half * 100 | round) %", (.other[] | tojson)' agree.json
	overlap && jq -e ".half <= $widest" agree.json >/dev/null
}
overlap() { jq -e ".parameters >= 40 and .agree >= $share * .parameters" agree.json >/dev/null; }

# A virtual machine's host moves the cores of both hosts nearer and apart, and a pair of launches
# that it did so between agrees in 76 % at least; four launches are never all apart.
repeats()
{
	for i in 1 2; do
		calibrate quick$i 2 50 --quick --contention=0 -o quick$i.json || return
	done
	agree 0.95 quick1.json quick2.json && return
	overlap || {
		for i in 3 4; do
			calibrate quick$i 2 50 --quick --contention=0 -o quick$i.json || return
		done
		agree 0.85 quick[1-4].json && return
	}
	overlap && busy="the machine is too busy: half-widths above $widest say nothing"
}
looks "repeated calibrations differ" repeats

# A link that has become a fifth slower, or not: 32 KiB take 17 to 21 % more. Among the few samples
# of a large size there may be one that took twice as long, and then the file cannot tell. Nor where
# it seems to be less, but then's and now's intervals have room for 15 % more.
cat >room.jq <<'JQ'
def up: .high / .value | log;
def down: .value / .low | log;
def sum($a; $b): $a * $a + $b * $b | sqrt;
.cannot_tell or (.before | up) > (1.2 | log) or (.now | down) > (0.8 | -log) or
	(.now.value / .before.value | log) + sum(.before | down; .now | up) > (1.15 | log)
JQ
room() # BEFORE LOW HIGH NOW LOW HIGH
{
	jq -n "{before: {value: $1, low: $2, high: $3}, now: {value: $4, low: $5, high: $6}}" |
		jq -e -f room.jq >/dev/null
}
room 6.69 6.27 6.96 7.32 7.12 7.54 || fail "no room for 7.54 to 6.27"
! room 6.35 6.2 6.5 6.6 6.4 6.8 || fail "room for 15 % more than 6.35 where 6.8 are the most"
notices()
{
	calibrate before 2 50 --quick --contention=0 -o before.json || return
	calibrate same 2 50 --drift=before.json || :
	[ "$status" -ne 3 ] || { cat same.out; return 1; }
	calibrate slower 2 42 --json --drift=before.json || :
	[ "$status" -ne 3 ] || return 0
	jq -c '.points[-1]' slower.out
	jq '.points[-1]' slower.out | jq -e -f room.jq >/dev/null &&
		busy="the machine is too busy to tell whether the link has become slower"
	return 1
}
looks "a slower link is not noticed, or the same is called slower" notices

# Sizes that were not measured, on the line between their neighbours, in three launches; a few at a
# time, as --drift measures three, here with the intervals of their own launch alone (share: 0).
# A calibration's launch may be a sixth apart from all others; a size is wrong if it is at each
# look. The emulated card sends 1540 bytes at once after a rest, and the rest later: 1300 B take
# what 3 B do, and 1600 B three times as long.
between() # BYTES BYTES BYTES
{
	jq --argjson sizes "[$1, $2, $3]" '.classes.network.there.points as $p |
		def at($m): [$p[] | select(.bytes <= $m)][-1] as $a |
			[$p[] | select(.bytes > $m)][0] as $b |
			(($m - $a.bytes) / ($b.bytes - $a.bytes)) as $t |
			def mix(f): ($a | f) * (1 - $t) + ($b | f) * $t;
			{bytes: $m, rtt: {value: mix(.rtt.value), low: mix(.rtt.low), high: mix(.rtt.high), n: 9},
			 alone: {value: mix(.rtt.value), low: mix(.this_launch.rtt[0]),
				high: mix(.this_launch.rtt[1])}, between_launches: {share: 0}};
		.classes.network.there.points = ($sizes | map(at(.)))' full.json >between.json
	for launch in 1 2 3; do
		calibrate between 2 50 --json --drift=between.json || :
		jq -c --slurpfile was between.json '.points[] | select(.now) | .bytes as $m |
			.alone = ($was[0].classes.network.there.points[] | select(.bytes == $m).alone)' \
			between.out >>launches.json
	done
}
predicts_trips()
{
	: >launches.json
	between 3 100 300
	between 500 900 1300
	between 1600 2000 2700
	between 9000 22000 40000
	between 60000 80000 120000
	jq -s -c -f "$srcdir/tests/net/near.jq" launches.json >near.json || return
	jq -r '"\(.bytes) B: \(.predicted) s predicted, \(.measured) s measured, \(.says)"' near.json
	jq -r 'select(.says == "WRONG").bytes' near.json >wrong
	if [ -e wrong_in_all ]; then
		grep -F -x -f wrong_in_all wrong >wrong_again || :
		mv wrong_again wrong
	fi
	mv wrong wrong_in_all
	[ ! -s wrong_in_all ] || return
	[ "$(grep -c within near.json)" -eq 15 ] ||
		busy="the machine is too busy to tell whether all sizes take what was predicted"
}
# Its gap per byte is the link's: 1448 bytes of 1514 are the messages'. A large size has few samples,
# of which may be one that took twice as long, or all were held up: nothing is faster than the link,
# but slower by up to a half is as well a machine that is away now and then.
rate()
{
	jq -r '[.classes.network.points[] | select(.bytes >= 16384 and .g_s)] |
		.[0] as $a | .[-1] as $b |
		def rate: . / ($b.bytes - $a.bytes) * 50e6 / 8 * 1448 / 1514;
		($b.g_s - $a.g_s | rate) as $is |
		"\($is) times the time of the rate",
		if $is > 0.9 and $is < 1.1 then empty
		elif $is > 0.9 and $is < 1.5 or
			 ($b.g.low - $a.g.high | rate) < 1.1 and ($b.g.high - $a.g.low | rate) > 0.9
		then "too wide" else "WRONG" end' full.json >rate.txt
	cat rate.txt
	! grep -q 'too wide' rate.txt || busy="the machine is too busy to tell the gap per byte"
	! grep -q WRONG rate.txt
}
credits()
{
	jq -e '.classes.network.there |
		([.credits[] | select(.most == null)] == []) and .t1_bytes > 1000' full.json >/dev/null ||
		{ sed -n '/K(m)/,/large/p' full.out; return 1; }
}
describes()
{
	calibrate full 2 50 --contention=0 -o full.json || return
	expect_line '^BETWEEN NODES' full.out
	rate || return
	[ -n "$busy" ] || { credits && predicts_trips; }
}
looks "not the link, or not what sizes that were not measured take" describes

# The signature at 8 ranks for 4 and 6: where a calibration says that it holds, what all-to-alls
# of fewer ranks take in another launch is within 10 % of what it predicts in the mean over all
# sizes, and within 15 % in each range, where 9.7 % was the most. Ranges of small sizes apart, whose
# times are overheads: no network is saturated there. Every third launch of MPICH claims
# nothing, as one size is off: then there are more.
foretell() # FITTED OTHER
{
	jq -c --slurpfile other "$2" -f "$srcdir/tests/net/signature.jq" "$1" |
		jq -s -r --arg fitted "$1" 'def check($name; $most):
			(map(.error | fabs) | add / length) as $error |
			"\($fitted), \($name): mean error \($error) of \(length)",
			if $error < $most then empty else "WRONG" end;
		map(select(.claimed and .to >= 8192)) | select(length > 0) | check("all"; 0.1),
		(group_by([.from, .to, .ranks])[] | .[0] as $r |
		check("\($r.from) to \($r.to) B, \($r.ranks) ranks"; 0.15))'
}
predicts()
{
	: >signature.txt
	calibrate many1 8 50 --quick --contention=8 -o many1.json || return
	for i in 2 3 4; do
		calibrate many$i 8 50 --quick --contention=8 -o many$i.json || return
		foretell many1.json many$i.json >>signature.txt
		foretell many$i.json many1.json >>signature.txt
		! grep -q ranks signature.txt || break
	done
	cat signature.txt
	! grep -q WRONG signature.txt || return
	grep -q ranks signature.txt || unchecked="four launches claim no range of the signature"
}
looks "the signature does not predict what fewer take" predicts

[ -z "${unchecked:-}" ] || skip "$unchecked"
