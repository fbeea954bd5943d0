# SPDX-License-Identifier: GPL-3.0-or-later
# The recorder under a sanitizer: built with it in a folder of its own, each program of
# BEHAVIOURS ("all": those of tests/mpi/behaviours) is recorded and nothing is found.
# SANITIZER is thread, or address, which looks for undefined behaviour too.
. "$srcdir/tests/testlib.sh"
: "${SANITIZER:=thread}" "${BEHAVIOURS:=crowd clocks}"
[ "$BEHAVIOURS" != all ] || BEHAVIOURS="threads crowd clocks $(cat "$srcdir/tests/mpi/behaviours")"
case $SANITIZER in
thread) flags=-fsanitize=thread runtime=libtsan.so ;;
address) flags="-fsanitize=address,undefined" runtime=libasan.so ;;
*) fail "SANITIZER=$SANITIZER is neither thread nor address" ;;
esac
# Words wanted. shellcheck disable=SC2086
runtime=$(readlink -f "$($CC -print-file-name=$runtime)")
[ -f "$runtime" ] || skip "no $SANITIZER sanitizer for $CC"

build=$builddir/tests/san-$SANITIZER
unset MAKEFLAGS MFLAGS MAKELEVEL
mkdir -p "$build"
(
	cd "$build"
	[ -f Makefile ] || "$srcdir/configure" -q --enable-devel --disable-long-tests \
		--with-mpi="$(echo "$MPIS" | tr ' ' ,)" CC="$CC" \
		CFLAGS="-O1 -g -fno-omit-frame-pointer -Wno-error $flags" # which confuses its warnings
	make -s -j2 libcontend.la "libcontend-$MPI.la"
) >build.out 2>&1 || { tail -n 20 build.out >&2; fail "not built with $flags"; }

# libunwind frees a thread's cache after the sanitizer has forgotten the thread.
"$mpicc" -w -O1 -g -shared -fPIC "$srcdir/tests/san/unwind.c" "$srcdir/tests/san/leave.c" \
	-o help.so
export UCX_MEM_EVENTS=n UCX_MEM_MMAP_HOOK_MODE=none # so does UCX with a thread's stack
# What is not built with it cannot be judged: ThreadSanitizer does not see those locks.
export TSAN_OPTIONS="detect_deadlocks=0 ignore_noninstrumented_modules=1 exitcode=66 log_path=$PWD/found"
export ASAN_OPTIONS="detect_leaks=0 verify_asan_link_order=0 exitcode=66 log_path=$PWD/found"
export UBSAN_OPTIONS="print_stacktrace=1 log_path=$PWD/found"
cat >sanitized <<END
#!/bin/sh
LD_PRELOAD=\$ALSO:$runtime:$PWD/help.so:$build/.libs/libcontend.so exec "\$@"
END
cat >bare <<END
#!/bin/sh
export TSAN_OPTIONS="$TSAN_OPTIONS log_path=$PWD/alone"
export ASAN_OPTIONS="$ASAN_OPTIONS log_path=$PWD/alone"
LD_PRELOAD=$runtime:$PWD/help.so exec "\$@"
END
chmod +x sanitized bare

# Two nodes, whose clocks are compared while four threads call MPI.
cc -shared -fPIC -O1 "$srcdir/tests/mpi/fakeclock.c" -o fakeclock.so -ldl -lm
export CONTEND_CLOCK_INTERVAL=1 THREADS=3
nodes="FAKE_NODES=2 ALSO=$PWD/fakeclock.so"

failed=
for program in $BEHAVIOURS; do
	rm -rf found.*
	as="ALSO=" options=
	[ "$program" != clocks ] || as=$nodes options="60 50000"
	source=$srcdir/tests/mpi/$program.c more=
	[ -f "$source" ] || source=${source%.c}.cc more="-DOMPI_SKIP_MPICXX -lstdc++"
	# Words wanted. shellcheck disable=SC2086
	"$mpicc" -w -g -O1 "$source" -o "$program" -lpthread -lm $more
	# Words wanted. shellcheck disable=SC2086
	capture "$program" env $as CONTEND_OUTPUT="$PWD/$program.contend" \
		"$mpiexec" -n 2 timeout 120 ./sanitized "./$program" $options
	[ -d "$program.contend" ] || fail "$program was not recorded"
	[ "$program" != clocks ] || grep -o '"compared": [0-9]*' "$program.contend/run.json"
	if [ "$status" -eq 0 ] &&
		! grep -lE 'ERROR: |WARNING: Thread|runtime error: ' found.* >found 2>/dev/null; then
		:
	elif mpi_run 2 timeout 120 ./bare "./$program" $options >/dev/null 2>&1; then
		cat "$program.out" "$program.err" found.* 2>/dev/null | grep -v '^expect' |
			head -n 60 >&2
		failed="$failed $program"
	else
		echo "$program fails with the sanitizer alone"
	fi
	rm -rf "$program.contend"
done
[ -z "$failed" ] || fail "found something in:$failed"
