# SPDX-License-Identifier: GPL-3.0-or-later
# What one look of three says is so, and what two deny is not; a look of who is not alone on the
# machine does not count.
. "$srcdir/tests/testlib.sh"

# Who else has the processors is seen: here as many as there are processors.
pids=
for _ in $(seq "$(nproc)"); do
	sh -c 'while :; do :; done' &
	pids="$pids $!"
done
seen=$(others)
# Words wanted. shellcheck disable=SC2086
kill $pids
[ "$seen" -gt 10 ] || fail "others have $seen % of the processors"

# shellcheck disable=SC2046
set -- $(ran_and_stolen)
[ $# = 2 ] || fail "of the processors' time: $*"
ran_and_stolen() { echo 1100 150; }
[ "$(stolen_since 101 100)" = 5 ] || fail "stolen: $(stolen_since 101 100) %"

others() { echo "$load"; }
stolen_since() { echo "$stolen"; }
claim() # holds at the look $right; the machine is too busy to tell at look $unclear
{
	n=$((n + 1))
	[ $n != "$unclear" ] || busy="cannot tell"
	[ $n = "$right" ]
}
try() # LOAD RIGHT UNCLEAR [STOLEN]
{
	load=$1 right=$2 unclear=$3 stolen=${4:-0} n=0
	echo "others use $load %, right at look $right, unclear at look $unclear"
	(
		unchecked=
		looks "not so" claim
		echo "  ${unchecked:-holds}"
	) 2>&1 || echo "  exit status $?"
}
try 0 1 0
try 0 2 0
try 0 3 0
try 0 9 0
try 0 2 1
try 0 1 1
try 0 9 1
try 40 2 0
try 40 9 0
echo "and 12 % stolen"
try 0 2 0 12
try 0 9 0 12
