# SPDX-License-Identifier: GPL-3.0-or-later
# Who asks for the report of a job that still runs is told so at once. A job that ends meanwhile has
# finished its own trace, which is used; of one that goes on nothing is touched. The same of a
# job in a container, whose numbers of processes are its own.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/still.c" -o still

# A run in the folder NAME.contend that goes on until there is a file NAME.stop, by COMMAND.
begin() # NAME [COMMAND...]
{
	name=$1
	shift
	"$@" "$mpiexec" -n 2 timeout 100 "$contend" record -o "$name.contend" ./still "$name.stop" \
		>"$name.job" 2>&1 &
	set -- "$name"
	job=$!
	n=0
	until [ -s "$1.contend/log/0.0.log" ] && [ -s "$1.contend/log/1.0.log" ]; do
		n=$((n + 1))
		[ $n -lt 300 ] || fail "the job does not begin: $(cat "$1.job")"
		sleep 0.1
	done
	sleep 0.5
}

expect_job() # NAME
{
	wait "$job" || fail "$1: the job failed: $(cat "$1.job")"
	[ ! -s "$1.job" ] || fail "$1: the job says: $(cat "$1.job")"
	[ ! -e "$1.contend/log" ] || fail "$1: logs remain"
}

refused() # NAME
{
	for verb in report recover info; do
		capture $verb timeout 60 "$contend" $verb "$1.contend"
		expect_status 1 "$verb of a job that goes on"
		expect_line "^contend: $1.contend is still being recorded: waiting up to " $verb.err
		expect_line "$1.contend is still being recorded: wait until the job has ended" $verb.err
		expect_lines 2 $verb.err
		[ ! -s $verb.out ] || fail "$verb prints: $(cat $verb.out)"
	done
	: >"$1.stop"
	expect_job "$1"
}

begin on
refused on

contained="unshare --pid --fork --mount-proc --kill-child"
if $contained true 2>unshare.err; then
	begin inside $contained
	refused inside
else
	echo "no containers: $(cat unshare.err)"
fi

# VERB of a job that is told to end when VERB has said that it waits, which it does for 3 s.
meanwhile() # VERB
{
	rm -rf $1.contend $1.stop
	begin $1
	timeout 60 "$contend" $1 $1.contend >$1.out 2>$1.err &
	asking=$!
	for _ in $(seq 600); do
		! grep -q 'waiting up to' $1.err || break
		sleep 0.1
	done
	: >$1.stop
	status=0
	wait $asking || status=$?
}

for verb in report recover info; do
	# A busy machine may take longer than that to end a job.
	for try in 1 2 3 4; do
		meanwhile $verb
		[ "$status" -eq 1 ] && grep -q 'wait until the job has ended' $verb.err || break
		wait "$job" || :
	done
	capture_name=$verb
	expect_status 0 "$verb of a job that ends meanwhile"
	expect_line "^contend: $verb.contend is still being recorded: waiting up to " $verb.err
	! grep -q "finished the trace\|removed" $verb.err || fail "$verb did the job's work"
	expect_job $verb
	capture after "$contend" info $verb.contend
	expect_status 0 "info of $verb.contend"
	expect_line "ended +all ranks in MPI_Finalize" after.out
done
expect_clean_archive report.contend
