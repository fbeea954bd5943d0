# SPDX-License-Identifier: GPL-3.0-or-later
#
# What contend predict --ranks says of more and fewer ranks beside what met.c takes with so many. For
# tests/smpi/copies.sh and a chapter of tests/smpi/validate; after true_machine.sh.

# NAME ARGUMENT-OF-MET...; 8 ranks are asked what 4, 16 and 64 take, by the collectives of two MPIs.
copies_rows='
barrier --collective=barrier
broadcast --collective=bcast --each=500
reduce --collective=reduce --each=500
sum-one --collective=allreduce
sum-many --collective=allreduce --each=20000 --peers=3 --bytes=100000
gathered --collective=allgather --each=1000
exchanged --collective=alltoall --each=500
rows --rows=4 --each=2000
uneven --uneven=1000 --each=100
by-chance --uneven=3000 --collective=barrier
'

# FOLDER MPI RANKS ARGUMENT...
copies_run()
{
	into=$1 mpi=$2 ranks=$3
	shift 3
	SMPI_CPPFLAGS="${SMPI_CPPFLAGS:--I/usr/include/smpi} -I$srcdir" \
		simulate "$into" --collectives="$mpi" --overhead=1e-6 --handler=1e-6 \
		"switch:$ranks,bandwidth=40e6,latency=20e-6,contention=ports" "$ranks" \
		"$srcdir/tests/smpi/met.c" "$@"
}

copies_wall()
{
	"$builddir/contend" report --json "$1/run.contend" | jq .run.wall_s
}

# NAME: its row, in lines of NAME.copies: NAME|MPI|RANKS|TAKES|SOURCE|LEAST|LIKELY|MOST|VERDICT, of
# what 8 ranks take, %.
copies_row()
{
	name=$1
	# Words wanted. shellcheck disable=SC2046
	set -- $(echo "$copies_rows" | grep "^$1 ")
	shift
	true_machine 1e-6 1e-6 65535 ports | jq '.classes.network.L_s += 19e-6' >"$name.machine.json"
	: >"$name.copies"
	for mpi in ompi mpich; do
		copies_run "$name-8" $mpi 8 "$@"
		now=$(copies_wall "$name-8")
		for ranks in 4 16 64; do
			copies_run "$name-$ranks" $mpi $ranks "$@"
			then=$(copies_wall "$name-$ranks")
			takes=$(jq -n "$then / $now * 1000 | round / 10")
			for source in file alone; do
				given=
				[ $source = alone ] || given=--machine=$name.machine.json
				# One word or none. shellcheck disable=SC2086
				"$builddir/contend" predict --json $given --ranks=$ranks "$name-8/run.contend" |
					jq -r --argjson takes "$takes" --arg row "$name|$mpi|$ranks|$takes|$source" '
					.changes[0].saves_share | map((1 - .) * 1000 | round / 10) |
					. as [$most, $likely, $least] |
					[$row, $least, $likely, $most,
						if $takes < $least - 0.5 or $takes > $most + 0.5 then "misses"
						elif ($takes - $likely | fabs) > 2 + ($takes - 100 | fabs) / 4 then "covers, off"
						else "covers" end] | map(tostring) | join("|")' >>"$name.copies"
			done
			rm -rf "$name-$ranks"
		done
		rm -rf "$name-8"
	done
}

# NAME.copies...: the chapter.
copies_chapter()
{
	cat <<'END'

## What more ranks, and fewer, take

END
	cat "$@" | awk -F'|' '
		{ rows++; covers += $9 ~ /^covers/; off += $9 ~ /off/ }
		END {
			printf "Of %d predictions the interval covers %d, and the likely value is off in %d.\n",
				rows, covers, off
		}'
	cat <<'END'

Steps of 1 ms of work, a message to the next ranks of a ring, and a collective (tests/smpi/met.c), on 8
ranks, with the simulator's versions of Open MPI's and MPICH's choice of algorithms: what 4, 16 and 64
ranks take, % of what 8 do, and what contend predict --ranks says of the run of 8, [least, likely,
most], with the machine file and without. `!` where the interval does not cover it, by more than 0.5;
off: the likely value is more than 2 and a quarter of the difference away from it. Of rows of four ranks
it is likely that they stay so; by-chance and uneven: other ranks are later from step to step.

| row | MPI | ranks | take, % | with the machine file | | self-calibrated | |
|---|---|---|---|---|---|---|---|
END
	cat "$@" | awk -F'|' '{
		sub(/^covers(, )?/, "", $9)
		sub(/^misses/, "!", $9)
		said = sprintf("[%s, %s, %s] | %s", $6, $7, $8, $9)
		if ($5 == "file")
			printf "| %s | %s | %s | %s | %s", $1, $2, $3, $4, said
		else
			printf " | %s |\n", said
	}' | sed 's/|  |$/| |/; s/|  |/| |/g'
}
