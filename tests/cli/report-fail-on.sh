# SPDX-License-Identifier: GPL-3.0-or-later
# A finding at --fail-on is exit status 3; above it, 0; where nothing was recorded, a rank died, or
# a document has a severity that is none, that is a failure.
contend=$builddir/contend
"$contend" report --fail-on=high "$srcdir/tests/cli/order-original.json" >/dev/null; echo $?
CONTEND_FAIL_ON=low "$contend" report "$srcdir/tests/cli/order-original.json" >/dev/null; echo $?
"$contend" report --fail-on=low "$srcdir/tests/cli/order-random.json" >/dev/null; echo $?
"$contend" report --fail-on=grave "$srcdir/tests/cli/order-random.json" 2>&1; echo $?
none=$(mktemp) || exit 99
trap 'rm -f "$none" "$none.json"' EXIT
sed 's/"ranks": 16,/&\n  "left_out_ranks": 16,\n  "recorded_share": 0.0,/' \
	"$srcdir/tests/cli/order-random.json" >"$none.json"
"$contend" report --fail-on=high "$none.json" 2>&1 >/dev/null; echo $?
"$contend" report --fail-on=never "$none.json" 2>&1 >/dev/null; echo $?
sed 's/"ended": "finalize"/"ended": "killed", "unfinished": [{"rank": 3, "ended": "killed"}]/' \
	"$srcdir/tests/cli/order-random.json" >"$none.json"
"$contend" report --fail-on=high "$none.json" 2>&1 >/dev/null; echo $?
sed 's/"severity": "high"/"severity": "grave"/' "$srcdir/tests/cli/order-original.json" >"$none.json"
"$contend" report --fail-on=high "$none.json" 2>&1 >/dev/null; echo $?
"$contend" report --fail-on=never "$none.json" 2>&1 >/dev/null; echo $?
