#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs take with more ranks, and with fewer, what contend predict --ranks says of a run of one
# number. The rows are those of validate_copies.sh.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"
need_file jq jq
. "$srcdir/tests/smpi/true_machine.sh"
. "$srcdir/tests/smpi/validate_copies.sh"

die() { fail "$@"; }

simulate() # FOLDER ARGUMENT-OF-RUN...
{
	capture "$1" "$srcdir/tests/smpi/run" -o "$@"
	expect_line ' verified$' "$1.out"
}

# The interval covers it; with the machine file, where most is collectives, the likely value is next
# to it.
for row in sum-one exchanged gathered; do
	copies_row $row
	cat $row.copies
	! grep misses $row.copies || fail "$row: not what it takes"
	[ $row = sum-one ] || ! grep 'file.*off' $row.copies || fail "$row: not what it likely takes"
done
[ "$(cat ./*.copies | wc -l)" = 36 ] || fail "not all was predicted"
