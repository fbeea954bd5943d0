# SPDX-License-Identifier: GPL-3.0-or-later
# A machine is measured in seconds and the report of a job on it uses the file.
. "$srcdir/tests/testlib.sh"
need_file jq jq

as_schema() # SCHEMA FILE...: a document of share/
{
	python3 -c 'import jsonschema' 2>/dev/null || return 0
	schema=$1
	shift
	python3 - "$srcdir/share/$schema.schema.json" "$@" <<-'PYTHON' || fail "not as $schema says"
		import json
		import sys
		import jsonschema

		schema = json.load(open(sys.argv[1]))
		jsonschema.Draft7Validator.check_schema(schema)
		validator = jsonschema.Draft7Validator(schema)
		bad = 0
		for name in sys.argv[2:]:
		    for error in validator.iter_errors(json.load(open(name))):
		        bad += 1
		        print(name, "/".join(map(str, error.path)), error.message[:200], file=sys.stderr)
		sys.exit(bad > 0)
	PYTHON
}

node='.classes | (.node // .socket // .cache)'
unchecked=

# The time there is for a nearness is kept where nobody else used the cores.
in_time() # FILE
{
	jq -e '.plan.class_s as $planned | all(.classes[]; (.there.core_share < 0.9) or
		(.back.core_share < 0.9) or .spent_s <= 1.3 * $planned)' "$1" >/dev/null && return
	echo "$1: of $(jq -c .plan.class_s "$1") s it took $(jq -c '.classes[].spent_s' "$1")"
	return 1
}

# What MPI is like does not depend on the machine's load, where ranks had their cores.
sees_mpi() # FILE
{
	# Where eager ends is a property of the MPI.
	jq -e "$node | .there.t2_bytes // .back.t2_bytes // 4096 | . > 1000 and . < 100000" "$1" >/dev/null || {
		echo "the eager limit: $(jq -c "$node | [.there, .back][].t2_bytes" "$1")"
		return 1
	}
	# No MPI here moves large messages while both sides compute.
	jq -e "$node | .there | .core_share < 0.9 or .asynchronous_progress < 0.5" "$1" >/dev/null || {
		echo "large messages move alone: $(jq "$node | .there.asynchronous_progress" "$1")"
		return 1
	}
	# MPICH's queue within a node has 64 places, which its receiver frees by halves: that is no
	# depth.
	[ "$MPI" = openmpi ] ||
		jq -e "$node | .there | .core_share < 0.9 or .credits[0].looks < 8 or
		(.credits[0] | .messages == null and .least >= 32 and .most <= 64)" "$1" >/dev/null || {
		echo "a depth of MPICH's queue: $(jq -c "$node | .there.credits" "$1")"
		return 1
	}
}
measures_quickly()
{
	capture quick mpi_run 2 timeout 60 "$contend" calibrate --quick -o quick.json
	expect_status 0 "contend calibrate --quick"
	in_time quick.json && sees_mpi quick.json
}
looks "not in time, or not what this MPI is" measures_quickly
[ ! -s quick.err ] || fail "not silent: $(cat quick.err)"
expect_line '^WITHIN A (NODE|SOCKET|CACHE)' quick.out
if jq -e '.core_share >= 0.9' quick.json >/dev/null; then
	expect_line 'next: contend report --machine=quick.json' quick.out
else
	expect_line '^measured on a busy machine: measure again on an idle one$' quick.out
fi
expect_line '^key: +L is ' quick.out
[ "$(wc -L <quick.out)" -le 80 ] || fail "lines of $(wc -L <quick.out) columns"

expect_line '^CONTENTION +not measured: it takes 4 ranks, these are 2' quick.out
jq -e 'has("contention") | not' quick.json >/dev/null || fail "contention of two ranks"
jq -e '.contention_why_not | test("4 ranks")' quick.json >/dev/null || fail "no reason for that"

jq -e '.schema == "contend-machine/1" and .ranks == 2 and .hosts == 1' quick.json >/dev/null ||
	fail "not the header that was expected"
jq -e --arg host "$(hostname)" '[.host_list[] | [.name, .ranks]] == [[$host, 2]]' quick.json \
	>/dev/null || fail "not this host: $(jq -c .host_list quick.json)"
