# SPDX-License-Identifier: GPL-3.0-or-later
# Who waits for whom where one-sided communication is synchronized: three known waits of 0.3 s.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/rma_waits.c" -o rma_waits
mpi_run 2 timeout 60 "$contend" record -o run.contend ./rma_waits
capture report timeout 60 "$contend" report --json run.contend
expect_status 0 "report"
tr -d ' \n' <report.out | grep -Eo '"one_sided":.*"callsites":' >section

# wait CAUSE RANK MPI_CALL: its time is about 0.3 s.
wait_is() {
	grep -Eo "\"cause\":\"$1\",[^}]*\"mpi\":\"$3[a-z_]*\"[^}]*\},\"rank\":$2,\"waits\":1,\"s\":[0-9.e-]+" section |
		sed 's/.*://' >waited
	echo "$1: $(cat waited) s for 0.3 s"
	awk '{ n++; if ($1 < 0.2 || $1 > 0.6) bad = 1 } END { exit bad || n != 1 }' waited ||
		fail "$1 by rank $2 in $3"
}
wait_is late_post 1 MPI_Win_
wait_is late_complete 1 MPI_Win_wait
wait_is lock 0 MPI_Win_
