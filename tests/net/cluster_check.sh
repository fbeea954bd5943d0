# SPDX-License-Identifier: GPL-3.0-or-later
#
# Does the emulated cluster keep to its rates? For tests/net/cluster, inside, whose variables and
# on() it uses.
#
# Datagrams to an address that nobody answers for, counted where they arrive.

received() # HOST: bytes
{
	on $1 sed -n 's/^ *data0: *\([0-9]*\).*/\1/p' /proc/net/dev
}

# Every FROM sends to the same TO, both host numbers; prints what arrives at all TO, Mbit/s.
flood() # SECONDS TO:FROM...
{
	local seconds=$1 pair to from mac before=0 after=0 start end pids=() all

	shift
	all=$(printf '%s\n' "${@%:*}" | sort -nu)
	for to in $all; do # the switches learn where it is
		on h$to bash -c "echo >/dev/udp/$data.199/9" 2>/dev/null
	done
	for pair in "$@"; do
		to=${pair%:*} from=${pair#*:}
		mac=$(on h$to ip -o link show data0 | sed 's/.*link.ether \([^ ]*\).*/\1/')
		on h$from ip neigh replace $data.200 lladdr $mac dev data0
		exec 2>/dev/null nsenter --net=$state/h$from.net -- \
			bash -c "exec dd if=/dev/zero bs=1400 >/dev/udp/$data.200/9" &
		pids+=($!)
	done
	sleep 0.3
	start=$EPOCHREALTIME
	for to in $all; do before=$((before + $(received h$to))); done
	sleep $seconds
	end=$EPOCHREALTIME
	for to in $all; do after=$((after + $(received h$to))); done
	kill "${pids[@]}"
	wait "${pids[@]}" 2>/dev/null
	sleep $((8 / (uplink < rate ? uplink : rate) + 1)) # what is still in the NICs' queues
	awk "BEGIN { printf \"%.2f\", ($after - $before) * 8e-6 / ($end - $start) }"
}

is_about() # MEASURED MBIT
{
	awk "BEGIN { exit !($1 > 0.8 * $2 && $1 < 1.1 * $2) }"
}

check()
{
	local one all drops across most half=$((hosts / leaves)) bad=0

	one=$(flood 1 0:1)
	all=$(flood 1 $(seq -f '0:%g' 1 $((hosts - 1))))
	drops=$(tc -s qdisc show dev port0 | sed -n 's/.*dropped \([0-9]*\),.*/\1/p')
	echo "rate $rate Mbit/s: $one from one host, $all into one host from all others, $drops dropped"
	is_about $one $((leaves < hosts || uplink > rate ? rate : uplink)) || bad=1
	is_about $all $((leaves < hosts || uplink > rate ? rate : uplink)) || bad=1
	[ "$hosts" -eq 2 ] || [ "$drops" -gt 0 ] || bad=1
	if [ $leaves -gt 1 ]; then
		across=$(flood 1 $(for ((i = 0; i < half; i++)); do echo $i:$((half + i)); done))
		most=$((half * rate < uplink ? half * rate : uplink))
		echo "uplink $uplink Mbit/s: $across from $half hosts of a switch to $half of another"
		is_about $across $most || bad=1
	fi
	[ $bad = 0 ] || echo "cluster: the emulation does not keep to its rate" >&2
	return $bad
}
