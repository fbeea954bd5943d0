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
try contend model lopc W=0 S_o=200 S_l=6 # P is no part of the equations
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

# The signature of the size's range, as calibrate writes it, or why there is none.
cat >machine.json <<'END'
{"schema": "contend-machine/1", "core_share": 1, "classes": {"node": {"L_s": 1e-6,
 "eager_bytes": 64, "points": [{"bytes": 0, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 2e-7}],
 "there": {"core_share": 1}, "back": {"core_share": 1}}},
 "contention": {"rates": {"crowded": false}, "signature": {"alpha_s": 1e-6, "beta_s_per_byte": 1e-9,
 "regimes": [
 {"from_bytes": 512, "to_bytes": 4000000, "gamma": 3, "delta_s": 1e-3, "M_bytes": 500000, "half_gamma": 0.1},
 {"from_bytes": 40000, "to_bytes": 200000, "gamma": 2, "delta_s": 1e-5, "M_bytes": 50000, "half_gamma": 0.1},
 {"from_bytes": 500000, "to_bytes": 4000000, "gamma": 7, "delta_s": 0, "M_bytes": 0, "half_gamma": 8}]}}}
END
try contend model signature n=4 m=99000 -m machine.json
try contend model signature n=4 m=99000 gamma=5 alpha=1e-6 beta=1e-9 -m machine.json
try contend model signature n=4 m=100 -m machine.json
try contend model signature n=4 m=1000 -m machine.json
try contend model signature n=4 m=1000000 -m machine.json
try contend model signature n=4 --sweep=m=50000:100000:50000 -m machine.json
sed 's/"there": {"core_share": 1}/"there": {"core_share": 0.4}/' machine.json >busy.json
try contend model signature n=4 m=99000 -m busy.json
sed 's/"crowded": false/"crowded": true/' machine.json >crowded.json
try contend model signature n=4 m=99000 -m crowded.json
sed 's/"regimes"/"why_not": "too few sizes", "other"/' machine.json >none.json
try contend model signature n=4 m=99000 -m none.json
sed 's/"contention"/"contention_why_not": "it takes 4 ranks, these are 2", "other"/' machine.json >none.json
try contend model signature n=4 m=99000 -m none.json
