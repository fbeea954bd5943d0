# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs of which not every rank is recorded, or not with the same program: none hangs, all
# end as they do bare, and what was recorded can be reported.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/partial.c" -o ring
cp ring other
preload=$("$contend" preload)

# Runs the job from $@ and expects DIRECTORIES run directories with RANKS ranks in all.
try() # DIRECTORIES RANKS WHAT COMMAND...
{
	directories=$1 ranks=$2 what=$3
	shift 3
	rm -rf ./*.contend contend.latest
	capture job timeout 60 "$@"
	expect_status 0 "$what"
	[ "$(grep -c 'is done$' job.out)" -eq 2 ] || fail "$what: not every rank came to its end"
	[ ! -s job.err ] || { cat job.err >&2; fail "$what: something to complain of"; }
	found=0
	set -- *.contend
	[ $# -eq "$directories" ] || fail "$what: $# run directories: $*"
	for run in "$@"; do
		capture report timeout 60 "$contend" report "$run"
		expect_status 0 "$what: report of $run"
		expect_clean_archive "$run"
		found=$((found + $(grep -c '^LOCATION ' "$run.defs")))
	done
	[ $found -eq "$ranks" ] || fail "$what: $found ranks instead of $ranks"
	[ -z "$(find . -name '.contend.*')" ] || fail "$what: something is left behind"
	echo "$what: $*"
}

cat >first <<END
#!/bin/sh
[ "\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" -ne 0 ] || exec "$contend" record "\$@"
exec "\$@"
END
cat >nested <<END
#!/bin/sh
sh -c 'exec "\$@"' sh "\$@"
END
cat >inner <<END
#!/bin/sh
"$contend" record "\$@"
END
chmod +x first nested inner

try 1 2 "every rank" "$mpiexec" -n 2 "$contend" record ./ring
try 1 1 "rank 0 only" "$mpiexec" -n 2 ./first ./ring
try 1 2 "record around a script" "$mpiexec" -n 2 "$contend" record ./nested ./ring
try 1 2 "record within a script" "$mpiexec" -n 2 ./nested ./inner ./ring
try 1 1 "one program of two" "$mpiexec" -n 1 "$contend" record ./ring : -n 1 ./other
# Its other rank is none of the time, and on no node.
tr '\n' ' ' <report.out | tr -s ' ' >report.text
expect_line ' 2 ranks, 1 of them recorded, 1 node ' report.text
expect_line "recorded ranks' time " report.text
expect_line 'rank 1 was not recorded, not started by contend record or of a program that it cannot enter' report.text
expect_line '1 of the 2 ranks was not recorded: CONDITIONS say why' report.text
! grep -q 'no partner in the trace' report.text || fail "the other rank's ends are missed"
try 1 2 "two programs" "$mpiexec" -n 1 "$contend" record ./ring : -n 1 "$contend" record ./other
# Such a job is named after both.
grep -q '"command": "./ring : ./other"' ./*.contend/run.json ||
	fail "two programs are called $(grep -h '"command"' ./*.contend/run.json)"
try 1 2 "a program in two ways" "$mpiexec" -n 1 "$contend" record ./ring 1 : \
	-n 1 "$contend" record ./ring 2
grep -q '"command": "./ring 1 : ./ring 2"' ./*.contend/run.json ||
	fail "a program in two ways is called $(grep -h '"command"' ./*.contend/run.json)"
try 1 2 "preloaded everywhere" env LD_PRELOAD="$preload" "$mpiexec" -n 2 ./ring

# Options of their own: what all ranks do together they do whatever each was told.
differ() # RANKS FIRST-OPTION SECOND-OPTION
{
	try 1 "$1" "$2 : $3" "$mpiexec" -n 1 "$contend" record "$2" ./ring : \
		-n 1 "$contend" record "$3" ./other
}
differ 2 --keep-logs --depth=3
differ 2 --start-off --clock-interval=0
differ 2 --ranks=0 --depth=0
differ 2 --max-trace=400k --split-waitall
differ 2 --queues --keep-logs
differ 1 --off --depth=3

# The second program's mistake is said, though its ranks are not the job's first. (MPICH waits for
# ever for a program that does not come to MPI_Init, bare too.)
for mistake in --depht=3 --max-trace=much --depth=many; do
	rm -rf ./*.contend
	timeout 60 "$mpiexec" -n 1 "$contend" record ./ring : \
		-n 1 "$contend" record $mistake ./other >mistake.out 2>mistake.err &
	job=$!
	if [ "$MPI" = mpich ]; then
		for _ in $(seq 500); do
			! grep -q '^contend: error: ' mistake.err || break
			sleep 0.1
		done
		sleep 0.5 # nothing else is to come
		kill $job
	fi
	! wait $job || fail "$mistake: exit status 0"
	[ "$(grep -c "^contend: error: .*${mistake%=*}" mistake.err)" -eq 1 ] ||
		fail "$mistake of the second program: $(cat mistake.err)"
done
rm -rf ./*.contend

# Many ranks at once agree on the name that was asked for.
for i in 1 2 3 4 5; do
	capture job mpi_run 2 "$contend" record -o together ./ring
	expect_status 0 "start $i"
	[ -f together/traces.otf2 ] && [ ! -e together.2 ] || fail "start $i: no agreement"
	rm -r together
done

# A run that was killed, and one of more ranks that is to have the same name.
mkdir -p run.contend/log
capture job mpi_run 2 "$contend" record -o run.contend ./ring
expect_status 0 "a name that is taken"
expect_clean_archive run.contend.2
[ -z "$(ls run.contend/log)" ] || fail "the other job's directory was written into"
