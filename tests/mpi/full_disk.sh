# SPDX-License-Identifier: GPL-3.0-or-later
# On a disk that is full sooner or later the job says so once and runs as it does bare.
# The disk is a small one in a mount namespace of this test's own.
. "$srcdir/tests/testlib.sh"
need_disk

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

# Logs that fit where their trace would not: nobody begins to write it. The other ranks' room is
# the same room, so that one of them is enough; and with room for it the trace is there.
# Words wanted. shellcheck disable=SC2016
capture little unshare -m $as_root sh -c '
	mount -t tmpfs -o size=2m tmpfs disk && "$1" -n 2 "$2" record -o disk/run.contend \
		./many_calls 100 5
	code=$? && find disk/run.contend -name "traces*" >disk.traces && cp -r disk/run.contend little.contend && exit $code' \
	sh "$mpiexec" "$contend"
expect_status "$bare" "recorded on a disk with room for the logs"
expect_one_warning little.err
expect_line "^contend: no room for the trace in .*/disk/run.contend; what was recorded is kept: contend recover" little.err
expect_line '^100 messages right' little.out
expect_lines 0 disk.traces
capture recovered "$contend" recover little.contend
expect_status 0 "contend recover of a copy"
expect_clean_archive little.contend
expect_every_receive_completed little.contend
