# SPDX-License-Identifier: GPL-3.0-or-later
#
# The contention signature on a real MPI library over TCP (tests/net/cluster). For
# tests/smpi/validate, whose variables it uses; a table on standard output.

# Into emulated.json; else prints why there is none.
emulated_all_to_all()
{
	cluster=$srcdir/tests/net/cluster
	"$cluster" run --hosts=2 --mpi=openmpi -- true >probe.log 2>&1 || {
		echo "None here: $(tail -n 1 probe.log)"
		return 1
	}
	# Words wanted. shellcheck disable=SC2086
	${CC:-cc} -shared -fPIC -O2 "$srcdir/tests/net/patient.c" -o patient.so -ldl
	CONTEND_PATIENT=$PWD/patient.so timeout 55 "$cluster" run --hosts=8 --rate=20 --buffer=1000 \
		--realtime --mpi=openmpi -- "$builddir/contend" calibrate --quick --contention=14 \
		-o emulated.json >emulated.log 2>&1 || {
		echo "None here: contend calibrate on 8 hosts failed: $(tail -n 1 emulated.log)"
		return 1
	}
}

predict_emulated()
{
	cat <<'END'

## The contention signature on an emulated network

Open MPI over TCP between eight hosts that are network namespaces, 20 Mbit/s each (tests/net/cluster):
MPI_Alltoall, the signature that `contend calibrate` fits at n' ranks beside what fewer take. Real
time: unlike everything above, other figures each time, and nothing here is checked.

END
	emulated_all_to_all || return 0
	echo "| sizes fitted, B | n' | n | bytes | measured s | predicted s | error |"
	echo "|---|---|---|---|---|---|---|"
	jq -f "$srcdir/tests/net/signature.jq" emulated.json | jq -r '[.from, .to, .fitted, .ranks,
		.bytes, .measured, .predicted, 100 * .error] | @tsv' |
		awk '{ printf "| %d to %d | %d | %d | %d | %.6f | %.6f | %+.1f %% |\n",
			      $1, $2, $3, $4, $5, $6, $7, $8 }'
}
