#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The analyzer with the true parameters of a machine on which nothing is shared: the wire is as
# long as the simulator has it, for messages that are on their way at once (remap) and for those
# that wait for their receive, without a handshake (alltoall).
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

capture many "$srcdir/tests/smpi/run" mesh:2x2 5 "$srcdir/share/examples/remap.c"
expect_status 2 "more ranks than hosts"
expect_line '^run: error: 5 ranks, 1 on a host, do not fit on the 4 hosts of mesh:2x2$' many.err

capture validate "$srcdir/tests/smpi/validate" --only='[ar]*/any/none' out
expect_status 0 validate
for application in remap alltoall; do
	# "true / reported [interval]" of the network and of the wire
	awk -F'|' -v a=" $application " '
		/^## With the true machine file/ { here = 1 }
		/^## Self/ { here = 0 }
		here && $2 == a {
			split($6, network, " "); split($9, wire, " ")
			off = wire[1] - wire[3]
			found = wire[1] > 20 && off * off < 1 && network[1] == 0 && network[3] < 5
		}
		END { exit !found }' validate.out ||
		fail "$application: $(grep "^| $application " validate.out)"
done
