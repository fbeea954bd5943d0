# SPDX-License-Identifier: GPL-3.0-or-later
# A run that lost files or bytes: a report of what is left, or one sentence and exit
# status 1; never a loop, never a crash.
. "$srcdir/tests/testlib.sh"
need_file jq jq
"$mpicc" -O1 "$srcdir/tests/mpi/many_calls.c" -o many_calls
mpi_run 2 "$contend" record -o whole.contend ./many_calls 2000 >record.out
expect_clean_archive whole.contend
largest=$(ls -S whole.contend/traces/*.evt | head -n 1)
bytes=$(wc -c <"$largest")
sed '1,2d' "$srcdir/tests/testlib.sh" >noise

damage() # NAME: does it in the folder damaged.contend
{
	event_file=damaged.contend/traces/$(basename "$largest")
	case $1 in
	"no anchor") rm damaged.contend/traces.otf2 ;;
	"empty anchor") : >damaged.contend/traces.otf2 ;;
	"foreign anchor") cp noise damaged.contend/traces.otf2 ;;
	"no definitions") rm damaged.contend/traces.def ;;
	"empty definitions") : >damaged.contend/traces.def ;;
	"cut definitions") truncate -s 200 damaged.contend/traces.def ;;
	"foreign definitions") cp noise damaged.contend/traces.def ;;
	"no events") rm "$event_file" ;;
	"empty events") : >"$event_file" ;;
	"half the events") truncate -s $((bytes / 2)) "$event_file" ;;
	"all but a byte of events") truncate -s $((bytes - 1)) "$event_file" ;;
	"foreign events") cp noise "$event_file" ;;
	"no folder of events") rm -r damaged.contend/traces ;;
	"foreign run.json") cp noise damaged.contend/run.json ;;
	"no run.json") rm damaged.contend/run.json ;;
	"nothing left") rm -r damaged.contend; mkdir damaged.contend ;;
	esac
}

for what in "no anchor" "empty anchor" "foreign anchor" "no definitions" "empty definitions" \
	"cut definitions" "foreign definitions" "no events" "empty events" "half the events" \
	"all but a byte of events" "foreign events" "no folder of events" "foreign run.json" \
	"no run.json" "nothing left"; do
	rm -rf damaged.contend
	cp -r whole.contend damaged.contend
	damage "$what"
	for verb in report "report --json" info; do
		# Words wanted. shellcheck disable=SC2086
		capture damaged timeout 60 "$contend" $verb damaged.contend
		echo "$what: contend $verb: $status: $(head -n 1 damaged.err)"
		case $status in
		0) [ -s damaged.out ] || fail "$what: contend $verb printed nothing" ;;
		1)
			expect_lines 1 damaged.err
			expect_line '^contend: error: ' damaged.err
			expect_lines 0 damaged.out
			;;
		*) fail "$what: contend $verb: exit status $status" ;;
		esac
		case $what:$status in
		"no run.json:1") fail "$what: the trace is whole" ;;
		"no events:1" | "empty events:1" | *"byte of events:1" | "half the events:1" | \
			"foreign events:1")
			fail "$what: the other rank's are whole" ;;
		*anchor:0 | *definitions:0 | nothing*:0) fail "$what: reported all the same" ;;
		esac
	done
	capture report timeout 60 "$contend" report damaged.contend
	reported=$status
	capture recover timeout 60 "$contend" recover damaged.contend
	echo "$what: contend recover: $status: $(head -n 1 recover.err)"
	case $what in # the other ranks' are reported all the same
	"no events" | "empty events" | "half the events" | "foreign events")
		[ $reported$status = 01 ] || fail "$what: report $reported, recover $status" ;;
	*) [ "$status" -eq "$reported" ] || fail "$what: report $reported, recover $status" ;;
	esac
	expect_lines 1 recover.err
done

# With its logs a damaged archive is made anew: report says so, recover does.
mpi_run 2 "$contend" record --keep-logs -o kept.contend ./many_calls 2000 >record.out
capture whole "$contend" report --json kept.contend
truncate -s 1000 kept.contend/traces/1.evt
capture damaged "$contend" report kept.contend
expect_status 1 "report of a damaged archive"
expect_lines 1 damaged.err
expect_line '^contend: error: .*/1.evt: ends early.*: contend recover kept.contend$' damaged.err
capture recover "$contend" recover --keep-logs kept.contend
expect_status 0 "recover of a damaged archive"
expect_line '^contend: kept.contend/traces/1.evt: ends early' recover.err
expect_line '^contend: finished the trace of kept.contend: ' recover.err
capture again "$contend" report --json kept.contend
expect_status 0 "report of the archive that was made anew"
same='[.messages, .summary.communication]'
[ "$(jq "$same" whole.out)" = "$(jq "$same" again.out)" ] || fail "it is another archive"

# Logs that a kill left beside the finished trace are removed, those that were kept are not.
[ -s kept.contend/log/1.0.log ] || fail "no kept logs"
mpi_run 2 "$contend" record -o left.contend ./many_calls 2000 >record.out
for verb in report recover info; do
	mkdir left.contend/log
	for rank in 0 1; do # as if they had been recorded without --keep-logs
		sed 's/keep-logs=/keep-lags=/' kept.contend/log/$rank.0.log >left.contend/log/$rank.0.log
	done
	capture left "$contend" $verb left.contend
	expect_status 0 "$verb beside left logs"
	expect_line '^contend: removed 2 logs that a kill left beside the finished trace' left.err
	[ ! -d left.contend/log ] || fail "$verb: the logs are still there"
done
expect_clean_archive left.contend
expect_every_receive_completed left.contend
# Where the archive did not come onto the disk before its host stopped it is made of them.
mkdir left.contend/log
for rank in 0 1; do
	sed 's/keep-logs=/keep-lags=/' kept.contend/log/$rank.0.log >left.contend/log/$rank.0.log
done
truncate -s 0 left.contend/traces/0.evt
capture left "$contend" report left.contend
expect_status 0 "report beside left logs and a damaged archive"
expect_line '^contend: finished the trace of left.contend: ' left.err
expect_clean_archive left.contend
expect_every_receive_completed left.contend
[ ! -d left.contend/log ] || fail "the logs are still there"
