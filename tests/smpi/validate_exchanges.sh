# SPDX-License-Identifier: GPL-3.0-or-later
#
# The contention signature beside the simulated machine's total exchanges.
# For tests/smpi/validate, whose functions it uses; tables on standard output.

# Time of one exchange, s: MACHINE RANKS BYTES [--bare]
exchange()
{
	# Words wanted. shellcheck disable=SC2086
	simulate exchange ${4-} --wait "$1,bandwidth=40e6" "$2" "$examples/alltoall.c" \
		--bytes="$3" --repeat=2 --by=direct --rotate
	before exchange 's each'
}

# PLATFORM RANKS: fit.json and $signature
fit_signature()
{
	echo n,m,T >fit.csv
	for bytes in 1024 4096 16384 65536 262144 1048576; do
		echo "$2,$bytes,$(exchange "$(shape "$1" "$2")" "$2" $bytes --bare)" >>fit.csv
	done
	"$builddir/contend" model signature-fit file=fit.csv alpha=1e-6 beta=2.5e-8 --json \
		>fit.json || die "no signature of the $1"
	signature=$(jq -r '.results | "gamma=\(.gamma) delta=\(.delta // 0) M=\(.M // 1e18)"' fit.json)
}

# PLATFORM RANKS: in FILE PLATFORM-RANKS, once, the time of one exchange at 64 KiB, s, and what the
# analyzer says that a rank waits in it for others' messages, us, with machine.json and without.
# (Its own other messages in front are no contention: the model without has them.)
recorded_exchange()
{
	[ ! -f "$1-$2" ] || return 0
	true_machine 0 0 0 all 2.5e-8 1 "$(shape "$1" "$2")" >machine.json
	exchange "$(shape "$1" "$2")" "$2" 65536 >measured
	others="network_contention receiver_port"
	echo "$(cat measured) $(said_part budget "$others" exchange $(($2 * 2)) machine.json)" \
		"$(said_part budget "$others" exchange $(($2 * 2)))" >"$1-$2"
	for source in machine-file self-calibrated; do
		mv exchange.$source "$1-$2.$source"
	done
}

# PLATFORM FITTED RANKS: one line.
signature_row()
{
	recorded_exchange "$1" "$3"
	read -r T said said_alone <"$1-$3"
	# Words wanted. shellcheck disable=SC2086
	given="signature n=$3 m=65536 alpha=1e-6 beta=2.5e-8 $signature"
	# shellcheck disable=SC2086
	P=$(model T $given) free=$(model lower $given)
	jq -r '.results | "\(.gamma) \(.se_gamma)"' fit.json |
		awk -v p="$1 | $2" '{ printf "| %s | %.3f (%.3f) ", p, $1, $2 }'
	waits=$(jq -n "($T - $free) * 1e6")
	printf '| %s | %.6f | %.6f | %s | %.2f | %s | %s | %.2f |\n' "$3" "$T" "$P" \
		"$(above "$P" "$T")" "$waits" "$said" "$said_alone" "$(jq -n "($P - $free) * 1e6")"
	compared "exchange on the $1, $3 ranks" "network, of a rank" "$waits" us "$said" "$said_alone" \
		"$1-$3"
	case $1-$2-$3 in
	switch-* | tree-16-16 | tree-64-64 | tree-64-128)
		near "$P" "$T" 10 "the $1's signature for $3 ranks" ;;
	esac
	within "$(jq -n "($said - $waits) / $T / 1e6")" -0.1 0.1 \
		"the $1, $3 ranks: the analyzer's error, of the exchange's time"
}

predict_exchange()
{
	cat <<'END'

## The contention signature

alltoall --by=direct --rotate, fitted at n' ranks to six sizes of 1 KiB to 1 MiB, then asked for other
numbers of ranks at 64 KiB. The switch passes a quarter of what its ports do, however many. The
tree has 8 ranks a leaf: the share of messages that leave a leaf grows with the leaves, so the model's
gamma, which does not depend on n, holds only where nearly all do.

Contention: the measured time beyond (n-1)(alpha + m beta); what the analyzer says that a rank waits in
one exchange for other ranks' messages, with the machine file and self-calibrated (contention that never
lets up is not identifiable then, and in no part); and the signature's time beyond the same. us.

| machine | n' | gamma (standard error) | ranks | measured s | predicted s | error | contention | attributed | self-calibrated | signature |
|---|---|---|---|---|---|---|---|---|---|---|
END
	for case_ in "switch 16" "tree 16" "tree 64"; do
		fit_signature ${case_% *} ${case_#* }
		for ranks in 8 16 32 64 128; do
			signature_row ${case_% *} ${case_#* } $ranks
		done
	done
}
