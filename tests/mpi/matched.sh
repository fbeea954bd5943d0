# SPDX-License-Identifier: GPL-3.0-or-later
# Matched probes: a message is its receive's that was probed for when it was the oldest, whenever
# that receive comes, and what was not received when the job died was taken all the same.
. "$srcdir/tests/testlib.sh"

case $MPI in
openmpi) ranks=4 ;;
*) ranks=2 ;; # busy-polls: no more ranks than processors
esac

# All messages of a run are joined, or all but so many, and none with another's receive.
expect_joined() # RUN BUT
{
	"$builddir/tests/traces/matches" "$1" >found || fail "no matches"
	! grep '^misjoined' found >&2 || fail "$1: joined with another's receive"
	sends=$(grep -c '^MPI_SEND ' "$1.events")
	echo "$1: $sends sent, $(grep -c '^matched' found) joined; $(grep unmatched found)"
	[ "$(grep -c '^matched' found)" -eq $((sends - $2)) ] || fail "$1: not all are joined"
	expect_line "^unmatched $2\$" found
}

"$mpicc" -w -g -O1 "$srcdir/tests/mpi/matched.c" -o matched -lpthread
for how in "" direct; do
	# A word or none. shellcheck disable=SC2086
	capture job mpi_run $ranks timeout 60 "$contend" record -o run$how.contend ./matched $how
	expect_status 0 "matched $how: $(cat job.out)"
	[ ! -s job.err ] || fail "recording says: $(cat job.err)"
	expect_clean_archive run$how.contend
	expect_joined run$how.contend 0
done
expect_line 'CONTEND::MATCHED' run.contend.events
# Nothing is to be said of what is received as soon as it was probed for.
! grep CONTEND::MATCHED rundirect.contend.events || fail "bytes that nobody needs"

# Each rank has a message of the three in its hands.
capture job mpi_run $ranks timeout 60 "$contend" record -o killed.contend ./matched killed
[ "$status" -ne 0 ] || fail "nobody died"
capture report "$contend" report killed.contend
expect_status 0 "contend report"
expect_clean_archive killed.contend
expect_joined killed.contend $ranks
