# SPDX-License-Identifier: GPL-3.0-or-later
# All sorts of MPI in the three Fortran bindings: the recorded program prints what the bare one
# does, and the trace holds as many events and calls as it says that it caused.
. "$srcdir/tests/testlib.sh"
. "$srcdir/tests/mpi/declared.sh"
[ -n "$mpifort" ] || skip "no mpifort of $MPI: Debian package gfortran"
need_file jq jq
export OMPI_MCA_mpi_yield_when_idle=0 # see begin_polling()
bindings="mpif_h use_mpi use_mpi_f08"
preload=$("$contend" preload)
here=$srcdir/tests/mpi

compile() # BINDING: the program, as many-BINDING
{
	mkdir "$1.mod"
	"$mpifort" -g -O0 -w -fopenmp -fallow-argument-mismatch -ffree-line-length-none \
		"-J$1.mod" "-I$here" "-DBIND_$(echo "$1" | tr '[:lower:]' '[:upper:]')" "-D$(echo "$MPI" | tr '[:lower:]' '[:upper:]')" \
		"$here/fortran_behave.F90" "$here/fortran_requests.F90" "$here/fortran_failing.F90" \
		"$here/fortran_callbacks.F90" \
		"$here/fortran_windows.F90" "$here/fortran_files.F90" "$here/fortran_groups.F90" \
		"$here/fortran_process.F90" "$here/fortran_mpi4.F90" "$here/fortran_many.F90" \
		mixed.o -o "many-$1"
}

# Runs a program, recorded, and compares what it declares with what is there.
record() # NAME COMMAND...
{
	name=$1
	shift
	capture "$name.recorded" mpi_run 2 timeout 60 "$contend" record --keep-logs -o "$name.contend" "$@"
	expect_status 0 "$name, recorded"
	[ ! -s "$name.recorded.err" ] ||
		fail "$name: something to complain of: $(cat "$name.recorded.err")"
}

expect_as_declared() # NAME
{
	expect_clean_archive "$1.contend"
	expect_declared "$1" "$1.contend" "$1.recorded.out" || fail "$1: not as declared"
	rm -rf "$1.contend"*
}

# How often it asked is the run's own affair.
settled() # OUTPUT
{
	grep -v '^expect polls' "$1" | sort
}

# Another way to run it, of which the recorded run says enough.
alone() # BINDING HOW
{
	record "$1-$2" "./many-$1" "$2"
	[ "$2" != session ] || "$contend" report "$1-$2.contend" >report.out 2>&1
	expect_as_declared "$1-$2"
}

# How often each function was called, but for those that ask as often as time lets them.
calls() # RUN
{
	awk '/^ENTER/ && $5 !~ /Test|probe|get_status|Win_test|Parrived/ { n[$5]++ }
		END { for (k in n) print k, n[k] }' "$1.events" | sort
}

# A rank that ends like that: what it had sent is there, and how it ended is said.
expect_ended() # BINDING HOW STATUS WORDS
{
	capture ended mpi_run 2 timeout 60 "$contend" record -o "$2.contend" "./many-$1" "$2"
	[ "$status" -ne 0 ] || fail "$1, $2: exit status 0"
	[ -z "$3" ] || expect_status "$3" "$1, $2"
	capture report timeout 60 "$contend" report "$2.contend"
	expect_status 0 "report of $1, $2"
	expect_clean_archive "$2.contend"
	sent=$(awk '$1 == "MPI_SEND" && $2 == 1' "$2.contend.events" | wc -l)
	[ "$sent" -eq 100 ] || fail "$1, $2: $sent of 100 sends are there"
	tr -s ' \n' '  ' <report.out | grep -q "$4" || fail "$1, $2: no '$4' in the report"
	rm -rf "$2.contend"*
}

"$mpicc" -w -g -O1 -c "$here/fortran_mixed.c" -o mixed.o
for binding in $bindings; do
	compile $binding &
done
wait
capture abort mpi_run 2 timeout 60 ./many-mpif_h abort
aborted=$status
for binding in $bindings; do
	capture $binding.bare mpi_run 2 timeout 60 ./many-$binding
	[ "$status" -eq 0 ] ||
		fail "$binding fails without a recorder: $(grep -v ^expect $binding.bare.out)"
	record $binding ./many-$binding
	expect_same_results settled $binding.bare.out $binding.recorded.out
	expect_clean_archive $binding.contend
	calls $binding.contend >$binding.calls
	[ "$(wc -l <$binding.calls)" -gt 100 ] ||
		fail "$binding: few functions: $(cat $binding.calls)"
	diff -u mpif_h.calls $binding.calls >&2 || fail "$binding calls otherwise than mpif.h"
	expect_as_declared $binding
done
# Where the module mpi has the functions of mpif.h, once is enough.
for binding in mpif_h use_mpi_f08; do
	alone $binding threads
	[ "$MPI" != mpich ] || alone $binding session
	expect_ended $binding abort "$aborted" 'rank 1 called MPI_Abort with code 9 at'
done
# These are not MPI's, so one binding does. The compiler's library prints where a program crashed.
expect_ended mpif_h stop "" 'rank 1 left without MPI_Finalize with exit status 9 at'
expect_ended use_mpi_f08 crash "" 'rank 1 was ended by SIGSEGV outside MPI at'
[ "$MPI" != mpich ] || alone use_mpi_f08 large

# Processes that are started by others have a run of their own.
capture bare mpi_run 2 timeout 60 ./many-mpif_h spawn
[ "$status" -eq 0 ] || { echo "this MPI cannot start processes"; exit 0; }
for binding in mpif_h use_mpi_f08; do
	capture both timeout 60 env LD_PRELOAD="$preload" "$mpiexec" -n 2 ./many-$binding spawn
	expect_status 0 "both worlds recorded, $binding"
	[ ! -s both.err ] || fail "$binding, spawn: something to complain of: $(cat both.err)"
	set -- ./*.contend
	[ $# -eq 2 ] || fail "$binding: $# run directories instead of 2: $*"
	for run in "$@"; do
		"$OTF2_PRINT" "$run/traces.otf2" 2>complaints >events
		! grep -v 'invalid rank in Group' complaints || fail "$run: other complaints"
		awk '{ n[$1]++ } END { print n["MPI_SEND"], n["MPI_RECV"], n["MPI_COLLECTIVE_END"] }' events
	done | sort >spawn.counts
	printf '2 4 8\n4 2 6\n' | diff -u - spawn.counts >&2 || fail "$binding, spawn: other events"
	rm -rf ./*.contend
done
