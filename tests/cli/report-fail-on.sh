# SPDX-License-Identifier: GPL-3.0-or-later
# A finding at --fail-on is exit status 3; above it, 0.
contend=$builddir/contend
"$contend" report --fail-on=high "$srcdir/tests/cli/order-original.json" >/dev/null; echo $?
CONTEND_FAIL_ON=low "$contend" report "$srcdir/tests/cli/order-original.json" >/dev/null; echo $?
"$contend" report --fail-on=low "$srcdir/tests/cli/order-random.json" >/dev/null; echo $?
"$contend" report --fail-on=grave "$srcdir/tests/cli/order-random.json" 2>&1; echo $?
