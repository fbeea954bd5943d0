# SPDX-License-Identifier: GPL-3.0-or-later
#
# What all chapters of predictions need: what `contend model` says, what a program said of itself,
# and that one is near the other. For tests/smpi/validate, whose variables it uses.

model() # RESULT NAME KEY=VALUE...
{
	key=$1
	shift
	"$builddir/contend" model "$@" --json | jq ".results.$key"
}

# The number after WORD in the last words of a run, and in front of it.
after() { sed -n "s/.*[ ,]$2 \([0-9.e+-]*\) .*/\1/p" "$1.log"; }
before() { sed -n "s/.* \([0-9.e+-]*\) $2.*/\1/p" "$1.log"; }

# Percent that A is above B.
above() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%+.1f %%", 100 * (a / b - 1) }'; }

# Dies unless VALUE is within LOW and HIGH. Loose: what is said to be reproduced must be.
within() # VALUE LOW HIGH WHAT
{
	awk -v x="$1" -v low="$2" -v high="$3" \
		'BEGIN { exit !(x ~ /[0-9]/ && x + 0 >= low && x + 0 <= high) }' ||
		die "not reproduced: $4 is $1, not within $2 and $3"
}

# Dies unless PREDICTED is within PERCENT of MEASURED.
near() # PREDICTED MEASURED PERCENT WHAT
{
	within "$(above "$1" "$2")" "-$3" "$3" "$4: the error of the prediction"
}

# Ports are places where the network is crowded.
network="network_contention sender_port receiver_port"

# Network contention of a message: FOLDER MESSAGES PREDICTED_US WHAT; the cells of a table, and
# $contended. The analyzer with machine.json and without.
C_n_cells()
{
	contended=$(true_part network_contention "$1" "$2")
	said=$(said_part blame "$network" "$1" "$2" machine.json)
	said_alone=$(said_part blame "$network" "$1" "$2")
	printf ' %s | %s | %s | %.2f | %s |\n' "$contended" "$said" "$said_alone" "$3" \
		"$(above "$3" "$contended")"
	compared "$4" "network, of a message" "$contended" us "$said" "$said_alone" "$1"
}

# FOLDER: traffic.csv, how many messages go from whom to whom, and $sent, how many of the rank that
# sends most.
traffic_of()
{
	awk -F, '/^[0-9]/ { n[$2, $3]++; if ($2 > last) last = $2; if ($3 > last) last = $3 }
		END {
			for (i = 0; i <= last; i++)
				for (j = 0; j <= last; j++)
					printf "%d%s", n[i, j], j < last ? "," : "\n"
		}' "$1/truth.csv" >traffic.csv
	sent=$(awk -F, '{ n = 0; for (i = 1; i <= NF; i++) n += $i; if (n > most) most = n }
		END { print most }' traffic.csv)
}
