# SPDX-License-Identifier: GPL-3.0-or-later
# Whose calls are recorded: MPI that a program loads for itself, by name, is; what cannot be
# reached or has no recorder runs as it does bare, and one sentence says so.
. "$srcdir/tests/testlib.sh"
front=$("$contend" preload)
libdir=$(dirname "$front")
case $MPI in
openmpi) other=mpich ;;
*) other=openmpi ;;
esac
"$mpicc" -w -g -O1 -shared -fPIC -DPLUGIN "$srcdir/tests/mpi/dlopened.c" -o plugin.so
cc -w -g -O1 "$srcdir/tests/mpi/dlopened.c" -o dlopened -ldl
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/many_calls.c" -o many_calls
capture bare mpi_run 2 ./many_calls 100 5
bare=$status

expect_events() # COUNT EVENT RUN
{
	[ "$(grep -c "^$2 " "$3.events")" -eq "$1" ] && return
	fail "$3: $(grep -c "^$2 " "$3.events") events $2 instead of $1"
}

expect_ring() # RUN: ten messages of each of two ranks
{
	[ ! -s ring.err ] || { cat ring.err >&2; fail "$1: something to complain of"; }
	expect_line '^0 wrong$' ring.out
	expect_clean_archive "$1"
	for event in MPI_ISEND MPI_ISEND_COMPLETE MPI_IRECV_REQUEST MPI_IRECV; do
		expect_events 20 $event "$1"
	done
}

# The program runs as bare and the job says WHY once.
expect_bare() # WHAT WHY
{
	expect_status "$bare" "$1"
	expect_same_results cat bare.out job.out
	expect_one_warning job.err
	expect_line "$2" job.err
	echo "$1: $(grep '^contend: ' job.err)"
}

capture ring mpi_run 2 "$contend" record -o plugin.contend ./dlopened ./plugin.so
expect_status 0 "MPI within a plugin"
expect_ring plugin.contend

# The functions by address, past any library: cannot be seen, and is said.
libmpi=$(ldd ./many_calls | awk '/libmpi(ch)?[.]so/ { print $3 }')
capture ring mpi_run 2 "$contend" record -o handle.contend ./dlopened - "$libmpi"
expect_status 0 "MPI by dlsym"
expect_one_warning ring.err
expect_line 'dlopened called no MPI function that can be recorded' ring.err
[ ! -e handle.contend ] || fail "a run directory without a run"

# A recorder for another MPI, none for this one, none at all.
capture job mpi_run 2 "$contend" record --mpi=$other -o job.contend ./many_calls 100 5
expect_bare "--mpi=$other" 'another MPI.s library, but the program uses '

# Nor one at all: what is said of the program before it runs takes nothing from it.
capture job mpi_run 2 "$contend" record --libdir="$PWD/nowhere" -o job.contend ./many_calls 100 5
expect_bare "--libdir" 'no libcontend.so in .*/nowhere; it runs without being recorded'

# Each rank believes that it is alone.
case $other in
openmpi) launcher=$OPENMPI_MPIEXEC ;;
*) launcher=$MPICH_MPIEXEC ;;
esac
if [ -n "$launcher" ]; then
	capture bare "$launcher" -n 2 ./many_calls 100 5
	bare=$status
	capture job "$launcher" -n 2 "$contend" record -o job.contend ./many_calls 100 5
	expect_bare "the launcher of $other" 'the launcher started 2 ranks, but for .* each is alone'
	[ ! -e job.contend ] || fail "a run directory without a run"
	capture bare mpi_run 2 ./many_calls 100 5
	bare=$status
fi

mkdir alone
cp "$front" alone/
capture job mpi_run 2 env CONTEND_OUTPUT=job.contend LD_PRELOAD="$PWD/alone/libcontend.so" \
	./many_calls 100 5
expect_bare "no backend" "cannot load the recorder: .*alone/libcontend-$MPI.so"
if [ -e "$libdir/libcontend-$other.so" ]; then
	cp "$libdir/libcontend-$other.so" alone/libcontend-$MPI.so
	capture job mpi_run 2 env CONTEND_OUTPUT=job.contend \
		LD_PRELOAD="$PWD/alone/libcontend.so" ./many_calls 100 5
	expect_bare "the other MPI's backend" 'cannot load the recorder|does not fit'
fi
[ ! -e job.contend ] || fail "a run directory without a run"

# An MPI of no known kind; one that is linked into the program.
cc -w -shared -fPIC -DLIBRARY "$srcdir/tests/mpi/nobodys_mpi.c" -o libnobody.so
cc -w -DPROGRAM "$srcdir/tests/mpi/nobodys_mpi.c" -o nobody "-Wl,-rpath,$PWD" ./libnobody.so
cc -w -DPROGRAM -DLIBRARY "$srcdir/tests/mpi/nobodys_mpi.c" -o linked-in
cc -w -shared -fPIC -Wl,-Bsymbolic -DPROGRAM -DLIBRARY "$srcdir/tests/mpi/nobodys_mpi.c" \
	-Dmain=bound -o libbound.so
echo 'int bound(int, char **); int main(int n, char **v) { return bound(n, v); }' >bound.c
cc bound.c -o symbolic "-Wl,-rpath,$PWD" ./libbound.so
for program in nobody linked-in symbolic; do
	./$program >bare.out
	bare=0
	capture job "$contend" record -o job.contend ./$program
	case $program in
	nobody) why="no recorder for this MPI: Nobody's MPI 1.0;" ;;
	*) why="$program called no MPI function that can be recorded" ;;
	esac
	expect_bare "$program" "$why"
done

# mpi4py, Debian's, for Open MPI.
[ "$MPI" = openmpi ] || exit 0
/usr/bin/python3 -c 'import mpi4py' 2>/dev/null ||
	{ echo "no mpi4py: Debian package python3-mpi4py"; exit 0; }
capture ring mpi_run 2 "$contend" record -o python.contend \
	/usr/bin/python3 "$srcdir/tests/mpi/mpi4py_ring.py"
expect_status 0 "mpi4py"
expect_ring python.contend
expect_events 2 MPI_COLLECTIVE_END python.contend
