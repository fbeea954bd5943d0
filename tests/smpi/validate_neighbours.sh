# SPDX-License-Identifier: GPL-3.0-or-later
#
# Stencil and sweep on the simulated machine, whose messages go to neighbours only, and what LogGP
# and the bounds of an exchange say of them. For tests/smpi/validate, whose functions it uses;
# tables on standard output.

# A message's bytes, the simulator's 16 included; a byte takes 25 ns, a way 1 us; 8 x 8 ranks. Times
# in us.
face=$((16 * 8 + 16)) side=8

# RANKS OUT...: matrix.csv, ranks in a line of which each sends a face to the ranks that are OUT
# away.
line_of()
{
	ranks=$1
	shift
	awk -v n="$ranks" -v out="$*" -v face=$face 'BEGIN {
		ways = split(out, away, " ")
		for (i = 0; i < n; i++)
			for (j = 0; j < n; j++) {
				bytes = 0
				for (k = 1; k <= ways; k++)
					if (j == i + away[k]) bytes = face
				printf "%d%s", bytes, j < n - 1 ? "," : "\n"
			}
	}' >matrix.csv
}

# By the busiest port of matrix.csv: what a face waits for the others.
held_up()
{
	jq -n "$(model port exchange-bounds file=matrix.csv alpha=0 beta=0.025) - $face * 0.025"
}

# APPLICATION MACHINE MEASURED_S ALONE_US BOUND_US WAITS_US FOLDER: a row.
neighbours_row()
{
	took=$(awk -v s="$3" 'BEGIN { printf "%.1f", s * 1e6 }')
	printf '| %s | %s | %s | %.1f | %s | %.1f | %s |' "$1" "$2" "$took" "$4" \
		"$(above "$4" "$took")" "$5" "$(above "$5" "$took")"
	C_n_cells "$7" "$(grep -c '^[0-9]' "$7/truth.csv")" "$6" "$1 on the $2"
	# What only ports hold up, the bounds are of; elsewhere links are.
	case $2 in
	mesh)
		near "$4" "$took" 15 "$1 on the $2, LogGP"
		near "$5" "$took" 5 "$1 on the $2, bounds of an exchange"
		near "$6" "$contended" 25 "$1 on the $2, network of a message, the port"
		;;
	esac
}

# Each of 100 updates has two exchanges, each among ranks in a line: out and in go two faces, and a
# rank handles two.
stencil_row() # MACHINE
{
	simulate "stencil-$1" --handler=2e-6 "$(shape "$1" 64),bandwidth=40e6,contention=all" 64 \
		"$examples/stencil.c" --iterations=100 --spend=50 --size=128 --residual=0
	true_machine 0 2e-6 65535 all 2.5e-8 1 "$(shape "$1" 64)" >machine.json
	line_of $side -1 1
	given="exchange-bounds file=matrix.csv alpha=3 beta=0.025"
	# Words wanted. shellcheck disable=SC2086
	neighbours_row stencil "$1" "$(after "stencil-$1" time)" \
		"$(jq -n "100 * (50 + 2 * ($(model T loggp o=1 L=1 G=0.025 m=$face) + 2))")" \
		"$(jq -n "100 * (50 + 2 * $(model lower $given))")" \
		"$(held_up)" "stencil-$1"
}

# The waves start in the corners (0, 0), (7, 0), (0, 7), (7, 7), each where one of the last has
# ended, twice: 84 steps from rank to rank, and in 8 ranks 4 blocks, one after the other.
sweep_row() # MACHINE
{
	simulate "sweep-$1" --handler=1e-6 "$(shape "$1" 64),bandwidth=40e6,contention=all" 64 \
		"$examples/sweep.c" --spend=20
	true_machine 0 1e-6 65535 all 2.5e-8 1 "$(shape "$1" 64)" >machine.json
	line_of 3 1 2
	waits=$(held_up)
	step=$(model T loggp o=0.5 L=1 G=0.025 m=$face)
	alone=$(jq -n "84 * (20 + $step + 1) + 8 * 4 * (20 + 2)")
	neighbours_row sweep "$1" "$(after "sweep-$1" time)" "$alone" \
		"$(jq -n "$alone + 84 * $waits")" "$waits" "sweep-$1"
}

predict_neighbours()
{
	cat <<'END'

## Halos and waves: stencil and sweep

64 ranks, faces of 128 bytes, ports and links of 40 MB/s, a way of 1 us. LogGP: what the longest path takes
where messages do not meet; of stencil's updates each its 50 us of work and two exchanges, of
sweep's waves the steps from corner to corner with 20 us of work each. An exchange's
bounds (Steffenel's claims) add that a rank's port has two faces to pass at once, and say what that
holds up a message. LoGPC has no part in it: its destinations are random, and for ways of one
link (k_d = 1) its C_n is 0, as is what the mesh's links hold up here. LoPC's handlers answer requests, and
a signature is of total exchanges. Where links are shared as well (4:1), the bounds are too low and say
nothing of by how much. What a message waits for in the network: by the simulator, by the analyzer
with the machine file and self-calibrated, by the port alone; us.

| application | machine | run time, us | LogGP | error | with ports | error | network, measured | attributed | self-calibrated | port | error |
|---|---|---|---|---|---|---|---|---|---|---|---|
END
	for machine in mesh switch tree; do
		stencil_row $machine
	done
	for machine in mesh switch tree; do
		sweep_row $machine
	done
}
