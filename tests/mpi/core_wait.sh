# SPDX-License-Identifier: GPL-3.0-or-later
# A rank whose core another process wants: how long it waited is in run.json and the document, of
# whichever thread calls MPI.
. "$srcdir/tests/testlib.sh"
need_file jq jq
[ -r /proc/thread-self/schedstat ] || skip "no /proc/thread-self/schedstat"

"$mpicc" -g -O1 -pthread "$srcdir/tests/mpi/core_wait.c" -o core_wait
for thread in first second; do
	capture $thread mpi_run 2 timeout 60 "$contend" record -o $thread.contend ./core_wait $thread
	expect_status 0 "contend record"
	expect_clean_archive $thread.contend
	# Half of 1.5 s is due to the other process; anything else on this machine only adds.
	jq -e '.evidence.processes[0] | .core_awaited_ns > 2e8' $thread.contend/run.json >/dev/null ||
		fail "the $thread thread's waiting is not there: $(jq -c .evidence.processes $thread.contend/run.json)"
	jq -e '.wall_s as $s | .evidence.processes[0] | .core_used_ns + .core_awaited_ns < 2.1e9 * $s' \
		$thread.contend/run.json >/dev/null ||
		fail "two threads had more than twice the run"
	jq -e '.evidence.missing | has("core_awaited_ns") | not' $thread.contend/run.json >/dev/null ||
		fail "said to be missing"
	capture report "$contend" report $thread.contend
	expect_status 0 "contend report"
	expect_line '^  cores +waited for: ' report.out
	expect_line 'waited for a core for ' report.out
done
