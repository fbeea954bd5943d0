#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# ./autogen.sh         make ./configure (autoreconf), nothing else
# ./autogen.sh check   from a fresh clone to tested: packages, build in build/, make check
# ./autogen.sh demo    from a fresh clone to the demonstration
#
# check and demo name the Debian packages that are missing; root installs them, others
# are told the command. Both can be repeated: what is done is not done again.
set -eu
cd "$(dirname "$0")"

say() { echo "autogen.sh: $*" >&2; }
die() { say "$*"; exit 1; }

missing_packages()
{
	sed 's/#.*//' share/packages | while read -r package why; do
		[ -n "$package" ] || continue
		state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || :
		[ "$state" = installed ] || echo "$package"
	done
}

need_packages()
{
	if ! command -v dpkg-query >/dev/null; then
		say "not a Debian system: configure will name what is missing"
		return
	fi
	missing=$(missing_packages | tr '\n' ' ')
	[ -n "$missing" ] || return 0
	say "missing Debian packages: $missing"
	[ "$(id -u)" -eq 0 ] ||
		die "install them first: sudo apt-get install --no-install-recommends $missing"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -q >&2 || return 1
	# One word a package. shellcheck disable=SC2086
	apt-get install -q -y --no-install-recommends $missing >&2
}

# build [configure option]...: configures in build/ unless that was done with
# these options, and builds.
build()
{
	[ ! -f config.status ] ||
		die "configured in the source's own directory: run make distclean there first"
	autoreconf -i >&2 || return 1
	mkdir -p build && cd build || return 1
	configured=$(./config.status --config 2>/dev/null) || configured=none
	for option in "$@" ''; do
		case $configured in *"$option"*) continue ;; esac
		configured=none
	done
	if [ "$configured" = none ]; then
		[ ! -f Makefile ] || make -s distclean >/dev/null 2>&1 || :
		../configure -q "$@" >&2 || return 1
	fi
	make -j"$(nproc)" >&2
}

case ${1-} in
'')
	autoreconf -i
	;;
check)
	# The last line is always the count, also when make says more after it.
	if (need_packages) && (build --enable-devel); then
		cd build
		rm -f tests/logs/summary
		make -j"$(nproc)" test-programs >&2 || : # what is not built is told again, and counted
		make --no-print-directory check && exit 0
		[ -f tests/logs/summary ] && { cat tests/logs/summary; exit 1; }
	fi
	say "not built, no test was run"
	echo "0 passed, 1 failed"
	exit 1
	;;
demo)
	need_packages
	build
	builddir=$PWD exec ../share/demo
	;;
*)
	die "usage: ./autogen.sh [check | demo]"
	;;
esac
