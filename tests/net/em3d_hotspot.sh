#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The main job on an emulated cluster: EM3D in the original order is an order hotspot at the
# sending line, in random order it is not, and the change really gains what it should.
# Ratios with wide margins only.
. "$srcdir/tests/testlib.sh"

cluster=$srcdir/tests/net/cluster
options="--barrier --nodes=3200 --width=8 --values=64 --compute=5 --iterations=10"
"$cluster" run --hosts=2 --mpi="$MPI" -- true >probe.log 2>&1 || no_hosts $? probe.log

cc -shared -fPIC -O2 "$srcdir/tests/net/patient.c" -o patient.so -ldl
export CONTEND_PATIENT="$PWD/patient.so"
"$mpicc" -g -O2 "$srcdir/share/examples/em3d.c" -o em3d

for order in original random; do
	# Words wanted. shellcheck disable=SC2086
	capture $order timeout 120 "$cluster" run --hosts=8 --rate=50 --buffer=64 --mpi="$MPI" -- \
		"$contend" record -o "$order.contend" ./em3d $options --order=$order
	expect_status 0 "em3d in $order order"
	expect_line ' verified$' $order.out
	expect_clean_archive $order.contend
	"$contend" report --json $order.contend >$order.json
	"$contend" report $order.contend >$order.report
	expect_line '^Communication is' $order.report
done

expect_line '^Communication is [0-9]+ % of rank time; (between )?[0-9]+ %' original.report # proven
expect_line '^[0-9]+ HIGH +order +all ranks send to 0,1,2,... in the same order' original.report
expect_line 'where MPI_Ssend +em3d\.c:[0-9]+ in exchange\(\)' original.report
line=$(sed -n 's/.*where MPI_Ssend *em3d\.c:\([0-9]*\).*/\1/p' original.report | head -n 1)
sed -n "${line}p" "$srcdir/share/examples/em3d.c" | grep -q MPI_Ssend ||
	fail "line $line of em3d.c does not send"
if grep -q '"kind": "order"' random.json; then
	cat random.report >&2
	fail "the random order is called an order hotspot"
fi
for order in original random; do
	sed -n 's/.* time \([0-9.]*\) s.*/\1/p' $order.out
done | paste -s -d ' ' | awk '{
	print "original takes", $1 / $2, "times as long as random"
	exit $1 < 1.2 * $2
}' || fail "order costs nothing here"
