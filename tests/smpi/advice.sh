#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whoever follows the advice saves what the report said: tests/smpi/advised.c as it is and as
# advised. The rows are those of validate_advice.sh.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"
need_file jq jq
. "$srcdir/tests/smpi/true_machine.sh"
. "$srcdir/tests/smpi/validate_advice.sh"

die() { fail "$@"; }

simulate() # FOLDER ARGUMENT-OF-RUN...
{
	capture "$1" "$srcdir/tests/smpi/run" -o "$@"
	expect_line ' verified$' "$1.out"
}

# NAME MOST [SOURCE [OFF]]: with the machine file (file) and without one (alone) the interval
# covers what is saved, its upper end is at most so much above it, % (5/10: with the file, and
# without), and the likely value is not too high, and at most OFF off. With - for MOST: nothing is
# advised, and would save next to nothing.
expect_advice()
{
	# Words wanted. shellcheck disable=SC2046
	advise $(echo "$advice_rows" | grep "^$1 ")
	while read -r source low likely high; do
		[ "$source" = "${3:-$source}" ] || continue
		most=${2%/*}
		[ "$source" = file ] || most=${2#*/}
		verdict=$(verdict_of "$low" "$likely" "$high" "$saved")
		echo "$1, $source: saves $saved %, said [$low, $likely, $high], $verdict"
		case $verdict in
		*"likely too much") fail "$1: $verdict" ;;
		esac
		[ -z "${4:-}" ] || awk -v a="$likely" -v b="$saved" -v off="$4" \
			'BEGIN { exit !(a <= b + off && b <= a + off) }' || fail "$1: likely is off"
		case $most,$verdict in
		-,silent) ;;
		[0-9]*,covers*) awk -v a="$high" -v b="$saved" -v most="$most" 'BEGIN { exit !(a <= b + most) }' ||
			fail "$1: promises too much" ;;
		*) fail "$1: $verdict" ;;
		esac
	done <"$1.said"
}

# NAME [KINDS]: that was expected; without a machine file these are said not to be judged, or none.
expect_open()
{
	found=$(jq -r '[.unjudged[].kind] | join(" ")' "$1.json")
	[ "$found" = "${2:-}" ] || fail "$1: not judged are: $found, not ${2:-any}"
}

# NAME KIND: without a machine file there is none of this kind, as none there pays.
expect_none()
{
	[ "$(jq --arg kind "$2" '[.hotspots[] | select(.kind == $kind)] | length' "$1.json")" = 0 ] ||
		fail "$1: a hotspot that is none: $2"
}

expect_advice polls-early 5
expect_advice polls-late -
expect_advice polls-often 15
expect_advice polls-only -
expect_open polls-only
expect_advice polls-large -
expect_advice joined-ten 5
expect_advice joined-few 5
expect_advice joined-two 5
# Without a machine file most of an overhead is called the wire's.
expect_advice joined-three 10 file
expect_advice joined-port 5 file
expect_open joined-port aggregation
expect_advice joined-uneven 5
expect_advice joined-handled 10 file 6
expect_open joined-handled "asynchronous aggregation"
expect_advice joined-long -
expect_advice joined-each 5
expect_advice joined-each-two 5
expect_advice joined-each-four 5 file
expect_open joined-each-four "asynchronous aggregation"
expect_advice begun-four 10
expect_advice begun-uneven 5
expect_advice begun-late 5
expect_advice begun-handled 10
expect_advice begun-after 5
expect_advice begun-large -
# Without a machine file what a message takes alone is not known.
expect_advice sent-blocks 5 file
expect_open sent-blocks "asynchronous aggregation"
expect_advice sent-held 5 file
expect_advice sent-uneven 5 file
expect_open sent-uneven asynchronous
expect_advice sent-groups 5 file
expect_advice sent-answered 5 file 3
expect_none sent-answered shared_link
expect_advice sent-gathered 5 file 3
expect_advice sent-even -
expect_open sent-even
expect_advice sent-meanwhile -
# Without a machine file messages that do not move are as well slow ones.
expect_advice moved-never 5 file
expect_open moved-never overlap
expect_advice moved-little 5 file
expect_advice moved-uneven 15 file
expect_open moved-uneven overlap
expect_advice moved-quickly -
expect_open moved-quickly
# That messages are held back is not always known without a machine file.
expect_advice posted-early 5
expect_advice posted-barrier 5 file
expect_advice posted-pair 5
expect_advice posted-peers 5
expect_advice posted-handled 5 file
expect_open posted-handled late_posting
expect_advice posted-full 5 file
expect_open posted-full late_posting
expect_advice posted-eager -
expect_open posted-eager
# What is taken as it comes may be shared out otherwise: the most has that.
expect_advice taken-uneven 5
expect_advice taken-answered 20
expect_advice taken-held 10
expect_advice taken-posted 10
expect_advice taken-first -
expect_advice taken-quickly -
expect_advice rounds-uneven 5
expect_advice rounds-of-three 5
expect_advice rounds-even -
expect_advice line-of-eight 5
expect_advice line-held 5
expect_advice line-uneven 15
expect_advice line-ring 10
expect_advice line-passed-on-far 40
expect_advice line-rare -
expect_advice crowd-large 10
expect_advice crowd-handled 10 file
expect_advice crowd-sent 5
# What is taken in turns waits for its receive; nothing else shows without a machine file that all
# messages of a gather are slow for each other.
expect_advice gathered-held 5
expect_advice gathered-uneven 5
expect_advice gathered-small 5
expect_advice gathered-posted 5 file
expect_open gathered-posted incast
# Without a machine file what even the fastest waited for is not known: the most is wide.
expect_advice skewed-few 15 file
expect_advice skewed-few 55 alone
expect_advice skewed-large 10
expect_advice skewed-two 15 file
expect_advice skewed-two 25 alone
expect_advice turns-get 15
expect_advice turns-held 5
expect_advice order-held 5
expect_advice order-small 5
# By chance orders save more than the advised one there, which is the likely value.
expect_advice order-uneven 60
expect_advice order-eager -
expect_open order-eager
expect_advice longer-two 1
expect_advice longer-none -
expect_advice served-slowly 10
expect_advice served-idly 5
expect_advice served-uneven 5
expect_advice served-well -
expect_advice blocks-one 5
expect_advice blocks-large 5/10
expect_advice blocks-random 15/25
expect_advice blocks-repeated 5/7
expect_advice blocks-held 10/11
expect_advice blocks-longer 5/11
expect_advice blocks-good -
expect_advice blocks-small 10/12
expect_advice blocks-handled 20/22
# Without a machine file what is held back has no overheads.
expect_advice blocks-held-small 20 file
expect_advice far-uneven 5
expect_advice far-many 5
expect_advice far-small 5 file
expect_advice far-two 5
expect_advice far-near 5

# Only pipelines have blocks.
found=$(grep -l '"block_size"' ./*.json | sed 's|^\./||; s|\..*||' | sort -u)
for name in $found; do
	case $name in
	blocks-*) ;;
	*) fail "$name has blocks of another size" ;;
	esac
done
