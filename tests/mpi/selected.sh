# SPDX-License-Identifier: GPL-3.0-or-later
# What of a job is recorded: pauses, --start-off, --ranks. The report's numbers are about that,
# and it says so; time in pauses is no part of them.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/selected.c" -o selected
"$mpicc" -w -g -O1 -shared -fPIC "$srcdir/tests/mpi/heard.c" -o libheard.so

says= # what the recorder has to say

# Records as NAME with OPTIONs and prints the tags of the messages that were recorded as sent.
recorded() # NAME [OPTION]...
{
	name=$1
	shift
	capture job mpi_run 2 timeout 60 "$contend" record "$@" -o $name.contend ./selected
	expect_status 0 "$name"
	[ "$(cat job.err)" = "$says" ] || fail "$name: recording says: $(cat job.err)"
	expect_clean_archive $name.contend
	grep '^MPI_SEND ' $name.contend.events | grep -Eo 'Tag: [0-9]+' | sort | uniq -c |
		awk '{ print $3 " x " $1 }' >$name.tags
	capture $name timeout 60 "$contend" report --json $name.contend
	expect_status 0 "$name: report"
	capture $name-text timeout 60 "$contend" report $name.contend
	expect_status 0 "$name: report as text"
	tr -d ' \n' <$name.out >$name.json
}

number() # KEY: its first value in what is read
{
	grep -Eo "\"$1\":[0-9.e+-]+" | head -n 1 | sed 's/.*://'
}

expect_tags() # TAGS
{
	[ "$(tr '\n' ' ' <$name.tags)" = "$1 " ] ||
		fail "$name: tags $(cat $name.tags) instead of $1"
}

# Parts add up to the total, which leaves out at least SECONDS of ranks * wall; so do the ranks.
expect_budget() # SECONDS
{
	seen=$((2 - $(number left_out_ranks <$name.json)))
	of_ranks=$(grep -Eo '"recorded_s":[0-9.e+-]+' $name.json |
		awk -F: '{ sum += $2 } END { printf "%.9f", sum }')
	wall=$(number wall_s <$name.json)
	share=$(number recorded_share <$name.json)
	total=$(grep -Eo '"budget":.*"blame":' $name.json | number total_s)
	sum=$(grep -Eo '"budget":.*"blame":' $name.json | grep -Eo '"s":[0-9.e+-]+' |
		awk -F: '{ sum += $2 } END { printf "%.9f", sum }')
	echo "$name: $total s of 2 x $wall s are recorded, share $share; the parts' sum is $sum s"
	awk "BEGIN { d = $sum - $total; exit !(d < 1e-8 && d > -1e-8) }" ||
		fail "$name: parts of $sum s and a total of $total s"
	awk "BEGIN { exit !($total <= 2 * $wall - $1) }" || fail "$name: $total s are too much"
	awk "BEGIN { d = $share - $total / ($seen * $wall); exit !(d < 1e-6 && d > -1e-6) }" ||
		fail "$name: share $share is not that of $total s"
	awk "BEGIN { d = $of_ranks - $total; exit !(d < 1e-8 && d > -1e-8) }" ||
		fail "$name: ranks of $of_ranks s and a total of $total s"
	expect_line 'of rank time was recorded' $name-text.out
}

recorded paused
expect_tags "1 x 2 3 x 2"
expect_budget 0.8
expect_line "WHERE TIME GOES.*ranks' recorded time" paused-text.out

recorded late --start-off
expect_tags "3 x 2"
# What was before MPI_Pcontrol(1) is no part of it either: not MPI_Init.
expect_budget "$(awk '/"MPI_Init/ { s += $1 == "ENTER" ? -$3 : $3 }
	END { printf "%.9f", s / 1e9 + 0.8 }' late.contend.events)"
! grep -q '"mpi":"MPI_Init' late.json || fail "MPI_Init is a place, though before the recording"

