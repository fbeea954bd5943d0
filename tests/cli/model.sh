# SPDX-License-Identifier: GPL-3.0-or-later
# contend model: list, help, answers with numbers known from the literature, tables, errors.
PATH=$builddir:$PATH
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
unset CONTEND_MACHINE
export LC_ALL=C CONTEND_WIDTH=100
ln -s "$srcdir/share/machines/alewife.json" .

try()
{
	echo "\$ $*"
	"$@" 2>&1
	status=$?
	[ $status -eq 0 ] || echo "exit $status"
}

# The list is for all models; here the ones that this test knows.
echo '$ contend model --list'
contend model --list | grep -E '^  (model|hockney|logp|loggp|maxmin|signature) '
try contend model loggp --help
try contend model hockney m=1000000 alpha=50e-6 beta=8.5e-9
try contend model hockney m=1000 alpha=1 beta=0.001 --explain
try contend model HockNey m=1000 alpha=1 beta=0.001
try contend model hockney m=1000 alpha=1 beta=0.001 form=linear --explain
try contend model logp o=15 L=21 g=15 P=32 m=64 w=8 --explain
try contend model two-state beta_F=8.502e-9 beta_C=8.498189e-8 --json
try contend model loggp m=1000 --machine=alewife.json
try contend model loggp --machine=alewife.json --sweep=m=0:1000:250
# As calibrate writes it on one host; there the overhead was not told from 0.
cat > one-host.json <<'END'
{"schema": "contend-machine/1", "classes": {"cache": {"L_s": 1e-7, "eager_bytes": 64, "points": [
 {"bytes": 0, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 2e-7}]},
 "socket": {"L_s": 2e-7, "eager_bytes": 64, "points": [
 {"bytes": 0, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 4e-7},
 {"bytes": 1, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 4e-7},
 {"bytes": 1000, "o_s_s": 2e-7, "o_r_s": 2e-7, "g_s": 1e-6}],
 "derived": {"logp": {"L_s": 4e-7, "o_s": 1e-7, "g_s": 4e-7},
 "loggp": {"L_s": 4e-7, "o_s": 1e-7, "g_s": 4e-7, "G_s_per_byte": 1e-9},
 "hockney": {"alpha_s": 6e-7, "beta_s_per_byte": 1e-9}},
 "there": {"unidentified": ["o_s(1000)"]}}}}
END
sed 's/"o_s(1000)"/"o_s(1)"/' one-host.json > busy.json
try contend model loggp m=1001 -m one-host.json
try contend model hockney m=1000 -m one-host.json --json
try contend model hockney m=1000 alpha=1e-6 beta=1e-9 -m one-host.json --json
try contend model plogp m=1000 -m one-host.json --json
try contend model lopc W=1e-5 P=2 -m one-host.json --json
try contend model loggp m=1000 -m busy.json
sed 's/"o_s(1000)"/"LogGP L"/' one-host.json > no-latency.json
try contend model loggp m=1000 -m no-latency.json
try contend model hockney m=1000 -m busy.json --json
try contend model signature n=40 alpha=50e-6 beta=8.5e-9 gamma=4.3628 delta=4.93e-3 M=8192 \
	--sweep m=0:16384:4096 --csv -
try contend model signature n=40 alpha=5 beta=1 gamma=2 --sweep m=-1:1:1 --json

cat >weights.csv <<'CSV'
# bytes from row to column
0,100,200
50,0,0
10,20,0
CSV
cat >flows.json <<'JSON'
{ "links": { "up": 10, "down": 4 },
  "flows": [ { "links": ["up"] }, { "links": ["up", "down"] },
             { "links": ["down"], "cap": 1 }, { "links": ["up", "down"], "window": 3, "rtt": 2 } ] }
JSON
cat >times.csv <<'CSV'
n, m, T
4, 1000, 0.01141
4, 1000, 0.01147
4, 2000, 0.01732
4, 2000, 0.01749
4, 4000, 0.03236
4, 4000, 0.03236
4, 8000, 0.05694
4, 8000, 0.05644
4, 16000, 0.10438
4, 16000, 0.10478
4, 32000, 0.20153
4, 32000, 0.20037
4, 64000, 0.39355
4, 64000, 0.39049
CSV
try contend model exchange-bounds file=weights.csv alpha=1 beta=0.1 --json
try contend model ports file=weights.csv alpha=1 beta=0.1 node_rate=5
try contend model maxmin file=flows.json --json
try contend model signature-fit file=times.csv alpha=0.0009 beta=1e-6
cat >plogp.csv <<'CSV'
m,o_s,o_r,g
1,2,3,4
1000,4,6,14
CSV
try contend model plogp file=plogp.csv L=10 m=500.5 burst=1,1000 --json
try contend model max-rate k=8 m=20 alpha=1 R_N=10 R_C=4 R_i=3 --json
try contend model buses messages=9 buses=4 m=10 alpha=2 beta=0.5 --json
try contend model clement m=125000 l=0 W=12500000 gamma=8 --json
try contend model bruck m=10 alpha=2 beta=0.5 rounds=3 slowdown=1.5 --json

# Usage: exit 2.
try contend model
try contend model hockny
try contend model HOCKNY
try contend model hockny --help
try contend model bogus
try contend model hockney alhpa=3
try contend model hockney ALPHA=3
try contend model hockney alpha=1 m
try contend model hockney alpha=1 alpha=2
try contend model hockney alpha=fast
try contend model hockney m=nan
try contend model hockney m=1 alpha=1 form=curved
try contend model hockney m=1
try contend model hockney alpha=1 --sweep=m=0:10
try contend model hockney alpha=1 --sweep=m=0:10:-1
try contend model hockney alpha=1 --sweep=n=0:10:1
try contend model hockney m=1 alpha=1 --sweep=form=0:10:1
try contend model hockney --jsn
try contend model hockney m=1 alpha=1 --csv=one.csv

# Outside the model: exit 1.
try contend model hockney m=-1 alpha=1
try contend model signature n=1 m=1 alpha=1 beta=1 gamma=1
try contend model logp o=1 L=1 g=1 P=1 m=1
try contend model loggp o=1e308 L=1e308 G=1e308 m=1e308
try contend model hockney alpha=1 --sweep=m=-3:-1:1
try contend model maxmin file=none.json
try contend model maxmin file=weights.csv
echo '{ "links": {}, "flows": [ { "links": ["up"] } ] }' >bad.json
try contend model maxmin file=bad.json
echo '1,2' >bad.csv
try contend model exchange-bounds file=bad.csv alpha=1 beta=1
try contend model signature-fit file=weights.csv alpha=1 beta=1
printf '1,2\n3,nan\n' >bad.csv
try contend model exchange-bounds file=bad.csv alpha=1 beta=1
try contend model loggp m=1 --machine=bad.json
try contend model hockney m=1 alpha=1 --sweep m=1:2:1 --csv no/such/folder.csv
