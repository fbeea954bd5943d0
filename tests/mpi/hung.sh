# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs that hang until somebody ends them: by SIGTERM or Ctrl-C to the launcher, by timeout -s INT,
# by SIGKILL of one rank, of all or of the launcher. The calls in which the ranks hung last until
# then, if one rank at least could note it.
# Where they wait in other ways than for one rank's message, and of which some are not recorded; of
# Fortran one.
. "$srcdir/tests/testlib.sh"
need_file jq jq
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/hung.c" -o hung
options=
ranks=3 # of the exit status nothing is claimed: MPICH's launcher may say 0 after SIGINT

# Ends the job when all its ranks have hung for a second less; a busy machine may keep them from it
# for that one.
stand_s=3
end_it() # HOW: a signal to its launcher, "timeout", "victim", "all" or "each"
{
	n=0
	until [ -s hangs.0 ] && [ -s hangs.1 ] && [ -s hangs.2 ]; do
		n=$((n + 1))
		[ $n -lt 900 ] || exit 1
		sleep 0.1
	done
	sleep $stand_s
	case $1 in
	timeout) kill -ALRM "$(cat launcher)" ;; # to timeout: its time is over
	victim) kill -KILL "$(cat hangs.1)" ;;
	each) # by SIGTERM, and who started it cannot be quicker with SIGKILL
		parent=$(awk '/^PPid/ { print $2 }' "/proc/$(cat hangs.1)/status")
		kill -STOP "$parent"
		kill -TERM $(cat hangs.0 hangs.1 hangs.2)
		sleep 1
		kill -CONT "$parent"
		;;
	all) kill -KILL $(cat hangs.0 hangs.1 hangs.2) ;;
	*) kill -"$1" "$(cat launcher)" ;;
	esac
}

# Ranks that nobody waits for any more end a little later than their launcher.
await_ends()
{
	n=0
	for pid in $(cat hangs.0 hangs.1 hangs.2); do
		while grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$pid/status"; do
			n=$((n + 1))
			[ $n -lt 600 ] || fail 'ranks without a launcher do not end'
			sleep 0.1
		done
	done
}

# A job that hangs in a WAY and is ended so; its document is HOW.json.
hang_once() # HOW WAY
{
	rm -rf hangs.* launcher run.contend
	end_it "$1" &
	ender=$!
	limit=
	[ "$1" != timeout ] || limit='timeout -s INT 200'
	began=$(date +%s.%N)
	capture job sh -c 'echo $$ >launcher; exec "$@"' sh $limit "$mpiexec" -n $ranks \
		"$contend" record $options -o run.contend ./hung "$2"
	took=$(echo "$(date +%s.%N) $began" | awk '{ print $1 - $2 }')
	wait $ender || fail "$1: not all hang: $(cat job.err)"
	[ "$1" != KILL ] || await_ends
	capture report timeout 60 "$contend" report --json run.contend
	expect_status 0 "report after $1"
	mv report.out "$1.json"
	echo "$1, $2, $took s: $(jq -c '[.run.wall_s, .summary.verdict[0], .run.unfinished]' "$1.json")"
}

# The same, but a launcher that sends SIGKILL soon after SIGTERM may leave a rank no time to note
# that; when such a one was killed nobody knows. So all have to, in three tries, unless the test
# itself kills one or the launcher.
hang() # HOW WAY
{
	for try in 1 2 3 4 5 6; do
		hang_once "$1" "$2"
		! is_noted "$1" all || return 0
		case $1,$try in
		victim,* | KILL,* | *,[3-6]) ! is_noted "$1" any || return 0 ;;
		esac
	done
	fail "$1: no rank has ever noted its end"
}

is_noted() # HOW any|all
{
	jq -e '[.run.unfinished[] | has("signal") or .ended == "exit"] | '"$2" "$1.json" >/dev/null
}

expect() # HOW FILTER
{
	jq -e "$2" "$1.json" >/dev/null ||
		fail "$1: not $2: $(jq -c '.run, .summary, .callsites' "$1.json")"
}

