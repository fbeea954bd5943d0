# SPDX-License-Identifier: GPL-3.0-or-later
# The page for a browser: well formed, with nothing from elsewhere, all that the text says, and
# pieces as long as the document's times.
. "$srcdir/tests/testlib.sh"

command -v jq >/dev/null || { echo "no jq: Debian package jq"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
export XDG_CONFIG_HOME="$dir" LC_ALL=C.UTF-8

# Names come from other people's programs.
jq '.run.command = "./<b>&\"em3d\" \u0007"' "$srcdir/tests/cli/order-original.json" >order.json || exit 99
for scenario in late-sender incast oversubscription; do
	"$builddir/tests/traces/mktrace" $scenario -o $scenario.contend --ranks=12 >made || exit 99
	"$builddir/contend" report --json $scenario.contend >$scenario.json || exit 99
done
# What is predicted is on the page of such a document.
"$builddir/contend" predict --json incast.contend >predicted.json || exit 99
"$builddir/contend" predict --json --bandwidth=2 --order=random --servers=2 incast.contend >changed.json ||
	exit 99
# More ranks than have rows, and a document that has next to nothing.
jq '.run.ranks = 130 | .ranks = [range(130) as $r | .ranks[$r % 12]]' incast.json >many.json || exit 99
echo '{"schema": "contend/1"}' >bare.json

cat >check.py <<'PYTHON'
import html, html.parser, json, re, sys

document, page, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read(), open(sys.argv[3]).read()
name = sys.argv[1]

class Tags(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag != "meta":
            self.open.append(tag)
    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            print(f"{name}: </{tag}> closes nothing, line {self.getpos()[0]}")

def check(holds, what):
    if not holds:
        print(f"{name}: {what}")

tags = Tags()
tags.feed(page)
check(not tags.open, f"left open: {tags.open}")
check(not re.search(r"https?:|<script|<link|<b>&", page), "not self-contained, or not escaped")
lengths = re.findall(r' (?:x|y|width|height)="([^"]*)"', page)
check(all(re.fullmatch(r"[0-9]+(\.[0-9]+)?", x) for x in lengths), "a length that is none")
shown = re.search(r"<pre>\n(.*)</pre>", page, re.S)
check(shown and html.unescape(shown[1]) == text, "the text is not the report's")
for hotspot in document.get("hotspots", []):
    check(html.escape(f"{hotspot['kind']}: {hotspot['title']}") in page, "not there: " + hotspot["title"])
    for share, kind in zip(hotspot["saves_share"], ("least", "likely", "most")):
        check(f'<rect class="{kind}" width="{1000 * share:.1f}"' in page, f"not {kind} {share}")

predicted = document.get("predictions", []) + document.get("changes", [])
table = re.search(r"<h2>Predictions</h2>.*?<h2>", page, re.S)
rows = table[0].split('scope="row">')[1:] if table else []
check(len(rows) == len(predicted), f"{len(rows)} rows of {len(predicted)} predictions")
for row, x in zip(rows, predicted):
    check(x["title"] in html.unescape(row), "not there: " + x["title"])
    if "saves_share" not in x or not x["saves_share"]:
        check(x["why_not"] in html.unescape(row), "not said why: " + row)
        continue
    for share, kind in zip(x["saves_share"], ("least", "likely", "most")):
        check(f'<rect class="{kind}" width="{1000 * max(share, 0):.1f}"' in row, f"not {kind} {share}")

# Each row of ranks is as long as they were in the run, in pieces of as many as have any time.
ranks = document.get("ranks", [])
rows = re.findall(r"ranks? ([0-9]+)(?:-([0-9]+))?</th>(.*?)</td>", page, re.S)
check(len(rows) == min(len(ranks), -(-len(ranks) // -(-len(ranks) // 64))) if len(ranks) > 1 else not rows,
      f"{len(rows)} rows of ranks")
at = 0
for first, last, row in rows:
    first, last = int(first), int(last or first)
    check(first == at, f"rank {at} is not there")
    at = last + 1
    pieces = re.findall(r'<rect x="([0-9.]+)" y="0.0" width="([0-9.]+)"', row)
    have = {part for r in ranks[first : at] for part, s in r["parts"].items() if s > 0}
    wall = sum(r["wall_s"] for r in ranks[first : at])
    check(len(pieces) == len(have), f"{len(pieces)} pieces of ranks {first} to {last}")
    long = sum(s for r in ranks[first : at] for s in r["parts"].values()) / wall
    check(abs(sum(float(w) for x, w in pieces) - 1000 * long) < 0.01 * len(pieces) + 0.01,
          f"ranks {first} to {last} are not as long as they were")
check(at == len(ranks) or len(ranks) < 2, "ranks are missing")

# A cell of each pair that sends, in both matrices.
cells = (document.get("traffic") or {"cells": []})["cells"]
sent = sum(c["messages"] for c in cells)
check(not cells or sent == document["messages"]["count"], f"{sent} messages between all pairs")
most = max((c["bytes"] for c in cells), default=0)
for key, colour in ("bytes", "#4c78a8"), ("contention_s", "#e15759"):
    drawn = len(re.findall(f'fill="{colour}" fill-opacity', page))
    check(drawn == sum(c[key] > 0 for c in cells), f"{drawn} cells of {key}")
check(not most or 'fill="#4c78a8" fill-opacity="1.00"' in page, "none has most")

print(f"{name}: {len(rows)} rows of ranks, {page.count('<article')} hotspots, "
      f"{page.count('<h2>')} sections")
PYTHON

for document in order late-sender incast oversubscription predicted changed many bare; do
	"$builddir/contend" report --html $document.json >page.html || fail "$document: status $?"
	"$builddir/contend" report --width=100 --top=20 --colour=never $document.json >text || exit 99
	python3 check.py $document.json page.html text || exit 99
done

# A phase without messages has what ends it.
jq '.phases = [.phases[0] | .phase = 99 | .share = 0.5 | .ended_by = "MPI_Bcast" | .rounds = 3]' \
	incast.json >ended.json || exit 99
"$builddir/contend" report --html ended.json | grep -q 'no messages, until MPI_Bcast in 3 rounds<' ||
	fail "phase 99 has no end"

# An analysis of a run prints the same as its document.
"$builddir/contend" report --html incast.contend >page.html || fail "no page of a run"
"$builddir/contend" report --html incast.json | cmp - page.html || fail "a run's is another page"

"$builddir/contend" predict --html incast.contend | cmp -s - page.html && fail "nothing is predicted"
"$builddir/contend" predict --html incast.contend >page.html || fail "no page of predictions"
"$builddir/contend" report --html predicted.json | cmp - page.html || fail "predicted is another page"

refused() # STATUS MESSAGE COMMAND...
{
	expected=$1 message=$2
	shift 2
	status=0
	"$@" >out 2>err || status=$?
	[ $status -eq "$expected" ] || fail "$*: status $status"
	grep -q "$message" err || fail "$*: $(cat err)"
	! [ -s out ] || fail "$*: something is printed"
}
refused 2 'has room for one' "$builddir/contend" report --html --json order.json
refused 2 'has room for one' "$builddir/contend" predict --html --json incast.contend
refused 1 'cannot write' sh -c '"$0" report --html order.json >/dev/full' "$builddir/contend"
command -v script >/dev/null || exit 0
status=0
script -qec "'$builddir/contend' report --html order.json" /dev/null >terminal || status=$?
[ $status -eq 2 ] || fail "a page was printed to a terminal"
grep -q '>report.html' terminal || fail "not said what to do: $(cat terminal)"
