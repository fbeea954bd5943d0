# SPDX-License-Identifier: GPL-3.0-or-later
# Who makes the trace of a killed job, which may be large, sees on a terminal what is being done and
# how much of it; what is told stays below each other. Elsewhere there is nothing of it.
. "$srcdir/tests/testlib.sh"
command -v script >/dev/null || skip "no script: Debian package bsdutils"
case $MPI in
openmpi) ranks=3 ;;
*) ranks=2 ;;
esac
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/killed.c" -o killed
cc -shared -fPIC -O1 "$srcdir/tests/mpi/slow_disk.c" -o slow_disk.so -ldl
capture job timeout 60 "$mpiexec" -n $ranks timeout 50 "$contend" record -o run.contend \
	./killed everyone 1000 sent

step=$(printf '\r\033\\[Kcontend: finishing the trace \\.\\.\\. [0-9][0-9]* %%')
said=$(printf '\r\033\\[Kcontend: finished the trace of')
for verb in recover info report; do
	cp -r run.contend $verb.contend
	timeout 60 script -qec "env LD_PRELOAD=$PWD/slow_disk.so $contend $verb $verb.contend" \
		$verb.log >/dev/null </dev/null || fail "no terminal: $(cat $verb.log)"
	grep -q "$step" $verb.log || fail "$verb shows nothing: $(cat -v $verb.log)"
	grep -q "$said" $verb.log || fail "$verb leaves its line: $(cat -v $verb.log)"
done
grep -q 'contend: ranks\{0,1\} .*; which was killed first is not known' recover.log ||
	fail "recover does not say how it ended: $(cat -v recover.log)"
cp -r run.contend quiet.contend
capture quiet env LD_PRELOAD="$PWD/slow_disk.so" "$contend" report quiet.contend
expect_status 0 "contend report"
# Each rank's end, whatever ended the others.
[ "$(grep -Eo '^  ranks? [0-9, and]+ (was|were) (killed by a signal that leaves no note|ended by SIGTERM)' quiet.out |
	grep -Eo '[0-9]+' | wc -l)" -eq $ranks ] ||
	fail "not each rank's end: $(cat quiet.out)"
expect_lines 1 quiet.err
expect_line '^contend: finished the trace of ' quiet.err
capture verbose "$contend" info --verbose run.contend
expect_status 0 "contend info --verbose"
expect_line '^contend: finishing the trace +[0-9.]+ s' verbose.err
