# SPDX-License-Identifier: GPL-3.0-or-later
# Whatever is damaged of an archive, a run's or a machine's description, or a document: no verb
# crashes or hangs, and what is refused is refused in one sentence.
#
# FUZZ_ROUNDS=N FUZZ_SEED=S: more of it, or other ones
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
contend=$builddir/contend
rounds=${FUZZ_ROUNDS:-15} seed=${FUZZ_SEED:-1}
export XDG_CONFIG_HOME="$dir"
# What is damaged asks for any memory; and OTF2 forgets its own where it cannot open an archive.
export ASAN_OPTIONS="allocator_may_return_null=1:$ASAN_OPTIONS:detect_leaks=0"
unset CONTEND_MACHINE
"$builddir/tests/traces/mkforeign" foreign more || exit 99
"$builddir/tests/traces/mkwords" words places || exit 99
"$builddir/tests/traces/mktrace" incast -o ours --ranks=4 --machine=machine.json >/dev/null || exit 99
"$contend" report --json ours >report.json || exit 99
echo '{"schema": "contend-run/1", "ranks": 2}' >ours/run.json

fuzz() # FILES -- COMMAND
{
	"$builddir/tests/fuzz" "$rounds" "$seed" "$@" || failed=yes
}

failed=
fuzz foreign/traces.otf2 foreign/traces.def foreign/traces/*.evt foreign/traces/*.def -- \
	"$contend" report foreign
fuzz foreign/traces.otf2 foreign/traces.def foreign/traces/*.evt -- "$contend" info --json foreign
fuzz words/traces.def words/traces/*.evt -- "$contend" report --json --messages=m.csv words
fuzz ours/traces.otf2 ours/traces.def ours/traces/*.evt ours/run.json -- "$contend" report ours
fuzz machine.json -- "$contend" report --machine=machine.json ours
fuzz machine.json -- "$contend" model hockney m=1 --machine=machine.json
cp report.json base.json
fuzz report.json -- "$contend" report report.json
fuzz report.json -- "$contend" report --html report.json
fuzz report.json -- "$contend" diff base.json report.json
[ -z "$failed" ] || { echo "FUZZ_SEED=$seed FUZZ_ROUNDS=$rounds"; exit 1; }
