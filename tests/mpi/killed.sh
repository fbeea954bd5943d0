# SPDX-License-Identifier: GPL-3.0-or-later
# A rank that dies at any point takes nothing with it: the report holds every send that
# had returned by then. KILLS=100 tries more often than 10 times.
. "$srcdir/tests/testlib.sh"
: "${KILLS:=10}"
case $MPI in
openmpi) ranks=4 ;;
*) ranks=2 ;;
esac
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/killed.c" -o killed

random=$(date +%N | sed 's/^0*//')
i=0
while [ $i -lt "$KILLS" ]; do
	case $((i % 4)) in
	0) how=kill ;;
	1) how=segv ;;
	2) how=abort ;;
	3) how=exit ;;
	esac
	# Few calls and many: in the first half of the log, and with chunks written.
	random=$(((random * 1103515245 + 12345) % 2147483648))
	calls=$((random / 7 % (i % 2 ? 40000 : 600)))
	rm -f sent
	capture killed mpi_run $ranks timeout 60 \
		"$contend" record -o run.contend ./killed $how $calls sent
	[ "$status" -ne 0 ] || fail "$how: exit status 0"
	sent=$(od -An -td8 sent | tr -d ' ')
	capture report timeout 60 "$contend" report run.contend
	expect_status 0 "report after $how and $calls calls"
	expect_clean_archive run.contend
	found=$(awk -v last=$((ranks - 1)) '$1 == "MPI_SEND" && $2 == last' \
		run.contend.events | wc -l)
	echo "$how after $calls calls: $sent sent, $found recovered"
	[ "$found" -eq "$sent" ] || fail "$how: $sent sent, $found recovered"
	case $how in
	abort) ended=abort ;;
	*) ended=killed ;;
	esac
	grep -q "\"ended\": \"$ended\"" run.contend/run.json || fail "$how: not '$ended' in run.json"
	rm -rf run.contend*
	i=$((i + 1))
done
