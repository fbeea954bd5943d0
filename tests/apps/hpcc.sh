# SPDX-License-Identifier: GPL-3.0-or-later
# HPC Challenge validates the same recorded as bare: all its parts, small, 4 ranks.
. "$srcdir/tests/testlib.sh"
need_file hpcc hpcc

results() # FILE: the summary without times and rates
{
	sed -n '/^Begin of Summary/,/^End of Summary/p' "$1" |
		grep -Ev '(time|Time|flops|GBs|GUPs|usec|GBytes|STREAM_[A-Z]|_time[0-9])' |
		grep -Ev '(Copy|Scale|Add|Triad)='
}

for way in bare recorded; do
	mkdir $way
	cp "$srcdir/tests/apps/hpccinf.txt" $way/
done
cd bare
capture ../bare mpi_run 4 hpcc
expect_status 0 "bare"
cd ../recorded
capture ../recorded mpi_run 4 "$contend" record -o ../hpcc.contend hpcc
expect_status 0 "recorded"
cd ..
expect_same_results results bare/hpccoutf.txt recorded/hpccoutf.txt
expect_line '^Success=1$' recorded/hpccoutf.txt
expect_clean_archive hpcc.contend
expect_every_receive_completed hpcc.contend
expect_verdict hpcc.contend
# Its habits are no contention.
expect_hotspots_only hpcc.contend 'imbalance|polling'
