#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Diamond with the stripes where a file has them: its messages have the same way as with the map
# that the file repeats, another than with another.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

diamond() # FOLDER OPTION...
{
	to=$1
	shift
	capture "$to" "$srcdir/tests/smpi/run" -o "$to" --bare mesh:2x4,bandwidth=40e6 8 \
		"$srcdir/share/examples/diamond.c" --length=256 --blocks=8 --extra=1000 "$@"
	expect_status 0 "diamond in $to"
	expect_line ' verified$' "$to.out"
	awk -F, 'NR > 1 && $3 > 1000 { print $1, $2 }' "$to/flows.csv" | sort >"$to.ways"
	expect_lines 56 "$to.ways"
}

seq 7 -1 0 >map
diamond file --map-file="$PWD/map"
diamond reverse --map=reverse
diamond linear
cmp file.ways reverse.ways || fail "not the map of the file"
! cmp -s file.ways linear.ways || fail "all maps are one"
