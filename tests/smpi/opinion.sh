#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Models as second opinion on programs whose work and handlers are known: LoPC's inputs, as
# read from the trace, are what the program was told to spend; its cycle is what it measured.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"

ranks=16 machine=mesh:4x8,bandwidth=20e6 options= given=

simulate() # PROGRAM OPTION...
{
	program=$1
	shift
	# Words wanted. shellcheck disable=SC2086
	capture run "$srcdir/tests/smpi/run" -o run $options $machine $ranks \
		"$srcdir/share/examples/$program.c" "$@"
	expect_status 0 "$program $*"
	# Words wanted. shellcheck disable=SC2086
	capture report "$contend" report --json $given run/run.contend
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
expect_near LoPC inputs S_o_s 2.5e-6 0.25 # a request takes 5 us, a reply next to nothing
expect_near LoPC measured R_s "$(sed -n 's/.*cycle \([0-9.e-]*\) s.*/\1/p' run.out)" 0.1
expect_near LoPC predicted R_s "$(sed -n 's/.*cycle \([0-9.e-]*\) s.*/\1/p' run.out)" 0.15
grep -q '^LoGPC why_not .* the machine file says no topology' models ||
	fail "LoGPC says nothing or too much: $(grep ^LoGPC models)"
grep -q '^signature why_not the pattern is not a total exchange' models ||
	fail "signature: $(grep ^signature models)"

simulate workpile --chunks=20 --work=500 --handler=50
expect_near LoPC inputs P_s 1 0.01
expect_near LoPC inputs S_o_s 50e-6 0.1
expect_near LoPC inputs W_s 500e-6 0.02
expect_near LoPC measured burstiness 1 0.25

# A pipeline of 16 stripes: a block is 16 x 16 cells of 100 ns, and what the model says of it is what
# it takes. Over a grid the model is not asked.
simulate diamond --length=256 --blocks=16 --task=100
expect_near Diamond inputs P 16 0.01
expect_near Diamond inputs b 16 0.01
expect_near Diamond inputs W_s 25.6e-6 0.01
took=$(sed -n 's/.* time \([0-9.e-]*\) s.*/\1/p' run.out)
expect_near Diamond measured makespan_s "$took" 0.05
expect_near Diamond predicted makespan_s "$took" 0.05
simulate sweep --spend=100
grep -q '^Diamond why_not .* this sweep goes over a grid of ranks' models ||
	fail "Diamond DAG of a grid: $(grep ^Diamond models)"

simulate remap --messages=50 --mode=async --handler=5
grep -q '^LoPC why_not its messages are not requests that are answered' models ||
	fail "LoPC of messages without replies: $(grep ^LoPC models)"

# With the network's shape in the machine file: LoGPC's delay is near what the links took, below it
# as the model is known to be, and the torus takes less than the mesh.
shape() # KIND
{
	ranks=32 machine=$1:4x8,bandwidth=40e6 options="--overhead=2e-6 --handler=5e-6"
	given=--machine=$1.json
	sed "s/KIND/$1/" >"$1.json" <<-'END'
		{"schema": "contend-machine/1", "name": "as simulated",
		 "topology": {"kind": "KIND", "size": [4, 8]},
		 "classes": {"network": {"L_s": 8e-6, "eager_bytes": 65535, "points": [
		  {"bytes": 0, "o_s_s": 2e-6, "o_r_s": 5e-6, "g_s": 4e-7},
		  {"bytes": 1048576, "o_s_s": 2e-6, "o_r_s": 5e-6, "g_s": 0.0262148}]}}}
	END
	! python3 -c 'import jsonschema' 2>/dev/null ||
		python3 - "$srcdir/share/contend-machine.schema.json" "$1.json" <<-'END' ||
			import json, sys
			import jsonschema
			jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))
		END
			fail "$1.json is not as the schema says"
	simulate remap --messages=50 --bytes=1000 --mode=async --think=100 --handler=0
	links=$(awk '$1 == "LoGPC" && $2 == "measured" && $3 == "C_n_s" { print $4; exit }' models)
}
shape torus
expect_near LoGPC inputs k_d 1.548 0.02 # 32/31 of (4/4 + 8/4) / 2
expect_near LoGPC predicted C_n_s 5.61e-6 0.02
expect_near LoGPC predicted C_n_s "$links" 0.4
expect_near LoGPC measured interference 1.43 0.05
shape mesh
expect_near LoGPC inputs k_d 2 0.02
expect_near LoGPC predicted C_n_s 10.8e-6 0.02
expect_near LoGPC predicted C_n_s "$links" 0.45
