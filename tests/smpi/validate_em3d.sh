# SPDX-License-Identifier: GPL-3.0-or-later
#
# EM3D on the simulated machine, its original order against random order.
# For tests/smpi/validate, whose functions it uses; tables on standard output.

# Seconds that all messages stalled: waited for their receive, or for the network.
stalled()
{
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		/^total/ { printf "%.6f", $at["late_partner_s"] + $at["network_contention_s"] }' "$1"
}

# The same by the analyzer with machine.json: FOLDER
said_stalled()
{
	said_part blame "late_partner $network" "$1" 1 machine.json | awk '{ printf "%.6f", $1 / 1e6 }'
}

# Percent that A is below B.
gained() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", 100 * (1 - a / b) }'; }

predict_em3d()
{
	for order in original random; do
		simulate em3d-$order --wait --overhead=6.85e-6 mesh:4x8,bandwidth=40e6 32 \
			"$examples/em3d.c" --send=isend --window=4 --edge-ns=2000 --iterations=5 \
			--order=$order
	done
	o=$(after em3d-original time) r=$(after em3d-random time)
	so=$(stalled em3d-original/truth.csv) sr=$(stalled em3d-random/truth.csv)
	gain=$(gained "$r" "$o") calmed=$(gained "$sr" "$so")
	true_machine 6.85e-6 0 0 all >machine.json
	ao=$(said_stalled em3d-original) ar=$(said_stalled em3d-random)
	echo "
## EM3D: original against random order

4x8 mesh, four sends in flight: $o s against $r s, $gain % of the run time gained (the paper: 20 %); sends that
wait for their receive or the network: $so s against $sr s, $calmed % of the stall removed (the paper: 70 %). By
the analyzer with the machine file: $ao s against $ar s, $(gained "$ar" "$ao") % removed; what had come
late is one Waitall's secret for most messages, so this is no more than a guess within wide intervals."
	compared "EM3D, original order" "what stalls" "$so" s "$ao" - em3d-original 1e6
	compared "EM3D, random order" "what stalls" "$sr" s "$ar" - em3d-random 1e6
	within "$gain" 15 30 "EM3D in random order: % of the run time gained"
	within "$calmed" 55 90 "EM3D in random order: % of the stall removed"
	near "$ao" "$so" 10 "EM3D, what stalls, the analyzer"
}
