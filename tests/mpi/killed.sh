# SPDX-License-Identifier: GPL-3.0-or-later
# A rank that dies at any point takes nothing with it: the trace holds every call of every rank that
# had returned by then, and nothing hangs. KILLS=250 tries more often than 48 times.
. "$srcdir/tests/testlib.sh"
need_file jq jq
: "${KILLS:=48}"
case $MPI in
openmpi) ranks=3 ;;
*) ranks=2 ;;
esac
last=$((ranks - 1))
unnoted='killed by a signal that leaves no note (SIGKILL?)'
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/killed.c" -o killed
"$mpicc" -w -g -O1 -shared -fPIC "$srcdir/tests/mpi/killer.c" -o killer.so
here=$PWD
# Outside MPI a rank has no time after its last sign of life, which is rounded to microseconds.
none_computes_when_dead='[.run.unfinished[] as $dead | .ranks[] | select(.rank == $dead.rank and
	($dead | has("alive_s") and (has("inside") | not))) | .recorded_s < $dead.alive_s + 2e-6] | all'

# What the run directory says of how the job was recorded and ended.
expect_ended() # WORD
{
	grep -q '"depth": { "value": "7", "origin": "flag" }' run.contend/run.json ||
		fail "the options are forgotten"
	grep -q "\"ended\": \"$1\"" run.contend/run.json || fail "not '$1' in run.json"
}

expect_words() # WORDS: of the report, wherever its lines end
{
	tr -s ' \n' '  ' <report.out | grep -q "$1" || fail "no '$1' in the report"
}

# The trace has each rank's calls that returned, and at most the one more that it had begun. Prints
# how many returned and how many are in the trace. After expect_clean_archive.
compare_calls() # RUN
{
	"$here/killed" show sent >calls
	awk '
	FILENAME == "calls" { begun[$1, $2] = $3; returned[$1, $2] = $4; next }
	/^ENTER/ { name = substr($5, 2, length($5) - 2); found[$2, name]++; where = $2 }
	$1 == "ADDITIONAL" && last == "ENTER" && match($0, /POLLS" <[0-9]+>; UINT64; [0-9]+/) {
		many = substr($0, RSTART, RLENGTH)
		sub(/.*; /, "", many)
		found[where, name] += many - 1
	}
	/^MPI_(SEND|RECV|ISEND|IRECV_REQUEST) / { events[$2, $1]++ }
	{ last = $1 }
	function claim(n, what, i) {
		if (n >= returned[i] && n <= begun[i])
			return
		printf "%s: %d of %d to %d\n", what, n, returned[i], begun[i] >"/dev/stderr"
		bad = 1
	}
	END {
		event["MPI_Send"] = "MPI_SEND"
		event["MPI_Recv"] = "MPI_RECV"
		event["MPI_Isend"] = "MPI_ISEND"
		event["MPI_Irecv"] = "MPI_IRECV_REQUEST"
		for (i in begun) {
			split(i, part, SUBSEP)
			claim(found[i] + 0, "rank " part[1] " " part[2], i)
			if (part[2] in event)
				claim(events[part[1], event[part[2]]] + 0, "rank " part[1] " " event[part[2]], i)
			all += returned[i]
			there += found[i]
		}
		printf "%d returned, %d recovered\n", all, there
		exit bad
	}' calls "$1.events"
}

