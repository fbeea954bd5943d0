# SPDX-License-Identifier: GPL-3.0-or-later
# However many hands share the analysis, the document is the same to the byte: of grids, and of
# all that can happen to a message.
. "$srcdir/tests/testlib.sh"

"$builddir/tests/bench/mkbig" big 36 20000
for scenario in $("$builddir/tests/mktrace" 2>&1 | awk 'NR > 2 { print $1 }'); do
	[ "$scenario" != truncated ] || continue # no report of that one
	"$builddir/tests/mktrace" "$scenario" -o "$scenario" --ranks=12 >/dev/null 2>&1 ||
		"$builddir/tests/mktrace" "$scenario" -o "$scenario" >/dev/null
done
unset PMI_RANK MPI_LOCALNRANKS
runs=0
for run in */; do
	for hands in 1 2 3 7; do
		OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=$hands \
			"$contend" report --json --messages="$hands.csv" "$run" >"$hands.json"
		cmp 1.json $hands.json && cmp 1.csv $hands.csv ||
			fail "$hands hands find something else in $run"
	done
	runs=$((runs + 1))
done
[ $runs -ge 5 ] || fail "only $runs runs"
