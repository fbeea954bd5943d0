# SPDX-License-Identifier: GPL-3.0-or-later
# Counters beside the MPI calls: totals in run.json and the document, readings as metrics, and
# what cannot be had is said.
. "$srcdir/tests/testlib.sh"
need_file jq jq

"$mpicc" -g -O1 "$srcdir/tests/mpi/unexpected.c" -o evidence
capture bare mpi_run 2 timeout 60 ./evidence
capture plain mpi_run 2 timeout 60 "$contend" record -o plain.contend ./evidence
expect_status 0 "contend record"
expect_same_results cat bare.out plain.out
expect_clean_archive plain.contend
! grep -q '^METRIC ' plain.contend.events || fail "metrics that nobody asked for"

totals=plain.contend/run.json
[ "$(jq '.evidence.processes | length' $totals)" -eq 2 ] || fail "not both ranks' context switches"
[ "$(jq '.evidence.nodes | length' $totals)" -eq 1 ] || fail "not one reader for the node"
jq -e '[.evidence.processes[].voluntary_switches] | add >= 4' $totals >/dev/null ||
	fail "four naps are four voluntary switches: $(jq -c .evidence.processes $totals)"
jq -e '.evidence.nodes[0].tcp_retransmits >= 0' $totals >/dev/null || fail "no TCP counters"
jq -e '.evidence.missing.unexpected_messages' $totals >/dev/null || fail "queues are not missing"

missing() # RUN COUNTER: why
{
	jq -r ".evidence.missing.$2 // \"\"" "$1.contend/run.json"
}
missing plain match_time_ns | grep -q '^not looked at' || fail "nothing of the match time"

capture series mpi_run 2 timeout 60 "$contend" record --counters=100 --queues -o series.contend \
	./evidence
expect_status 0 "contend record --counters --queues"
[ ! -s series.err ] || fail "not silent: $(cat series.err)"
expect_same_results cat bare.out series.out
expect_clean_archive series.contend
grep -c '^METRIC .*voluntary_switches' series.contend.events >readings || :
[ "$(cat readings)" -ge 4 ] || fail "$(cat readings) readings of context switches"
if [ "$MPI" = openmpi ]; then
	most=$(jq '[.evidence.queues[] | select(.queue == "unexpected_messages").most] | max' \
		series.contend/run.json)
	[ "$most" -eq 100 ] || fail "$most unexpected messages seen instead of 100"
	grep -q '^METRIC .*unexpected_messages.* 100' series.contend.events ||
		fail "no metric of 100 unexpected messages"
else
	jq -e '.evidence.missing.unexpected_messages' series.contend/run.json >/dev/null ||
		fail "this MPI has no queue variables, and that is not said"
fi
# As packaged neither MPI has variables of the time.
jq -e '.evidence | .missing.match_time_ns or (.processes | all(.match_time_ns > 0))' \
	series.contend/run.json >/dev/null || fail "nothing of the match time with --queues"

# One that has: in Open MPI's counters one variable of microseconds, in MPICH two of seconds.
"$mpicc" -g -O1 -fPIC -shared -Wl,--no-as-needed "$srcdir/tests/mpi/fakequeues.c" -o fakequeues.so
front=$("$contend" preload)
for kind in openmpi off mpich; do
	capture $kind mpi_run 2 timeout 60 env FAKE_QUEUES=$kind CONTEND_QUEUES=1 \
		CONTEND_COUNTERS=100 CONTEND_OUTPUT=$kind.contend \
		LD_PRELOAD="$front:$PWD/fakequeues.so" ./evidence
	expect_status 0 "recorded with $kind's variables"
	[ ! -s $kind.err ] || fail "not silent: $(cat $kind.err)"
	expect_same_results cat bare.out $kind.out
	expect_clean_archive $kind.contend
	[ $kind = off ] && continue
	case $kind in openmpi) step=2000000 ;; mpich) step=4000000 ;; esac
	jq -e ".evidence.processes | length == 2 and
		all(.match_time_ns >= $step and .match_time_ns % $step == 0)" \
		$kind.contend/run.json >/dev/null ||
		fail "not in steps of $step ns: $(jq -c .evidence $kind.contend/run.json)"
	last=$(awk '/^METRIC/ && $2 == 0 && /"match_time_ns"/ { x = $NF } END { print x + 0 }' \
		$kind.contend.events)
	[ "$last" -eq "$(jq '.evidence.processes[0].match_time_ns' $kind.contend/run.json)" ] ||
		fail "the last reading is $last"
	expect_line '^METRIC_MEMBER.*"match_time_ns".*"ns"' $kind.contend.defs
done
missing openmpi unexpected_messages | grep -q '^this MPI has no' || fail "lengths out of nowhere"
missing off match_time_ns | grep -q 'mpi_spc_attach' || fail "no word of counters that are off"
jq -e '.evidence.queues | map({ (.queue): .most }) | add ==
	{ unexpected_messages: 7, posted_receives: 2 }' mpich.contend/run.json >/dev/null ||
	fail "lengths: $(jq -c .evidence.queues mpich.contend/run.json)"
"$contend" report --json mpich.contend >mpich.json
jq -e '.quality.conditions | any(test("searched its queues for .* in rank [01], "))' mpich.json >/dev/null ||
	fail "not a word of the time: $(jq -c .quality.conditions mpich.json)"
"$contend" report mpich.contend >mpich.text
expect_line '^ *matching +MPI searched its queues' mpich.text

capture document "$contend" report --json series.contend
expect_status 0 "contend report --json"
jq -e '.evidence.processes | length == 2' document.out >/dev/null ||
	fail "no evidence in the document"
capture bad mpi_run 2 timeout 60 "$contend" record --counters=often -o bad.contend ./evidence
expect_status 2 "a bad --counters"
