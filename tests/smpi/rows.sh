#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows of doc/validation.md: all applications on the switch, EM3D where links are shared, and an
# all-to-all whose waits are split. With the true machine file and self-calibrated at most a tenth of
# the messages' and of the ranks' time is misattributed in each, and of the intervals at least 95 %
# cover the truth.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

rows() # PATTERN LEAST-ROWS-OF-MESSAGES LEAST-INTERVALS REPORTS
{
	capture validate "$srcdir/tests/smpi/validate" --only="$1" out
	expect_status 0 "validate --only=$1"
	for of in Messages Ranks; do
		for by in 'with the true machine file' self-calibrated; do
			grep "^- $of, $by: in " validate.out >line || fail "no summary: $of, $by"
			echo "$1: $(cat line)"
			sed -E 's/.*: in ([0-9]+) of ([0-9]+) rows .*; ([0-9]+) of ([0-9]+) intervals .*/\1 \2 \3 \4/' \
				line >figures
			awk -v rows="$2" -v intervals="$3" \
				'{ exit !($2 >= rows && $1 == $2 && $4 >= intervals && $3 >= 0.95 * $4) }' \
				figures || fail "$1: the analysis is further off than doc/validation.md says"
		done
	done
	grep -q "differs from the simulator's in 0 of $4 reports" validate.out || fail "$1: sums differ"
}

rows '*/switch/all' 9 40 20
rows em3d/mesh/all 1 4 2
rows alltoall-split/tree/all 1 3 2
