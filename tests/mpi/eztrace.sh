# SPDX-License-Identifier: GPL-3.0-or-later
# What EZTrace recorded of a program has the messages and collectives that the recorder finds.
. "$srcdir/tests/testlib.sh"
need_file eztrace eztrace
need_file jq jq
"$mpicc" -g -O1 -w "$srcdir/share/examples/sweep.c" -o sweep

counts() # ARCHIVE
{
	"$contend" info --json "$1" | jq -c '[.messages.count, .messages.bytes,
		.messages.unmatched_sends, .messages.unmatched_receives, .collectives.count]'
}

capture theirs mpi_run 2 eztrace -t "$MPI" ./sweep --repeat=2
expect_status 0 "sweep under eztrace"
capture ours mpi_run 2 "$contend" record -o ours.contend ./sweep --repeat=2
expect_status 0 "sweep, recorded"
[ -f sweep_trace/eztrace_log.otf2 ] || skip "eztrace wrote no archive here: $(tail -n 1 theirs.err)"
theirs=$(counts sweep_trace) ours=$(counts ours.contend)
echo "messages, bytes, unmatched, collectives: $theirs $ours"
# The recorder counts the making and freeing of communicators as collectives, too.
[ "${theirs%,*}" = "${ours%,*}" ] || fail "EZTrace's $theirs, ours $ours"
[ "${theirs%%,*}" != "[0" ] || fail "no messages"
# Its clocks count from where each process began: on one host they are two.
capture report "$contend" report --messages=sent.csv sweep_trace
expect_status 0 "contend report"
expect_line 'recorded by another tool' report.out
! grep -q 'Working' report.out || fail "EZTrace's region around everything is no function"
column() { head -n 1 sent.csv | tr ',' '\n' | grep -nx "$1" | sed 's/:.*//'; }
early=$(awk -F, -v sent="$(column sent_ns)" -v done="$(column completed_ns)" \
	'NR > 1 && $done < $sent' sent.csv | wc -l)
[ "$early" -eq 0 ] || fail "$early messages come before they are sent"
