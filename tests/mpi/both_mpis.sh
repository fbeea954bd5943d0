# SPDX-License-Identifier: GPL-3.0-or-later
# One program under Open MPI and under MPICH: each rank has the same messages, collectives and
# one-sided operations with the same partners, tags and bytes, and made the same calls.
. "$srcdir/tests/testlib.sh"
[ "$(echo "$MPIS" | wc -w)" -eq 2 ] || skip "not two MPIs here: $MPIS"

# Requests and the ids of operations are given out in the order of completion, which is MPI's own,
# and so are the names of windows without one.
what_happened() # RUN
{
	awk '/^ENTER/ { print "rank", $2, "calls", $5 }
	/^(MPI|RMA|NON_BLOCKING)_/ { $3 = ""; gsub(/(Request|Matching): [0-9]+|Window: "[^"]*"/, ""); print }' \
		"$1.events" | sort | uniq -c
}

for program in fortran_twin fortran_wide; do
	for MPI in openmpi mpich; do
		case $MPI in
		openmpi) mpicc=$OPENMPI_MPICC mpiexec=$OPENMPI_MPIEXEC ;;
		*) mpicc=$MPICH_MPICC mpiexec=$MPICH_MPIEXEC ;;
		esac
		"$mpicc" -g -O1 -w "$srcdir/tests/mpi/$program.c" -o $program-$MPI
		capture recorded mpi_run 4 timeout 60 "$contend" record -o $program-$MPI.contend \
			./$program-$MPI
		expect_status 0 "$program, $MPI"
		[ ! -s recorded.err ] ||
			fail "$program, $MPI: something to complain of: $(cat recorded.err)"
		expect_clean_archive $program-$MPI.contend
		expect_every_receive_completed $program-$MPI.contend
		what_happened $program-$MPI.contend >$program-$MPI.what
	done
	[ "$(wc -l <$program-mpich.what)" -gt 50 ] || fail "$program: little happened"
	diff -u $program-openmpi.what $program-mpich.what >&2 ||
		fail "$program: the MPIs' traces differ"
	echo "$program: $(awk '{ n += $1 } END { print n }' $program-mpich.what) calls and events alike"
done
