# SPDX-License-Identifier: GPL-3.0-or-later
# An archive of which event files are missing or not whole: a report of what is left, that says so,
# and that --fail-on does not pass. Without definitions, or any events, there is none.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
PATH=$builddir:$PATH
export LC_ALL=C
"$builddir/tests/traces/mkforeign" whole.d blocking || exit 99

try()
{
	echo "== $1"
	cp -r whole.d a.d
	(cd a.d/traces && eval "$2")
	contend info --width=100 a.d 2>&1 | grep -E "error|not whole|  ranks  "
	contend report --width=100 --fail-on=high a.d >report 2>said
	echo "exit $?"
	sed -n '/^The archive/,/%/p' report
	sed -n '/^- [0-9].*evt\|^- .*def of\|^- the archive is not/,/^- /p' report | sed '$d'
	cat said
	rm -r a.d
}

try "one ends early" "truncate -s 6000 101.evt"
try "one ends in zeros" "truncate -s 6000 101.evt; truncate -s 13000 101.evt"
try "one has a hole" "dd if=/dev/zero of=101.evt bs=1 seek=6000 count=64 conv=notrunc 2>/dev/null"
try "one is overwritten" "printf %064d 7 | dd of=101.evt bs=1 seek=6000 conv=notrunc 2>/dev/null"
try "one is missing, one empty" "rm 102.evt; : >103.evt"
try "one without definitions" "rm 100.def"
try "all are missing" "rm *.evt"
try "the definitions end early" "truncate -s 300 ../traces.def"
try "the anchor ends early" "truncate -s 40 ../traces.otf2"
