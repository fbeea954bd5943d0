# SPDX-License-Identifier: GPL-3.0-or-later
# On a disk that is full sooner or later the job says so once and runs as it does bare.
# The disk is a small one in a mount namespace of this test's own.
. "$srcdir/tests/testlib.sh"
as_root=-r
[ "$(id -u)" -ne 0 ] || as_root=
mkdir disk
unshare -m $as_root mount -t tmpfs -o size=1m tmpfs disk 2>unshare.err ||
	skip "no mount namespaces: $(cat unshare.err)"
TMPDIR=$(mktemp -d) # the launcher is somebody else in there
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

"$mpicc" -O1 "$srcdir/tests/mpi/many_calls.c" -o many_calls
capture bare mpi_run 2 ./many_calls 200000 5
bare=$status
for size in 4k 512k 2m; do
	# Words wanted. shellcheck disable=SC2016
	capture recorded unshare -m $as_root sh -c '
		mount -t tmpfs -o size=$1 tmpfs disk && shift && exec "$@"' sh $size \
		"$mpiexec" -n 2 "$contend" record -o disk/run.contend ./many_calls 200000 5
	expect_status "$bare" "recorded on a disk of $size"
	expect_same_results cat bare.out recorded.out
	expect_one_warning recorded.err
done

# What was recorded needs room for its trace: without it the report says so, with it it is there.
# Words wanted. shellcheck disable=SC2016
capture reported unshare -m $as_root sh -c '
	mount -t tmpfs -o size=2m tmpfs disk && "$1" -n 2 "$2" record -o disk/run.contend \
		./many_calls 200000 5 >/dev/null 2>&1
	"$2" report disk/run.contend && exit 9
	cp -r disk/run.contend copy.contend && "$2" report --json copy.contend' sh "$mpiexec" "$contend"
expect_status 0 "report on a full disk, then on a copy"
expect_line 'the disk is full: its trace needs' reported.err
expect_line 'the log could not grow' reported.out
