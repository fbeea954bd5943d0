#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows of doc/validation.md, those of the switch: with the true machine file at most a tenth of the
# messages' and of the ranks' time is misattributed in each, self-calibrated of the ranks', and of
# the intervals at least 95 % cover the truth, either way.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

capture validate "$srcdir/tests/smpi/validate" --only='[dsr]*/switch/all' out
expect_status 0 validate
for of in Messages Ranks; do
	for by in 'with the true machine file' self-calibrated; do
		grep "^- $of, $by: in " validate.out >line || fail "no summary: $of, $by"
		cat line
		sed -E 's/.*: in ([0-9]+) of ([0-9]+) rows .*; ([0-9]+) of ([0-9]+) intervals .*/\1 \2 \3 \4/' \
			line >figures
		# What messages share that all come in equal crowds is not known without a machine
		# file.
		awk -v least="$([ "$of $by" = "Messages self-calibrated" ] && echo 4 || echo 0)" \
			'{ exit !($2 >= 5 && $1 >= (least ? least : $2) && $4 >= 20 && $3 >= 0.95 * $4) }' \
			figures || fail "the analysis is further off than doc/validation.md says"
	done
done
grep -q "differs from the simulator's in 0 of 12 reports" validate.out || fail "sums differ"
