# SPDX-License-Identifier: GPL-3.0-or-later
# The recorder is not seen: each program prints the same and ends the same with it as
# without, and the trace holds as many events as the program says it caused.
# BEHAVIOURS="failing many" tests only these, RANKS=2 with so many ranks; each job may take
# JOB_TIMEOUT seconds.
. "$srcdir/tests/testlib.sh"
. "$srcdir/tests/mpi/declared.sh"
: "${JOB_TIMEOUT:=60}"
: "${BEHAVIOURS:=$(cat "$srcdir/tests/mpi/behaviours")}"

case $MPI in
openmpi) ranks=${RANKS:-4} ;;
*) ranks=${RANKS:-2} ;; # busy-polls: no more ranks than processors
esac

# What the ranks printed comes in any order.
sorted()
{
	sort "$1"
}

failed=
for program in $BEHAVIOURS; do
	source=$srcdir/tests/mpi/$program.c more=
	[ -f "$source" ] || source=${source%.c}.cc more="-DOMPI_SKIP_MPICXX -lstdc++"
	# Words wanted. shellcheck disable=SC2086
	"$mpicc" -w -g -O1 "$source" -o $program -lpthread -lm $more
	: >declared # some write into this file what they expect
	capture $program.bare mpi_run $ranks timeout "$JOB_TIMEOUT" ./$program
	[ "$status" -eq 0 ] || fail "$program fails without a recorder: $(cat $program.bare.out)"
	cat $program.bare.out declared >$program.declared
	capture $program.recorded mpi_run $ranks timeout "$JOB_TIMEOUT" \
		"$contend" record --keep-logs -o $program.contend ./$program
	if [ "$status" -ne 0 ] || [ -s $program.recorded.err ]; then
		cat $program.recorded.out $program.recorded.err >&2
		echo "$program: exit status $status when recorded" >&2
		failed="$failed $program"
		continue
	fi
	expect_same_results sorted $program.bare.out $program.recorded.out
	expect_clean_archive $program.contend
	expect_declared $program $program.contend $program.declared || failed="$failed $program"
	capture report timeout 60 "$contend" report $program.contend
	expect_status 0 "$program: contend report"
	echo "$program: $(wc -l <$program.contend.events) lines of events"
	rm -rf $program.contend*
done
[ -z "$failed" ] || fail "not as declared:$failed"
