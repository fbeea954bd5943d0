#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Nothing of an emulated cluster stays behind when it is killed, at whatever moment, or taken down;
# where namespaces are denied it says so and is skipped.
. "$srcdir/tests/testlib.sh"

cluster=$srcdir/tests/net/cluster
here=$(readlink /proc/self/ns/net)

# One ID a line of the network namespaces that processes are in, this one's apart.
inhabited()
{
	for p in /proc/[0-9]*; do
		readlink "$p/ns/net" || true
	done 2>/dev/null | sort -u | grep -vxF "$here"
}

# What has this test's marker in its environment: the processes of a cluster, however deep.
survivors() # MARKER
{
	grep -lz "^LEFTOVERS=$1\$" /proc/[0-9]*/environ 2>/dev/null || true
}

gone() # MARKER: true when none is left within a minute
{
	for _ in $(seq 600); do
		[ -n "$(survivors "$1")" ] || return 0
		sleep 0.1
	done
	return 1
}

capture denied unshare --user --map-root-user sh -c \
	"echo 0 >/proc/sys/user/max_net_namespaces && exec '$cluster' check"
[ "$status" -eq 77 ] || [ "$status" -eq 1 ] || fail "denied: exit status $status"
[ "$status" -eq 1 ] || expect_line '^cluster: skipped: namespaces are denied: .' denied.err
mkdir bin
printf '#!/bin/sh\necho "unshare: unshare failed: not today" >&2\nexit 1\n' >bin/unshare
chmod 755 bin/unshare
capture denied env PATH="$PWD/bin:$PATH" "$cluster" check
expect_status 77 "unshare fails"
expect_line '^cluster: skipped: namespaces are denied: unshare failed: not today$' denied.err

capture nameless "$cluster" up --hosts=2
expect_status 2 "up without a name"
expect_line '^cluster: error: up needs --name=NAME' nameless.err

"$cluster" sh --hosts=2 -- true >probe.log 2>&1 || no_hosts $? probe.log
mounts=$(wc -l </proc/self/mountinfo)
capture impatient env CONTEND_PATIENT= builddir=/nowhere "$cluster" run --hosts=2 -- true
build_it=$(sed -n 's/^  \(cc .*patient\.so.*\)/\1/p' impatient.err)
[ -n "$build_it" ] && sh -c "$build_it" && [ -f patient.so ] ||
	fail "how to build patient.so: $(cat impatient.err)"

# The hosts' own processes sleep for longer than the test waits for them.
inside='for i in 0 1 2 3; do
	nsenter --net=/dev/shm/cluster/h$i.net sh -c "readlink /proc/self/ns/net >>ids; exec sleep 300" &
done
wait'
for moment in 0.02 0.1 0.3 0.6 up; do
	rm -f ids
	LEFTOVERS=$$.$moment "$cluster" sh --hosts=4 -- bash -c "$inside" >killed.log 2>&1 &
	child=$!
	if [ $moment = up ]; then
		for _ in $(seq 600); do
			[ ! -f ids ] || [ "$(wc -l <ids)" -lt 4 ] || break
			sleep 0.1
		done
		[ -f ids ] && [ "$(wc -l <ids)" -eq 4 ] || fail "the hosts did not come up"
		inhabited | grep -qxFf ids || fail "the namespaces of the hosts are not to be seen"
		[ -n "$(survivors $$.up)" ] || fail "the processes of the hosts are not to be seen"
	else
		sleep $moment
	fi
	kill -KILL $child
	wait $child || true
	gone $$.$moment || fail "killed after $moment s, still there: $(survivors $$.$moment)"
done
if inhabited | grep -xFf ids; then
	fail "a host's network namespace is still inhabited"
fi
[ "$(wc -l </proc/self/mountinfo)" -eq "$mounts" ] || fail "mounts were left behind"
[ ! -e /dev/shm/cluster ] || fail "/dev/shm/cluster was left behind"
! ip -o link | grep -E ' (port|wire)[0-9]+[@:]| (data|mgmt):' || fail "links were left behind"

# A cluster that stays: up and down twice each, and nothing is left then.
export XDG_RUNTIME_DIR=$PWD
for again in once twice; do
	LEFTOVERS=$$.up2 "$cluster" up --name=kept --hosts=2 --rto=10 || fail "up, $again"
done
capture other "$cluster" up --name=kept --hosts=4
expect_status 2 "up with other options"
"$cluster" up --rto=10 --hosts=2 --mpi=openmpi --name=kept ||
	fail "up with the same options, said otherwise"
capture other "$cluster" sh --name=kept --hosts=4 -- true
expect_status 2 "sh with options beside the name"
expect_line '^cluster: error: --hosts=4 is not for a cluster that is up' other.err
capture kept "$cluster" sh --name=kept -- sh -c 'ls /dev/shm/cluster/*.net; pwd'
expect_status 0 "sh in a cluster that is up"
[ "$(grep -c '[.]net$' kept.out)" -eq 2 ] && grep -qxF "$PWD" kept.out ||
	fail "not in it: $(cat kept.out)"
[ -n "$(survivors $$.up2)" ] || fail "the cluster did not stay"
capture route "$cluster" sh --name=kept -- nsenter --net=/dev/shm/cluster/h1.net ip route
expect_line ' dev data0 .* rto_min (lock )?10ms' route.out
for again in once twice; do
	"$cluster" down --name=kept || fail "down, $again"
done
gone $$.up2 || fail "down, still there: $(survivors $$.up2)"
[ ! -e contend-cluster-"$(id -u)" ] || fail "down left its folder"
for _ in 1 2; do
	LEFTOVERS=$$.up3 "$cluster" up --name=kept --hosts=2 &
done
wait
"$cluster" down --name=kept || fail "down after two at once"
gone $$.up3 || fail "two ups at once left $(survivors $$.up3)"
for name in "" ../kept; do
	capture name "$cluster" up --name="$name"
	expect_status 2 "up --name='$name'"
done
capture gone "$cluster" sh --name=kept -- true
expect_status 2 "sh in a cluster that is down"
