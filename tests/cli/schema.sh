# SPDX-License-Identifier: GPL-3.0-or-later
# Every kind of document is as share/contend.schema.json says, and that names every cost
# and counter.
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
"$builddir/tests/mkexchange" "$dir/ring.contend" || exit 99
"$builddir/contend" report --json "$dir/ring.contend" >"$dir/ring.json" || exit 1
"$builddir/tests/unit/test_document" print >"$dir/unit.json" || exit 1
python3 - "$srcdir" "$dir"/*.json "$srcdir"/tests/cli/order-*.json <<'PYTHON'
import json
import re
import sys
import jsonschema

source = sys.argv[1]
schema = json.load(open(source + "/share/contend.schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
bad = 0
for name in sys.argv[2:]:
    for error in validator.iter_errors(json.load(open(name))):
        bad += 1
        print(name, "/".join(map(str, error.path)), error.message[:200])
costs = re.findall(r"^COST\((\w+),", open(source + "/analyze/costs.def").read(), re.M)
if schema["definitions"]["cost"]["enum"] != costs:
    bad += 1
    print("costs.def and the schema differ:", costs)
if list(schema["definitions"]["parts"]["properties"]) != costs:
    bad += 1
    print("costs.def and the schema's parts differ:", costs)
evidence = schema["properties"]["evidence"]["properties"]
for name, unit, of in re.findall(r'^COUNTER\(\w+, "(\w+)", "(\w+)", (\w+),',
                                 open(source + "/interpose/counters.def").read(), re.M):
    items = evidence["nodes" if of == "NODE" else "processes"]["items"]["properties"]
    queues = evidence["queues"]["items"]["properties"]["queue"]["enum"]
    said = "queue" if of == "QUEUE" and name in queues else items.get(name, {}).get("description", "")
    if said != "queue" and said.split(":")[0] != unit:
        bad += 1
        print("counters.def and the schema differ:", name, unit)
print("%d documents, %d errors" % (len(sys.argv) - 2, bad))
sys.exit(bad > 0)
PYTHON
