# SPDX-License-Identifier: GPL-3.0-or-later
# What is not a run: one sentence and exit status 1.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
PATH=$builddir:$PATH

try()
{
	echo "\$ $*"
	"$@" 2>&1
	echo "exit $?"
}

mkdir empty.contend
echo '{' >broken.json
echo '{"schema": "contend/9"}' >later.json
echo text >text
: >empty.otf2
try contend report --json
rmdir empty.contend
try contend report
try contend report nowhere
try contend report text
try contend report broken.json
try contend report later.json
try contend report empty.otf2
try contend diff later.json nowhere
try contend info text
try contend recover text
