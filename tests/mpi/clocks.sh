# SPDX-License-Identifier: GPL-3.0-or-later
# Ranks of this machine as nodes whose clocks are seconds apart and drift: the archive's times
# are the true ones within the bound that run.json states. A clock that is set while the job runs is
# noticed. (What is true is known: all ranks do have the same clock, and the reference node's is not
# changed.)
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -O1 -pthread "$srcdir/tests/mpi/clocks.c" -o clocks
cc -shared -fPIC -O1 "$srcdir/tests/mpi/fakeclock.c" -o fakeclock.so -ldl -lm
case $MPI in
openmpi) ranks=5 nodes=4 ;;
*) ranks=2 nodes=2 ;;
esac
export FAKE_NODES=$nodes FAKE_OFFSET_NS=7000000000 FAKE_DRIFT_PPM=30

record() # RUN ARGUMENT...
{
	run=$1
	shift
	rm -f truth.*
	capture job mpi_run $ranks timeout 60 env LD_PRELOAD="$PWD/fakeclock.so" \
		"$contend" record -o "$run" ./clocks "$@"
	expect_status 0 "$run"
	[ ! -s job.err ] || fail "$run: $(cat job.err)"
	expect_clean_archive "$run"
}

# After expect_clean_archive: the barriers against the truth.
expect_true_times() # RUN
{
	bound=$(sed -n 's/^ *"error_ns": \([0-9]*\) }.*/\1/p' "$1/run.json")
	[ -n "$bound" ] || fail "$1: no bound of the clock error"
	[ "$bound" -gt 0 ] && [ "$bound" -lt 100000000 ] || fail "$1: a bound of $bound ns"
	cat truth.* "$1.events" | awk -v bound="$bound" '
	NF == 4 && $1 ~ /^[0-9]+$/ { before[$1, $2] = $3; after[$1, $2] = $4; next }
	/^ENTER.*"MPI_Barrier"/ { enter[$2, n[$2] + 0] = $3 }
	/^LEAVE.*"MPI_Barrier"/ { leave[$2, n[$2]++] = $3 }
	END {
		for (k in before) {
			early = before[k] - enter[k]
			late = leave[k] - after[k]
			if (!(k in leave))
				missing++
			worst = early > worst ? early : worst
			worst = late > worst ? late : worst
			all++
		}
		printf "%d times off by %d ns at most, bound %d ns\n", all, worst, bound
		exit !(all > 0 && !missing && worst <= bound)
	}' || fail "$1: times are off by more than the bound"
}

record drift.contend 30 50000
expect_true_times drift.contend
[ "$(grep -c '"host".*"compared": 2,' drift.contend/run.json)" -eq $nodes ] ||
	fail "not $nodes clocks were compared: $(cat drift.contend/run.json)"
if grep -q '"steps"' drift.contend/run.json; then
	fail "a step that nobody made: $(cat drift.contend/run.json)"
fi

record step.contend 20 50000 30000000
expect_line '"steps": 1, "step_ns": -[0-9]+' step.contend/run.json
expect_true_times step.contend

expect_line 'SYSTEM_TREE_NODE_PROPERTY.*"CONTEND::CLOCK_BOUND_NS".* Value: [0-9]+' step.contend.defs
"$contend" info --width=200 step.contend >info
expect_line 'clocks +of different nodes agree to .* compared 2 times; one was set' info
"$contend" report --json step.contend >step.json
expect_line 'the clock of node 1 was set, by -' step.json

# Compared while the job runs too: what drift and step do is known to the second. So it is while
# threads call collectives on other communicators, in an order that no two ranks have in common.
# (A leader that a busy machine keeps from three meetings is not waited for again: another try.)
export CONTEND_CLOCK_INTERVAL=1
for threads in 0 3; do
	for try in 1 2 3; do
		rm -rf between.contend*
		THREADS=$threads record between.contend 70 60000 30000000
		between=$(sed -n 's/.*"compared": \([0-9]*\),.*/\1/p' between.contend/run.json |
			sort -n | head -n 1)
		[ "$between" -lt 4 ] || break
	done
	echo "$threads threads more: compared $between times"
	[ "$between" -ge 4 ] || fail "compared $between times: $(cat between.contend/run.json)"
	expect_line '"steps": 1, "step_ns": -[0-9]+' between.contend/run.json
	expect_line '"clocks_s":' between.contend/run.json
	expect_true_times between.contend
done

# A node that does not come to the meetings is not waited for, nor met at MPI_Finalize by
# what was sent to it before.
cat >unwilling <<END
#!/bin/sh
[ "\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" -ne 1 ] || export CONTEND_CLOCK_INTERVAL=0
LD_PRELOAD=$PWD/fakeclock.so exec "\$@"
END
chmod +x unwilling
capture job mpi_run $ranks timeout 60 ./unwilling "$contend" record -o alone.contend ./clocks 30 20000
expect_status 0 "a node that does not come"
expect_clean_archive alone.contend
expect_true_times alone.contend
[ "$(grep -c '"host".*"compared": 2,' alone.contend/run.json)" -ge 1 ] ||
	fail "the node that does not come: $(cat alone.contend/run.json)"

# Along a tree: of 8 nodes rank 0's compares itself with 3 others, and none with more. (Open MPI
# counts the messages between each two ranks; a comparison takes 20 each way, at both ends.)
[ "$MPI" = openmpi ] || exit 0
capture job env FAKE_NODES=8 CONTEND_CLOCK_INTERVAL=0 OMPI_MCA_pml_monitoring_enable=2 \
	OMPI_MCA_pml_monitoring_enable_output=3 OMPI_MCA_pml_monitoring_filename="$PWD/counted" \
	"$mpiexec" -n 8 timeout 60 env LD_PRELOAD="$PWD/fakeclock.so" \
	"$contend" record -o tree.contend ./clocks 3 1000
expect_status 0 "8 nodes"
if [ -e counted.0.prof ]; then
	cat counted.*.prof | awk '$1 == "E" && $6 >= 40 { print $2, "with", $3 }' |
		sort -u >compared
	[ "$(grep -c 'with 0$' compared)" -eq 3 ] && [ "$(wc -l <compared)" -eq 14 ] ||
		fail "who compares clocks: $(tr '\n' ';' <compared)"
else
	echo "this Open MPI does not count messages (pml_monitoring)"
fi
