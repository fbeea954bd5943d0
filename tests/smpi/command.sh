#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The whole of contend calibrate on simulated machines, all ranks and all that it measures, finds
# what those were given to within 2 %: one as calibrated.sh has it, with 4 ranks, and one with 6
# on a slower switch whose backplane carries half of what its ports do, so that all messages of an
# all-to-all are delayed and take twice as long. On the first posting a message of more than 64 KiB
# takes longer, which is an all-to-all's delta; it goes in rounds there, one message after another,
# as the signature's equation has it. Where all messages are posted at once alpha is not paid for
# each, and the equation is near and no more. On a third machine, of two hosts with four ranks each,
# a message gets a third of what a host's port carries.
. "$srcdir/tests/testlib.sh"
need_file jq jq
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

# What calibrate-openmpi is made of, but what asks the real machine (simulated_hosts.c).
sources=
for f in "$srcdir"/calibrate/*.c "$srcdir"/cmd/calibrate/calibrate_*.c "$srcdir"/cmd/launcher.c \
	"$srcdir"/cmd/launcher_tty.c "$srcdir"/analyze/machine/machine_file.c "$srcdir"/report/machine_*.c \
	"$srcdir"/report/contention_text.c "$srcdir"/report/signature_page.c "$srcdir"/report/svg.c \
	"$srcdir"/report/layout.c "$srcdir"/report/style.c "$srcdir"/common/cpu_name.c \
	"$srcdir"/common/err.c "$srcdir"/common/mpi_name.c "$srcdir"/common/number.c \
	"$srcdir"/common/options.c "$srcdir"/models/signature*.c "$srcdir"/models/domain.c \
	"$srcdir"/models/bruck.c "$srcdir"/models/total_exchange.c \
	"$srcdir"/models/hockney.c "$srcdir"/models/max_rate.c "$srcdir"/models/loggp.c "$srcdir"/models/two_state.c; do
	case $f in
	*/core.c) ;;
	*) sources="$sources $f" ;;
	esac
done
SMPI_CPPFLAGS="${SMPI_CPPFLAGS:--I/usr/include/smpi} -D_GNU_SOURCE -I$srcdir -I${builddir:-.}
	-Dgethostname=simulated_hostname $sources
	-Wl,--no-as-needed -ljansson -lhwloc -lsmartcols -lgsl -lgslcblas"
export SMPI_CPPFLAGS CONTEND_QUICK=yes CONTEND_CONTENTION=12

# Bandwidth, latency, overhead and handler are the machine's; share is that of its ports' bandwidth
# which an all-to-all gets, large what posting a message above 64 KiB takes, less than it is on its
# way, FINDS how many values are compared. An envelope has 16 bytes; whose message is below 64 KiB
# does not wait, however many there are.
finds() # NAME RANKS MACHINE BANDWIDTH LATENCY OVERHEAD HANDLER SHARE LARGE ALLTOALL FINDS
{
	mkdir -p "$1"
	CONTEND_MACHINE_OUT=$PWD/$1/machine.json
	export CONTEND_MACHINE_OUT
	capture "$1" "$srcdir/tests/smpi/run" -o "$1" --bare --alltoall="${10}" --clock=3e-7 \
		--overhead="$6" --handler="$7" --large=65536:"$9" "$3,bandwidth=$4,latency=$5" "$2" \
		"$srcdir/tests/smpi/simulated_hosts.c"
	expect_status 0 "contend calibrate on the simulated machine"
	expect_line "^SMPI .*, $2 ranks on $2 hosts" "$1.out"
	jq -r --argjson n "$2" --argjson B "$4" --argjson latency "$5" --argjson o "$6" --argjson h "$7" \
		--argjson share "$8" --argjson large "$9" --arg alltoall "${10}" -f known.jq "$1/machine.json" >"$1.txt"
	cat "$1.txt"
	[ "$(grep -c '%' "$1.txt")" -eq "${11}" ] && ! grep -q WRONG "$1.txt" ||
		fail "$1: not the machine that was simulated"
}
cat >known.jq <<'JQ'
.classes.network.there as $d | .contention as $c |
def at($m): $d.points[] | select(.bytes == $m);
def is($what; $found; $known; $within):
	"\($what): \($found), known \($known), \(($found / $known - 1) * 100) %" +
	if ($found / $known - 1 | fabs) <= $within then "" else " WRONG" end;
