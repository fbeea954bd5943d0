# SPDX-License-Identifier: GPL-3.0-or-later
# Ranks that are bound to the same core of one node, while they are not on the other one: what info
# and the report say of them. Without what they were bound to, by ranks and cores of the nodes.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
"$builddir/tests/traces/mkexchange" ring.contend || exit 99
bound='"processors": [
  { "host": "alpha", "ranks": "0-1", "of": 8, "may_use": "3" },
  { "host": "beta", "ranks": "2", "of": 8, "may_use": "0-3" },
  { "host": "beta", "ranks": "3", "of": 8, "may_use": "0", "quota": 0.5, "quota_group": 7 } ],'
run() # CORES [PROCESSORS]
{
	cat >ring.contend/run.json <<JSON
{ "schema": "contend-run/1", "version": "0.1", "command": "./ring", "ranks": 4, "nodes": 2,
  "mpi": "MPICH 4.0.2", "recorded_at": "2026-11-21T04:49:35Z", "ended": "finalize", $2
  "unfinished": [], "cores": $1, "wall_s": 0.00096, "evidence": { "nodes": [], "queues": [],
  "missing": {}, "processes": [ { "rank": 1, "core_awaited_ns": 240000 } ] } }
JSON
}
show() # VERB
{
	LC_ALL=C "$builddir/contend" "$1" --width=100 ring.contend
}
run 8 "$bound"
show info | sed -n '/^  hosts/,/^ARCHIVE/p'
show report | sed '/^HOTSPOTS/,$d'
show report | sed -n '/^- ranks 0 and 1/,/^- how/{/^- how/!p};/^- rank 1/,/^$/p'
run 8
show info | grep '^  cores'
run 1
show info | grep '^  cores'
show report | grep '2 ranks shared'
LC_ALL=C "$builddir/contend" report --json ring.contend >shared.json
run 8 "$bound"
LC_ALL=C "$builddir/contend" report --json ring.contend >bound.json
python3 -c 'import jsonschema' 2>/dev/null || exit 0
python3 - "$srcdir/share/contend.schema.json" shared.json bound.json <<'PY'
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
for name in sys.argv[2:]:
    jsonschema.validate(json.load(open(name)), schema)
PY
