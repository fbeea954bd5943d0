# SPDX-License-Identifier: GPL-3.0-or-later
# NetPIPE's own integrity check passes recorded as it does bare, and it measures the
# same sizes.
. "$srcdir/tests/testlib.sh"
case $MPI in
openmpi) np=NPopenmpi package=netpipe-openmpi ;;
mpich) np=NPmpich2 package=netpipe-mpich2 ;;
esac
need_file $np $package

results() # FILE: sizes and repetitions without rates
{
	grep -E '^ *[0-9]+: +[0-9]+ bytes' "$1" | sed 's/-->.*Mbps.*//'
}

for mode in -i -a; do
	run=netpipe$mode.contend
	capture bare$mode mpi_run 2 $np $mode -u 65536 -n 20
	expect_status 0 "bare $mode"
	capture recorded$mode mpi_run 2 "$contend" record -o $run $np $mode -u 65536 -n 20
	expect_status 0 "recorded $mode"
	expect_same_results results bare$mode.err recorded$mode.err
	expect_clean_archive $run
	expect_every_receive_completed $run
	expect_verdict $run
done
expect_line 'Integrity check passed' recorded-i.err
