# SPDX-License-Identifier: GPL-3.0-or-later
#
# LoPC beside the simulated machine: what waits for handlers, in workpile, synchronous remap and
# spmv. For tests/smpi/validate, whose functions it uses; tables on standard output.

# What waits for handlers in a cycle: FOLDER CYCLES PREDICTED_US WHAT; the cells of a table.
handler_cells()
{
	true_us=$(true_part handler_contention "$1" "$2")
	said_us=$(said_part blame handler_contention "$1" "$2")
	printf ' %s | %s | %.2f | %s |\n' "$true_us" "$said_us" "$3" "$(above "$3" "$true_us")"
	compared "$4" "message handlers" "$true_us" us - "$said_us" "$1"
}

# The same, and the model must say what the simulator does within a quarter, the analyzer within a
# twentieth.
sure_handler_cells()
{
	handler_cells "$@"
	near "$3" "$true_us" 25 "$4, what waits for handlers, LoPC"
	near "$said_us" "$true_us" 5 "$4, what waits for handlers, the analyzer"
}

predict_workpile()
{
	echo "

## LoPC: clients and servers

workpile, 32 ranks on a switch, S_o = 131 us, S_l = 6 us, C2 = 0; chunks a second. Where the
measured optimum is flat the model's choice may be a neighbour: the loss is what it costs. With it, what
a request waits for others at its server, us: by the simulator, by the analyzer, by LoPC.

| W, us | best servers, measured | predicted (closed form) | loss of the predicted | throughput at it, measured | predicted | error | waits | attributed | predicted | error |
|---|---|---|---|---|---|---|---|---|---|---|"
	for work in 500 1000 2000; do
		: >workpile.txt
		for servers in 1 2 3 4 5 6 7 8 9 10; do
			simulate workpile --bare --handler=131e-6 switch:32,latency=6e-6 32 \
				"$examples/workpile.c" --servers=$servers --chunks=100 \
				--work=$work --handler=0
			echo "$servers $(before workpile 'chunks a second')" >>workpile.txt
		done
		given="lopc-client-server P=32 W=$work S_o=131 S_l=6 C2=0"
		# Words wanted. shellcheck disable=SC2086
		at=$(model P_s_best $given)
		# shellcheck disable=SC2086
		x=$(model X $given P_s="$at") waits=$(model R_s $given P_s="$at" | jq '. - 131')
		# shellcheck disable=SC2086
		awk -v work=$work -v at="$at" -v closed="$(model P_s_opt $given)" -v x="$x" '
			{ rate[$1] = $2 }
			$2 > rate[best] { best = $1 }
			END {
				printf "| %d | %d | %d (%.2f) | %.1f %% | %.0f | %.0f | %+.1f %% |",
				       work, best, at, closed,
				       100 * (1 - rate[at] / rate[best]), rate[at], x * 1e6,
				       100 * (x * 1e6 / rate[at] - 1)
			}' workpile.txt
		simulate workpile-best --handler=131e-6 switch:32,latency=6e-6 32 \
			"$examples/workpile.c" --servers="$at" --chunks=100 --work=$work --handler=0
		sure_handler_cells workpile-best $(((32 - at) * 100)) "$waits" "workpile, W = $work us"
		near "$(jq -n "$x * 1e6")" "$(awk -v at="$at" '$1 == at { print $2 }' workpile.txt)" 10 \
			"workpile, W = $work us: chunks a second"
		within $((at - $(sort -k 2gr workpile.txt | sed 's/ .*//;q'))) -1 1 \
			"workpile, W = $work us: predicted less measured best number of servers"
	done
}

