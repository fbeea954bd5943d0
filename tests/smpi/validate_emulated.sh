# SPDX-License-Identifier: GPL-3.0-or-later
#
# The contention signature on a real MPI library over TCP (tests/net/cluster). For
# tests/smpi/validate, whose variables it uses; a table on standard output.

# Into emulated1.json and, another launch, emulated2.json; else prints why there is none.
emulated_all_to_all()
{
	cluster=$srcdir/tests/net/cluster
	"$cluster" run --hosts=2 --mpi=openmpi -- true >probe.log 2>&1 || {
		echo "None here: $(tail -n 1 probe.log)"
		return 1
	}
	# Words wanted. shellcheck disable=SC2086
	${CC:-cc} -shared -fPIC -O2 "$srcdir/tests/net/patient.c" -o patient.so -ldl
	for i in 1 2; do
		CONTEND_PATIENT=$PWD/patient.so timeout 55 "$cluster" run --hosts=8 --rate=50 \
			--buffer=1000 --realtime --mpi=openmpi -- "$builddir/contend" calibrate --quick \
			--contention=14 -o emulated$i.json >emulated.log 2>&1 || {
			echo "None here: contend calibrate on 8 hosts failed: $(tail -n 1 emulated.log)"
			return 1
		}
	done
}

predict_emulated()
{
	cat <<'END'

## The contention signature on an emulated network

Open MPI over TCP between eight hosts that are network namespaces, 50 Mbit/s each (tests/net/cluster):
MPI_Alltoall, the signature that `contend calibrate` fits at n' ranks beside what fewer take in
another launch. Where it is said to hold is what the launch of the fit says: neither for the smallest
sizes, which pass at once on a link's credit of a millisecond, nor above 48 KiB, where Open MPI asks
before it sends. Real time: unlike everything above, other figures each time.

END
	emulated_all_to_all || return 0
	jq --slurpfile other emulated2.json -f "$srcdir/tests/net/signature.jq" emulated1.json >emulated
	echo "| sizes fitted, B | gamma | n' | n | said to hold | bytes | measured s | predicted s | error |"
	echo "|---|---|---|---|---|---|---|---|---|"
	jq -r '[.from, .to, .gamma, .fitted, .ranks, if .claimed then "yes" else "no" end, .bytes,
		.measured, .predicted, 100 * .error] | @tsv' emulated |
		awk '{ printf "| %d to %d | %.3f | %d | %d | %s | %d | %.6f | %.6f | %+.1f %% |\n",
			      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 }'
	jq -s -r 'map(select(.claimed).error | fabs) | select(length > 0) |
		"\nWhere it is said to hold: mean error \(add / length * 1000 | round / 10) % of \(length)."' \
		emulated
}
