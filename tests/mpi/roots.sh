# SPDX-License-Identifier: GPL-3.0-or-later
# The root of collectives between two groups is known from either side's records alone: its own
# say that it is it, the other side's which of the group it is.
. "$srcdir/tests/testlib.sh"

case $MPI in
openmpi) ranks=4 mine=0,2 others=1,3 ;;
*) ranks=2 mine=0 others=1 ;; # busy-polls: no more ranks than processors
esac

"$mpicc" -w -g -O1 "$srcdir/tests/mpi/inter.c" -o inter
for side in $mine,$others $mine $others; do
	run=side-$side.contend
	capture job mpi_run $ranks timeout 60 "$contend" record --ranks=$side -o $run ./inter
	expect_status 0 "inter, recorded: ranks $side"
	expect_clean_archive $run
	"$builddir/tests/traces/matches" $run >found || fail "no matches"
	sort found | grep '^rooted' >roots || fail "ranks $side: no roots"
	# Non-blocking ones are joined only where nobody's recording pauses.
	more=
	[ $side != $mine,$others ] || more=Ibcast
	# A word or none. shellcheck disable=SC2086
	printf 'rooted MPI_%s 0\n' Bcast Gather Gatherv $more Reduce Scatter Scatterv >wanted
	diff wanted roots >&2 || fail "ranks $side: other roots"
	echo "ranks $side: $(wc -l <roots) roots"
done
