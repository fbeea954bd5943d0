# SPDX-License-Identifier: GPL-3.0-or-later
# The counters of a node with InfiniBand and other network ports, and of TCP that lost packets:
# totals, metrics, the document and its words.
. "$srcdir/tests/testlib.sh"
need_file jq jq

"$mpicc" -O1 "$srcdir/tests/mpi/replaced.c" -o replaced
cc -shared -fPIC -O1 "$srcdir/tests/mpi/fakenode.c" -o fakenode.so -ldl

put() # FILE TEXT: below the tree that is made
{
	mkdir -p "$tree/${1%/*}"
	printf '%b\n' "$2" >"$tree/$1"
}
adapter() # NAME PORT TICKS
{
	put "sys/class/infiniband/$1/ports/$2/counters/port_xmit_wait" "$3"
}
interface() # NAME SENT RECEIVED DROPPED-SENT DROPPED-RECEIVED
{
	put "sys/class/net/$1/statistics/tx_bytes" "$2"
	put "sys/class/net/$1/statistics/rx_bytes" "$3"
	put "sys/class/net/$1/statistics/tx_dropped" "$4"
	put "sys/class/net/$1/statistics/rx_dropped" "$5"
}
tcp() # SENT AGAIN TIMEOUTS
{
	put proc/net/snmp "Ip: Forwarding OutSegs\nIp: 1 77\nTcp: InSegs OutSegs RetransSegs InErrs\nTcp: 9 $1 $2 0"
	put proc/net/netstat "TcpExt: SyncookiesSent TCPTimeoutsX TCPTimeouts TCPLost\nTcpExt: 5 6 $3 7\nIpExt: InBytes\nIpExt: 3"
}
# Of the ports one counts on, one is full after 295 more and one was full before: it says nothing.
# Of the interfaces one is loopback, and what eth0 received is counted anew.
tree=before
adapter mlx5_0 1 100
adapter mlx5_0 2 4294967295
adapter mlx5_1 1 4294967000
interface lo 1 1 1 1
interface eth0 1000 9000 3 4
interface eth1 20000 500 0 0
tcp 1000 10 1
tree=after
adapter mlx5_0 1 350
adapter mlx5_0 2 4294967295
adapter mlx5_1 1 4294967295
interface lo 99999 99999 999 999
interface eth0 1500 20 5 4
interface eth1 20050 700 0 1
tcp 3000 40 4

try() # RUN OPTION...
{
	run=$1
	shift
	ln -sfn before root
	ln -sfn after next
	capture job mpi_run 2 timeout 60 env FAKE_ROOT="$PWD/root" LD_PRELOAD="$PWD/fakenode.so" \
		"$contend" record -o "$run" "$@" ./replaced next root
	expect_status 0 "recorded"
	[ ! -s job.err ] || fail "not silent: $(cat job.err)"
	expect_clean_archive "$run"
}
try node.contend --counters=1000

"$contend" report --json node.contend >node.json
jq -cS '.evidence.nodes[0] | del(.host, .rank)' node.json >got
cat >want <<'EOF'
{"ib_port_xmit_wait":545,"net_bytes_sent":550,"net_packets_dropped":3,"tcp_retransmits":30,"tcp_segments_sent":2000,"tcp_timeouts":3}
EOF
diff -u want got >&2 || fail "other counts"
jq -e '.evidence.missing.net_bytes_received | test("reset")' node.json >/dev/null ||
	fail "not a word of the interface that was reset: $(jq -c .evidence.missing node.json)"
for counter in ib_port_xmit_wait:ticks:545 tcp_retransmits:segments:30 net_bytes_sent:bytes:550; do
	name=${counter%%:*} unit=${counter#*:} value=${counter##*:}
	expect_line "^METRIC_MEMBER.*\"$name\".*\"${unit%:*}\"" node.contend.defs
	expect_line "^METRIC .*\"$name\".*; $value\\)" node.contend.events
done
jq -e '.quality.conditions | any(test("InfiniBand ports had data to send")) and
	any(test("sent 30 segments again \\(1.5 % of all; 3 after a time-out"))' node.json >/dev/null ||
	fail "the conditions do not say so: $(jq -c .quality.conditions node.json)"
"$contend" report node.contend >node.text
expect_line '^ *InfiniBand +545 ticks' node.text
expect_line '^ *TCP +30 of 2000 segments sent again' node.text

# Ports that were all full say nothing, which is not the same as 0.
printf '4294967295\n' | tee before/sys/class/infiniband/*/ports/*/counters/port_xmit_wait \
	after/sys/class/infiniband/*/ports/*/counters/port_xmit_wait >/dev/null
try full.contend
jq -e '.evidence.nodes[0].ib_port_xmit_wait == null and
	(.evidence.missing.ib_port_xmit_wait | test("full"))' full.contend/run.json >/dev/null ||
	fail "a full counter counts: $(jq -c .evidence full.contend/run.json)"