# One job that is ended: HOW it ends, after CALLS messages, at operation AT on rank VICTIM.
try() # HOW CALLS AT VICTIM
{
	rm -rf sent run.contend*
	began=$(date +%s)
	capture job env KILL_AT="$3" KILL_RANK="$4" timeout -k 2 75 "$mpiexec" -n $ranks timeout 60 \
		"$contend" record --depth=7 -o run.contend env LD_PRELOAD="$preload:$here/killer.so" \
		"$here/killed" "$1" "$2" sent
	# Open MPI's launcher may stay when a rank dies while it connects (a lock in
	# PMIx_server_finalize); no rank is left by then.
	if [ $(($(date +%s) - began)) -ge 75 ]; then
		echo "$*: the launcher stays behind"
		stuck=$((stuck + 1))
		[ "$stuck" -le 1 ] || fail "the launcher stays again"
		return
	fi
	[ "$status" -ne 124 ] || fail "hangs"
	sent=0
	[ ! -s sent ] || sent=$("$here/killed" show sent | awk -v last=$last '{ n += $4 }
		$1 == last && $2 == "MPI_Send" { sent = $4 } END { print sent + 0, n + 0 }')
	returned=${sent#* } sent=${sent% *}
	case $1 in
	op | async) [ "$status" -ne 0 ] || [ "$sent" -eq "$2" ] || fail "ended well after $sent" ;;
	abort | segv | term | sigabrt | trap | overflow | usr2 | passed | suspended | cramped)
		bare=$(cat "$here/$1.bare")
		# Hydra adds those that it has to kill, if it hears of them: SIGKILL.
		[ "$status" -eq "$bare" ] || [ "$MPI" = mpich ] &&
			[ $((status | 9)) -eq $((bare | 9)) ] ||
			fail "exit status $status instead of $bare"
		;;
	*) [ "$status" -ne 0 ] || fail "exit status 0" ;;
	esac
	capture report timeout 60 "$contend" report run.contend
	if [ "$status" -eq 1 ] && [ "$returned" -eq 0 ]; then
		# Killed before there was anything to record.
		expect_line '^contend: error: ' report.err
		[ "$(wc -l <report.err)" -le 3 ] || fail "$(cat report.err)"
		echo "$*: $(tail -n 1 report.err)"
		return
	fi
	expect_status 0 report
	expect_clean_archive run.contend
	# What a kill leaves is whole, or was never begun.
	! grep -E '"why": "(ends after|was changed|is missing|belongs)' run.contend/run.json ||
		fail "something is lost"
	# Unless it died when its trace was complete, but its logs not yet removed.
	[ ! -d run.contend/log ] || [ -z "$(ls run.contend/log/*.log 2>/dev/null)" ] ||
		[ "$1" = op ] ||
		grep -q '"ended": "finalize"' run.contend/run.json || fail "logs are left behind"
	"$contend" report --json run.contend >document
	jq -e "$none_computes_when_dead" document >/dev/null ||
		fail "$*: dead ranks compute: $(jq -c '.run.unfinished, .ranks' document)"
	compare_calls run.contend >found 2>lost || fail "$*: $(tr '\n' ';' <lost)"
	echo "$*: $(cat found)"
	case $1 in
	op | async) return ;;
	abort)
		expect_ended abort
		jq -e ".run.unfinished[] | select(.rank == $last and .ended == \"abort\" and .code == 9)" \
			document >/dev/null || fail "no code of MPI_Abort in the document"
		;;
	exit | _exit) expect_ended exit ;;
	exec) expect_ended exec ;;
	*) expect_ended killed ;;
	esac
	[ "$sent" -eq "$2" ] || fail "$sent of $2 sent"
	case $1 in
	abort) expect_words "MPI_Finalize: rank $last called MPI_Abort with code 9 at" ;;
	exit | _exit) expect_words "MPI_Finalize: rank $last left without MPI_Finalize with exit status 9 at" ;;
	exec) expect_words "MPI_Finalize: rank $last became another program (exec) at" ;;
	segv) expect_words "MPI_Finalize: rank $last was ended by SIGSEGV outside MPI at" ;;
	term | suspended | cramped) expect_words "MPI_Finalize: rank $last was ended by SIGTERM outside MPI at" ;;
	sigabrt) expect_words "MPI_Finalize: rank $last was ended by SIGABRT outside MPI at" ;;
	trap) expect_words "MPI_Finalize: rank $last was ended by SIGFPE outside MPI at" ;;
	overflow) expect_words "MPI_Finalize: \(ranks\{0,1\} [0-9, and]*$last[0-9, and]* w[aser]* $unnoted outside MPI, last seen at\|rank $last was ended by SIGSEGV outside MPI at\)" ;;
	usr2) expect_words "MPI_Finalize: rank $last was ended by SIGUSR2 from another process (killed) outside MPI at" ;;
	passed) expect_words "rank $last was ended by SIGTERM from another process (timeout) outside MPI at" ;;
	*) expect_words "MPI_Finalize: ranks\{0,1\} [0-9, and]* w[aser]* $unnoted outside MPI, last seen at" ;;
	esac
}

# Kills number FIRST, FIRST + 2, ... in a folder of their own.
worker() # FIRST
{
	mkdir "worker$1"
	cd "worker$1"
	random=$(($(date +%N | sed 's/^0*//') + $1))
	i=$1 stuck=0
	while [ "$i" -lt "$KILLS" ]; do
		set -- op kill op segv async term op sigabrt op abort async exit op _exit op everyone op exec \
			cramped trap async overflow suspended usr2 passed
		shift $((i % 25))
		# Few calls and many: in the first half of the log, and with chunks written.
		random=$(((random * 1103515245 + 12345) % 2147483648))
		calls=$((random / 7 % (random / 64 % 2 ? 9000 : 600)))
		try "$1" "$calls" "$([ "$1" != op ] || echo $((random / 1024 % 60 + 1)))" \
			$((random / 4096 % ranks))
		i=$((i + 2))
	done
}

for how in abort segv term sigabrt trap overflow usr2 passed suspended cramped; do
	capture bare "$mpiexec" -n $ranks timeout 60 ./killed $how 10 sent
	[ "$status" -ne 0 ] || fail "$how ends bare with exit status 0"
	echo "$status" >$how.bare
done
preload=$("$contend" preload)
worker 0 >0.log 2>&1 &
first=$!
worker 1 >1.log 2>&1 &
good=yes
wait $! || good=
wait $first || good=
cat 0.log 1.log
[ -n "$good" ] || fail "$(tail -n 1 0.log) | $(tail -n 1 1.log)"
