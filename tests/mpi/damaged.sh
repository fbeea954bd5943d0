# SPDX-License-Identifier: GPL-3.0-or-later
# A run that lost files or bytes: a report of what is left, or one sentence and exit
# status 1; never a loop, never a crash.
. "$srcdir/tests/testlib.sh"
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
		capture damaged timeout 20 "$contend" $verb damaged.contend
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
		*anchor:0 | *definitions:0 | nothing*:0) fail "$what: reported all the same" ;;
		esac
	done
done
