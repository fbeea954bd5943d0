# SPDX-License-Identifier: GPL-3.0-or-later
# What a run did until it died is no difference: no table, no hotspot; each is reported for itself.
# Where both finished but not as much of both was recorded, what "not judged" means is said.
command -v jq >/dev/null || { echo "no jq: Debian package jq"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$srcdir/tests/cli" || exit 99
jq '.run.ended = "killed"' order-original.json >"$dir/killed.json" || exit 99
jq '.run.recorded_share = 0.5' order-original.json >"$dir/half.json" || exit 99
export LC_ALL=C
"$builddir/contend" diff --width=80 order-random.json "$dir/killed.json"
echo "exit status $?"
"$builddir/contend" diff --width=80 order-random.json "$dir/half.json" | sed -n '/^WHERE/,$p'
