# SPDX-License-Identifier: GPL-3.0-or-later
# Who sleeps between polls waits, and what it polled for waits for it; who computes between them
# works.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/dozing.c" -o dozing

capture job mpi_run 2 "$contend" record -o dozing.contend ./dozing
expect_status 0 "a job that sleeps between polls"
capture report "$contend" report dozing.contend
expect_status 0 "its report"
expect_line '^ +[0-9.]+ m?s +0  sleep between polls +dozing.c:[0-9]+ in serve' report.out
expect_line '1 rank slept between polls that found nothing, for [0-9]+ % of rank time' report.out
expect_line '^[1-9] [A-Z]+ +sleep  +rank 0 sleeps between polls' report.out
expect_line ' of its time [0-9.]+ % late partner' report.out

capture job mpi_run 2 "$contend" record -o busy.contend ./dozing busy
expect_status 0 "a job that computes between polls"
capture report "$contend" report busy.contend
expect_status 0 "its report"
! grep 'slept between polls\|sleep between polls' report.out || fail "computation is taken for sleep"
expect_line '^ +[0-9.]+ m?s +0  computation ' report.out
