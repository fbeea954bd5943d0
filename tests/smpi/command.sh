#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The whole of contend calibrate on simulated machines, all ranks and all that it measures, finds
# what those were given to within 2 %: one as calibration.sh has it, with 4 ranks, and one with 6
# on a slower switch whose backplane carries half of what its ports do, so that an all-to-all of
# all ranks takes twice as long.
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
# which an all-to-all gets. An envelope has 16 bytes; whose message is below 64 KiB does not wait.
finds() # NAME RANKS MACHINE BANDWIDTH LATENCY OVERHEAD HANDLER SHARE
{
	mkdir -p "$1"
	CONTEND_MACHINE_OUT=$PWD/$1/machine.json
	export CONTEND_MACHINE_OUT
	capture "$1" "$srcdir/tests/smpi/run" -o "$1" --bare --alltoall=basic_linear --clock=1e-7 \
		--overhead="$6" --handler="$7" "$3,bandwidth=$4,latency=$5" "$2" \
		"$srcdir/tests/smpi/simulated_hosts.c"
	expect_status 0 "contend calibrate on the simulated machine"
	expect_line "^SMPI .*, $2 ranks on $2 hosts" "$1.out"
	jq -r --argjson n "$2" --argjson B "$4" --argjson latency "$5" --argjson o "$6" --argjson h "$7" \
		--argjson share "$8" -f known.jq "$1/machine.json" >"$1.txt"
	cat "$1.txt"
	[ "$(grep -c '%' "$1.txt")" -eq 12 ] && ! grep -q WRONG "$1.txt" ||
		fail "$1: not the machine that was simulated"
}
cat >known.jq <<'JQ'
.classes.network.there as $d | .contention as $c |
def at($m): $d.points[] | select(.bytes == $m);
def is($what; $found; $known):
	"\($what): \($found), known \($known), \(($found / $known - 1) * 100) %" +
	if ($found / $known - 1 | fabs) <= 0.02 then "" else " WRONG" end;
is("o_s"; at(1024).o_s.value; $o), is("o_r"; at(1024).o_r.value; $h),
is("g(0)"; $d.g0.value; $o), is("L"; $d.L.value; $latency + $h + 16 / $B),
is("a byte"; (at(32768).g.value - at(1024).g.value) / (32768 - 1024); 1 / $B),
is("a large one's byte"; $d.derived.loggp.G_s_per_byte; 1 / $B),
is("the way back's L"; .classes.network.back.L.value; $latency + $h + 16 / $B),
is("T1"; $d.t1_bytes; 65535), is("T2"; $d.t2_bytes; 65535),
is("one more of a fan in"; $c.fan_in.slope_s; ($c.fan_in.bytes + 16) / $B),
is("one more of a fan out"; $c.fan_out.slope_s; ($c.fan_out.bytes + 16) / $B),
# gamma of the largest sizes: all a port's bytes beside what the signature calls one message alone
($c.signature as $s | $s.regimes[-1] as $r | [$s.times[] | select(.ranks == $n and
	.bytes >= $r.from_bytes and .bytes <= $r.to_bytes) | ((.bytes + 16) / ($B * $share) * ($n - 1) +
	$latency + 2 * $o + $h) / (($n - 1) * ($s.alpha_s + .bytes * $s.beta_s_per_byte))] |
	is("gamma"; $r.gamma; add / length))
JQ
finds switch 4 switch:4 1e8 1e-5 2e-6 1e-6 1
finds backplane 6 switch:6,backplane=15e7 5e7 2e-5 3e-6 2e-6 0.5
