# SPDX-License-Identifier: GPL-3.0-or-later
# What the recorder says of its own cost is near what it does cost; a job that is killed says it
# too, and the archive says it without run.json. Within a factor of 3: machines are busy.
. "$srcdir/tests/testlib.sh"
need_file jq jq

"$mpicc" -w -O2 "$srcdir/tests/bench/callcost.c" -o callcost
"$mpicc" -w -O1 "$srcdir/tests/mpi/killed.c" -o killed

: >bare
: >recorded
: >stated
for round in 1 2 3; do
	rm -rf run.contend
	mpi_run 1 timeout 60 ./callcost 512 >>bare
	mpi_run 1 timeout 60 "$contend" record -o run.contend ./callcost 512 >>recorded
	jq .cost.ns_per_call run.contend/run.json >>stated
done
# The least of each kind is that of the quietest moment; a kind has so many calls in a round.
least() { awk '$1 != "floor" && (!($1 in ns) || $2 < ns[$1]) { ns[$1] = $2 } END {
	for (kind in ns) { n = split(kind, calls, "+"); sum += n * ns[kind]; all += n }
	print sum / all }' "$1"; }
echo "bare $(least bare), recorded $(least recorded), stated $(sort -n stated | head -n 1) ns a call"
echo "$(least bare) $(least recorded) $(sort -n stated | head -n 1)" |
	awk '{ exit !($3 > ($2 - $1) / 3 && $3 < ($2 - $1) * 3) }' ||
	fail "not near the measured cost"

# The archive's own figures: the same, without run.json.
"$contend" info --json run.contend >info.json
"$contend" report --json run.contend >with.json
mv run.contend/run.json .
"$contend" report --json run.contend >without.json
jq -e -s '.[0].cost as $c | .[1].recording as $r | .[2:] | map(.quality.recording_cost_share) as $s |
	($r.requests == $c.requests) and ($r.calls >= $c.calls) and
	($r.polls == $c.polls) and ($r.polls > 0) and ($r.sites_s > 0) and
	(($r.sites_s / $c.sites_s - 1 | fabs) < 0.01) and
	(($r.poll_s * 1e9 - $c.poll_ns | fabs) < 0.1) and
	(($r.call_s * 1e9 - $c.call_ns | fabs) < 0.1) and
	(($r.request_s * 1e9 - $c.request_ns | fabs) < 0.1) and
	($s[0] == $c.share) and (($s[1] / $s[0] - 1 | fabs) < 0.01)' \
	run.json info.json with.json without.json >/dev/null ||
	fail "the archive says $(jq -c .recording info.json), run.json $(jq -c .cost run.json)"
"$contend" info run.contend >info.out
expect_line '^  recording +took .* a call, .* a request and .* a poll' info.out

# Instructions, the same on every machine: switched off a wrapper is a jump or two, and a recorded
# call has some 200 to 450 more than a bare one, with its completions.
added() # RUN MOST: fails when any kind of call has more instructions than that beside the bare ones
{
	paste -d ' ' steps.bare "steps.$1" | awk -v most="$2" '
		{ added = $4 - $2; print $1, added; bad += $1 != $3 || added < 0 || added > most }
		END { exit NR < 8 || bad > 0 }' || fail "$1: more than $2 instructions a call"
}
mpi_run 1 timeout 60 ./callcost 0 >steps.bare
mpi_run 1 env CONTEND_DISABLE=1 LD_PRELOAD="$("$contend" preload)" timeout 60 ./callcost 0 >steps.off
added off 4
mpi_run 1 timeout 60 "$contend" record -o steps.contend ./callcost 0 >steps.on
added on 1000

# A job that does not reach MPI_Finalize has the figures of its beginning.
capture job mpi_run 2 timeout 60 "$contend" record -o killed.contend ./killed abort 100 sent
[ "$status" -ne 0 ] || fail "MPI_Abort: exit status 0"
"$contend" info --json killed.contend >info.json
jq -e '.recording.call_s > 1e-9 and .recording.request_s >= 0 and .recording.share > 0 and
	.recorded.cost.call_ns > 1' info.json >/dev/null || fail "a killed job does not know its cost"
