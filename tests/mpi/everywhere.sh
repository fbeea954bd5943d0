# SPDX-License-Identifier: GPL-3.0-or-later
# Preloaded into everything that runs, the recorder is silent: launchers, shells, compilers,
# threads, programs with other rights; nothing is printed, changed or left behind.
. "$srcdir/tests/testlib.sh"
preload=$("$contend" preload)
[ "$("$contend" preload --mpi="$MPI")" = "$preload" ] || fail "another library for --mpi=$MPI"
capture none "$contend" preload --mpi=lam
expect_status 1 "a recorder for an MPI that nobody has"
expect_line '^contend: error: no recorder for the MPI "lam": ' none.err
rm none.*
cc -w -O1 "$srcdir/tests/mpi/everywhere.c" -o everywhere -lpthread -ldl
"$mpicc" -w -O1 "$srcdir/tests/mpi/partial.c" -o ring
echo 'int main(void) { return 0; }' >nothing.c
cp /bin/echo with-other-rights
[ "$(id -u)" -ne 0 ] || chown 65534 with-other-rights
chmod u+s with-other-rights
ls -A >before

# The same output and status as bare, with the libraries bound at once and when needed.
try() # COMMAND...
{
	capture bare env "$@"
	wanted=$status
	for bind in LD_BIND_NOW= LD_BIND_NOW=1; do
		capture with env "$bind" LD_PRELOAD="$preload" "$@"
		expect_status "$wanted" "$bind $*"
		diff -u bare.out with.out >&2 || fail "$bind $*: other output"
		diff -u bare.err with.err >&2 || fail "$bind $*: other messages"
	done
	echo "same: $*"
}

try true
try false
try bash -c 'echo $((6 * 7)); exec sh -c "exit 3"'
try env -i /bin/echo bare environment
try /usr/bin/python3 -c 'import ctypes, threading; print(ctypes.sizeof(ctypes.c_int))'
try gcc -c nothing.c -o nothing.o
try make --version
try ./everywhere
try ./with-other-rights as somebody else
try "$mpicc" -show
try "$mpiexec" --version
try "$mpiexec" -n 2 true
[ ! -s with.err ] || fail "no bare comparison: $(cat with.err)"

# A job: the launcher and its daemons too have it; only the two ranks are a run.
rm -f nothing.o bare.* with.*
capture job env LD_PRELOAD="$preload" CONTEND_OUTPUT="$PWD/run.contend" "$mpiexec" -n 2 ./ring
expect_status 0 "the job"
[ ! -s job.err ] || { cat job.err >&2; fail "the launcher has something to complain of"; }
expect_clean_archive run.contend
expect_line '^LOCATION_GROUP +1 ' run.contend.defs
rm -rf job.* run.contend* contend.latest
ls -A | grep -vx 'before\|after' >after
grep -vx 'before\|after' before | diff - after >&2 || fail "files that nobody asked for"

# For the log: what starting a process costs.
starts() # NAME=VALUE
{
	s=$(date +%s%N)
	env "$1" sh -c 'i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i + 1)); done'
	echo $(($(date +%s%N) - s))
}
for round in 1 2 3; do
	echo "$(starts NOTHING=) $(starts "LD_PRELOAD=$preload")"
done |
	awk '{ print "200 starts of /bin/true: " $1 / 1e6 " ms bare, " $2 / 1e6 " ms preloaded, ratio " $2 / $1 }'
