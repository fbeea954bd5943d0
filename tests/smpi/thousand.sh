#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 1,024 ranks on as many simulated nodes: recording takes no simulated time, the trace has all of
# them and every message agrees with the simulator to the ns (tests/smpi/truth fails otherwise).
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"
need_file jq jq

stencil() # FOLDER OPTION...
{
	to=$1
	shift
	capture "$to" "$srcdir/tests/smpi/run" -o "$to" "$@" torus:32x32,bandwidth=40e6 1024 \
		"$srcdir/share/examples/stencil.c" --iterations=2
	expect_status 0 "stencil in $to"
	expect_line '1024 ranks.* verified$' "$to.out"
}

stencil bare --bare
stencil recorded
cmp bare/flows.csv recorded/flows.csv || fail "recording changed the simulated time"
tail -n 1 recorded.out recorded.err
# 2 x 32 x 31 neighbours in the grid, both ways, in each of the 2 iterations.
expect_line '^truth: 7936 messages, 0 without a flow' recorded.err
[ ! -e recorded/run.contend/log ] || fail "logs are left over"
"$contend" report --json recorded/run.contend >report.json
jq -e '.run.ranks == 1024 and .run.nodes == 1024' report.json >/dev/null ||
	fail "not 1024 ranks on 1024 nodes: $(jq -c .run report.json)"
