# SPDX-License-Identifier: GPL-3.0-or-later
# What was done to a window and a file that were open when their rank was killed is found.
. "$srcdir/tests/testlib.sh"
accesses=500
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/killed_access.c" -o killed_access
capture killed mpi_run 2 timeout 60 \
	"$contend" record -o run.contend ./killed_access $accesses killed.data "a b" "it's" ""
[ "$status" -ne 0 ] || fail "exit status 0"
# Who reads it first makes the trace, and must be allowed to write into its folder; root is when it
# lays down what it may do beyond others.
as_others=
[ "$(id -u)" -ne 0 ] || as_others="setpriv --bounding-set=-dac_override --inh-caps=-dac_override"
chmod a-w run.contend
capture refused $as_others timeout 60 "$contend" report run.contend
chmod u+w run.contend
expect_status 1 "report in a folder without write access"
grep -q 'run.contend is still to be finished.*Permission denied' refused.err ||
	fail "not said: $(cat refused.err)"
capture report timeout 60 "$contend" report run.contend
expect_status 0 "report"
expect_clean_archive run.contend
for event in RMA_PUT RMA_OP_COMPLETE_REMOTE RMA_RELEASE_LOCK IO_OPERATION_COMPLETE; do
	found=$(awk -v event=$event '$1 == event && $2 == 1' run.contend.events | wc -l)
	[ "$found" -eq $accesses ] || fail "$event: $found of $accesses recovered"
done
for what in RMA_WIN IO_HANDLE IO_REGULAR_FILE; do
	[ "$(grep -c "^$what " run.contend.defs)" -eq 1 ] || fail "not one $what is defined"
done
for event in RMA_WIN_DESTROY IO_DESTROY_HANDLE; do
	! grep -q "^$event" run.contend.events || fail "$event that never was"
done
"$contend" info run.contend >info.out
expect_line "^  command +./killed_access $accesses killed.data 'a b' 'it'.''s' ''$" info.out
