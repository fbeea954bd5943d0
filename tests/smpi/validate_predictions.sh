# SPDX-License-Identifier: GPL-3.0-or-later
#
# What `contend model` predicts beside what the simulated machine does. For tests/smpi/validate,
# whose simulate() and variables it uses; tables on standard output.

model() # RESULT NAME KEY=VALUE...
{
	key=$1
	shift
	"$builddir/contend" model "$@" --json | jq ".results.$key"
}

# The number after WORD in the last words of a run, and in front of it.
after() { sed -n "s/.*[ ,]$2 \([0-9.e+-]*\) .*/\1/p" "$1.log"; }
before() { sed -n "s/.* \([0-9.e+-]*\) $2.*/\1/p" "$1.log"; }

# Percent that A is above B.
above() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%+.1f %%", 100 * (a / b - 1) }'; }

predict_workpile()
{
	echo "

## LoPC: clients and servers

workpile, 32 ranks on a switch, S_o = 131 us, S_l = 6 us, C2 = 0; chunks a second. Where the
measured optimum is flat the model's choice may be a neighbour: the loss is what it costs. The
model's client takes S_o for each reply; the program's does not, so the model is low.

| W, us | best servers, measured | predicted (closed form) | loss of the predicted | throughput at it, measured | predicted | error |
|---|---|---|---|---|---|---|"
	for work in 500 1000 2000; do
		: >workpile.txt
		for servers in 1 2 3 4 5 6 7 8 9 10; do
			simulate workpile --bare switch:32,latency=6e-6 32 \
				"$examples/workpile.c" --servers=$servers --chunks=100 \
				--work=$work --handler=131
			echo "$servers $(before workpile 'chunks a second')" >>workpile.txt
		done
		given="lopc-client-server P=32 W=$work S_o=131 S_l=6 C2=0"
		# Words wanted. shellcheck disable=SC2086
		at=$(model P_s_best $given)
		# shellcheck disable=SC2086
		awk -v work=$work -v at="$at" -v closed="$(model P_s_opt $given)" \
			-v x="$(model X $given P_s="$at")" '
			{ rate[$1] = $2 }
			$2 > rate[best] { best = $1 }
			END {
				printf "| %d | %d | %d (%.2f) | %.1f %% | %.0f | %.0f | %+.1f %% |\n",
				       work, best, at, closed,
				       100 * (1 - rate[at] / rate[best]), rate[at], x * 1e6,
				       100 * (x * 1e6 / rate[at] - 1)
			}' workpile.txt
	done
}

# Handlers are the library's here: requests and replies both take one.
predict_remap()
{
	echo "
## LoPC: synchronous remap

remap, 32 ranks on a switch, to random ranks, latency 6 us; receiving takes S_o, also of the reply.

| S_o, us | cycle, us | LoPC's R | error | rule of thumb | error |
|---|---|---|---|---|---|"
	for handler in 20 100 200; do
		simulate remap --bare --handler=${handler}e-6 switch:32,latency=6e-6 32 \
			"$examples/remap.c" --messages=200 --bytes=16
		cycle=$(after remap cycle | awk '{ printf "%.2f", $1 * 1e6 }')
		given="lopc P=32 W=0 S_o=$handler S_l=6 C2=0"
		# shellcheck disable=SC2086
		R=$(model R $given) rule=$(model rule $given)
		printf '| %s | %s | %.2f | %s | %.2f | %s |\n' $handler "$cycle" "$R" \
			"$(above "$R" "$cycle")" "$rule" "$(above "$rule" "$cycle")"
	done
}

# Time of one exchange, s: MACHINE RANKS BYTES
exchange()
{
	simulate exchange --bare --wait "$1,bandwidth=40e6" "$2" "$examples/alltoall.c" \
		--bytes="$3" --repeat=2 --by=direct --rotate
	before exchange 's each'
}

predict_exchange()
{
	echo "
## The contention signature

alltoall --by=direct --rotate, 8 ranks a leaf; fitted at 16 ranks to six sizes of 1 KiB to 1 MiB,
then asked for other numbers of ranks at 64 KiB.

| machine | gamma (standard error) | delta, us | ranks | measured s | predicted s | error |
|---|---|---|---|---|---|---|"
	for platform in tree switch; do
		echo n,m,T >fit.csv
		for bytes in 1024 4096 16384 65536 262144 1048576; do
			echo "16,$bytes,$(exchange "$(shape $platform 16)" 16 $bytes)" >>fit.csv
		done
		given="alpha=1e-6 beta=2.5e-8"
		# Words wanted. shellcheck disable=SC2086
		"$builddir/contend" model signature-fit file=fit.csv $given --json >fit.json ||
			die "no signature of the $platform"
		signature=$(jq -r '.results | "gamma=\(.gamma) delta=\(.delta // 0) M=\(.M // 1e18)"' \
			fit.json)
		for ranks in 8 16 32 64; do
			T=$(exchange "$(shape $platform $ranks)" $ranks 65536)
			# shellcheck disable=SC2086
			P=$(model T signature n=$ranks m=65536 $given $signature)
			jq -r '.results | "\(.gamma) \(.se_gamma) \((.delta // 0) * 1e6)"' fit.json |
				awk -v p=$platform '{ printf "| %s | %.3f (%.3f) | %.1f ", p, $1, $2, $3 }'
			printf '| %s | %.6f | %.6f | %s |\n' $ranks "$T" "$P" "$(above "$P" "$T")"
		done
	done
}

predict_diamond()
{
	for map in linear random; do
		simulate diamond-$map --bare mesh:4x8,bandwidth=40e6 32 "$examples/diamond.c" \
			--length=1024 --blocks=16 --extra=320000 --map=$map --ssend
	done
	echo "
## Diamond DAG: where the stripes lie

320,000 bytes a message, 4x8 mesh: random map $(after diamond-random time) s, linear map $(after diamond-linear time) s, ratio $(
		awk -v r="$(after diamond-random time)" -v l="$(after diamond-linear time)" \
			'BEGIN { printf "%.2f", r / l }') (the paper: 1.56)."
}

# Seconds that all messages stalled: waited for their receive, or for the network.
stalled()
{
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		/^total/ { printf "%.6f", $at["late_partner_s"] + $at["network_contention_s"] }' "$1"
}

predict_em3d()
{
	for order in original random; do
		simulate em3d-$order --wait --overhead=6.85e-6 mesh:4x8,bandwidth=40e6 32 \
			"$examples/em3d.c" --send=isend --window=4 --edge-ns=2000 --iterations=5 \
			--order=$order --no-verify
	done
	o=$(after em3d-original time) r=$(after em3d-random time)
	so=$(stalled em3d-original/truth.csv) sr=$(stalled em3d-random/truth.csv)
	echo "
## EM3D: original against random order

4x8 mesh, four sends in flight: $o s against $r s, $(awk -v a="$o" -v b="$r" \
		'BEGIN { printf "%.1f", 100 * (1 - b / a) }') % of the run time gained (the paper: 20 %); sends that
wait for their receive or the network: $so s against $sr s, $(awk -v a="$so" -v b="$sr" \
		'BEGIN { printf "%.1f", 100 * (1 - b / a) }') % of the stall removed (the paper: 70 %)."
}