says="contend: --ranks=1,7-9: there is no rank 9, the last of this job is 1"
recorded one --ranks=1,7-9
says=
expect_tags "1 x 1 3 x 1"
expect_budget 0.4
# Who is left out is no rank of the table, and the first line says how many are.
expect_line ' 2 ranks, 1 of them recorded, 1 node ' one-text.out
[ "$(sed -n '/^RANKS/,/^$/p' one-text.out | awk '/^  comm/ { print $4, $9 }')" = "1 1" ] ||
	fail "rank 0 is among those recorded: $(sed -n '/^RANKS/,/^$/p' one-text.out)"
tr '\n' ' ' <one-text.out | tr -s ' ' >one.text
expect_line 'rank 0 was not recorded: ' one.text
expect_line 'other end at a rank that was not recorded' one.text
"$contend" info one.contend >one.info
expect_line '^  ranks +2 on 1 node, 1 of them recorded, ' one.info
expect_line '^ +of the others no calls, at most MPI_Init and MPI_Finalize$' one.info
# Nor does less look better for being less, unsaid.
"$contend" diff --width=300 late.contend one.contend >late-one.text || [ $? -ne 2 ] ||
	fail "contend diff"
expect_line '^- recorded with different options: --start-off=1 and --ranks=1,7-9$' late-one.text
expect_line '^- different ranks were recorded, 2 of 2 and 1 of 2' late-one.text
! grep -q 'rank 0 was taken off its core' one.text || fail "a rank that is left out is judged"
! grep -q 'exchanged no messages' one.text || fail "messages of one recorded end are none"
grep '^ENTER  *0 ' one.contend.events | grep -Eo 'MPI_[A-Z][a-z_]*' | tr '\n' ' ' >calls
[ "$(cat calls)" = "MPI_Init MPI_Finalize " ] || fail "of rank 0 $(cat calls) is recorded"

capture job mpi_run 2 timeout 60 "$contend" record --ranks=7 -o nobody.contend ./selected
expect_status 0 "ranks that there are not"
"$contend" report nobody.contend >nobody.text
expect_line '^Nothing was recorded of the 2 ranks' nobody.text
expect_line 'confidence: low$' nobody.text
expect_line '^  none  can be found where nothing was recorded$' nobody.text
! grep -q 'of rank time' nobody.text || fail "shares of nothing: $(grep 'of rank time' nobody.text)"

# Nor is that an acquittal, whether ranks or the program's MPI_Pcontrol(1) are missing.
capture judged "$contend" report --fail-on=low nobody.contend
expect_status 1 "--fail-on where nothing was recorded"
expect_line 'nothing was recorded of this run: --fail-on has nothing to judge' judged.err
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/replaced.c" -o never
: >a
capture job mpi_run 2 timeout 60 "$contend" record --start-off -o never.contend ./never a b
expect_status 0 "--start-off for ever"
expect_lines 1 job.err
expect_line '^contend: nothing was recorded: --start-off, and no rank .* MPI_Pcontrol' job.err
capture judged "$contend" report --fail-on=low never.contend
expect_status 1 "--fail-on after --start-off for ever"

capture job mpi_run 2 timeout 60 "$contend" record --ranks=1- -o bad.contend ./selected
expect_status 2 "a list that is none"
expect_line "^contend: error: --ranks=1-: expected a list of ranks such as 0-7,16" job.err
capture job mpi_run 2 timeout 60 env CONTEND_RANKS=1- LD_PRELOAD="$("$contend" preload)" ./selected
expect_status 0 "a list that is none in the environment: the program all the same"
expect_line "^contend: CONTEND_RANKS=1-: expected a list" job.err

# Another tool hears all that the program says.
capture heard mpi_run 2 timeout 60 env \
	LD_PRELOAD="$("$contend" preload) $PWD/libheard.so" CONTEND_OUTPUT=heard.contend ./selected
expect_status 0 "with another tool"
[ "$(grep -cx 'heard 1 solver 42 2.5 1099511627776' heard.err)" = 2 ] ||
	fail "the other tool hears: $(cat heard.err)"