# The ranks hung for 2 s each, all in MPI or as many.
expect_hung() # HOW [RANKS]
{
	expect "$1" '.run.wall_s > 1.9'
	expect "$1" '([.callsites[] | select(.callsite.mpi == "MPI_Recv" or
		.callsite.mpi == "MPI_Barrier").s] | add) > 1.9 * '${2:-3}
	expect_verdict_has "$1" '^The job did not end by itself: .*MPI_Recv at hung[.]c:[0-9]+.* when (SIG[A-Z]+ came|it was ended), and'
	expect_verdict_has "$1" 'no other recorded MPI call had begun or returned for ([2-9]|[1-9][0-9])'
}

expect_verdict_has() # HOW PATTERN: in what it says first
{
	jq -r '.summary.verdict[0]' "$1.json" >verdict
	expect_line "$2" verdict
}

expect_circle() # HOW
{
	expect_verdict_has "$1" '^3 ranks wait for each other in a circle: rank 0 for rank 1 [(]tag 7[)], rank 1 for rank 2 [(]tag 7[)], rank 2 for rank 0 [(]tag 7[)][.]?$'
}

# Where nobody could note the end it is not known.
expect_hung_if_noted() # HOW
{
	if is_noted "$1" any; then
		expect_hung "$1"
	else
		expect "$1" ".run.wall_s < $took - 2.5"
		expect_verdict_has "$1" '^The job did not end by itself: 3 of 3 ranks were in MPI_[SR]e[a-z]+ at hung[.]c:[0-9]+ when all were killed[.] How long'
		expect_circle "$1"
	fi
}

hang TERM cycle
expect_hung TERM
expect_circle TERM
expect TERM '.summary.standstill | .s > 1.9 and [.ranks[].waits_for] == [1, 2, 0] and
	([.ranks[] | .in_mpi and .callsite.mpi == "MPI_Recv" and (.polls | not)] | all)'
expect TERM '.budget.parts.late_partner.s > 1.9 * 3 and .budget.parts.not_identifiable.share < 0.1 and
	([.late_partners[] | select(.reason == "circle" and .s > 1.9).rank] | sort) == [0, 1, 2]'
capture shown "$contend" report run.contend
tr -s ' \n' '  ' <shown.out | grep -q 'HOTSPOTS none .*did not end by itself and stood still for' ||
	fail 'HOTSPOTS do not say where to look'
hang INT mixed
expect_hung INT
expect_verdict_has INT '2 of 3 ranks were in MPI_Recv .*, rank 0 in MPI_Barrier at hung[.]c:[0-9]+ when '
expect_verdict_has INT '^2 ranks wait for each other in a circle: rank 0 for rank 1 to come to MPI_Barrier, rank 1 for rank 0 [(]tag 7[)]$'
expect INT '[.collectives.operations[] | select(.callsite.mpi == "MPI_Barrier" and .wait_s > 1.9 and
	.moving_s == 0 and .took_s == null)] | length == 1' # to which the others never came
case $MPI in
openmpi)
	hang timeout cycle
	hang victim cycle
	hang KILL late # Open MPI's run-time leaves then, of rank 0 outside MPI too
	expect_hung KILL 2
	expect_verdict_has KILL '^2 ranks wait for rank 0, which was in the program, outside MPI'
	;;
*) # Hydra is told twice by timeout: then it kills at once, as it does when a rank dies
	hang_once timeout cycle
	hang_once victim cycle
	;;
esac
expect_hung_if_noted timeout
expect_hung_if_noted victim
# What was computed last is in the budget until each rank's own end, and the job has not stood still
# in MPI.
hang TERM program
expect TERM '.run.wall_s > 1.9 and .budget.parts.compute.s > 1.9 * 3'
expect TERM '([.budget.parts[].s] | add) / ([.run.unfinished[].alive_s] | add) | . > 0.999999 and . < 1.000001'
expect TERM '([.run.unfinished[].alive_s] | max) / .run.wall_s | . > 0.999 and . < 1.001'
expect TERM '(.summary.verdict[0] | test("did not end by itself") | not)'
expect TERM '.summary.standstill == null'
[ "$(jq '.wall_s > 1.9' run.contend/run.json)" = true ] || fail 'not in run.json'
for way in cycle swaps; do
	hang_once all $way
	expect_hung_if_noted all
