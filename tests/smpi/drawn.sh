#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs drawn by lot on the simulated machine (tests/smpi/drawn.c), with sends that are on their
# way at once and with such as wait for their receives: by the true machine file at most a tenth of
# the messages' and of the ranks' time is in the wrong part. Self-calibrated the likely values may
# be wrong, too; 19 of 20 intervals cover the truth, by the true machine file all of them. The sums
# are exact.
. "$srcdir/tests/testlib.sh"
. "$srcdir/tests/smpi/true_machine.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"
SMPI_CPPFLAGS="${SMPI_CPPFLAGS:--I/usr/include/smpi} -D_GNU_SOURCE -I$srcdir"
export SMPI_CPPFLAGS

# A look at a request takes the simulator's MPI_Waitsome, too, a poll for each but the first; what no
# machine file says and, with 1 us, is more than any MPI needs.
one() # SEED SHAPE SHARED EAGER_BYTES OPTION-OF-RUN OPTION-OF-PROGRAM
{
	# Words or none. shellcheck disable=SC2086
	capture "run$1" "$srcdir/tests/smpi/run" -o "run$1" $5 --handler=3e-6 --poll=1e-7 \
		"$2,bandwidth=40e6,contention=$3" 8 "$srcdir/tests/smpi/drawn.c" --seed="$1" $6
	expect_status 0 "seed $1"
	expect_line ' verified$' "run$1.out"
	# What waits for its receive is never there before it, and not handled.
	handler=3e-6
	[ "$4" != 0 ] || handler=0
	true_machine 0 $handler "$4" "$3" 2.5e-8 1 "$2" >machine.json
	for source in self-calibrated machine-file; do
		given=
		[ $source = self-calibrated ] || given=--machine=machine.json
		# A word or none. shellcheck disable=SC2086
		"$contend" report --json $given "run$1/run.contend" >report.json ||
			fail "seed $1: no report"
		"$builddir/tests/smpi/compare" "run$1/truth.csv" report.json |
			sed "s/^/$source|$1|${2%%:*}|$3|/"
		"$builddir/tests/smpi/compare" --ranks "run$1/ranks.csv" report.json |
			sed "s/^/$source ranks|$1|${2%%:*}|$3|/"
	done >>rows
}

# One that never ends did not run.
cat >stuck.c <<'END'
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
END
capture stuck "$srcdir/tests/smpi/run" -o stuck --bare switch:2,bandwidth=40e6 2 stuck.c
expect_status 2 "ranks that wait for each other"
expect_line 'waits for ever$' stuck.err

one 1 torus:2x4 all 65535 "" ""
one 2 torus:2x4 all 0 --wait --synchronous
one 3 switch:8 ports 65535 "" ""
one 4 switch:8 none 0 --wait --synchronous
one 5 tree:2x4,over=4 all 65535 "" ""
one 6 mesh:2x4 all 0 --wait --synchronous
one 7 torus:2x4 all 65535 "" ""
one 8 mesh:2x4 all 65535 "" ""
# Each of these had an interval that missed the truth.
one 203 switch:8 ports 65535 "" ""
one 307 switch:8 none 0 --wait --synchronous
one 309 mesh:2x4 all 0 --wait --synchronous
one 118 mesh:2x4 all 0 --wait --synchronous
one 212 switch:8 none 0 --wait --synchronous
one 231 switch:8 none 65535 "" ""
one 301 mesh:2x4 all 0 --wait --synchronous
one 1153 torus:2x4 all 65535 "" ""
covered() # ROW SHARE: so many of its intervals cover the truth
{
	grep "^- $1" tables | sed -E 's/.* ([0-9]+) of ([0-9]+) intervals .*/\1 \2/' >covered
	awk -v share="$2" '{ exit !($2 >= 40 && $1 >= share * $2) }' covered ||
		fail "$1: intervals cover: $(cat covered)"
}

awk -F'|' -f "$srcdir/tests/smpi/validate_rows.awk" rows >tables
for of in Messages Ranks; do
	grep "^- $of, with the true machine file: in 16 of 16 rows" tables ||
		fail "more than a tenth in the wrong part: $(grep "^- $of, with" tables)"
	covered "$of, with" 1
	covered "$of, self-calibrated" 0.95
done
grep "differs from the simulator's in 0 of 32 reports" tables || fail "sums differ"