jq -e "$node | [.points[].bytes] == ([.points[].bytes] | unique)" quick.json >/dev/null ||
	fail "sizes do not ascend"
jq -e "$node | [.points[] | [.o_s_s, .o_r_s, .g_s][] | . == null or . > 0] | all" quick.json \
	>/dev/null || fail "a parameter not above 0 as a number"
jq -e "$node | [.points[] | (.g_s == null) == (.g.value <= 0)] | all" quick.json >/dev/null ||
	fail "a parameter without a number is not one below 0"
jq -e "$node | .there | [.points[] | . as \$p | (\"o_s\", \"o_r\", \"g\") |
	select(\$p[.].identifiable | not) | \"\\(.)(\\(\$p.bytes))\"] ==
	[.unidentified[] | select(test(\"^(o_s|o_r|g).[0-9]\"))] and
	.unidentified == [.why_unidentified | keys_unsorted[]]" quick.json >/dev/null ||
		fail "unidentified are others"
# A message's time needs no L: round trips tell L + g(m), with L the sum of both.
jq -e "$node | .there | .L.value as \$L | all(.points[]; (\$L + .g.value - .L_g.value | fabs) < 1e-9)" \
	quick.json >/dev/null || fail "L + g is not L + g: $(jq -c "$node | .points[0]" quick.json)"
jq -e "$node | .there.credits[0] | .most == null or .most >= 1" quick.json >/dev/null ||
	fail "not even an empty message completes without its receiver"
jq -e "$node | [.there, .back] | all(.[]; . as \$way | all(.credits[]; .most == null or .messages != null or
	(\"K(\(.bytes))\" as \$name | \$way.unidentified | index([\$name]) != null)))" quick.json >/dev/null ||
	fail "a depth that is none is not named: $(jq -c "$node | .there.credits" quick.json)"
jq -e "$node | [.there, .back] | all(.[]; .core_share >= 0.9 or all(.credits[];
	.messages == null or .at_least or .messages == 0))" quick.json >/dev/null ||
	fail "a busy machine's depth is exact: $(jq -c "$node | .there.credits" quick.json)"
jq -e "$node | .there.from == 0 and .back.from == 1" quick.json >/dev/null || fail "not both ways"
jq -e "$node | [.there.points[] | .g.low <= .g.value and .g.value <= .g.high] | all" \
	quick.json >/dev/null || fail "a value outside of its interval"
# What is measured and what is assumed of other launches are told apart; what is wider than wanted
# by its own samples is said to be, for want of time or with all the samples there may be.
jq -e "[$node | .there, .back | .points[] | . as \$p | .this_launch | to_entries[] |
	(\$p[.key] | .low <= .value and .value <= .high) and
	.value[0] >= \$p[.key].low - 1e-15 and .value[1] <= \$p[.key].high + 1e-15] |
	length > 0 and all" quick.json >/dev/null ||
	fail "an interval that is narrower for other launches than for this one"
jq -e '.plan.half_width as $wanted | [.classes[] | .there, .back] | all(.[]; . as $way |
	any(.points[]; . as $p | .this_launch | to_entries[] |
		(.value[1] - .value[0]) / 2 >= $wanted * ($p[.key].value | fabs)) |
	not or any($way.cut[]; test("wider than wanted")))' quick.json >/dev/null ||
	fail "wide intervals that are not said: $(jq -c "$node | .there.cut, .back.cut" quick.json)"
expect_line 'assumed, not' quick.out

jq -e "$node | .there | (.t2_bytes == null) == ([.not_known[] | select(. == \"t2_bytes\")] != [])" \
	quick.json >/dev/null || fail "no eager limit, and it is not said to be unknown"

# Who measures is warm: MPICH's first messages through each piece of memory take ten times as long.
"$mpicc" -D_GNU_SOURCE -I"$srcdir" -O2 "$srcdir/tests/mpi/first_messages.c" -o ready -lm
is_warm()
{
	capture ready mpi_run 2 timeout 60 ./ready 1
	expect_status 0 "messages after ready_pair()"
	awk '{ print } END { exit !($1 < 3) }' ready.out
}
looks "the first messages are slow" is_warm

