# SPDX-License-Identifier: GPL-3.0-or-later
# --messages: as many rows as messages, the parts of each add up, and all of them to the blame.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
for scenario in late-sender order-hotspot incast; do
	"$builddir/tests/traces/mktrace" $scenario -o $scenario --ranks=6 || exit 99
	"$builddir/contend" report --json --messages=$scenario.csv $scenario >$scenario.json ||
		exit 1
	python3 - $scenario <<'PYTHON'
import csv
import json
import sys

document = json.load(open(sys.argv[1] + ".json"))
rows = list(csv.DictReader(open(sys.argv[1] + ".csv")))
parts = list(document["blame"]["parts"])
wrong = sum(int(row["completed_ns"]) - int(row["sent_ns"]) != sum(int(row[p + "_ns"]) for p in parts)
            for row in rows)
wrong += sum(abs(sum(int(row[p + "_ns"]) for row in rows) - 1e9 * document["blame"]["parts"][p]["s"]) > 1
             for p in parts)
wrong += sum(row["bytes_received"] != row["bytes"] for row in rows)
print(sys.argv[1], len(rows) == document["blame"]["messages"] and len(rows) > 0, wrong,
      sorted({row["send"] + ">" + row["receive"] for row in rows}))
PYTHON
done
CONTEND_WIDTH=200 "$builddir/contend" help columns | sed 's/^  \([^ ]*\) .*/\1/' >columns
head -n 1 late-sender.csv | tr , '\n' | cmp - columns || echo "other columns than help says"
"$builddir/contend" report --messages=nowhere/x.csv late-sender >text 2>&1
echo "exit $?"
cat text
"$builddir/contend" report --messages=nowhere/x.csv nothing.contend >text 2>&1
cat text # before the run is looked at
echo kept >kept.csv
"$builddir/contend" report --messages=kept.csv nothing.contend 2>&1
cat kept.csv
"$builddir/contend" report --messages=new.csv nothing.contend 2>/dev/null
[ ! -e new.csv ] || echo "an empty new.csv"
"$builddir/contend" report --messages=/dev/full late-sender 2>&1 >text
[ ! -s text ] || echo "a report all the same"
"$builddir/contend" report --messages=x.csv late-sender.json
echo "exit $?"
"$builddir/contend" report --messages=- late-sender 2>&1
echo "exit $?"
[ ! -e - ] || echo "a file named -"
for ranks in -1 1 12abc 5000000000; do
	"$builddir/tests/traces/mktrace" quiet -o odd --ranks=$ranks 2>/dev/null
	[ $? -eq 2 ] || echo "mktrace takes --ranks=$ranks"
done
