# SPDX-License-Identifier: GPL-3.0-or-later
# Somebody else fills the disk while the trace is written, at MPI_Finalize or by contend recover:
# the job ends as it does bare, one sentence says it, nothing of half a trace takes room, and when
# there is room again the trace has everything. The disk is a small one of this test's own.
. "$srcdir/tests/testlib.sh"
if [ -z "${INSIDE-}" ]; then
	need_disk
	INSIDE=yes unshare -m $as_root sh "$srcdir/tests/mpi/filling_disk.sh"
	exit
fi
mount -t tmpfs -o size=40m tmpfs disk
"$mpicc" -O1 "$srcdir/tests/mpi/many_calls.c" -o many_calls
cc -shared -fPIC -O1 "$srcdir/tests/mpi/filling.c" -o filling.so -ldl
export FILL_DIR="$PWD/disk"
run=disk/run.contend
calls=120000
capture bare mpi_run 2 ./many_calls $calls 5
bare=$status

preload=$("$contend" preload)

expect_half_gone() # WHEN
{
	[ -e disk/ballast ] || fail "$1: nobody filled the disk"
	[ -z "$(find $run -name 'traces*' -o -name run.json)" ] || fail "$1: half a trace is left"
}

# Each message with its both ends.
expect_all_messages() # WHEN
{
	cp -r $run all.contend
	expect_clean_archive all.contend
	expect_every_receive_completed all.contend
	[ "$(grep -c '^MPI_SEND' all.contend.events)" -eq $((2 * calls)) ] ||
		fail "$1: messages are lost"
	rm -rf all.contend
}

try() # FILE WRITES
{
	when="$1 after $2 writes"
	export FILL_AT="$1" FILL_AFTER="$2"
	rm -rf disk/*
	capture job mpi_run 2 timeout 60 "$contend" record -o $run env \
		LD_PRELOAD="$preload:$PWD/filling.so" ./many_calls $calls 5
	expect_status "$bare" "$when"
	expect_same_results cat bare.out job.out
	expect_one_warning job.err
	expect_line '^contend: .*: No space left on device; what was recorded is kept: contend recover' job.err
	expect_half_gone "$when"
	capture full "$contend" report $run
	expect_status 1 "$when: report on the full disk"
	rm disk/ballast

	# The same again, while it is recovered.
	cp -r $run/log before
	capture again env LD_PRELOAD="$PWD/filling.so" "$contend" recover $run
	expect_status 1 "$when: recovering"
	expect_lines 1 again.err
	expect_line '^contend: error: .*: No space left on device$' again.err
	expect_half_gone "$when: recovering"
	diff -r before $run/log || fail "$when: recovering changed the logs"
	rm -r before disk/ballast
	capture recovered "$contend" recover $run
	expect_status 0 "$when: recovered"
	expect_line "recovered $((2 * calls + 4)) MPI calls of 2 of 2 ranks" recovered.err
	echo "$when: $(grep '^contend: ' job.err)"
}
try .evt 0
try .evt 1
expect_all_messages "$when"
try .evt 2
try traces.def 0
try traces.otf2 0
try run.json.new 0
