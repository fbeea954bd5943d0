# SPDX-License-Identifier: GPL-3.0-or-later
# contend model: LoPC, LoGPC, the Diamond DAG and networks, with their papers' numbers.
PATH=$builddir:$PATH
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
unset CONTEND_MACHINE
export LC_ALL=C CONTEND_WIDTH=100

try()
{
	echo "\$ $*"
	"$@" 2>&1
	status=$?
	[ $status -eq 0 ] || echo "exit $status"
}

try contend model lopc P=32 W=0 S_o=200 S_l=6 C2=0 --explain
try contend model lopc P=1 W=0 S_o=200 S_l=6
try contend model lopc P=32 W=-1 S_o=200 S_l=6
try contend model lopc-client-server P=32 W=1000 S_o=131 S_l=6 C2=0
try contend model logpc o_s=15 o_r=122 L=21 G=0.5 B=44 n=2 k_d=2 channel=1 kind=sync C_r=137
try contend model logpc o_s=15 o_r=122 L=21 G=0.5 B=440 n=2 k_d=2 channel=1 kind=async
try contend model logpc-bound G=0.5 n=2 k_d=2 channel=1
try contend model diamond n=1024 P=32 b=64 t_task=100 o_s=25 L=8 G=0.5 a=8 bytes=32000 \
	k_d=2 channel=0.5
try contend model mesh k=8,4 self=1
try contend model network kind=fat-tree k=4,8,2
printf '0,1\n1,2\n2,0\n' >ring.csv
try contend model network kind=graph k=3 edges=ring.csv
echo '{"W": [9, 9, null], "S_o": 2, "S_l": 1, "V": [[0, 2, 1], [1, 2, 1]]}' >v.json
try contend model lopc-general file=v.json
