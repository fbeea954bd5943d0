#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What many ranks do at once, two of them on each host of an emulated cluster: a node gets what
# its port lets through, however many of its ranks send, and so does one that all send to. At
# 20 Mbit/s: of 50 a processor that is away for 15 ms now and then costs a quarter.
. "$srcdir/tests/testlib.sh"
need_file jq jq

cluster=$srcdir/tests/net/cluster
"$cluster" run --hosts=2 --mpi="$MPI" -- true >probe.log 2>&1 || no_hosts $? probe.log
cc -shared -fPIC -O2 "$srcdir/tests/net/patient.c" -o patient.so -ldl
export CONTEND_PATIENT="$PWD/patient.so"

many() # NAME OPTION...
{
	job=$1
	shift
	capture "$job" timeout 200 "$cluster" run --rate=20 --buffer=1000 --realtime --mpi="$MPI" \
		"$@" -- "$contend" calibrate --quick --contention=8 -o "$job.json"
	expect_status 0 "contend calibrate on $*"
	expect_line 'node to node|one rank of each node' "$job.out"
}

# 1448 bytes of a packet's 1514 are the messages'; a burst begins with the port's credit.
shares_ports()
{
	many pairs --hosts=4 --ranks=2
	jq -r '(20e6 / 8 * 1448 / 1514) as $port | .contention as $c |
		($c.rates | [.steps[] | .bytes_per_s.value / $port] | "pairs: \(.) of the port",
		 if length == 2 and all(.[]; . > 0.85 and . < 1.2) then empty else "WRONG" end),
		if $c.rates.off_node and $c.rates.max_rate.saturates then empty else "WRONG, no limit" end,
		($c.fan_in, $c.fan_out | (.slope_s / (.bytes / $port)) as $slope |
		 "fan: \($slope) of a message in the port, standard error \(.slope_se_s / .slope_s)",
		 if .off_node and (.steps | length) >= 5 and
			 (($slope - 1 | fabs) < 0.15 or (.slope_s - .bytes / $port | fabs) < 3 * .slope_se_s)
		 then empty else "WRONG" end)' pairs.json >pairs.txt
	cat pairs.txt
	! grep -q WRONG pairs.txt
}
looks "not the port" shares_ports

# Eight hosts of two switches with a link like a host's: half of the ranks away is over it, and
# four messages at a time take four times as long as one; without it nothing is delayed.
delays_on_the_uplink()
{
	many uplink --hosts=8 --leaves=2
	many flat --hosts=8
	jq -r -s '.[] | .contention.two_state | "\(.delayed) of \(.messages) delayed, " +
		"beta_F \(.beta_F), beta_C \(.beta_C), slowest of \(.steps[-1].connections) at once: " +
		"\(.steps[-1].slowest.value / .steps[0].time.value) times one alone"' \
		uplink.json flat.json
	jq -e -s 'map(.contention.two_state) | all(.[]; .one_a_host and .ranks == 8 and
		[.steps[].connections] == [1, 2, 3, 4, 6, 8]) and
		.[0].rho > 0.1 and .[0].beta_C > 1.5 * .[0].beta_F and .[0].beta > .[0].beta_F and
		.[1].rho < .[0].rho / 2 and
		.[0].steps[-1].slowest.value > 2 * .[1].steps[-1].slowest.value' \
		uplink.json flat.json >/dev/null
}
looks "not the two states" delays_on_the_uplink

[ -z "${unchecked:-}" ] || skip "$unchecked"
