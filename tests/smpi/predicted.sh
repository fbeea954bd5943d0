#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs on better machines take what contend predict says of a run on this one. The rows are
# those of validate_what_if.sh.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"
need_file jq jq
. "$srcdir/tests/smpi/true_machine.sh"
. "$srcdir/tests/smpi/validate_advice.sh"
. "$srcdir/tests/smpi/validate_what_if.sh"

die() { fail "$@"; }

simulate() # FOLDER ARGUMENT-OF-RUN...
{
	capture "$1" "$srcdir/tests/smpi/run" -o "$@"
	expect_line ' verified$' "$1.out"
}

# With the machine file the interval covers what each machine saves, and the likely value is next to
# it; without, it covers.
for row in order-held begun-four gathered-held moved-two posted-early; do
	what_if_row $row
	while IFS='|' read -r name what saved source low likely high verdict; do
		echo "$name, $what, $source: saves $saved %, said [$low, $likely, $high], $verdict"
		case $verdict in
		covers*) ;;
		*) fail "$name, $what, $source: $verdict" ;;
		esac
		[ "$source" = alone ] || awk -v a="$likely" -v b="$saved" \
			'BEGIN { exit !(a <= b + 2 + b / 10 && b <= a + 2 + b / 10) }' ||
			fail "$name, $what: likely is off"
	done <"$row.what_if"
done
[ "$(cat ./*.what_if | wc -l)" = 40 ] || fail "not all was predicted"
