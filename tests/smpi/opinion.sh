#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Models as second opinion on programs whose work and handlers are known: LoPC's inputs, as
# read from the trace, are what the program was told to spend; its cycle is what it measured.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

simulate() # PROGRAM OPTION...
{
	program=$1
	shift
	capture run "$srcdir/tests/smpi/run" -o run mesh:4x8,bandwidth=20e6 16 \
		"$srcdir/share/examples/$program.c" "$@"
	expect_status 0 "$program $*"
	capture report "$contend" report --json run/run.contend
	expect_status 0 "contend report"
	# MODEL GROUP KEY VALUE, a line for each number; MODEL why_not TEXT.
	awk '/"models": \[/ { on = 1 } /"hotspots"/ { on = 0 } !on { next }
		{ gsub(/[",{]/, ""); sub(/:/, "") }
		$1 == "name" { model = $2; next }
		$1 == "why_not" { $1 = ""; print model, "why_not" $0; next }
		$1 ~ /^(inputs|predicted|measured)$/ { group = $1; next }
		NF == 2 { print model, group, $1, $2 }' report.out >models
}

expect_near() # MODEL GROUP KEY VALUE SHARE
{
	awk -v model="$1" -v group="$2" -v key="$3" -v value="$4" -v share="$5" '
		$1 == model && $2 == group && $3 == key {
			d = $4 / value - 1
			if (!found++ && d * d < share * share) ok = 1
		}
		END { exit !ok }' models ||
		fail "$1 $2 $3 is not near $4: $(grep "^$1 $2 $3 " models)"
}

simulate remap --messages=100 --think=10 --handler=5
expect_near LoPC inputs P 16 0.01
expect_near LoPC inputs W_s 10e-6 0.2
expect_near LoPC inputs S_o_s 5e-6 0.25
expect_near LoPC measured R_s "$(sed -n 's/.*cycle \([0-9.e-]*\) s.*/\1/p' run.out)" 0.1
expect_near LoPC predicted R_s "$(sed -n 's/.*cycle \([0-9.e-]*\) s.*/\1/p' run.out)" 0.35
grep -q '^LoGPC why_not a trace names hosts not the links' models ||
	fail "LoGPC says nothing or too much: $(grep ^LoGPC models)"
grep -q '^signature why_not the pattern is not a total exchange' models ||
	fail "signature: $(grep ^signature models)"

simulate workpile --chunks=20 --work=500 --handler=50
expect_near LoPC inputs P_s 1 0.01
expect_near LoPC inputs S_o_s 50e-6 0.1
expect_near LoPC inputs W_s 450e-6 0.2
expect_near LoPC measured burstiness 1 0.25

simulate remap --messages=50 --mode=async --handler=5
grep -q '^LoPC why_not its messages are not requests that are answered' models ||
	fail "LoPC of messages without replies: $(grep ^LoPC models)"
