#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What EM3D's destination order costs on the emulated cluster, without any recorder: runs the
# orders in turn and prints their medians and ratios.
#
#	em3d-order.sh [ROUNDS [CLUSTER-OPTION...] [-- EM3D-OPTION...]]
#
# The default is the configuration to demonstrate with: 8 hosts of 50 Mbit/s, switch buffers of
# 64 kB, blocks of 4 KiB by MPI_Ssend (seven of them fit a buffer, so nothing is lost), exchanges
# that start together. Medians in seconds on two cores that had other work to do as well:
#
#	                                          original  staggered  random  original/random
#	default, Open MPI 4.1.4                        4.52       1.75    2.50             1.81
#	default, MPICH 4.0.2                           4.39       1.41    2.48             1.77
#	--realtime                                     4.67       1.29    2.42             1.93
#	--compute=50                                   5.16       2.91    3.32             1.56
#	16 hosts of 20 Mbit/s, --iterations=6          3.01       1.51    1.85             1.62
#	--send=send                                    2.48       1.40    1.48             1.68
#	without --barrier, --iterations=30             4.31       2.79    3.64             1.18
#
# Without --barrier ranks that were served first run ahead and so thin out the queue: 1.15-1.3.
set -eu

here=$(dirname "$(readlink -f "$0")")
source=$here/../../share/examples/em3d.c
rounds=${1:-3}
[ $# -eq 0 ] || shift
cluster=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	cluster+=("$1")
	shift
done
[ $# -eq 0 ] || shift
[ ${#cluster[@]} -gt 0 ] || cluster=(--hosts=8 --rate=50 --buffer=64)
[ $# -gt 0 ] || set -- --barrier --nodes=3200 --width=8 --values=64 --compute=5 --iterations=20

case " ${cluster[*]} " in
*" --mpi=mpich "*) mpicc=${MPICH_MPICC:-mpicc.mpich} ;;
*) mpicc=${OPENMPI_MPICC:-mpicc.openmpi} ;;
esac
command -v ${mpicc%% *} >/dev/null || { echo "em3d-order: skipped: no $mpicc" >&2; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$mpicc -g -O2 "$source" -o "$work/em3d"
if [ -z "${CONTEND_PATIENT:-}" ]; then
	cc -O2 -shared -fPIC "$here/patient.c" -o "$work/patient.so" -ldl
	export CONTEND_PATIENT=$work/patient.so
fi

echo "cluster ${cluster[*]}, em3d $*"
for ((round = 1; round <= rounds; round++)); do
	for order in original staggered random; do
		line=$("$here/cluster" run "${cluster[@]}" -- "$work/em3d" --order=$order "$@") ||
			exit
		case $line in
		*verified*) ;;
		*) echo "em3d-order: error: $line" >&2; exit 1 ;;
		esac
		echo "$line" | sed -n 's/.*exchange \([0-9]*\) %, time \([0-9.]*\) s.*/\2 \1/p' \
			>>"$work/$order"
	done
done
for order in original staggered random; do
	sort -n "$work/$order" | awk -v order=$order '{ s[NR] = $1; share[NR] = $2 }
		END { m = int((NR + 1) / 2)
		printf "%-9s  median %.3f s  [%.3f-%.3f]  exchange %d %%\n", order, s[m], s[1], s[NR], share[m] }'
done | tee "$work/medians"
awk '{ s[$1] = $3 } END { printf "original/random %.2f  original/staggered %.2f\n",
	s["original"] / s["random"], s["original"] / s["staggered"] }' "$work/medians"
