# SPDX-License-Identifier: GPL-3.0-or-later
# What is given where something else is wanted: what it is, what was wanted, and what to do.
command -v jq >/dev/null || { echo "no jq: Debian package jq"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
export XDG_CONFIG_HOME="$dir"
unset CONTEND_MACHINE
PATH=$builddir:$PATH
"$builddir/tests/traces/mkexchange" run.contend || exit 99
mkdir folder
cp "$srcdir/share/machines/alewife.json" machine.json
cp machine.json a.machine # no name that would tell
contend report --json run.contend >report.json || exit 99
contend diff --json report.json report.json >diff.json || exit 99
contend info --json run.contend >info.json || exit 99
contend model hockney m=1 alpha=1 beta=1 --json >model.json || exit 99
contend report --messages=messages.csv run.contend >/dev/null || exit 99
echo '{"schema": "contend-drift/1"}' >drift.json
echo '{"schema": "contend-run/1", "ranks": 1}' >run.json
cat >good <<'END'
{"schema": "contend-machine/1", "classes": {"node": {"L_s": 1e-7, "eager_bytes": 64, "points": [
 {"bytes": 0, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 2e-7}]}}}
END

try()
{
	echo "\$ contend $*"
	contend "$@" 2>&1 >/dev/null
	echo "exit $?"
}

try report machine.json
try report a.machine
try report run.json
try report diff.json
try report info.json
try report drift.json
try report model.json
try report messages.csv
try report run.contend machine.json
try report machine.json run.contend
try report run.contend report.json
try report --messages=m.csv machine.json
try report --messages=m.csv report.json
try report --machine=good report.json
try report --messages=run.contend/traces.otf2 run.contend
try diff run.contend machine.json
try diff a.machine run.contend
try info report.json
try info machine.json
try info a.machine
try info run.contend report.json
try info model.json
try recover report.json
try recover machine.json
for verb in "report run.contend" "diff run.contend run.contend" "model hockney m=1"; do
	for file in run.contend run.contend/traces.otf2 report.json diff.json run.json folder; do
		try $verb --machine=$file
	done
done
try report --machine=messages.csv run.contend
# What is what it should be goes, by whatever name.
cp report.json kept
try report kept
try report --machine=good run.contend
try diff kept run.contend
