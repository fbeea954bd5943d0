# SPDX-License-Identifier: GPL-3.0-or-later
# The next command names the link to the newest run only where there is one.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
export XDG_CONFIG_HOME="$dir" LC_ALL=C
mkdir "$dir/runs" && cd "$dir/runs" || exit 99
"$builddir/tests/traces/mktrace" incast -o run.contend --ranks=12 >made || exit 99

for beside in none link; do
	[ $beside = none ] || ln -s run.contend contend.latest || exit 99
	for run in run.contend ../runs/run.contend/; do
		"$builddir/contend" report "$run" | tail -n 1
	done
	cd run.contend && "$builddir/contend" report . | tail -n 1
	cd .. || exit 99
done
