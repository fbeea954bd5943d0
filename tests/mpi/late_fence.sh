# SPDX-License-Identifier: GPL-3.0-or-later
# Who waits in a fence or in MPI_Win_set_info for a late rank waits in a collective: the trace says
# since when, as the program measures it.
. "$srcdir/tests/testlib.sh"
need_file jq jq
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/late_fence.c" -o late_fence

# Does the report's figure differ by a tenth at most? Where MPI_Win_set_info lets ranks go before
# all have come, who came late is awaited in MPI_Win_free. A rank that is held up just between its
# clock and the call makes one run differ.
waits_are_told()
{
	rm -rf run.contend
	capture job mpi_run 2 timeout 60 "$contend" record -o run.contend ./late_fence
	expect_status 0 "late_fence"
	capture report timeout 60 "$contend" report --json run.contend
	expect_status 0 "report"
	jq --argjson true "$(cat job.out)" -c '[.collectives.operations[] |
		select(.callsite.mpi | test("^MPI_Win_(fence|set_info|free)$")).wait_s] | add |
		[., $true, $true > 0.5 and . > 0.9 * $true and . < 1.1 * $true]' report.out >waited
	echo "waited, in truth, alike: $(cat waited)"
	jq -e '.[2]' waited >/dev/null
}
waits_are_told || waits_are_told || waits_are_told ||
	fail "waits are not those that were: $(cat waited)"
