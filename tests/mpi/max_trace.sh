# SPDX-License-Identifier: GPL-3.0-or-later
# Logs that may not grow: events end there, and everything after is counted, once said. What
# is joined of the events is joined rightly, and nothing counts as lost.
. "$srcdir/tests/testlib.sh"
: "${ROUNDS:=20000}"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/max_trace.c" -o max_trace

number() # RUN KEY
{
	tr -d '\n' <"$1/run.json" | sed 's/.*"events_end": //' | grep -o "\"$2\": [0-9.]*" |
		head -n 1 | sed 's/.*: //'
}

# Messages and bytes: of the events and of the totals together they are the program's.
expect_all_counted() # RUN OUTPUT
{
	awk '/^sent/ { n += $2; b += $3 } END { print n, b }' "$2" >wanted
	"$OTF2_PRINT" "$1/traces.otf2" | awk -v n="$(number "$1" sent)" \
		-v b="$(number "$1" sent_bytes)" '
		$1 == "MPI_SEND" || $1 == "MPI_ISEND" {
			n++
			sub(/.*Length: /, "")
			b += $1
		}
		END { printf "%d %d\n", n, b }' >found
	diff wanted found || fail "$1: messages and bytes are not those of the program"
}

capture bare mpi_run 2 timeout 60 ./max_trace 4000
expect_status 0 "bare"
capture job mpi_run 2 timeout 60 "$contend" record --max-trace=384k -o run.contend \
	./max_trace 4000
expect_status 0 "recorded"
expect_same_results sort bare.out job.out
expect_one_warning job.err
expect_line '^contend: the log has reached the size of --max-trace; events end here' job.err
expect_clean_archive run.contend
expect_all_counted run.contend job.out
"$builddir/tests/traces/matches" run.contend >found || fail "no matches"
! grep -E '^(misjoined|torn)' found >&2 || fail "what does not belong together was joined"
expect_line '^unmatched 0$' found
grep -c '^matched' found
[ "$(grep -c '^matched' found)" -ge 900 ] || fail "hardly any message was joined"
expect_verdict run.contend
tr -s ' \n' ' ' <report.out |
	grep -o -- '- events end at [0-9.a-z ]* of [0-9.]* s (--max-trace);[^-]*'\
' recorded part' || fail "the report does not say where the events end"
capture info "$contend" info --top=20 --width=200 run.contend
expect_line '^  recorded +events end at ' info.out
expect_line '^ +20 .* MPI_Allreduce +max_trace.c:[0-9]+ in do_new_things' info.out

# The process and the logs stay as they are, however many calls there are.
capture job mpi_run 2 timeout 600 "$contend" record --max-trace=384k --keep-logs -o long.contend \
	./max_trace "$ROUNDS"
expect_status 0 "$ROUNDS rounds"
expect_all_counted long.contend job.out
[ "$(cat long.contend/log/*.log | wc -c)" -le $((2 * 384 * 1024)) ] ||
	fail "the logs are larger than --max-trace: $(ls -l long.contend/log)"

# A kill takes nothing of that away.
capture job mpi_run 2 timeout 60 "$contend" record --max-trace=384k -o killed.contend \
	./max_trace 4000 kill
expect_one_warning job.err
capture report timeout 60 "$contend" report killed.contend
expect_status 0 "report of a killed job"
expect_all_counted killed.contend job.out
expect_line '^- events end at ' report.out

# More receives are open than what is left of the log has room for: they are not lost, nor joined
# with anything.
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/tail.c" -o tail
capture job mpi_run 2 timeout 60 "$contend" record --max-trace=394k -o tail.contend ./tail
expect_status 0 "open receives"
[ "$(grep -c 'is done$' job.out)" -eq 2 ] || fail "open receives: not every rank came to its end"
expect_clean_archive tail.contend
"$builddir/tests/traces/matches" tail.contend >found || fail "no matches"
! grep -E '^(misjoined|torn)' found >&2 || fail "open receives: joined with something else"
expect_line '^unmatched 0$' found

# A limit that is not reached, and one that is no size.
capture large mpi_run 2 timeout 60 "$contend" record --max-trace=1G -o large.contend ./max_trace 9
expect_status 0 "recorded within the limit"
[ ! -s large.err ] || fail "recording within the limit says: $(cat large.err)"
! grep events_end large.contend/run.json || fail "the events end with the program"
capture job mpi_run 2 timeout 60 "$contend" record --max-trace=1k -o least.contend ./max_trace 9
expect_status 0 "less than there can be"
expect_line '^contend: --max-trace=1k: a rank.s logs take 372 KiB at least' job.err
capture job mpi_run 2 timeout 60 "$contend" record --max-trace=much -o bad.contend ./max_trace 9
expect_line '^contend: .*--max-trace' job.err
