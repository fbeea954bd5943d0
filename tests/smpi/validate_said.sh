# SPDX-License-Identifier: GPL-3.0-or-later
#
# Parts of the time by the simulator and by the analyzer, for tests/smpi/validate and what it
# predicts.

# What a recorded run's messages waited for by the simulator, us for each of COUNT: PART FOLDER
# COUNT
true_part()
{
	awk -F, -v part="$1_s" -v n="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		/^total/ { us = $at[part] / n * 1e6; printf "%.2f", us * us < 1e-6 ? 0 : us }' "$2/truth.csv"
}

# The same by the analyzer, of the view blame or budget, without a machine file or with one: VIEW
# "PART..." FOLDER COUNT [MACHINE]; its interval in FOLDER.machine-file or FOLDER.self-calibrated:
# no more than what the least of all other parts leaves.
said_part()
{
	"$builddir/contend" report --json ${5:+--machine="$5"} "$3/run.contend" >"$3.json" ||
		die "$3: no report"
	source=self-calibrated
	[ -z "${5-}" ] || source=machine-file
	jq -r --arg view "$1" --arg parts "$2" --argjson n "$4" '.[$view] as $view |
		($parts | split(" ")) as $these | [$view.parts | to_entries[]] as $all |
		[$all[] | select(.key | IN($these[])) | .value] as $in |
		[$all[] | select(.key | IN($these[]) | not) | .value] as $out |
		def us(f): [.[] | f] | add // 0 | . / $n * 1e6;
		($view.total_s / $n * 1e6) as $total |
		[($in | us(.s)), ([($in | us(.low_s)), $total - ($out | us(.high_s))] | max),
		 ([($in | us(.high_s)), $total - ($out | us(.low_s))] | min)] | @tsv' "$3.json" >"$3.said"
	awk '{ printf "%.2f %.2f\n", $2, $3 }' "$3.said" >"$3.$source"
	awk '{ printf "%.2f", $1 }' "$3.said"
}

# Into CHAPTER.missed, for the last chapter, where what the analyzer says of a PART of the time,
# with a machine file or (SAID_ALONE) without, is off by more than a tenth of the truth: SCENARIO
# PART TRUE UNIT SAID SAID_ALONE FOLDER, of which one said may be -; FOLDER has said_part's
# intervals, us, a UNIT is US of them (1).
compared()
{
	for source in machine-file self-calibrated; do
		said_here=$5
		[ $source = machine-file ] || said_here=$6
		[ "$said_here" = - ] || echo "$source $said_here $(cat "$7.$source")"
	done |
		awk -v what="| $1 | $2" -v true="$3" -v unit="$4" -v us="${8:-1}" '
			true > 0 && ($2 > 1.1 * true || $2 < 0.9 * true) {
				low = $3 / us
				high = $4 / us
				is_covered = low <= 1.001 * true && 0.999 * true <= high
				printf "%s | %s | %s %s | %s %s | %.6g-%.6g%s |\n", what, $1, true + 0,
				       unit, $2, unit, low, high, is_covered ? "" : " !"
			}' >>"$missed"
}