done

# From here on a second is enough, after which ranks stand still by the analysis.
stand_s=2

# Most of the waits in calls that did not return was for what this rank did.
expect_late() # RANK REASON
{
	expect TERM '([.late_partners[] | select(.rank == '"$1"' and .reason == "'"$2"'").s] | add) > 0.9'
}

# The others wait for rank 0, which was WHERE, and the verdict begins so; of three looks one that no
# busy machine has disturbed: each rank could note its end before it was killed.
expect_rank_0() # WAY WHERE BEGIN
{
	for look in 1 2 3; do
		hang TERM "$1"
		jq -r '.summary.verdict[0]' TERM.json >verdict
		jq -e 'all(.run.unfinished[]; has("signal") or has("status"))' TERM.json >/dev/null ||
			continue
		! grep -Eq "^2 ranks wait for rank 0, $2[.]?\$" verdict ||
			! grep -Eq "^$3" verdict ||
			return 0
	done
	expect_line "^2 ranks wait for rank 0, $2[.]?\$" verdict
	expect_line "^$3" verdict
}

still='The job did not end by itself: 2 of 3 ranks were in'
receive='MPI_Recv at hung[.]c:[0-9]+'
outside='the program, outside MPI'
expect_rank_0 missed "which was in $outside" "$still MPI_Barrier at hung[.]c:[0-9]+, rank 0 in $outside when "
expect_rank_0 ended "which was in $outside" "$still MPI_Finalize( at hung[.]c:[0-9]+)?, rank 0 in $outside when "
expect_late 0 computation
expect_rank_0 polls 'which was in MPI_Iprobe at hung[.]c:[0-9]+ again and again' \
	"$still $receive, rank 0 in .*no other recorded MPI call had begun or returned for [1-9]"