# A limit that was set is found: what was seen to complete and what not are on both sides of it, and
# next to it where both ranks had their cores.
case $MPI in
openmpi) limit=20000 set="OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo
		OMPI_MCA_btl_tcp_eager_limit=$limit" ;;
mpich) limit=5000 set="MPIR_CVAR_NOLOCAL=1 UCX_TLS=posix,self UCX_RNDV_THRESH=$limit" ;;
esac
finds_limit()
{
	# Words wanted. shellcheck disable=SC2086
	capture limit env $set "$mpiexec" -n 2 timeout 60 "$contend" calibrate --quick -o limit.json
	expect_status 0 "contend calibrate with another eager limit"
	jq -e --argjson limit $limit "$node"' | [.there, .back] | all(.[];
		(.t2_bytes == null or .t2_bytes <= $limit) and (.t1_bytes == null or .t1_bytes <= $limit) and
		(.t2_fails_bytes == null or .t2_fails_bytes > $limit - 64) and
		(.core_share < 0.9 or (.t1_bytes > $limit - 64 and .t1_bytes == .t2_bytes)) and
		((.not_known == []) == (.why_not_known == null)))' limit.json >/dev/null && return
	echo "not at $limit: $(jq -c "$node | [.there, .back][] | [.core_share, .t1_bytes, .t1_fails_bytes,
		.t2_bytes, .t2_fails_bytes, .not_known, .why_not_known]" limit.json)"
	return 1
}
looks "not the eager limit that was set" finds_limit

if [ "$MPI" = openmpi ]; then
	measures_in_full()
	{
		capture full mpi_run 2 timeout 100 "$contend" calibrate --contention=0 -o full.json
		expect_status 0 "contend calibrate"
		in_time full.json
	}
	looks "not in time" measures_in_full
	jq -e '(.plan.quick | not) and .plan.class_s <= 10' full.json >/dev/null ||
		fail "more than 10 s: $(jq -c .plan full.json)"
fi

# The time is below what --help says, and a busy machine is a condition.
jq -e '.plan.quick and .plan.class_s < 3 and .plan.contention_s == 0' quick.json >/dev/null ||
	fail "not the time of --quick: $(jq -c .plan quick.json)"
jq -e '. as $m | ('"$node"') as $c | any($m.conditions[]; test("^the machine was busy")) ==
	([$c.there, $c.back] | any(.[]; .core_share < 0.9))' quick.json >/dev/null ||
	fail "busy or not: $(jq -c "[$node | .there.core_share, .back.core_share], .conditions" quick.json)"
# Others on the same core are seen, whatever else the machine does, and that two ranks have one.
if command -v taskset >/dev/null; then
	core=$(taskset -cp $$ | sed 's/.*[ ,]//; s/.*-//')
	taskset -c "$core" sh -c 'while :; do :; done' &
	other=$!
	capture busy env OMPI_MCA_hwloc_base_binding_policy=none taskset -c "$core" \
		"$mpiexec" -n 2 timeout 60 "$contend" calibrate --quick -o busy.json
	kill $other
	expect_status 0 "contend calibrate on a busy machine"
	expect_line '^note: +the machine was busy' busy.out
	[ "$(grep -n '^BUSY: ranks had a core for' busy.out | cut -d: -f1)" -lt \
		"$(grep -n '^WITHIN ' busy.out | cut -d: -f1 | head -1)" ] ||
		fail "not said first: $(head -5 busy.out)"
	jq -e '.core_share < 0.5 and any(.conditions[]; test("mean nothing"))' busy.json >/dev/null ||
		fail "a third of a core means something: $(jq -c '[.core_share, .conditions]' busy.json)"
	jq -e '.conditions | any(.[]; test("^more ranks than cores on a host"))' busy.json >/dev/null ||
		fail "two ranks on a core: $(jq -c .conditions busy.json)"
	expect_line 'whether large messages move while both sides compute: \?$' busy.out
	jq -e "$node | .there"' | .asynchronous_progress == null and
		any(.not_known[]; . == "asynchronous_progress")' busy.json >/dev/null ||
		fail "a busy machine is certain of $(jq "$node | .there.asynchronous_progress" busy.json)"
	jq -e "$node"' | .there.core_share < 0.9 and .back.core_share < 0.9' busy.json >/dev/null ||
		fail "a third of a core is called $(jq -c "$node | .there.core_share" busy.json)"
