# SPDX-License-Identifier: GPL-3.0-or-later
# Logs of a job that was killed, cut, changed or gone: the trace of all else is made, and the
# report says what is lost. The other ranks' receives stay, each one of them.
. "$srcdir/tests/testlib.sh"
need_file jq jq
calls=14000
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/killed.c" -o killed
capture killed mpi_run 3 timeout 60 "$contend" record -o whole.contend ./killed everyone $calls sent
[ "$status" -ne 0 ] || fail "exit status 0"
./killed show sent | grep -q "^2 MPI_Send $calls $calls\$" || fail "it was killed too early"
logs=whole.contend/log
bytes=$(wc -c <$logs/2.0.log)
[ "$bytes" -gt 400000 ] || fail "only $bytes bytes of log: nothing behind the first parts"

flip() # FILE OFFSET: one bit there
{
	old=$(od -An -tu1 -j"$2" -N1 "$1" | tr -d ' ')
	printf "$(printf '\\%03o' $((old ^ 16)))" |
		dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

calls_of() # RANK: MPI_Send or MPI_Recv
{
	awk -v rank="$1" '($1 == "MPI_SEND" || $1 == "MPI_RECV") && $2 == rank' \
		damaged.contend.events | wc -l
}

# What report says of a run whose log of rank 2 COMMAND has damaged: WANTED of its sends are left,
# all, none or some.
try() # WHAT SAID WANTED COMMAND...
{
	what=$1 said=$2 wanted=$3
	shift 3
	rm -rf damaged.contend
	cp -r whole.contend damaged.contend
	"$@"
	capture damaged timeout 60 "$contend" report --json damaged.contend
	expect_status 0 "$what"
	expect_clean_archive damaged.contend
	others=$(($(calls_of 0) + $(calls_of 1)))
	[ "$others" -eq "${received:=$others}" ] ||
		fail "$what: $others receives of the other ranks instead of $received"
	left=$(calls_of 2)
	lost=$(jq -r .run.lost damaged.out)
	echo "$what: $left sends: $lost"
	case $wanted:$left in
	all:$calls | none:0) ;;
	some:$calls | some:0) fail "$what: $left sends are left" ;;
	some:*) ;;
	*) fail "$what: $left sends are left" ;;
	esac
	if [ "$wanted" = all ]; then
		[ -z "$lost" ] || fail "$what: $lost"
		[ ! -d damaged.contend/log ] || fail "$what: logs are left behind"
		return
	fi
	echo "$lost" | grep -Eq "^log/2\.[0-9]*\.log of rank 2 $said" || fail "$what: '$lost'"
	expect_line 'contend: log/2.0.log .*; all else is used, and the logs are kept' damaged.err
	jq -r '.quality.conditions[]' damaged.out | grep -q '^log/2.0.log of rank 2' ||
		fail "$what: no condition"
	[ -s damaged.contend/log/0.0.log ] || fail "$what: the logs are gone"
	# Who asks again gets the same answer from what was written.
	"$contend" report --json damaged.contend | jq -r .run.lost | grep -qxF "$lost" ||
		fail "$what: told otherwise the second time"
}

log=damaged.contend/log/2.0.log
try "nothing" "" all true
[ "$received" -gt $((calls / 2)) ] || fail "only $received receives of $calls"
try "no log" "is missing: nothing" none rm $log
try "empty log" "is not a recorder log.*: nothing" none truncate -s 0 $log
try "zeros" "is not a recorder log.*: nothing" none dd if=/dev/zero of=$log bs=4096 count=200 status=none
try "another file" "is not a recorder log of this version: nothing" none \
	cp "$srcdir/tests/mpi/killed.sh" $log
try "half a header" "is not a recorder log.*: nothing" none truncate -s 2000 $log
try "only a header" "ends after 4096 bytes, in part 1 of [0-9]*: nothing" none truncate -s 4096 $log
try "another rank's" "belongs to another rank" none cp damaged.contend/log/1.0.log $log
begin=380928 before=0 # of what is written behind the parts that are mapped
for at in 5000 100000 200000 300000 380000 $begin; do
	try "cut at $at" "ends after $at bytes, in part 1 of [0-9]+: nothing" none truncate -s "$at" $log
done
for eighth in 3 4 5 6 7; do
	at=$((begin + (bytes - begin) * eighth / 8))
	try "cut at $at" "ends after $at bytes, in part [0-9]+ of [0-9]+: events end at" some \
		truncate -s "$at" $log
	[ "$left" -ge "$before" ] && [ "$left" -ge $((calls * (eighth - 2) / 10)) ] ||
		fail "only $left of $calls sends are left of $eighth eighths"
	before=$left
done
try "a bit of a chunk" "was changed in part 1 of [0-9]*: nothing" none flip $log 385000
try "a bit of the last chunk" "was changed in part [0-9]+ of" some flip $log $((bytes - 100))
try "a bit of the clock" "was changed in its header: nothing" none flip $log 57

# All logs at once: one sentence.
rm -rf damaged.contend
cp -r whole.contend damaged.contend
for rank in 0 1 2; do truncate -s 100 damaged.contend/log/$rank.0.log; done
capture none timeout 60 "$contend" report damaged.contend
expect_status 1 "no log is left"
expect_lines 1 none.err
expect_line '^contend: error: nothing to recover: damaged.contend/log/0.0.log is not a recorder log' none.err

# A log that was cut in a copy, and is copied once more: the whole trace.
rm -rf damaged.contend
cp -r whole.contend damaged.contend
truncate -s 390000 $log
capture first "$contend" recover damaged.contend
expect_status 0 "contend recover of a cut log"
cp whole.contend/log/2.0.log $log
capture second "$contend" recover damaged.contend
expect_status 0 "contend recover when it is whole"
expect_clean_archive damaged.contend
[ "$(calls_of 2)" -eq $calls ] || fail "$(calls_of 2) of $calls sends are left"
[ ! -d damaged.contend/log ] || fail "logs are left behind"
