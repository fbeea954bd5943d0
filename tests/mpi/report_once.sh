# SPDX-License-Identifier: GPL-3.0-or-later
# However many copies of contend report a launcher starts: one report, the same as that of a single
# process, one message table, and the exit status of the finding.
. "$srcdir/tests/testlib.sh"

"$builddir/tests/traces/mkexchange" run.contend
"$contend" report --json --messages=alone.csv run.contend >alone.json
for copies in 1 2 3; do
	capture report mpi_run $copies timeout 60 "$contend" report --json --messages=all.csv run.contend
	expect_status 0 "report by $copies copies"
	cmp alone.json report.out || fail "$copies copies report something else"
	cmp alone.csv all.csv || fail "$copies copies have other messages"
	rm all.csv
done

capture finding mpi_run 2 timeout 60 "$contend" report --fail-on=high \
	"$srcdir/tests/cli/order-original.json"
[ "$status" -ne 0 ] || fail "a finding of the first copy is no failure of the job"
[ "$(grep -c HOTSPOTS finding.out)" -eq 1 ] || fail "not one report"

for verb in info diff; do
	runs=run.contend
	[ $verb = info ] || runs="run.contend run.contend"
	# Words wanted. shellcheck disable=SC2086
	capture $verb mpi_run 2 timeout 60 "$contend" $verb $runs
	expect_status 0 "$verb by two copies"
	# shellcheck disable=SC2086
	"$contend" $verb $runs >one.$verb
	cmp one.$verb $verb.out || fail "two copies of $verb say something else"
done

capture usage mpi_run 2 timeout 60 "$contend" report run.contend another.contend
[ "$status" -ne 0 ] || fail "two runs are too many"
[ "$(grep -c 'takes one run' usage.err)" -eq 1 ] || fail "not one error"