expect_rank_0 swap "which was in $outside" "$still MPI_Sendrecv at hung[.]c:[0-9]+, rank 0 in $outside when "
expect_line '^one of them waits so: rank 1 for rank 0 [(]tag 7[)]$' verdict
expect_late 0 computation
expect_rank_0 taken "which was in $outside" "$still MPI_Sendrecv at hung[.]c:[0-9]+, rank 0 in $outside when "
expect_line '^one of them waits so: rank 1 for rank 0 to receive [(]tag 9[)]$' verdict
expect_late 0 computation
expect_rank_0 anyone "which was in $outside" "$still $receive of any rank, rank 0 in $outside when "
expect_line '^one of them waits so: rank 1 for rank 0 or another [(]tag 7, of any rank[)]$' verdict
expect_late 0 computation
hang TERM any
expect_verdict_has TERM '^2 ranks wait for each other in a circle: rank 0 for rank 1 or another [(]tag 7, of any rank[)], rank 1 for rank 0 [(]tag 7[)]$'
expect_line '^1 more rank waits for one of these, directly or through others$' verdict
expect_line '^nobody is left to send rank 0 the message of any rank that it waits for [(]tag 7[)]: of the others 2 wait for it, directly or through others$' verdict
expect_late 0 circle
hang TERM half
expect_verdict_has TERM '^2 ranks wait for rank 2, directly or through others, which was in the program, outside MPI$'
expect_line '^whether rank 0 is sent the message of any rank that it waits for [(]tag 7[)] depends on rank 2: all others wait for it or for rank 0$' verdict
expect_late 2 computation
hang TERM finalize
expect_verdict_has TERM '^2 ranks wait for each other in a circle: rank 0 for rank 1 to come to MPI_Finalize, rank 1 for rank 0 [(]tag 7[)]$'
expect_late 0 circle
hang TERM swaps
expect_circle TERM
expect_late 2 circle
went_on="The job did not end by itself: 2 of 3 ranks had been in $receive for [1-9].* or longer [(][0-9]+ % of the run[)] when SIGTERM came; others went on: rank 0 was in"
expect_rank_0 busy "which was in ($outside|MPI_Sendrecv at .*)" "$went_on"
expect_rank_0 takes "which was in ($outside|MPI_Testany at hung[.]c:[0-9]+)" "$went_on"
expect_rank_0 tag "which was in $outside" "$still $receive, rank 0 in "
expect_line '^rank 1 waits for tag 7 of rank 0, which sent it 1 message with tag 8 that nobody received [(]MPI_Send at hung[.]c:[0-9]+[)], and 1 more rank likewise$' verdict
# By requests.
expect_rank_0 wait "which was in $outside" "$still MPI_Wait at hung[.]c:[0-9]+, |The job did not end by itself: rank 0 was in $outside, rank 1 in MPI_Wait at hung[.]c:[0-9]+, rank 2 in MPI_Waitany at "
expect_line '^one of them waits so: rank 1 for rank 0 [(]tag 7, MPI_Irecv at hung[.]c:[0-9]+[)]$' verdict
expect_rank_0 testall "which was in $outside" "$still MPI_Testall at hung[.]c:[0-9]+ again and again, "
expect_line '^one of them waits so: rank 1 for rank 0 [(]MPI_Irecv at hung[.]c:[0-9]+[)]$' verdict
expect_rank_0 unreceived "which was in $outside" "$still MPI_Wait at hung[.]c:[0-9]+, rank 0 in "
expect_line '^one of them waits so: rank 1 for rank 0 [(]tag 9, MPI_Issend at hung[.]c:[0-9]+[)]$' verdict
# Which requests a call was given is known of ranks that could note their end.
expect_given() # WAY
{
	hang each "$1"
	mv each.json TERM.json
	expect_verdict_has TERM "^2 ranks wait for rank 0, which was in $outside\$"
	expect_late 0 computation
}
expect_given some
expect_line '^one of them waits so: rank 1 for rank 0 [(]tag 7, MPI_Irecv at hung[.]c:[0-9]+; or for rank 2[)][.]?$' verdict
expect_given anywait
expect_line '^one of them waits so: rank 1 for rank 0 or another [(]tag 7, MPI_Irecv at hung[.]c:[0-9]+ of any rank[)]$' verdict
expect_given given
expect_line '^one of them waits so: rank 1 for rank 0 [(]tag 7, MPI_Irecv at hung[.]c:[0-9]+; and for rank 2[)][.]?$' verdict
hang TERM own # for whom is not known, though rank 0 sends nothing
expect_verdict_has TERM 'MPI_Wait at hung[.]c:[0-9]+'
! grep 'waits\{0,1\} for' verdict || fail 'own: says for whom'
hang TERM rendezvous
expect_verdict_has TERM '^2 ranks wait for rank 1, directly or through others, which was in the program, outside MPI$'
expect_line '^one of them waits so: rank 0 for rank 1 [(]tag 6, MPI_Isend at hung[.]c:[0-9]+[)]$' verdict
hang TERM waitall
expect_verdict_has TERM '^3 ranks wait for each other in a circle: rank 0 for rank 1 [(]tag 7, MPI_Irecv at hung[.]c:[0-9]+[)], rank 1 for rank 2 [(]tag 7, MPI_Irecv at hung[.]c:[0-9]+[)], rank 2 for rank 0 [(]tag 7, MPI_Irecv at hung[.]c:[0-9]+[)][.]?$'
if [ -n "$mpifort" ]; then
	"$mpifort" -g -O1 -w "$srcdir/tests/mpi/hung.f90" -o hung
	hang TERM fortran
	expect_verdict_has TERM '^The job did not end by itself: 3 of 3 ranks were in MPI_Recv at hung[.]f90:[0-9]+ when '
	expect_circle TERM
	"$mpicc" -w -g -O1 "$srcdir/tests/mpi/hung.c" -o hung
fi
options=--ranks=1-2
expect_rank_0 late 'of which nothing is recorded then' "$still $receive when .*; of 1 other nothing is recorded then"