fi
# So are hosts that are one machine, as containers are, each with no more ranks than cores; ranks of
# MPICH never sleep, and four on a core would take long.
if [ "$MPI" = openmpi ] && [ -n "${core-}" ] && unshare --uts true 2>/dev/null; then
	cat >elsewhere <<-'END'
		#!/bin/sh
		hostname "host$OMPI_COMM_WORLD_RANK"
		exec "$@"
	END
	chmod +x elsewhere
	capture hosts env OMPI_MCA_hwloc_base_binding_policy=none taskset -c "$core" "$mpiexec" -n 4 \
		unshare --uts ./elsewhere timeout 60 "$contend" calibrate --quick --contention=1 -o hosts.json
	expect_status 0 "contend calibrate on hosts that are one machine"
	jq -e '.hosts == 4 and .machines == 1 and .contention.core_share < 0.9 and
		any(.conditions[]; test("^the 4 hosts are 1 machine")) and
		any(.conditions[]; test("^when all ranks communicated one had a core for"))' hosts.json \
		>/dev/null || fail "not said: $(jq -c '[.machines, .contention.core_share, .conditions]' hosts.json)"
	expect_line '^note: +when all ranks communicated one had a core' hosts.out
	as_schema contend-machine hosts.json
fi

# Whether a file still holds: round trips that took a second have moved; of those whose
# intervals have everything in them nothing can be told.
was() # LOW HIGH
{
	jq --argjson low "$1" --argjson high "$2" '.classes[].there.core_share = 1 | .classes[].there.points =
		[0, 64, 1024 | {bytes: ., rtt: {value: 1, low: $low, high: $high, n: 9}}]' quick.json
}
was 1 1 >longer.json
capture moved mpi_run 2 timeout 60 "$contend" calibrate --drift=longer.json
expect_status 3 "contend calibrate --drift"
# On a busy machine a size may be too uncertain to say.
sizes=3
! grep -q '^this machine is busy' moved.out || sizes=1
[ "$(grep -c '  moved  *seen ' moved.out)" -ge $sizes ] || fail "not three sizes moved: $(cat moved.out)"
was 0 99 >vague.json
capture still mpi_run 2 timeout 60 "$contend" calibrate --json --drift=vague.json
expect_status 1 "contend calibrate --drift of what cannot be told"
expect_line 'cannot tell whether vague.json still holds: .*[.] 3 of the round trips may have changed' still.err
as_schema contend-drift still.out
jq -e '.file == "vague.json" and .moved == 0 and .cannot_tell == 3 and (.points | length) == 3 and all(.points[]; .now.value > 0)' still.out \
	>/dev/null || fail "not the drift: $(cat still.out)"
jq -e "$node | .there, .back | .core_share < 0.9 or .core_to_core.value > 1e-9" quick.json >/dev/null ||
	fail "no distance of the cores: $(jq -c "$node | .there.core_to_core" quick.json)"
