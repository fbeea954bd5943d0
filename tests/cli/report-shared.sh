# SPDX-License-Identifier: GPL-3.0-or-later
# However many hands share the analysis, the document is the same to the byte: of grids, and of
# all that can happen to a message. The long run lasts until hands
# are at work side by side and take turns on the cores: what they must not share shows there.
. "$srcdir/tests/testlib.sh"

"$builddir/tests/bench/mkbig" big 36 20000
"$builddir/tests/bench/mkbig" long 64 500000
for scenario in $("$builddir/tests/traces/mktrace" 2>&1 | awk 'NR > 2 { print $1 }'); do
	"$builddir/tests/traces/mktrace" "$scenario" -o "$scenario" --ranks=12 >/dev/null 2>&1 ||
		"$builddir/tests/traces/mktrace" "$scenario" -o "$scenario" >/dev/null
done
capture few "$builddir/tests/traces/mktrace" quiet -o few --ranks=1
expect_status 2 "mktrace --ranks=1"
expect_line '^mktrace: error: --ranks=1 is not a number from 2 to 100000$' few.err
capture again "$builddir/tests/traces/mktrace" quiet -o quiet
expect_status 1 "mktrace into a folder that is there"
[ "$(cat again.err)" = "mktrace: error: quiet is there already" ] || fail "$(cat again.err)"
mkdir empty
"$builddir/tests/traces/mktrace" quiet -o empty --ranks=12 || fail "mktrace into an empty folder"
diff -r quiet/traces empty/traces || fail "a folder that was there is another trace"
unset PMI_RANK MPI_LOCALNRANKS
runs=0
for run in */; do
	hands_of_it="1 2 3 7"
	[ "$run" != long/ ] || hands_of_it="1 2 7 16 64"
	for hands in $hands_of_it; do
		OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=$hands \
			"$contend" report --json --messages="$hands.csv" "$run" >"$hands.json"
		cmp 1.json $hands.json && cmp 1.csv $hands.csv ||
			fail "$hands hands find something else in $run"
	done
	runs=$((runs + 1))
done
[ $runs -ge 5 ] || fail "only $runs runs"

# Any other copy, on the first one's node or on another, leaves at once and says nothing.
capture other env OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_LOCAL_SIZE=1 \
	"$contend" report --json --messages=other.csv long
expect_status 0 "a copy that is not the first"
[ ! -s other.out ] && [ ! -s other.err ] && [ ! -e other.csv ] ||
	fail "a copy that is not the first: $(cat other.out other.err)"
