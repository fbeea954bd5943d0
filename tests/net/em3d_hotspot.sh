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

record() # ORDER
{
	rm -rf "$1.contend"*
	# Words wanted. shellcheck disable=SC2086
	capture "$1" timeout 200 "$cluster" run --hosts=8 --rate=50 --buffer=64 --mpi="$MPI" -- \
		"$contend" record -o "$1.contend" ./em3d $options --order="$1"
	expect_status 0 "em3d in $1 order"
	expect_line ' verified$' "$1.out"
	expect_clean_archive "$1.contend"
	"$contend" report --json "$1.contend" >"$1.json"
	"$contend" report "$1.contend" >"$1.report"
	expect_line '^Communication is' "$1.report"
}

says() # PATTERN: the report of the original order
{
	grep -Eq -e "$1" original.report && return
	cat original.report
	echo "no line with '$1'"
	return 1
}

is_told_and_matters()
{
	record original
	record random
	says '^Communication is [0-9]+ % of rank time; (between )?[0-9]+ %' && # proven
		says '^[0-9]+ HIGH +order +all ranks send to 0,1,2,... in the same order' &&
		says 'where MPI_Ssend +em3d\.c:[0-9]+ in exchange\(\)' || return
	line=$(sed -n 's/.*where MPI_Ssend *em3d\.c:\([0-9]*\).*/\1/p' original.report | head -n 1)
	sed -n "${line}p" "$srcdir/share/examples/em3d.c" | grep -q MPI_Ssend ||
		fail "line $line of em3d.c does not send"
	if grep -q '"kind": "order"' random.json; then
		cat random.report
		echo "the random order is called an order hotspot"
		return 1
	fi
	for order in original random; do
		sed -n 's/.* time \([0-9.]*\) s.*/\1/p' $order.out
	done | paste -s -d ' ' | awk '{
		print "original takes", $1 / $2, "times as long as random"
		exit $1 < 1.2 * $2
	}'
}
unchecked=
looks "the order is not told, or costs nothing here" is_told_and_matters
[ -z "$unchecked" ] || skip "$unchecked"