def is($what; $found; $known): is($what; $found; $known; 0.02);
def posting($m): if $m > 65536 then $large else $o end;
is("o_s"; at(1024).o_s.value; $o), is("o_r"; at(1024).o_r.value; $h),
is("expected o_r"; at(1024).expected.value; $h),
is("g(0)"; $d.g0.value; $o), is("L"; $d.L.value; $latency + $h + 16 / $B),
is("a byte"; (at(32768).g.value - at(1024).g.value) / (32768 - 1024); 1 / $B),
is("a large one's byte"; $d.derived.loggp.G_s_per_byte; 1 / $B),
is("the way back's L"; .classes.network.back.L.value; $latency + $h + 16 / $B),
is("sizes with a K that no look found the end of"; [$d.credits[] |
	select(.at_least and .bytes < 65536 or .messages == 0 and .bytes == 65536)] | length; 6),
is("T1"; $d.t1_bytes; 65535), is("T2"; $d.t2_bytes; 65535),
is("one more of a fan in"; $c.fan_in.slope_s; ($c.fan_in.bytes + 16) / $B),
is("one more of a fan out"; $c.fan_out.slope_s; ($c.fan_out.bytes + 16) / $B),
# Of all that send to one each, none or all are delayed. They begin when each is out of the barrier,
# and who is early has the network to himself: a little of what a message takes.
($c.two_state | is("a message among all"; .beta * .bytes;
	(.bytes + 16) / ($B * $share) + posting(.bytes) + $latency + $h),
	is("as many delayed"; if $share < 1 then .rho else 1 - .rho end; 1)),
# What an all-to-all takes, of each message: in rounds they go one after another, else all are
# posted at once.
def a_message($m): (($m + 16) / ($B * $share) | . * ($n - 1)) as $wire |
	if $alltoall == "ring" then $wire + ($n - 1) * (posting($m) + $latency + $h)
	else $wire + posting($m) + $latency + $h end | . / ($n - 1);
($c.signature as $s | $s.regimes[-1] as $r |
	if $alltoall == "ring" then is("gamma"; $r.gamma; 1), is("M"; $r.M_bytes; 98304),
		is("delta"; $r.delta_s; $large - $o),
		is("alpha"; $s.alpha_s; $o + $latency + $h + 16 / $B), is("beta"; $s.beta_s_per_byte; 1 / $B)
	else [$s.times[] | select(.ranks == $n and .bytes >= $r.from_bytes and .bytes <= $r.to_bytes) |
		a_message(.bytes) / ($s.alpha_s + .bytes * $s.beta_s_per_byte)] |
		is("gamma"; $r.gamma; add / length) end),
($c.signature | .times[] | select(.ranks == $n and .bytes == (65536, 98304)) |
	is("an all-to-all of \(.bytes)"; .time.value / ($n - 1); a_message(.bytes)))
JQ
finds switch 4 switch:4 1e8 1e-5 2e-6 1e-6 1 9e-4 ring 22
finds backplane 6 switch:6,backplane=15e7 5e7 2e-5 3e-6 2e-6 0.5 3e-6 basic_linear 18

# What a port carries, of all pairs together, and what goes through a host's memory, which has a
# tenth of the latency; of its cores there are enough.
mkdir -p nodes
CONTEND_MACHINE_OUT=$PWD/nodes/machine.json CONTEND_CONTENTION=2 HWLOC_SYNTHETIC="pack:1 l3:1 core:8 pu:1"
export CONTEND_MACHINE_OUT CONTEND_CONTENTION HWLOC_SYNTHETIC
capture nodes "$srcdir/tests/smpi/run" -o nodes --bare --per-host=4 --alltoall=ring --clock=3e-7 --overhead=2e-6 \
	--handler=1e-6 switch:2,bandwidth=3e8,backplane=1e8,contention=ports,latency=1e-5,memory=1e10 8 \
	"$srcdir/tests/smpi/simulated_hosts.c"
expect_status 0 "contend calibrate on two simulated hosts of four ranks each"
sed -n '/^def is/,/^def is(.*0[.]02/p' known.jq >rates.jq
cat >>rates.jq <<'JQ'
.contention.rates as $rates | .classes as $of |
is("R_N"; $rates.max_rate.R_N; 3e8), is("pairs at once"; $rates.steps[-1].pairs; 4),
is("is reached"; if $rates.max_rate.saturates and ($rates.crowded | not) then 1 else 0 end; 1),
is("L between hosts"; $of.network.there.L.value; 1e-5 + 1e-6 + 16 / 1e8),
is("a large one's byte"; $of.network.there.derived.loggp.G_s_per_byte; 1 / 1e8),
is("L within one"; $of.cache.there.L.value; 1e-6 + 1e-6 + 16 / 1e10),
($of.cache.there.points | map(select(.bytes == 1024 or .bytes == 32768).g.value) |
	is("a byte within one"; (.[1] - .[0]) / (32768 - 1024); 1 / 1e10))
JQ
jq -r -f rates.jq nodes/machine.json >nodes.txt
cat nodes.txt
[ "$(grep -c '%' nodes.txt)" -eq 7 ] && ! grep -q WRONG nodes.txt ||
	fail "not the rates of the machine that was simulated"
