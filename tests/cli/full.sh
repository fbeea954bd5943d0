# SPDX-License-Identifier: GPL-3.0-or-later
# Where no room is left: one sentence says what could not be written, and the exit status is 1.
. "$srcdir/tests/testlib.sh"
unset PMI_RANK MPI_LOCALNRANKS
"$builddir/tests/traces/mktrace" late-sender -o run --ranks=6 >/dev/null
"$contend" report --json run >run.json
cp "$srcdir/tests/cli/order-original.json" order.json # with a finding

expect_one_error() # WHAT STATUS PATTERN
{
	[ "$2" -eq 1 ] || fail "$1: exit status $2"
	[ "$(wc -l <error)" -eq 1 ] && grep -q "^contend: error: .*$3" error ||
		fail "$1 says: $(cat error)"
}

while read -r verb; do
	status=0
	# Words wanted. shellcheck disable=SC2086
	"$contend" $verb >/dev/full 2>error || status=$?
	expect_one_error "$verb" $status "cannot write"
done <<'END'
report run
report --json run
report run.json
report --fail-on=low order.json
info run
info --json run
diff run run.json
diff --json run run.json
model lopc P=4 W=1 S_o=1 S_l=1 C2=0
model lopc P=4 W=1 S_o=1 S_l=1 C2=0 --json
help words
help columns
--help
--version
END

# Small file systems of its own, which nobody else sees: of memory, and one that is not seen to be.
mkdir small
cat >mounts <<'END'
mount -t tmpfs -o size=64k none small && mkdir small/l small/u small/w small/disk &&
	mount -t overlay -o lowerdir=small/l,upperdir=small/u,workdir=small/w none small/disk
END
unshare -rm sh mounts 2>/dev/null || skip "no file system may be mounted here"
"$builddir/tests/bench/mkbig" big 64 200000
within_64k() # ARGUMENT...
{
	status=0
	unshare -rm sh -c '. ./mounts && exec "$@"' - "$contend" "$@" >text 2>error || status=$?
}
within_64k report --messages=small/all.csv big
expect_one_error "a table of messages" $status "small/all.csv: No space left on device"
[ ! -s text ] || fail "a report although the table of messages is not there"
export TMPDIR=$PWD/small/disk
within_64k report --json --memory=0 big
expect_one_error "tables" $status "in $TMPDIR, .*: No space left on device; set TMPDIR"
[ ! -s text ] || fail "a document although there was no room for tables"
