#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Masters and workers whose work and handlers are known: what the report says that another number of
# servers saves covers what it saves, and LoPC's inputs, as read from the trace, are what the
# program was told to spend.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"
need_file jq jq

handler_us=200

simulate() # FOLDER RANKS ARGUMENT...
{
	folder=$1 ranks=$2
	shift 2
	SMPI_CPPFLAGS="${SMPI_CPPFLAGS:--I/usr/include/smpi} -I$srcdir" \
		capture "$folder" "$srcdir/tests/smpi/run" -o "$folder" --overhead=1e-6 \
		--handler=1e-6 "switch:$ranks,bandwidth=40e6,contention=ports" "$ranks" \
		"$srcdir/tests/smpi/master.c" --handler=$handler_us --tasks=$((60 * ranks)) "$@"
	expect_line ' verified$' "$folder.out"
}

wall() { "$contend" report --json "$1/run.contend" | jq .run.wall_s; }

# NAME: a number of LoPC's inputs in $run.json
input() { jq --arg key "$1" '[.models[] | select(.name == "LoPC")][0].inputs[$key]' now.json; }

expect_input() # NAME VALUE SHARE ABSOLUTE
{
	awk -v is="$(input "$1")" -v value="$2" -v share="$3" -v absolute="$4" 'BEGIN {
		d = is - value
		exit !(is != "null" && (d < 0 ? -d : d) <= share * value + absolute) }' ||
		fail "$row: $1 is $(input "$1"), not $2"
}

# RANKS SERVERS WORK-US [OPTION]...: is what is said what another number of servers saves?
expect_row()
{
	row="$*" ranks=$1 servers=$2 work=$3 varies=
	shift 3
	case " $* " in *" --varies "*) varies=yes ;; esac
	simulate now "$ranks" --servers="$servers" --work="$work" "$@"
	"$contend" report --json now/run.contend >now.json || fail "$row: no report"
	c2=0 like=0.02
	[ -z "$varies" ] || c2=1 like=0.15
	# A client also asks each server in vain, at the end.
	[ $((2 * servers)) -le "$ranks" ] || like=0.03
	expect_input P "$ranks" 0 0
	expect_input P_s "$servers" 0 0
	expect_input W_s "${work}e-6" $like 3e-6
	expect_input S_o_s "${handler_us}e-6" $like 5e-6
	expect_input C2 $c2 0.3 0.05
	said=$(jq -r '[.hotspots[] | select(.kind == "server")][0]
		| if . then [.evidence.servers_best, .saves_share[] | tostring] | join(" ")
		  else "-" end' now.json)
	queue_s=$(jq '[.models[] | select(.name == "LoPC")][0].measured.queue_s' now.json)
	jq -e --argjson s "$queue_s" '.summary.queue.s // 0 | . - $s | fabs < 1e-9' now.json \
		>/dev/null || fail "$row: the summary's queue is not LoPC's"
	# All that clients do but work, being served and 10 us of messages is waiting in line.
	awk -v s="$queue_s" -v n=$((ranks - servers)) -v tasks=$((60 * ranks)) -v work="$work" \
		-v handler=$handler_us -v wall="$(jq .run.wall_s now.json)" 'BEGIN {
		d = s - n * wall + tasks * (work + handler + 10) * 1e-6
		exit !((d < 0 ? -d : d) < 0.05 * n * wall) }' ||
		fail "$row: $queue_s s in line"
	jq -e '(.summary.queue.share // 0) < 0.01
		or (.summary.verdict[0] | test("^Requests of [0-9]+ ranks queue for "))' now.json \
		>/dev/null || fail "$row: the verdict does not begin with the queue"
	jq -e --arg name "client-server, $servers server" '[.patterns[]
		| .name, .equivalent[] | select(startswith($name))] != []' now.json >/dev/null ||
		fail "$row: the pattern is $(jq -c '[.patterns[].name]' now.json)"
	"$contend" report now/run.contend >now.txt || fail "$row: no report"
	! grep -Eq 'more work|times the mean' now.txt ||
		fail "$row: a server or a client has more to do, by design"
	jq -e '[.hotspots[] | select(.kind == "imbalance")] == []' now.json >/dev/null ||
		fail "$row: a server's or a client's waiting is called imbalance"
	best=${said%% *}
	[ "$best" != - ] || best=$((3 - (servers > 2 ? 2 : servers)))
	simulate then "$ranks" --servers="$best" --work="$work" "$@"
	# With one server nobody knows how clients would choose among more: the likely is between.
	near=0.1
	[ "$servers" -gt 1 ] || near=0.3
	[ -z "$varies" ] || near=0.2
	# Nor is it in the events that the first taken are answered with the last: the most covers.
	case " $* " in *" --at-once "*) near=2 ;; esac
	awk -v row="$row" -v said="$said" -v like=$near -v now="$(wall now)" -v then="$(wall then)" 'BEGIN {
		saved = 1 - then / now
		n = split(said, v)
		printf "%s: saves %.3f, said %s\n", row, saved, said
		if (n == 1)
			exit saved >= 0.05
		off = v[3] - saved
		exit !(v[2] <= saved + 0.005 && saved - 0.005 <= v[4] &&
		       (off < 0 ? -off : off) <= like * saved + 0.01)
	}' || fail "$row: not what it saves"
}

for ranks in 4 8 16; do
	for work in 0 200 1000; do
		expect_row $ranks 1 $work
		expect_row $ranks 2 $work
	done
done
expect_row 4 1 100
expect_row 5 2 0
expect_row 5 2 200
expect_row 8 2 2000
expect_row 6 3 200
expect_row 8 4 100
expect_row 8 5 1000
expect_row 8 5 200
expect_row 8 1 200 --varies
expect_row 8 2 200 --varies
expect_row 16 1 1000 --varies
expect_row 16 2 200 --varies
for row in "8 1 200" "8 2 200" "16 2 1000" "16 1 200 --varies" "16 2 200 --varies"; do
	# Words wanted. shellcheck disable=SC2086
	expect_row $row --random
done
# Who takes several requests and then answers all keeps the first waiting for the last.
for row in "4 1 0" "8 1 200" "16 2 200" "4 2 0 --random" "6 2 0 --random" "6 3 0 --random"; do
	# Words wanted. shellcheck disable=SC2086
	expect_row $row --at-once
done
