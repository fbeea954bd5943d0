# SPDX-License-Identifier: GPL-3.0-or-later
# 100,000 communicators on each rank cost no more at the end than at the beginning: neither
# memory while they come and go, nor minutes when the trace is written and read.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/ids.c" -o ids
capture ids mpi_run 2 timeout 120 "$contend" record -o run.contend ./ids 100000
cat ids.out
expect_status 0 "recorded"
[ -f run.contend/traces.otf2 ] || fail "no trace"
capture report timeout 60 "$contend" report run.contend
expect_status 0 "contend report"
