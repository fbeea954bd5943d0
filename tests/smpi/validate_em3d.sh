# SPDX-License-Identifier: GPL-3.0-or-later
#
# EM3D on the simulated machine, its original order against random order, and what LogP and LoGPC
# say of it. For tests/smpi/validate, whose functions it uses; tables on standard output.

# Seconds that all messages stalled: waited for their receive, or for the network.
stalled()
{
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		/^total/ { printf "%.6f", $at["late_partner_s"] + $at["network_contention_s"] }' "$1"
}

# The same by the analyzer with machine.json: FOLDER
said_stalled()
{
	said_part blame "late_partner $network" "$1" 1 machine.json |
		awk '{ printf "%.6f", $1 / 1e6 }'
}

# Percent that A is below B.
gained() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", 100 * (1 - a / b) }'; }

# MB_S EDGE_NS ORDER: a row; its run time in $took, what stalls in $stall.
em3d_row()
{
	folder=em3d-$3
	simulate "$folder" --wait --overhead=6.85e-6 mesh:4x8,bandwidth="$1"e6 32 \
		"$examples/em3d.c" --send=isend --window=4 --edge-ns="$2" --iterations=5 \
		--order="$3"
	took=$(after "$folder" time)
	stall=$(stalled "$folder/truth.csv")
	true_machine 6.85e-6 0 0 all "$(jq -n "1e-6 / $1")" 1 mesh:4x8 >machine.json
	said_stall=$(said_stalled "$folder")
	what="EM3D, $3 order, $1 MB/s"
	compared "$what" "what stalls" "$stall" s "$said_stall" - "$folder" 1e6
	traffic_of "$folder"
	# 3,200 nodes of 32 edges, E and H; a message has 80 bytes and the simulator's 16.
	given="logpc kind=async o_s=6.85 L=$(jq -n "96 / $1 + 1") B=96 channel=$(jq -n "1 / $1")
		k_d=$(model k_d mesh k=8,4 traffic=traffic.csv)"
	# Words wanted. shellcheck disable=SC2086
	logp=$(jq -n "(10 * 100 * 32 * $2 / 1000 + $sent * $(model time $given)) / 1e6")
	printf '| %s | %s | %s | %s | %.6f | %s | %s | %s |' "$1" "$2" "$3" "$took" "$logp" \
		"$(above "$logp" "$took")" "$stall" "$said_stall"
	# Words wanted. shellcheck disable=SC2086
	C_n_cells "$folder" "$(grep -c '^[0-9]' "$folder/truth.csv")" "$(model C_n $given)" "$what"
}

# MB_S EDGE_NS GAIN_LOW GAIN_HIGH CALMED_LOW CALMED_HIGH: the rows of both orders, and in $orders
# what random order gains.
em3d_rows()
{
	em3d_row "$1" "$2" original
	original=$took stall_original=$stall said_original=$said_stall
	near "$said_original" "$stall_original" 10 "EM3D, $1 MB/s, what stalls, the analyzer"
	em3d_row "$1" "$2" random
	near "$logp" "$took" 15 "EM3D in random order, $1 MB/s, LogP"
	gain=$(gained "$took" "$original") calmed=$(gained "$stall" "$stall_original")
	within "$gain" "$3" "$4" "EM3D in random order, $1 MB/s: % of the run time gained"
	within "$calmed" "$5" "$6" "EM3D in random order, $1 MB/s: % of the stall removed"
	orders="${orders-}
- $1 MB/s: random order takes $gain % less time and $calmed % less stall; by the analyzer
  $(gained "$said_stall" "$said_original") % less."
}

predict_em3d()
{
	cat <<'END'
## EM3D: original against random order

32 ranks of a 4x8 mesh, 3,200 nodes of 32 edges, span 15, blocks of 10 values, four sends in flight that
take 137 of Alewife's cycles of 50 ns each. Links of 20 MB/s are held one such cycle a byte, as the
paper's; those of 40 MB/s are the tables' above. The paper gained 20 % of the run time and
70 % of the stall; it does not print what its edges take, and its sends stall where the
network's queues are full, not at a number in flight. Stall: what all messages wait for their receive or for
the network, by the simulator and by the analyzer with the machine file; most of what comes is
collected by one Waitall, whose secret it is what had come late.

LogP, as in the paper, takes o_s + o_r a message and the edges, of the rank that has most messages; it
knows no order. LoGPC's C_n, what a message waits in the network, takes destinations to be independent and
drawn anew for each message, and every rank to send all the time: neither order is so, as all
blocks for one destination follow each other. By the simulator, by the analyzer with the machine file
and self-calibrated, by LoGPC, us.

| links, MB/s | an edge, ns | order | run time, s | LogP | error | stall, s | attributed | C_n measured | attributed | self-calibrated | LoGPC | error |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
	em3d_rows 20 4000 17 27 60 75
	em3d_rows 40 2000 17 30 72 86
	echo "$orders"
}
