#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Messages meet in the network only where it is shared: without a machine file the hotspot
# shared_link is found where two leaves of a tree have a narrow link, and never on one switch,
# however full its ports are.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"
need_file jq jq

kinds() # NAME ARGUMENT-OF-RUN...: of the hotspots of contention
{
	name=$1
	shift
	# Truth it has none of MPI_Sendrecv.
	"$srcdir/tests/smpi/run" -o "$name" --overhead=2e-6 "$@" >"$name.log" 2>&1 || :
	grep -q ' verified$' "$name.log" || fail "$name: $(tail -n 3 "$name.log")"
	"$contend" report --json "$name/run.contend" >"$name.json" || fail "$name: no report"
	found=$(jq -r '[.hotspots[].kind] | join(" ")' "$name.json")
	echo "$name: $found"
}

switch=switch:16,bandwidth=40e6,contention=ports tree=tree:2x8,over=4,bandwidth=40e6
alltoall=$srcdir/share/examples/alltoall.c
for wait in "" --wait; do
	for bytes in 512 4096; do
		# Words wanted. shellcheck disable=SC2086
		kinds "switch$bytes$wait" $wait $switch 16 "$alltoall" --bytes=$bytes --repeat=5 --by=pairwise
		case $found in *shared_link*) fail "a link is shared on a switch: $name" ;; esac
	done
	# Words wanted. shellcheck disable=SC2086
	kinds "tree$wait" $wait $tree 16 "$alltoall" --bytes=4096 --repeat=5 --by=pairwise
	case $found in *shared_link*) ;; *) fail "no link is shared in a tree: $name" ;; esac
done
kinds remap $switch 16 "$srcdir/share/examples/remap.c" --messages=50 --bytes=1024 --mode=async \
	--think=20 --handler=0
case $found in *shared_link*) fail "a link is shared on a switch: remap" ;; esac
