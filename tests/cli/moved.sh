# SPDX-License-Identifier: GPL-3.0-or-later
# An installed tree that was moved finds its own libraries.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/bin" "$dir/lib/contend"
cp "$builddir/contend" "$dir/bin"
cp "$builddir/.libs/libcontend.so" "$dir/lib/contend"
cd "$dir/lib" && "$dir/bin/contend" preload | sed "s,^$(pwd -P)/,,"