# Round trips in a file of ranks whose cores were ten times as near: these may be three times as
# long for that alone, so that nothing is known to have moved.
explains_by_cores()
{
	jq -e "$node | .there | .core_to_core and (.points | length) >= 3" just.json >/dev/null || return 0
	jq 'def times($f): .value *= $f | .low *= $f | .high *= $f; .classes[].there |=
		(.core_to_core |= times(0.1) | .points[].rtt |= times(0.33))' just.json >near.json
	capture near mpi_run 2 timeout 60 "$contend" calibrate --json --drift=near.json
	# who is off his core has not seen it, nor who has cores that are nearer by now
	jq -e --slurpfile just just.json '.core_share >= 0.9 and (.classes[0].core_to_core.now >
		0.75 * ($just[0] | '"$node"' | .there.core_to_core.value))' near.out >/dev/null || return 0
	[ "$status" -eq 1 ] && jq -e '.moved == 0 and .cannot_tell > 0' near.out >/dev/null && return
	echo "what the cores explain has moved: $(jq -c .points near.out)"
	return 1
}
# The machine that was just measured has not moved; with TCP instead of memory it has, which is seen
# where nobody else uses the cores.
moves_over_tcp()
{
	[ "$MPI" = openmpi ] && jq -e '.conditions == []' just.json >/dev/null || return 0
	# Words wanted. shellcheck disable=SC2086
	capture other env $set "$mpiexec" -n 2 timeout 60 "$contend" calibrate --drift=just.json
	grep -q '^this machine is busy' other.out || [ "$status" -eq 3 ] || {
		echo "TCP instead of memory has not moved: $(cat other.out)"
		return 1
	}
}
sees_what_moved()
{
	capture just mpi_run 2 timeout 60 "$contend" calibrate --quick -o just.json
	expect_status 0 "contend calibrate, again"
	capture same mpi_run 2 timeout 60 "$contend" calibrate --drift=just.json
	[ "$status" -ne 3 ] || {
		echo "what was just measured has moved: $(cat same.out)"
		return 1
	}
	explains_by_cores && moves_over_tcp
}
looks "--drift does not tell what moved from what did not" sees_what_moved
capture alien mpi_run 2 timeout 60 "$contend" calibrate --drift="$srcdir/share/machines/alewife.json"
expect_status 1 "contend calibrate --drift of a machine that was not measured"
expect_line 'no round trips that calibrate measured' alien.err
jq '.mpi = "No MPI 1"' quick.json >alien.json
capture alien mpi_run 2 timeout 60 "$contend" calibrate --drift=alien.json
expect_status 1 "contend calibrate --drift of another MPI's file"
expect_line "alien.json is another machine's: it measured No MPI 1, this job used " alien.err
[ ! -s alien.out ] || fail "a table of nothing: $(cat alien.out)"
# Nor one of another processor or version, nor with sizes for which there is no room.
refuses() # SENTENCE FILTER
{
	jq "$2" quick.json >refused.json
	capture refused mpi_run 2 timeout 60 "$contend" calibrate --drift=refused.json
	expect_status 1 "contend calibrate --drift of a file with $2"
	expect_line "$1" refused.err
	[ ! -s refused.out ] || fail "a table of $2: $(cat refused.out)"
}
# A host of the same kind is not this one, which is said.
for how in "" --json; do
	was 0 99 | jq '.host_list[].name = "twin"' >twin.json
	# Words wanted. shellcheck disable=SC2086
	capture twin mpi_run 2 timeout 60 "$contend" calibrate $how --drift=twin.json
	expect_line 'twin.json is of another host: it measured twin with the same processor, not this job.s host' \
		twin.out
done
as_schema contend-drift twin.out
! grep -q 'of another host' moved.out still.out || fail "its own file is of another host"
refuses "refused.json is another machine's: it measured Abacus 3, this job's host" \
	'.host_list[].cpu = "Abacus 3"'
refuses '"schema" is contend-machine/2, need "contend-machine/1"' '.schema = "contend-machine/2"'
refuses '"bytes" of a point is 1073741824, not a whole number from 0 to 16777216' \
	'.classes[].there.points |= [.[0] | .bytes = (0, 1, 1073741824)]' # a busy machine's has fewer

