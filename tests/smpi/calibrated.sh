#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The calibration's procedure on the simulated machine finds the parameters that the machine was
# given, to within 2 %: a link of 100 MB/s and 10 us, 2 us to post a send and 1 us to take a
# message, and 16 bytes of envelope with each. The least gap is the sender's 2 us, L is the rest of
# the way.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

SMPI_CPPFLAGS="${SMPI_CPPFLAGS:--I/usr/include/smpi} -D_GNU_SOURCE -I$srcdir"
export SMPI_CPPFLAGS
capture found "$srcdir/tests/smpi/run" -o machine --bare --clock=1e-7 --overhead=2e-6 --handler=1e-6 \
	switch:2,bandwidth=1e8,latency=1e-5 2 "$srcdir/tests/smpi/calibrated.c"
expect_status 0 "calibration on the simulated machine"
awk '
function is(what, found, known, within) {
	d = found / known - 1
	printf "%s: %.4g, known %.4g (%+.2f %%)\n", what, found, known, d * 100
	bad += !(d * d <= within * within)
	n++
}
$1 == "progress" { progress = $2 }
$1 == "L" { L = $2 }
$1 ~ /^[0-9]+$/ { o_s[$1] = $2; o_r[$1] = $3; g[$1] = $4 }
END {
	is("o_s", o_s[1024], 2e-6, 0.02)
	is("o_r", o_r[1024], 1e-6, 0.02)
	is("g(0)", g[0], 2e-6, 0.02)
	is("L", L, 1e-5 + 1e-6 + 16 / 1e8, 0.02)
	is("gap per byte", (g[32768] - g[1024]) / (32768 - 1024), 1e-8, 0.02)
	is("and of large messages", (g[131072] - g[32768]) / 98304, 1e-8, 0.02)
	is("one way", L + g[0], 1e-5 + 2e-6 + 1e-6 + 16 / 1e8, 0.02)
	# the simulated network needs nobody to move what both ends have begun
	is("progress", progress, 1, 0.05)
	exit bad > 0 || n != 8
}' found.out || fail "not the machine that was simulated"
