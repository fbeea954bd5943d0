# SPDX-License-Identifier: GPL-3.0-or-later
# Who waits for whom where one-sided communication is synchronized: three waits of 0.3 s, or of what
# they were in truth.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/rma_waits.c" -o rma_waits

# CAUSE RANK MPI_CALL: is there one such wait, and does its time differ by a tenth at most?
wait_is()
{
	grep -Eo "\"cause\":\"$1\",[^}]*\"mpi\":\"$3[a-z_]*\"[^}]*\},\"rank\":$2,\"waits\":1,\"s\":[0-9.e-]+" section |
		sed 's/.*://' >waited
	true_s=$(awk -v cause="$1" '$1 == cause { print $2 }' job.out)
	echo "$1 by rank $2 in $3: $(cat waited) s, in truth $true_s s"
	awk -v s="$true_s" '{ n++; if ($1 < 0.9 * s || $1 > 1.1 * s) bad = 1 }
		END { exit bad || n != 1 || s < 0.2 }' waited
}

# A rank that is held up just between its clock and the call makes one run differ.
waits_are_told()
{
	rm -rf run.contend
	capture job mpi_run 2 timeout 60 "$contend" record -o run.contend ./rma_waits
	expect_status 0 "rma_waits"
	capture report timeout 60 "$contend" report --json run.contend
	expect_status 0 "report"
	tr -d ' \n' <report.out | grep -Eo '"one_sided":.*"callsites":' >section
	wait_is late_post 1 MPI_Win_ && wait_is late_complete 1 MPI_Win_wait &&
		wait_is lock 0 MPI_Win_
}
waits_are_told || waits_are_told || waits_are_told || fail "waits are not those that were"
