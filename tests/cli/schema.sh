# SPDX-License-Identifier: GPL-3.0-or-later
# Every kind of document is as share/contend.schema.json says, and that names every cost
# and counter; what diff prints is as share/contend-diff.schema.json says, hotspots that appeared
# and that are gone included.
python3 -c 'import jsonschema' 2>/dev/null || {
	echo "no python3 module jsonschema: Debian package python3-jsonschema"
	exit 77
}
[ -x "$builddir/tests/unit/test_document" ] || {
	echo "no unit tests without CUnit: Debian package libcunit1-dev"
	exit 77
}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
"$builddir/tests/traces/mkexchange" "$dir/ring.contend" || exit 99
"$builddir/contend" report --json "$dir/ring.contend" >"$dir/ring.json" || exit 1
"$builddir/contend" predict --json "$dir/ring.contend" >"$dir/predicted.json" || exit 1
echo '[2, 3, 0, 1]' >"$dir/map" # of four ranks, as the ring has
"$builddir/contend" predict --json --order=random --servers=2 --async --map="$dir/map" "$dir/ring.contend" \
	>"$dir/changed.json" || exit 1
"$builddir/tests/unit/test_document" print >"$dir/unit.json" || exit 1
order=$srcdir/tests/cli/order-
"$builddir/contend" diff --json "$order"original.json "$order"random.json >"$dir/better.diff" ||
	exit 1
"$builddir/contend" diff --json "$order"random.json "$order"original.json >"$dir/worse.diff"
"$builddir/contend" diff --json "$order"random.json "$dir/ring.json" >"$dir/other.diff"
python3 - "$srcdir" "$dir"/*.json "$srcdir"/tests/cli/order-*.json "$dir"/*.diff <<'PYTHON'
import json
import re
import sys
import jsonschema

source = sys.argv[1]


def load(name):
    schema = json.load(open(source + "/share/" + name + ".schema.json"))
    jsonschema.Draft7Validator.check_schema(schema)
    return schema


schema = load("contend")
validators = {"json": jsonschema.Draft7Validator(schema),
              "diff": jsonschema.Draft7Validator(load("contend-diff"))}
bad = 0
changes = set()
for name in sys.argv[2:]:
    document = json.load(open(name))
    kind = name.rsplit(".", 1)[1]
    for error in validators[kind].iter_errors(document):
        bad += 1
        print(name, "/".join(map(str, error.path)), error.message[:200])
    if kind == "diff":
        changes |= {h["change"] for h in document["hotspots"]}
if not {"appeared", "gone"} <= changes:
    bad += 1
    print("no hotspot appeared or none is gone:", sorted(changes))
costs = re.findall(r"^COST\((\w+),", open(source + "/analyze/costs.def").read(), re.M)
if schema["definitions"]["cost"]["enum"] != costs:
    bad += 1
    print("costs.def and the schema differ:", costs)
evidence = schema["properties"]["evidence"]["properties"]
for name, unit, of in re.findall(r'^COUNTER\(\w+, "(\w+)", "(\w+)", (\w+),',
                                 open(source + "/interpose/evidence/counters.def").read(), re.M):
    items = evidence["nodes" if of == "NODE" else "processes"]["items"]["properties"]
    queues = evidence["queues"]["items"]["properties"]["queue"]["enum"]
    said = "queue" if of == "QUEUE" and name in queues else items.get(name, {}).get("description", "")
    if said != "queue" and said.split(":")[0] != unit:
        bad += 1
        print("counters.def and the schema differ:", name, unit)
print("%d documents, %d errors" % (len(sys.argv) - 2, bad))
sys.exit(bad > 0)
PYTHON
