# SPDX-License-Identifier: GPL-3.0-or-later
# The unit tests and the command's own tests with AddressSanitizer and
# UndefinedBehaviorSanitizer, in the folder that sanitized.sh has configured.
. "$srcdir/tests/testlib.sh"
build=$builddir/tests/san-address
[ -f "$build/Makefile" ] || skip "sanitized.sh has not configured $build"
unset MAKEFLAGS MFLAGS MAKELEVEL
export UBSAN_OPTIONS="halt_on_error=1 exitcode=66" ASAN_OPTIONS="exitcode=66 verify_asan_link_order=0"
make -s -C "$build" -j2 check-unit check-cli >out 2>&1 ||
	{ grep -v '^ ' out >&2; fail "see $build/tests/logs"; }
grep 'passed' out
