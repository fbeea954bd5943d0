# SPDX-License-Identifier: GPL-3.0-or-later
#
# --split-waitall on the simulated machine: no flow at another time, every message complete when its
# flow ends, and the report no longer says that this is not known.
. "$srcdir/tests/testlib.sh"
[ -n "$SMPIRUN" ] || skip "no SimGrid 3.32: Debian package libsimgrid-dev"
need_file jq jq

run() # FOLDER PROGRAM OPTION-OF-RUN... -- ARGUMENT...
{
	to=$1 program=$2 options=
	shift 2
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	# Words wanted. shellcheck disable=SC2086
	capture "$to" "$srcdir/tests/smpi/run" -o "$to" $options tree:2x4,over=4,bandwidth=40e6 8 \
		"$srcdir/share/examples/$program.c" "$@"
	expect_status 0 "$program in $to"
	expect_line ' verified$' "$to.out"
}

run bare alltoall --bare --wait -- --bytes=4096 --repeat=2 --by=direct
run together alltoall --wait -- --bytes=4096 --repeat=2 --by=direct
run apart alltoall --wait --split-waitall -- --bytes=4096 --repeat=2 --by=direct
cmp bare/flows.csv together/flows.csv || fail "recording changed the simulated time"
cmp bare/flows.csv apart/flows.csv || fail "--split-waitall changed the simulated time"

# Of messages that wait for nobody once they have arrived: how many.
collected()
{
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 != "total" && $2 != $3 { n += $at["uncollected_s"] < 1e-9 }
		END { print n }' "$1/truth.csv"
}
[ "$(collected apart)" -eq 112 ] || fail "$(collected apart) of 112 messages complete in their time"
[ "$(collected together)" -lt 56 ] || fail "Waitall is split without being asked"
for run in together apart; do
	"$contend" report --json $run/run.contend >$run.json
	jq -r '.quality.conditions[]' $run.json >$run.conditions
done
expect_line 'record --split-waitall tells' together.conditions
! grep -q split-waitall apart.conditions || fail "asks for what was done"

# Which messages of one Waitall came late the shape of the network says as well: those between
# leaves. Without it all are taken to be late.
for topology in '' ', "topology": {"kind": "tree", "size": [2, 4, 1]}'; do
	cat >machine.json <<-END
		{"schema": "contend-machine/1", "name": "as simulated", "classes": {"network": {
		 "L_s": 1e-6, "handshake_s": 0, "eager_bytes": 0, "there": {"asynchronous_progress": 1},
		 "points": [{"bytes": 0, "o_s_s": 0, "o_r_s": 0, "g_s": 4e-7},
		  {"bytes": 1048576, "o_s_s": 0, "o_r_s": 0, "g_s": 0.0262148}]}}$topology}
	END
	"$contend" report --json --machine=machine.json together/run.contend >known.json ||
		fail "no report with $topology"
	"$builddir/tests/smpi/compare" together/truth.csv known.json >compared ||
		fail "not comparable"
	cat compared
	awk -v known="$topology" '/^network contention/ { off = $5 < 0 ? -$5 : $5; seen = 1 }
		END { exit !(seen && (known ? off < 10 : off > 10)) }' compared ||
		fail "network contention with \"$topology\": $(grep '^network' compared)"
done

# What a rank sends itself is on no wire: by the simulator a copy, and by the report, too.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 != "total" && $2 == $3 { n++; bad += $at["wire_s"] != 0 || $at["receive_overhead_s"] <= 0 }
	END { exit !(n == 16 && !bad) }' apart/truth.csv ||
		fail "own messages are on a wire in truth.csv"
"$contend" report --messages=own.csv apart/run.contend >own.txt
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == $2 { n++; bad += $at["wire_ns"] + $at["network_contention_ns"] + $at["back_pressure_ns"] > 0 }
	END { exit !(n == 16 && !bad) }' own.csv ||
		fail "own messages are on a wire: $(head -n 9 own.csv)"

# The program's own statuses are those of its Waitall.
run status em3d --wait --split-waitall -- --nodes=160 --iterations=2 --send=isend
