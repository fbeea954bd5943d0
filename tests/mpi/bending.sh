# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes whose clocks bend or jump to and fro while the job runs, of a program that only sends
# messages, and with MPI_THREAD_MULTIPLE: clocks are compared at its begin and end alone, and what
# its messages prove does the rest. Each took what it took in truth, within the stated bound.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -O1 -pthread "$srcdir/tests/mpi/bending.c" -o bending
cc -shared -fPIC -O1 "$srcdir/tests/mpi/fakeclock.c" -o fakeclock.so -ldl -lm
case $MPI in
openmpi) ranks=3 ;;
*) ranks=2 ;;
esac
export FAKE_NODES=$ranks FAKE_OFFSET_NS=7000000000 FAKE_DRIFT_PPM=30

# A node's clock goes to and fro by so much at most, which is more than is to be stated of a wave.
# How fast a clock jumps nobody knows: of jumps the bound is to hold, and to be little beside the 7
# s.
height=$((2 * (ranks - 1) * 5000000))
for shape in sine,5000000,3000000000 step,5000000,1100000000; do
	case $shape in
	sine*) most=$height ;;
	*) most=$((20 * height)) ;;
	esac
	run=${shape%%,*}
	rm -f passed.*
	capture job env FAKE_BEND=$shape "$mpiexec" -n $ranks timeout 60 \
		env LD_PRELOAD="$PWD/fakeclock.so" "$contend" record -o "$run.contend" ./bending 250 6000
	expect_status 0 "$run"
	[ ! -s job.err ] || fail "$run: $(cat job.err)"
	"$contend" report --json --messages="$run.csv" "$run.contend" >"$run.json"
	bound=$(sed -n 's/.*"clock_error_s": \([0-9.e-]*\),.*/\1/p' "$run.json")
	cat passed.* "$run.csv" | awk -F, -v bound="$bound" -v most=$most '
	$1 == "sent" { before[$2, $3, $4] = $5; next }
	$1 == "received" { after[$2, $3, $4] = $5; next }
	$1 ~ /^[0-9]+$/ {
		at = $1 SUBSEP $2 SUBSEP $4
		off = ($9 - $6) - (after[at] - before[at])
		if (!(at in before) || !(at in after))
			missing++
		worst = off > worst ? off : worst
		all++
	}
	END {
		printf "%d messages off by %d ns at most, bound %d ns\n", all, worst, bound * 1e9
		exit !(all > 0 && !missing && worst <= bound * 1e9 && bound * 1e9 < most)
	}' || fail "$run: messages are off by more than the bound, or that is no use"
done
