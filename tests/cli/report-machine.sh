# SPDX-License-Identifier: GPL-3.0-or-later
# Whose a machine file is: its MPI and its hosts' processors or, where one side says none, names.
command -v jq >/dev/null || { echo "no jq: Debian package jq"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
export XDG_CONFIG_HOME="$dir"
"$builddir/tests/traces/mkexchange" ring.contend || exit 99

run() # HOSTS of the run, as JSON
{
	cat >ring.contend/run.json <<-JSON
		{ "schema": "contend-run/1", "version": "0.1", "command": "./ring", "ranks": 4,
		  "mpi": "Open MPI 4.1.4", "ended": "finalize", "hosts": $1 }
	JSON
}
file() # MPI HOSTS that were measured
{
	cat >m.json <<-JSON
		{ "schema": "contend-machine/1", "name": "m", "mpi": "$1", "host_list": $2,
		  "classes": { "node": { "L_s": 1e-7, "eager_bytes": 4096, "samples": 50,
		    "points": [ { "bytes": 0, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 2e-7 } ] },
		  "network": { "L_s": 1e-6, "eager_bytes": 4096, "samples": 50,
		    "points": [ { "bytes": 0, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 2e-7 } ] } } }
	JSON
}
said()
{
	if "$builddir/contend" report --json --machine=m.json "$@" ring.contend >out 2>err; then
		jq -r '.quality.conditions[] | select(test("m.json is "))' out | sed 's/^$/nothing/'
		jq -r '"used: \(.machine.path)"' out
	else
		sed 's/^/exit 1: /' err
	fi
}

both='[{ "name": "alpha", "cpu": "Abacus 3" }, { "name": "beta", "cpu": "Abacus 3" }]'
nameless='[{ "name": "alpha" }, { "name": "beta" }]'
run "$both"
echo "== the hosts themselves"
file "Open MPI 4.1.4" "$both"
said
echo "== one of them, and another of their kind"
file "Open MPI 4.1.4" '[{ "name": "alpha", "cpu": "Abacus 3" }, { "name": "gamma", "cpu": "Abacus 3" }]'
said
echo "== others of their kind"
file "Open MPI 4.1.4" '[{ "name": "gamma", "cpu": "Abacus 3" }]'
said
echo "== of a processor that is not told"
file "Open MPI 4.1.4" '[{ "name": "gamma" }]'
said
file "Open MPI 4.1.4" "$nameless"
said
echo "== other processors"
file "Open MPI 4.1.4" '[{ "name": "alpha", "cpu": "Abacus 4" }]'
said
said --machine-force
echo "== another version of the MPI"
file "Open MPI 5.0.0" "$both"
said
echo "== made by hand"
file "Open MPI 4.1.4" '[]'
said
echo "== damaged where it says whose it is"
file "Open MPI 4.1.4" '"gamma"'
said
file "Open MPI 4.1.4" '[{ "cpu": "" }]'
said
said --machine-force
