#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Two levels: the emulated cluster's uplink has the rate it was told, twice in a row, and an
# exchange that has to pass it takes longer for it: of 8 hosts on 2 switches 16 messages each way
# share an uplink of half the rate, where one switch has 7 a port. Real MPI over TCP, ratios with
# wide margins.
. "$srcdir/tests/testlib.sh"

cluster=$srcdir/tests/net/cluster
"$cluster" run --hosts=2 --mpi="$MPI" -- true >probe.log 2>&1 || no_hosts $? probe.log

keeps_rates()
{
	for again in once twice; do
		capture check timeout 200 "$cluster" check --hosts=4 --rate=20 --leaves=2 --uplink=10
		[ "$status" -le 1 ] || fail "check, $again: exit status $status: $(cat check.err)"
		expect_line '^uplink 10 Mbit/s: [0-9.]+ from 2 hosts' check.out
		cat check.out
		[ "$status" -eq 0 ] || return
	done
}
unchecked=
looks "the emulation does not keep to its rates" keeps_rates
capture odd "$cluster" check --hosts=5 --leaves=2
expect_status 2 "5 hosts on 2 switches"
expect_line '5 hosts cannot be divided among 2 switches' odd.err

cc -shared -fPIC -O2 "$srcdir/tests/net/patient.c" -o patient.so -ldl
export CONTEND_PATIENT="$PWD/patient.so"
"$mpicc" -g -O2 "$srcdir/share/examples/alltoall.c" -o alltoall

exchange() # NAME OPTION...: $each, seconds
{
	name=$1
	shift
	capture "$name" timeout 200 "$cluster" run --hosts=8 --rate=20 --buffer=1000 \
		--mpi="$MPI" "$@" -- ./alltoall --bytes=65536 --repeat=5 --by=direct --rotate
	expect_status 0 "alltoall, $name"
	expect_line ' verified$' "$name.out"
	each=$(sed -n 's/.* \([0-9.]*\) s each.*/\1/p' "$name.out")
}
takes_longer()
{
	exchange flat
	flat=$each
	exchange two --leaves=2 --uplink=10
	echo "$flat s on one switch, $each s on two with an uplink"
	awk -v a="$flat" -v b="$each" 'BEGIN { exit !(b > 1.6 * a) }'
}
looks "the uplink is no bottleneck" takes_longer
[ -z "$unchecked" ] || skip "$unchecked"