# What many do at once; ranks of MPICH never sleep, so four are too many for a small machine.
many=quick.json
if [ "$MPI" = openmpi ]; then
	many=many.json
	capture many mpi_run 4 timeout 100 "$contend" calibrate --quick --contention=3 -o many.json
	expect_status 0 "contend calibrate --contention"
	expect_line '^CONTENTION ' many.out
	expect_line ' gamma |no signature' many.out
	[ "$(wc -L <many.out)" -le 80 ] || fail "lines of $(wc -L <many.out) columns"
	jq -e '[.classes[].pairs] | add == 6' many.json >/dev/null ||
		fail "not 6 pairs of 4 ranks: $(jq -c '[.classes[].pairs]' many.json)"
	expect_line 'rank 0 to rank [123] and back in [0-9.]+ s(, one of [2-6] pairs)?$' many.out
	if [ "$(nproc)" -lt 4 ]; then # more ranks than cores
		jq -e '.conditions | any(.[]; test("^more ranks than cores on a host"))' \
			many.json >/dev/null || fail "not said: $(jq -c .conditions many.json)"
		expect_line '^note: +more ranks than cores on a host' many.out
	fi
	jq -e '.contention | (.fan_in.steps | length) == 3 and all(.fan_in.steps[]; .time.value > 0) and
		.rates.steps[1].pairs == 2 and .two_state.messages > 0' many.json >/dev/null ||
		fail "not what was expected of contention"
	jq -e '.contention.signature | .algorithm == "MPI_Alltoall" and
		([.times[].ranks] | unique == [3, 4]) and .regimes[0].gamma > 0.3' many.json \
		>/dev/null ||
		fail "not the signature: $(jq -c .contention.signature.regimes many.json)"
	jq -e 'has("contention_why_not") or (.contention | .rates_why_not != null or
		any(.signature.regimes[]; .M_above_bytes >= .M_bytes)) | not' many.json >/dev/null ||
		fail "reasons for what is there, or no M: $(jq -c .contention.signature many.json)"
	jq -e '.contention.spent_s < 60' many.json >/dev/null ||
		fail "3 s took twenty times as long"
fi

capture json mpi_run 2 timeout 60 "$contend" calibrate --quick --json --plot=page.html -o same.json
expect_status 0 "contend calibrate --json"
cmp json.out same.json >&2 || fail "--json does not print what is in the file"
# Each way has the models of its own points.
jq -e "$node | [.there, .back] | all(.[]; .derived.loggp.g_s == .points[:2][-1].g.value)" same.json \
	>/dev/null || fail "not the LogGP of its own way"
# A page with every size that was measured, those off the scale as triangles, and nothing from
# elsewhere.
points=$(jq "[$node | .there.points, .back.points | length] | 3 * add" same.json)
drawn=$(grep -o -e '<circle' -e '<path class="beyond"' page.html | wc -l)
[ "$drawn" -eq $((points + 6)) ] || fail "$drawn points and keys drawn instead of $points and 6"
# Each point has its interval, from below upwards; one that is all at 0 or below has no length.
grep -o '<path class="interval" d="M[^"]*" stroke="#' page.html |
	awk -F '[ V"]' '{ long += $7 - $8 >= 1; reversed += $7 < $8 }
		END { print NR, (reversed == 0 && long > NR / 2) }' >intervals.txt
[ "$(cat intervals.txt)" = "$points 1" ] ||
	fail "intervals, and whether they have a length: $(cat intervals.txt) instead of $points 1"
ways=$(jq "[$node | .there, .back | select(.unidentified | any(. == \"G\") | not)] | length" same.json)
for fit in 'LogGP: g + ' 'Hockney, a message'; do
	[ "$(grep -c "$fit" page.html)" -eq "$ways" ] || fail "not drawn for $ways ways: $fit"
