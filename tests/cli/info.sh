# SPDX-License-Identifier: GPL-3.0-or-later
# An archive with known contents: its inventory.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
"$builddir/tests/traces/mkexchange" ring.contend || exit 99
cat >ring.contend/run.json <<'JSON'
{ "schema": "contend-run/1", "version": "0.1", "command": "./ring", "ranks": 4, "nodes": 2,
  "mpi": "Open MPI 4.1.4", "recorded_at": "2026-11-21T04:49:35Z", "ended": "finalize",
  "unfinished": [], "options": { "depth": { "value": "16", "origin": "default" },
  "output": { "value": "ring.contend", "origin": "flag" } },
  "cost": { "calls": 120, "ns_per_call": 47.1, "share": 0.002 }, "clock": { "error_ns": 400 } }
JSON
LC_ALL=C "$builddir/contend" info --width=80 ring.contend
