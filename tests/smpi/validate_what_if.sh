# SPDX-License-Identifier: GPL-3.0-or-later
#
# What contend predict says of other machines beside what programs take there: rows of
# validate_advice.sh as they are, on the simulated machine and on such that are better in one way. For
# tests/smpi/predicted.sh and a chapter of tests/smpi/validate; after validate_advice.sh.

what_if_rows='polls-early polls-late joined-ten joined-handled joined-port begun-four begun-late begun-after
sent-blocks sent-answered sent-gathered moved-two moved-uneven posted-early posted-peers posted-handled
crowd-waits crowd-handled gathered-held gathered-eager gathered-small skewed-few skewed-large turns-get
turns-work order-held order-uneven order-eager longer-two longer-most served-slowly served-idly
served-uneven blocks-large blocks-held blocks-small far-four far-held far-uneven'

# The simulated machine's latency is 20 us, so that it is more than next to nothing.
latency=20e-6

# ARGUMENT...: with half of the program's own work, a line each.
halved()
{
	printf '%s\n' "$@" | awk -F= '
		/^--(work|uneven|after|task|extra|handler)=/ { print $1 "=" $2 / 2; next }
		{ print }'
}

# FOLDER LATENCY BANDWIDTH OVERHEAD HANDLER ARGUMENT...: what the row takes on that machine
what_if_run()
{
	into=$1 at="latency=$2,bandwidth=$3,contention=ports" o=$4 h=$5
	shift 5
	wait=
	[ "$eager" != 0 ] || wait=--wait
	# Words wanted. shellcheck disable=SC2086
	SMPI_CPPFLAGS="${SMPI_CPPFLAGS:--I/usr/include/smpi} -I$srcdir" \
		simulate "$into" $wait $option --overhead="$o" --handler="$h" \
		"$machine,$at" "$ranks" "$@"
}

# NAME KIND MACHINE RANKS OVERHEAD HANDLER EAGER_BYTES OPTION-OF-RUN ARGUMENT...: lines of
# NAME.what_if, one a machine and a machine file (alone: none): NAME|WHAT|SAVED|SOURCE|LOW|LIKELY|HIGH|VERDICT.
what_if()
{
	name=$1-on kind=$2 machine=$3 ranks=$4 overhead=$5 handler=$6 eager=$7 option=$8
	shift 8
	[ "$option" != - ] || option=
	port=
	case $kind in
	server) set -- "$srcdir/share/examples/workpile.c" "$@" ;;
	block_size) set -- "$srcdir/share/examples/diamond.c" "$@" ;;
	incast) set -- "$srcdir/tests/smpi/advised.c" --habit=skew "$@" ;;
	*) set -- "$srcdir/tests/smpi/advised.c" --habit="$kind" "$@" ;;
	esac
	[ "$kind" != overlap ] || port=--port=80000000 # which simulates its own
	half_overhead=$(jq -n "$overhead / 2") half_handler=$(jq -n "$handler / 2")
	true_machine "$overhead" "$handler" "$eager" ports |
		jq --argjson more "$(jq -n "$latency - 1e-6")" \
			'.classes.network.L_s += $more | .classes.node.L_s += $more / 10' >"$name.machine.json"
	[ "$kind" != overlap ] || unmoved "$name.machine.json"
	what_if_run "$name" $latency 40e6 "$overhead" "$handler" "$@"
	what_if_run "$name-bandwidth" $latency 80e6 "$overhead" "$handler" "$@" $port
	what_if_run "$name-latency" 10e-6 40e6 "$overhead" "$handler" "$@"
	what_if_run "$name-overhead" $latency 40e6 "$half_overhead" "$half_handler" "$@"
	# Words wanted. shellcheck disable=SC2046
	what_if_run "$name-processors" $latency 40e6 "$overhead" "$handler" $(halved "$@")
	now=$(wall "$name")
	of=${name%-on}
	: >"$of.what_if"
	for source in file alone; do
		given=
		[ $source = alone ] || given=--machine=$name.machine.json
		# One word or none. shellcheck disable=SC2086
		"$builddir/contend" predict --json $given "$name/run.contend" >"$name.json" ||
			die "$name: no prediction"
		for what in bandwidth latency overhead processors; do
			saved=$(jq -n "(1 - $(wall "$name-$what") / $now) * 1000 | round / 10 + 0")
			case $saved in
			-*) at_least=0 ;;
			*) at_least=$saved ;;
			esac
			jq -r --arg what $what '.predictions[] | select(.name == $what) | .saves_share
				| map(. * 1000 | round / 10) | @tsv' "$name.json" >"$name.said"
			read -r low likely high <"$name.said"
			echo "$of|$what|$saved|$source|$low|$likely|$high|$(verdict_of "$low" "$likely" "$high" "$at_least")" \
				>>"$of.what_if"
		done
	done
	rm -rf "$name" "$name"-bandwidth "$name"-latency "$name"-overhead "$name"-processors
}

# NAME: its row.
what_if_row()
{
	# Words wanted. shellcheck disable=SC2046
	what_if $(echo "$advice_rows" | grep "^$1 ")
}

# SOURCE TITLE, reads such lines: how many are right.
what_if_counts()
{
	awk -F'|' -v source="$1" -v title="$2" '
		$4 != source { next }
		{ rows++; off += ($6 > $3 ? $6 - $3 : $3 - $6) > 2 + ($3 > 0 ? $3 : -$3) / 10 }
		$8 ~ /^covers/ { covers++ }
		$8 ~ /, wide/ { wide++ }
		END {
			printf "%s the interval covers what is saved in %d of %d (wide in %d of them), and the\n" \
			       "likely value is within 2 and a tenth of it in %d.\n", title, covers, rows, wide, rows - off
		}'
}

# NAME.what_if...: the chapter.
what_if_chapter()
{
	cat <<'END'

## What a better machine saves

END
	cat "$@" | what_if_counts file "With the machine file"
	cat "$@" | what_if_counts alone "Self-calibrated,"
	cat <<'END'

The programs of the chapter before as they are, on the machine of that chapter, with 20 us of latency,
and on such with twice the bandwidth, half the latency, half the overhead of MPI's calls, and half of
the program's own work: what that saves of the run's wall time, and what contend predict says of the
first run alone, [least, likely, most], with the machine file and without. `!` where the interval does
not cover it, by more than 0.5, or 0 where the better machine took longer, as messages met otherwise;
wide: the most is more than 10 above it; high, low: the likely value is more than a quarter and 2 above
or below it.

| row | machine | saves, % | with the machine file | | self-calibrated | |
|---|---|---|---|---|---|---|
END
	for file; do
		awk -F'|' '
			{
				sub(/^covers(, )?/, "", $8)
				gsub(/likely too much/, "high", $8)
				gsub(/likely too little/, "low", $8)
				mark = $8 ~ /^(wide|high|low|wide, high|wide, low|)$/ ? $8 : "!"
				if (!($2 in saved)) what[++n] = $2
				saved[$2] = $3
				said[$2, $4] = sprintf("[%s, %s, %s] | %s", $5, $6, $7, mark)
				name = $1
			}
			END {
				for (i = 1; i <= n; i++)
					printf "| %s | %s | %s | %s | %s |\n", name, what[i], saved[what[i]],
						said[what[i], "file"], said[what[i], "alone"]
			}' "$file"
	done
}
