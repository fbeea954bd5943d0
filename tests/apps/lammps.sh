# SPDX-License-Identifier: GPL-3.0-or-later
# LAMMPS computes the same recorded as bare: melt of its own examples, 4 ranks.
. "$srcdir/tests/testlib.sh"
example=/usr/share/lammps/examples/melt/in.melt
need_file lmp lammps
need_file $example lammps-examples
sed 's/^run.*/run 50/' $example >in.melt

results() # FILE: without how long it took
{
	sed -e '/CPU = /d' -e '/^Loop time/,/^Other/d' -e '/^Total wall time/d' "$1"
}

capture bare mpi_run 4 lmp -log none -in in.melt
expect_status 0 "bare"
capture recorded mpi_run 4 "$contend" record -o melt.contend lmp -log none -in in.melt
expect_status 0 "recorded"
expect_same_results results bare.out recorded.out
expect_line '^ +50 +1\.684' recorded.out
expect_clean_archive melt.contend
expect_every_receive_completed melt.contend
expect_verdict melt.contend
"$contend" info melt.contend >info.txt
expect_line '^ +1 +MPI_COMM_SELF$' info.txt
# Nothing but noise is in its way; on busy processors ranks may compute unlike long.
expect_hotspots_only melt.contend 'imbalance'
