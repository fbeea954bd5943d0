#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The whole of contend calibrate on simulated machines, all ranks and all that it measures, finds
# what those were given to within 2 %: one as calibrated.sh has it, with 4 ranks, and one with 6
# on a slower switch whose backplane carries half of what its ports do, so that all messages of an
# all-to-all are delayed and take twice as long. On the first posting a message of more than 64 KiB
# takes longer, which is an all-to-all's delta.
. "$srcdir/tests/testlib.sh"
need_file jq jq
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

# What calibrate-openmpi is made of, but what asks the real machine (simulated_hosts.c).
sources=
for f in "$srcdir"/calibrate/*.c "$srcdir"/cmd/calibrate_*.c "$srcdir"/cmd/launcher.c \
	"$srcdir"/cmd/launcher_tty.c "$srcdir"/analyze/machine_file.c "$srcdir"/report/machine_*.c \
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
export SMPI_CPPFLAGS CONTEND_QUICK=yes CONTEND_CONTENTION=1

# Bandwidth, latency, overhead and handler are the machine's; share is that of its ports' bandwidth
# which an all-to-all gets, large what posting a message above 64 KiB takes, less than it is on its
# way, FINDS how many values are compared. An envelope has 16 bytes; whose message is below 64 KiB does not wait, however many there are.
finds() # NAME RANKS MACHINE BANDWIDTH LATENCY OVERHEAD HANDLER SHARE LARGE FINDS
{
	mkdir -p "$1"
	CONTEND_MACHINE_OUT=$PWD/$1/machine.json
	export CONTEND_MACHINE_OUT
	capture "$1" "$srcdir/tests/smpi/run" -o "$1" --bare --alltoall=basic_linear --clock=3e-7 \
		--overhead="$6" --handler="$7" --large=65536:"$9" "$3,bandwidth=$4,latency=$5" "$2" \
		"$srcdir/tests/smpi/simulated_hosts.c"
	expect_status 0 "contend calibrate on the simulated machine"
	expect_line "^SMPI .*, $2 ranks on $2 hosts" "$1.out"
	jq -r --argjson n "$2" --argjson B "$4" --argjson latency "$5" --argjson o "$6" --argjson h "$7" \
		--argjson share "$8" --argjson large "$9" -f known.jq "$1/machine.json" >"$1.txt"
	cat "$1.txt"
	[ "$(grep -c '%' "$1.txt")" -eq "${10}" ] && ! grep -q WRONG "$1.txt" ||
		fail "$1: not the machine that was simulated"
}
cat >known.jq <<'JQ'
.classes.network.there as $d | .contention as $c |
def at($m): $d.points[] | select(.bytes == $m);
def is($what; $found; $known; $within):
	"\($what): \($found), known \($known), \(($found / $known - 1) * 100) %" +
	if ($found / $known - 1 | fabs) <= $within then "" else " WRONG" end;
def is($what; $found; $known): is($what; $found; $known; 0.02);
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
# of all that send to one each, none or all are delayed
($c.two_state | is("a message among all"; .beta * .bytes;
	(.bytes + 16) / ($B * $share) + $latency + 2 * $o + $h; 0.03), # at most: some begin sooner
	is("as many delayed"; if $share < 1 then .rho else 1 - .rho end; 1)),
# of an all-to-all above 64 KiB the first message begins later. It is a part of the time, so that a
# little of gamma is much of delta: together they are as exact as all else.
($c.signature as $s | [$s.regimes[] | select(.from_bytes < 65536 and .to_bytes > 65536)][-1] |
	if $large > $o then is("M"; .M_bytes; 98304), is("delta"; .delta_s; ($large - $o) / ($n - 1); 0.1),
	is("an all-to-all of M"; (.gamma * ($s.alpha_s + .M_bytes * $s.beta_s_per_byte) + .delta_s);
		(.M_bytes + 16) / ($B * $share) + ($large + $latency + $o + $h) / ($n - 1)) else empty end),
# gamma of the largest sizes: all a port's bytes beside what the signature calls one message alone
($c.signature as $s | $s.regimes[-1] as $r | [$s.times[] | select(.ranks == $n and
	.bytes >= $r.from_bytes and .bytes <= $r.to_bytes) | ((.bytes + 16) / ($B * $share) * ($n - 1) +
	$latency + 2 * $o + $h) / (($n - 1) * ($s.alpha_s + .bytes * $s.beta_s_per_byte))] |
	is("gamma"; $r.gamma; add / length))
JQ
finds switch 4 switch:4 1e8 1e-5 2e-6 1e-6 1 9e-4 19
finds backplane 6 switch:6,backplane=15e7 5e7 2e-5 3e-6 2e-6 0.5 3e-6 16
