# SPDX-License-Identifier: GPL-3.0-or-later
# The examples as they are installed are built by mpicc alone, compute right, and compute the same
# when recorded: every message of theirs is in the trace.
. "$srcdir/tests/testlib.sh"

case $MPI in
openmpi) width=4 ;;
*) width=2 ;; # busy-polls: no more ranks than processors
esac

# What is printed without the times.
results()
{
	sed -E 's/[0-9.e-]+ (s|chunks)\b/TIME/g; s/exchange [0-9]+ %/SHARE/' "$1"
}

try() # PROGRAM ARGUMENT...
{
	program=$1
	shift
	capture bare mpi_run $width timeout 60 ./$program "$@"
	expect_status 0 "$program $*"
	expect_line '^[a-z0-9]+: .* verified$' bare.out
	capture recorded mpi_run $width timeout 60 "$contend" record -o run.contend ./$program "$@"
	expect_status 0 "$program $*, recorded"
	expect_same_results results bare.out recorded.out
	expect_clean_archive run.contend
	echo "$program $*"
	expect_every_receive_completed run.contend
	rm -rf run.contend*
}

"${MAKE:-make}" -s -C "$builddir" install-dist_examplesDATA DESTDIR="$PWD/root" >&2
examples=$(find root -type d -name examples)
for source in "$srcdir"/share/examples/*; do
	cmp "$source" "$examples/$(basename "$source")" || fail "not installed: $source"
done
for source in "$examples"/*.c; do
	name=$(basename "$source" .c)
	"$mpicc" -Wall -Wextra -Werror -g -O2 "$source" -o "$name"
	capture help mpi_run 1 ./"$name" --help
	expect_status 0 "$name --help"
	capture bad mpi_run 1 ./"$name" --nonsense
	[ "$status" -ne 0 ] || fail "$name accepts --nonsense"
	echo "$name" >>built
done

try em3d --iterations=3 --nodes=320
try remap --messages=50 --think=20 --handler=10
try remap --messages=50 --mode=async --to=shift --bytes=10000
try diamond --length=256 --blocks=16 --map=random --extra=1000
seq $((width - 1)) -1 0 >map
try diamond --length=256 --blocks=16 --map-file=map
seq 1 $width >map # there is no such rank
capture bad mpi_run $width timeout 60 ./diamond --map-file=map
[ "$status" -ne 0 ] || fail "diamond accepts a map without rank 0"
expect_line 'does not have each of 0 to' bad.err
try spmv --rows=40 --products=2 --get=request --handler=10
try alltoall --by=direct --rotate --repeat=3 --bytes=1000
try alltoall --by=pairwise --repeat=2
try stencil --dims=3 --size=8 --periodic
capture bad mpi_run $width timeout 60 ./stencil --size=1
[ "$status" -ne 0 ] || fail "stencil divides one cell"
[ "$(grep -c 'need as many cells' bad.err)" -eq 1 ] || fail "not said once: $(cat bad.err)"
try sweep --size=8
try workpile --chunks=20 --work=500 --handler=100 --exponential-work

# No messages between two ranks here.
for call in "spmv --rows=40 --get=rma" "spmv --rows=40 --get=exchange" "alltoall --repeat=2"; do
	# Words wanted. shellcheck disable=SC2086
	capture bare mpi_run $width timeout 60 ./$call
	expect_status 0 "$call"
	expect_line 'verified$' bare.out
	# shellcheck disable=SC2086
	capture recorded mpi_run $width timeout 60 "$contend" record -o run.contend ./$call
	expect_status 0 "$call, recorded"
	expect_same_results results bare.out recorded.out
	expect_clean_archive run.contend
	rm -rf run.contend*
done

# Windows of 25 numbers, which end at no multiple of 16 bytes.
capture odd mpi_run 4 timeout 60 ./spmv --rows=100 --products=1 --get=rma
expect_status 0 "spmv, by rma, of 25 rows each"
expect_line ' verified$' odd.out
[ "$(wc -l <built)" -ge 8 ] || fail "only $(wc -l <built) examples"

# A message that arrives as another is seen.
"$mpicc" -shared -fPIC -O2 "$srcdir/tests/mpi/spoil.c" -o spoil.so
for call in "alltoall --by=direct" "alltoall --by=direct --bytes=1" "diamond --length=256 --blocks=16"; do
	# Words wanted. shellcheck disable=SC2086
	capture spoilt mpi_run $width timeout 60 env LD_PRELOAD="$PWD/spoil.so" ./$call
	grep -q ' WRONG$' spoilt.out || fail "a message was spoilt: $(cat spoilt.out)"
	[ "$status" -ne 0 ] || fail "$call is WRONG and its status 0"
done
