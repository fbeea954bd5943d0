# SPDX-License-Identifier: GPL-3.0-or-later
#
# Diamond DAG on the simulated machine, where the stripes lie, and LoGPC's makespan.
# For tests/smpi/validate, whose functions it uses; tables on standard output.

# MAP [SEED]: the row of one map; its time in $took, LoGPC's with contention in $M_contention.
diamond_row()
{
	simulate "diamond-$1" mesh:4x8,bandwidth=40e6 32 "$examples/diamond.c" --length=1024 \
		--blocks=16 --extra=320000 --map="$1" --seed="${2-1}" --ssend
	took=$(after "diamond-$1" time)
	waits=$(true_part network_contention "diamond-$1" 1e3)
	said=$(said_part blame "$network" "diamond-$1" 1e3 machine.json)
	said_alone=$(said_part blame "$network" "diamond-$1" 1e3)
	traffic_of "diamond-$1"
	given="diamond n=1024 P=32 b=16 t_task=1e-15 o_s=0 L=1e-6 G=2.5e-8 bytes=320256 channel=2.5e-8
		k_d=$(model k_d mesh k=8,4 traffic=traffic.csv)"
	# Words wanted. shellcheck disable=SC2086
	M_contention=$(model M_contention $given | awk '{ printf "%.6f", $1 }')
	# Words wanted. shellcheck disable=SC2086
	C_n=$(model C_n $given | awk '{ printf "%.2f", 1e3 * $1 }')
	each=$(jq -n "$waits / $(grep -c '^[0-9]' "diamond-$1/truth.csv")" | awk '{ printf "%.2f", $1 }')
	printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$1${2:+ $2}" "$took" "$M_contention" \
		"$(above "$M_contention" "$took")" "$waits" "$said" "$said_alone" "$each" "$C_n"
	near "$M_contention" "$took" 15 "diamond, $1 map, LoGPC"
	compared "diamond, $1 map${2:+ $2}" network "$waits" ms "$said" "$said_alone" "diamond-$1"
	within "$(jq -n "$said - $waits")" -100 100 "diamond, $1 map: the analyzer's error, ms"
}

# The model's block of 320,256 bytes; computing takes no simulated time.
predict_diamond()
{
	true_machine 0 0 65535 all 2.5e-8 1 mesh:4x8 >machine.json
	cat <<'END'

## Diamond DAG: where the stripes lie

320,000 bytes a message, 4x8 mesh. LoGPC's makespan (equation 15) with the map's mean ways, when every
message of the critical path waits C_n at either end. What all messages wait for in the network: by
the simulator, by the analyzer with the machine file and self-calibrated; and what one does, by the simulator
on average, all of them, and by LoGPC, of the critical path.

| map | run time, s | LoGPC | error | network contention, ms | attributed | self-calibrated | of a message | C_n |
|---|---|---|---|---|---|---|---|---|
END
	diamond_row linear
	linear=$took ratios=
	for seed in 3 2 1; do
		diamond_row random $seed
		ratio=$(awk -v r="$took" -v l="$linear" 'BEGIN { printf "%.2f", r / l }')
		within "$ratio" 1.3 2 "diamond: how much longer random map $seed takes"
		ratios="${ratios:+$ratios, }$ratio"
	done
	M=$(model M diamond n=1024 P=32 b=16 t_task=1e-15 o_s=0 L=1e-6 G=2.5e-8 bytes=320256 |
		awk '{ printf "%.6f", $1 }')
	echo "
The random maps against the linear one: $ratios (the paper's: 1.56). LoGPC's makespan without contention
(equation 15), for the linear map: $M s, error $(above "$M" "$linear")."
	near "$M" "$linear" 10 "diamond, linear map, equation 15"
}
