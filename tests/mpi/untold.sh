# SPDX-License-Identifier: GPL-3.0-or-later
# Receives whose requests are freed: no message is joined with another's receive, and where it is
# not to be known which one a receive got, the report says so.
. "$srcdir/tests/testlib.sh"

ranks=2
case $MPI in
mpich) named="named paused anybody shared" ;;
*) named="named paused anybody" ;;
esac

"$mpicc" -w -g -O1 "$srcdir/tests/mpi/untold.c" -o untold
for how in $named doubt; do
	capture job mpi_run $ranks timeout 60 "$contend" record -o $how.contend ./untold $how
	expect_status 0 "untold $how: $(cat job.out)"
	[ ! -s job.err ] || fail "recording says: $(cat job.err)"
	expect_clean_archive $how.contend
	"$builddir/tests/traces/matches" $how.contend >$how.found || fail "no matches"
	capture $how.report "$contend" report $how.contend
	expect_status 0 "contend report"
done

# All that was received in the open is joined, with its own.
for how in $named; do
	! grep '^misjoined' $how.found >&2 || fail "$how: joined with another's receive"
	received=$(grep -c '^MPI_RECV ' $how.contend.events)
	echo "$how: $received received, $(grep -c '^matched' $how.found) joined"
	[ "$(grep -c '^matched' $how.found)" -eq "$received" ] || fail "$how: not all are joined"
	! grep 'is not known and they are left out' $how.report.out ||
		fail "$how: all of it is known"
done

# One of four receives can have had another message.
expect_line "which messages $ranks receives got is not known" doubt.report.out
[ "$(grep -c '^matched' doubt.found)" -eq $((3 * ranks)) ] || fail "doubt: not all that is sure"
