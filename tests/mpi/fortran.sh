# SPDX-License-Identifier: GPL-3.0-or-later
# One program in C and in the three Fortran bindings leaves the same events.
. "$srcdir/tests/testlib.sh"
[ -n "$mpifort" ] || skip "no mpifort of $MPI: Debian package gfortran"

event_counts() # RUN: how many events of each kind, how many calls of each function
{
	awk '/^ENTER/ { n["call " $5]++ } /^[A-Z]/ { n[$1]++ }
		END { for (k in n) print k, n[k] }' "$1.events" | grep -v '^ADDITIONAL' | sort
}

"$mpicc" -g -O1 "$srcdir/tests/mpi/fortran_twin.c" -o c
compile() # PROGRAM: in each binding, as PROGRAM-BINDING
{
	for binding in mpif_h use_mpi use_mpi_f08; do
		"$mpifort" -g -O1 -w -fallow-argument-mismatch -ffree-line-length-none -J. \
			-I"$srcdir/tests/mpi" "-DBIND_$(echo $binding | tr a-z A-Z)" \
			"$srcdir/tests/mpi/$1.F90" -o "${1#fortran_}-$binding"
	done
}
compile fortran_twin
for binding in mpif_h use_mpi use_mpi_f08; do
	mv twin-$binding $binding
done
for program in c mpif_h use_mpi use_mpi_f08; do
	capture bare mpi_run 4 ./$program
	expect_status 0 "$program, bare"
	capture recorded mpi_run 4 "$contend" record -o $program.contend ./$program
	expect_status 0 "$program, recorded"
	expect_same_results cat bare.out recorded.out
	expect_line '^verified on 4 ranks$' recorded.out
	expect_clean_archive $program.contend
	event_counts $program.contend >$program.counts
done
for program in mpif_h use_mpi use_mpi_f08; do
	diff -u c.counts $program.counts >&2 || fail "$program leaves other events than C"
done
for program in c mpif_h use_mpi use_mpi_f08; do
	expect_every_receive_completed $program.contend
done
# Of 4 ranks: 5 + 3 with Isend, Send, Sendrecv.
expect_line '^MPI_ISEND 32$' c.counts
expect_line '^MPI_ISEND_COMPLETE 32$' c.counts
expect_line '^MPI_SEND 8$' c.counts
expect_line '^MPI_COLLECTIVE_END' c.counts
expect_line '^call "MPI_Waitall" 8$' c.counts

# Fortran's own rules, on two ranks: 4 x 6 one by one, 3 + 1 + 1 and 1 by address; of
# collectives 4 barriers, 4 in place, one Bcast, 2 with arguments of the root alone, 5 of and
# for two groups, 1 that frees; a message in a copy that a request has made. The indices and
# statuses are checked inside.
compile fortran_rules
for binding in mpif_h use_mpi use_mpi_f08; do
	program=rules-$binding
	capture bare mpi_run 2 ./$program
	expect_status 0 "$program, bare"
	[ "$MPI $binding" = "mpich use_mpi_f08" ] || expect_line '^rank 0: indices from 1$' bare.out
	for option in "" --split-waitall; do
		# A word or none. shellcheck disable=SC2086
		capture recorded mpi_run 2 "$contend" record $option -o $program.contend ./$program
		expect_status 0 "$program, recorded $option"
		[ ! -s recorded.err ] ||
			{ cat recorded.err >&2; fail "$program: something to complain of"; }
		expect_same_results sort bare.out recorded.out
		expect_clean_archive $program.contend
		expect_every_receive_completed $program.contend
		event_counts $program.contend | grep -v '^call "MPI_Test' >$program.counts
		expect_line '^MPI_IRECV 56$' $program.counts
		expect_line '^MPI_ISEND 8$' $program.counts
		expect_line '^MPI_RECV 8$' $program.counts
		expect_line '^MPI_COLLECTIVE_END 34$' $program.counts
		rm -rf $program.contend*
	done
done

# The rest of MPI: each rank's messages, collectives and one-sided operations are those of the twin
# in C, with their partners, bytes and roots, and so are the calls.
what_happened() # RUN
{
	awk '/^(MPI|RMA|NON_BLOCKING)_/ { $3 = ""; gsub(/(Request|Matching): [0-9]+/, ""); print }' \
		"$1.events" | sort | uniq -c
}
compile fortran_wide
"$mpicc" -g -O1 -w "$srcdir/tests/mpi/fortran_wide.c" -o wide-c
for program in wide-c wide-mpif_h wide-use_mpi wide-use_mpi_f08; do
	capture bare mpi_run 4 timeout 60 ./$program
	expect_status 0 "$program, bare"
	capture recorded mpi_run 4 timeout 60 "$contend" record -o $program.contend ./$program
	expect_status 0 "$program, recorded"
	[ ! -s recorded.err ] ||
		{ cat recorded.err >&2; fail "$program: something to complain of"; }
	expect_same_results sort bare.out recorded.out
	expect_clean_archive $program.contend
	expect_every_receive_completed $program.contend
	# MPICH's mpi_f08 makes a type of its own of each of 4 sections.
	event_counts $program.contend | if [ "$MPI $program" = "mpich wide-use_mpi_f08" ]; then
		awk '$2 == "\"MPI_Type_commit\"" { $3 -= 16 } $1 ~ /^(ENTER|LEAVE)$/ { $2 -= 16 } 1'
	else
		cat
	fi >$program.counts
	what_happened $program.contend >$program.what
	[ "$(wc -l <$program.what)" -gt 100 ] || fail "$program: little happened"
	for kind in counts what; do
		diff -u wide-c.$kind $program.$kind >&2 ||
			fail "$program leaves other events than C"
	done
done
