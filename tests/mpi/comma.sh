# SPDX-License-Identifier: GPL-3.0-or-later
# What the recorder writes into files is in nobody's language, whatever locale the program has set.
. "$srcdir/tests/testlib.sh"

# Its other categories are left out, of which localedef warns.
printf 'LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n' >comma.src
localedef -c -i comma.src ./comma >localedef.out 2>&1 || :
[ -f comma/LC_NUMERIC ] || skip "localedef makes no locale: Debian package locales"
LOCPATH=$PWD
export LOCPATH

"$mpicc" -g -O1 "$srcdir/tests/mpi/comma.c" -o comma_writer
capture bare mpi_run 2 ./comma_writer
expect_status 0 "bare"
expect_line '^0,5$' bare.out
capture recorded mpi_run 2 "$contend" record -o comma.contend ./comma_writer
expect_status 0 "recorded"
[ ! -s recorded.err ] || { cat recorded.err >&2; fail "something to complain of"; }
expect_same_results sort bare.out recorded.out
expect_clean_archive comma.contend
[ "$(jq '.wall_s > 0' comma.contend/run.json)" = true ] || fail "run.json is none"
expect_verdict comma.contend
