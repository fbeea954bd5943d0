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

jq -e '.evidence.missing.match_time' $totals >/dev/null || fail "nothing of the match time"

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
capture document "$contend" report --json series.contend
expect_status 0 "contend report --json"
jq -e '.evidence.processes | length == 2' document.out >/dev/null || fail "no evidence in the document"
capture bad mpi_run 2 timeout 60 "$contend" record --counters=often -o bad.contend ./evidence
expect_status 2 "a bad --counters"