done
ways=$(jq "[$node | .there, .back | select([.points[].g | select(.identifiable)] | length > 1)] | length" same.json)
[ "$(grep -c 'pLogP: g between' page.html)" -eq "$ways" ] || fail "not drawn for $ways ways: pLogP"
! grep -Eq 'https?:|<script|<link' page.html || fail "the page is not self-contained"
as_schema contend-machine quick.json same.json $many "$srcdir"/share/machines/*.json

"$mpicc" -g -O1 "$srcdir/share/examples/alltoall.c" -o alltoall
capture recorded mpi_run 2 timeout 60 "$contend" record -o run.contend ./alltoall --by=direct
expect_status 0 "contend record"
capture report "$contend" report --json --machine=quick.json run.contend
expect_status 0 "contend report --machine"
jq -e '.machine.source == "file" and .machine.path == "quick.json"' report.out >/dev/null ||
	fail "the report did not use the file"
capture text env CONTEND_MACHINE=quick.json "$contend" report run.contend
expect_line 'idle machine is what this file says: quick.json' text.out

# What the file says of its own measurement is said of what rests on it.
jq '.conditions = ["more ranks than cores on a host"]' quick.json >crowded.json
capture crowded "$contend" report --json --machine=crowded.json run.contend
jq -e 'any(.quality.conditions[]; test("crowded.json was measured under conditions: more ranks"))' \
	crowded.out >/dev/null || fail "not said: $(jq -c .quality.conditions crowded.out)"

# A file of another machine is refused where it was chosen, and the user's own is passed over.
jq -e --slurpfile m quick.json '.hosts == $m[0].host_list and .mpi == $m[0].mpi and
	(.hosts[0].cpu | length) > 0' run.contend/run.json >/dev/null ||
	fail "the run is of $(jq -c '[.mpi, .hosts]' run.contend/run.json)"
jq '.host_list[].cpu = "Abacus 3"' quick.json >other.json
capture other "$contend" report --machine=other.json run.contend
expect_status 1 "contend report with another machine's file"
expect_line "other.json is another machine's: it measured Abacus 3, the run's host" other.err
capture forced "$contend" report --json --machine=other.json --machine-force run.contend
expect_status 0 "contend report --machine-force"
jq -e 'any(.quality.conditions[]; test("^other.json is another machine.s, used because of --machine-force: it"))
	and .quality.confidence == "low"' forced.out >/dev/null ||
	fail "not said of the file that was forced: $(jq -c .quality.conditions forced.out)"
jq '.mpi = "No MPI 1"' quick.json >run.contend/machine.json
capture other "$contend" report run.contend
expect_status 1 "contend report with another MPI's file in the run"
expect_line "it measured No MPI 1, the run used " other.err
rm run.contend/machine.json
mkdir -p config/contend
jq '.host_list[].cpu = "" | .host_list[].name = "elsewhere"' quick.json >config/contend/machine.json
capture own env XDG_CONFIG_HOME="$PWD/config" "$contend" report --json run.contend
expect_status 0 "contend report with the user's file of another machine"
jq -e '.machine.source == "self-calibrated" and .machine.path == null and
	any(.quality.conditions[]; test("another machine.s: it measured elsewhere"))' own.out \
	>/dev/null || fail "the user's file was not passed over"
# One that happens to lie in the current directory is not used, which is said, or why it is alien.
cp quick.json machine.json
capture near "$contend" report --json run.contend
jq -e '.machine.source == "self-calibrated" and any(.quality.conditions[];
	test("^machine.json in this directory is used only .*--machine=machine.json"))' near.out \
	>/dev/null || fail "not said of ./machine.json: $(jq -c .quality.conditions near.out)"
cp other.json machine.json
capture near "$contend" report --json run.contend
jq -e 'any(.quality.conditions[]; test("^machine.json in this directory is another machine.s"))' \
	near.out >/dev/null || fail "not said whose: $(jq -c .quality.conditions near.out)"
rm machine.json
cp quick.json config/contend/machine.json
capture own env XDG_CONFIG_HOME="$PWD/config" "$contend" report --json run.contend
jq -e --arg path "$PWD/config/contend/machine.json" '.machine.path == $path' own.out >/dev/null ||
	fail "the user's file was not used"

# Where a file is looked for: the option, the environment, the run, the user's configuration.
cp quick.json run.contend/machine.json
uses() # PATH OPTION...: which file the report used
{
	path=$1
	shift
	capture used env XDG_CONFIG_HOME="$PWD/config" "$@"
	jq -e --arg path "$path" '.machine.path == $path' used.out >/dev/null ||
		fail "not $path but $(jq -c .machine used.out | cut -c -300)"
}
cp quick.json set.json
uses quick.json CONTEND_MACHINE=set.json "$contend" report --json --machine=quick.json run.contend
uses set.json CONTEND_MACHINE=set.json "$contend" report --json run.contend
uses run.contend/machine.json "$contend" report --json run.contend
rm run.contend/machine.json
uses "$PWD/config/contend/machine.json" "$contend" report --json run.contend

# On a terminal a line tells what is being measured, and is gone at the end.
if command -v script >/dev/null; then
	mpi_run_words="$mpiexec -n 2 $contend calibrate --quick -o tty.json"
	timeout 60 script -qec "$mpi_run_words" tty.log >/dev/null </dev/null || fail "no terminal"
	grep -q 'measuring .*rank 1 to rank 0, again' tty.log ||
		fail "nothing was told: $(cat tty.log)"
	timeout 60 script -qec "$mpi_run_words 2>tty.err" tty.log >/dev/null </dev/null
	! grep -q 'measuring' tty.log tty.err || fail "told although nobody looks"
fi

# By saturation too: both times are said, and the gaps are beside each other.
capture check mpi_run 2 timeout 100 "$contend" calibrate --quick --check -o check.json
expect_status 0 "contend calibrate --check"
expect_line 'gaps by saturation took [0-9.]+ s; from round trips [0-9.]+ s' check.out
expect_line '^    [0-9.]+ times the time of round trips' check.out
jq -e "$node | .there | .saturation_s > 0 and .fast_s > 0 and .saturation_cut >= 0 and all(.points[]; .g_saturated.value > 0)" \
	check.json >/dev/null || fail "no gaps by saturation"

# A machine on which nothing goes fast takes no longer, and what that cost is said.
"$mpicc" -shared -fPIC "$srcdir/tests/mpi/slow_sends.c" -o slow_sends.so
capture slow env LD_PRELOAD="$PWD/slow_sends.so" SLOW_SENDS_US=20000 "$mpiexec" -n 2 \
	timeout 60 "$contend" calibrate --quick -o slow.json
expect_status 0 "contend calibrate of slow sends"
jq -e '.spent_s < 60' slow.json >/dev/null ||
	fail "a round trip of 40 ms: $(jq .spent_s slow.json) s instead of 3"
jq -e "$node | .there.time_ran_out and (.there.cut | length) > 0" slow.json >/dev/null ||
	fail "nothing was cut"
expect_line 'cut short: no size above' slow.out

capture alone "$contend" calibrate
expect_status 2 "calibrate without a launcher"
expect_line 'goes after the launcher' alone.err
capture one mpi_run 1 timeout 60 "$contend" calibrate -o one.json
[ "$status" -ne 0 ] || fail "one rank measured itself"
expect_line 'start at least two' one.err
# Files that cannot be written are found before anything is measured, and none is touched.
cannot() # WORDS OPTION...
{
	words=$1
	shift
	capture nowhere mpi_run 2 timeout 60 "$contend" calibrate --verbose --quick "$@"
	[ "$status" -ne 0 ] || fail "written although it cannot be: $*"
	expect_line "cannot write $words" nowhere.err
	! grep -q 'measuring' nowhere.err || fail "measured before it failed: $*"
}
echo precious >there.json
mkdir folder
cannot '/nonexistent/m.json: No such file' -o /nonexistent/m.json
cannot 'folder: Is a directory' -o folder
cannot 'folder: Is a directory' -o there.json --plot=folder
cannot '/nonexistent/page.html: No such file' -o not_there.json --plot=/nonexistent/page.html
[ "$(cat there.json)" = precious ] || fail "there.json was written into"
[ ! -e not_there.json ] || fail "an empty file is left"

# A full disk is an error, and costs the file that is there nothing.
if unshare -m true 2>/dev/null; then
	# Words wanted. shellcheck disable=SC2016
	capture full unshare -m sh -c '
		mount -t tmpfs -o size=8k tmpfs folder && echo precious >folder/m.json
		status=0
		"$@" || status=$?
		ls folder >left && cp folder/m.json kept.json && exit $status' sh \
		"$mpiexec" -n 2 timeout 60 "$contend" calibrate --quick -o folder/m.json
	expect_status 1 "contend calibrate on a full disk"
	expect_line 'cannot write folder/m.json: No space left on device' full.err
	expect_line 'what was measured is on standard output' full.err
	jq -e '.schema == "contend-machine/1" and (.classes | length) == 1' full.out >/dev/null ||
		fail "a full disk cost the measurement: $(head -n 5 full.out)"
	[ "$(cat kept.json)" = precious ] || fail "a full disk cost the file that was there"
	[ "$(cat left)" = m.json ] || fail "left behind: $(cat left)"
fi
[ -z "$unchecked" ] || skip "what needs the processors was not checked: $unchecked"