# Handlers are the library's here: requests and replies both take one.
predict_remap()
{
	echo "
## LoPC: synchronous remap

remap, 32 ranks on a switch, to random ranks, latency 6 us; receiving takes S_o, also of the reply. What
request and reply wait for other messages' handlers in a cycle, us: by the simulator, by the analyzer,
by LoPC.

| S_o, us | cycle, us | LoPC's R | error | rule of thumb | error | wait | attributed | LoPC | error |
|---|---|---|---|---|---|---|---|---|---|"
	for handler in 20 100 200; do
		simulate remap --handler=${handler}e-6 switch:32,latency=6e-6 32 \
			"$examples/remap.c" --messages=200 --bytes=16
		cycle=$(after remap cycle | awk '{ printf "%.2f", $1 * 1e6 }')
		given="lopc P=32 W=0 S_o=$handler S_l=6 C2=0"
		# shellcheck disable=SC2086
		R=$(model R $given) rule=$(model rule $given)
		# shellcheck disable=SC2086
		waits=$(jq -n "$(model contention_request $given) + $(model contention_reply $given)")
		printf '| %s | %s | %.2f | %s | %.2f | %s |' $handler "$cycle" "$R" \
			"$(above "$R" "$cycle")" "$rule" "$(above "$rule" "$cycle")"
		sure_handler_cells remap $((32 * 200)) "$waits" "remap on a switch, S_o = $handler us"
		near "$R" "$cycle" 10 "remap on a switch, S_o = $handler us, LoPC"
	done
}

# FOLDER: how long it takes a rank from one request (tag 1) to its next, us, on average.
asks_every()
{
	awk -F, '$4 == 1 {
			if (!n[$2]++) first[$2] = last[$2] = $7
			if ($7 < first[$2]) first[$2] = $7
			if ($7 > last[$2]) last[$2] = $7
		}
		END {
			for (rank in n) {
				s += last[rank] - first[rank]
				cycles += n[rank] - 1
			}
			printf "%.2f", s / cycles * 1e6
		}' "$1/truth.csv"
}

# Alewife's figures, 59 cycles an element, which one in P finds at home; cycles are us here.
predict_spmv()
{
	cat <<'END'

## LoPC: sparse matrix times vector (figure 8)

spmv --get=request on a switch, 25 elements a row: 59 us of work for each, then its value is asked for;
of P ranks' elements one in P is at home, so W = 59 P / (P - 1). Request and reply take a handler of 145 us
each, latency 6 us. (The paper's LoPC is 14 % above its measurements with 2 ranks and 9 % with 32.)
LoPC takes requests to come at any moment, and so they do from many ranks; of 2 only the one that is asked
itself asks. The analyzer has no machine file, and with 2 ranks nothing shows it that most of a
message's time is its handler's. Columns as above.

| ranks | W, us | cycle, us | LoPC's R | error | without contention | error | wait | attributed | LoPC | error |
|---|---|---|---|---|---|---|---|---|---|---|
END
	for ranks in 2 8 32; do
		simulate spmv --handler=145e-6 switch:$ranks,latency=6e-6 $ranks "$examples/spmv.c" \
			--rows=$((ranks * 20)) --per-row=25 --products=1 --work=59
		cycle=$(asks_every spmv)
		W=$(jq -n "59 * $ranks / ($ranks - 1)")
		given="lopc P=$ranks W=$W S_o=145 S_l=6 C2=0"
		# Words wanted. shellcheck disable=SC2086
		R=$(model R $given) alone=$(model lower $given)
		# shellcheck disable=SC2086
		waits=$(jq -n "$(model contention_request $given) + $(model contention_reply $given)")
		printf '| %s | %.1f | %s | %.2f | %s | %.1f | %s |' $ranks "$W" "$cycle" "$R" \
			"$(above "$R" "$cycle")" "$alone" "$(above "$alone" "$cycle")"
		cells=sure_handler_cells
		[ $ranks != 2 ] || cells=handler_cells
		$cells spmv "$(grep -c '^[0-9]*,[0-9]*,[0-9]*,1,' spmv/truth.csv)" "$waits" \
			"spmv by request, $ranks ranks"
		near "$R" "$cycle" 5 "spmv by request, $ranks ranks, LoPC"
	done
}
