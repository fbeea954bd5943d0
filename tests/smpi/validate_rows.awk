# SPDX-License-Identifier: GPL-3.0-or-later
#
# SOURCE|NAME|PLATFORM|SHARED|a line of tests/smpi/compare: the tables of doc/validation.md.
# Lines of its head begin with a dash. SOURCE: machine-file or self-calibrated, of the messages; with
# " ranks" behind, of the ranks.

function abs(x) { return x < 0 ? -x : x }

function cell(row, label,    k)
{
	k = row SUBSEP label
	return sprintf("%.1f / %.1f [%.1f-%.1f]%s", truth[k], said[k], low[k], high[k],
		       covers(k) ? "" : " !")
}

function covers(k) { return low[k] - 0.1001 <= truth[k] && truth[k] <= high[k] + 0.1001 }

BEGIN {
	parts = split("send overhead;late partner;wire;network contention;back-pressure;" \
		      "message handlers;inattention;not yet collected;receive overhead;" \
		      "not identifiable;computation;collectives", part, ";")
}

$5 ~ /^%/ || $5 ~ /^ / { next }

$5 ~ /^each:/ {
	sub(/.* /, "", $5)
	if ($5 + 0 > worst_rank[$1])
		worst_rank[$1] = $5 + 0
	next
}

$5 ~ /^all:/ {
	row = $1 SUBSEP $2 SUBSEP $3 SUBSEP $4
	split($5, word, " ")
	reports += $1 ~ / ranks$/
	if (word[3] + word[6] == 0)
		next
	total[row] = word[3]
	if (abs(word[3] - word[6]) > 2e-6)
		different++
	order[++n] = row
	next
}

{
	key = $1 SUBSEP $2 SUBSEP $3 SUBSEP $4 SUBSEP substr($5, 1, 24)
	sub(/ +$/, "", key)
	split(substr($5, 25), word, " ")
	truth[key] = word[1] + 0
	said[key] = word[2] + 0
	# "low-high", either of which may be negative
	match(word[4], /^-?[0-9.]+/)
	low[key] = substr(word[4], 1, RLENGTH) + 0
	high[key] = substr(word[4], RLENGTH + 2) + 0
}

# What is in the wrong part, and the intervals of the parts that are there.
function judge(row,    p, k, field, source)
{
	split(row, field, SUBSEP)
	source = field[1]
	wrong[row] = 0
	for (p = 1; p <= parts; p++) {
		k = row SUBSEP part[p]
		if (part[p] == "not identifiable") {
			untold[source] += said[k]
			dark[source] += said[k] > 10
		} else if (said[k] > truth[k])
			wrong[row] += said[k] - truth[k]
		if (part[p] == "not identifiable" || (truth[k] == 0 && said[k] == 0))
			continue
		width[source, ++asked[source]] = high[k] - low[k]
		covered[source] += covers(k)
		if (part[p] == "network contention")
			width[source "/network", ++asked[source "/network"]] = high[k] - low[k]
	}
	rows[source]++
	near[source] += wrong[row] <= 10
	told[source] += wrong[row] + said[row SUBSEP "not identifiable"] <= 10
	sum[source] += wrong[row]
	worst[source] = wrong[row] > worst[source] ? wrong[row] : worst[source]
	if (wrong[row] == worst[source])
		is_worst[source] = field[2] ", " field[3] ", " field[4]
}

function median_width(source,    n, i, j, w, x)
{
	n = asked[source]
	for (i = 1; i <= n; i++) {
		x = width[source, i]
		for (j = i - 1; j > 0 && w[j] > x; j--)
			w[j + 1] = w[j]
		w[j + 1] = x
	}
	return n ? w[int((n + 1) / 2)] : 0
}

function worst_rank_of(source)
{
	if (!(source in worst_rank))
		return ""
	return sprintf(" Of no rank's own time more than %.1f %%.", worst_rank[source])
}

function summary(source, title, whose)
{
	if (!rows[source])
		return
	printf "- %s: in %d of %d rows at most 10 %% of " whose " time is misattributed; " \
	       "mean %.1f %%, worst %.1f %% (%s); on average %.1f %% is called not identifiable, more " \
	       "than 10 %% in %d rows; in %d rows both together are at most 10 %%; " \
	       "%d of %d intervals (%.0f %%) cover the " \
	       "truth; at the median they are %.1f %% of " whose " time wide, the network's " \
	       "%.0f %%.%s\n", title, near[source], rows[source], sum[source] / rows[source],
	       worst[source], is_worst[source], untold[source] / rows[source], dark[source], told[source],
	       covered[source], asked[source],
	       100 * covered[source] / asked[source], median_width(source),
	       median_width(source "/network"), worst_rank_of(source)
}

# A column for the time of the row and one for each of these parts.
function table(source, title, time, columns,    i, p, n_columns, column, field, row,
	       untold_here)
{
	n_columns = split(columns, column, ", ")
	printf "\n## %s\n\n| application | platform | shared | %s s |", title, time
	for (p = 1; p <= n_columns; p++)
		printf " %s |", heading(column[p])
	printf " not identifiable | wrong | both |\n|---|---|---|---|"
	for (p = 1; p <= n_columns; p++)
		printf "---|"
	print "---|---|---|"
	for (i = 1; i <= n; i++) {
		row = order[i]
		split(row, field, SUBSEP)
		if (field[1] != source)
			continue
		printf "| %s | %s | %s | %s |", field[2], field[3], field[4], total[row]
		for (p = 1; p <= n_columns; p++)
			printf " %s |", cell(row, column[p])
		untold_here = said[row SUBSEP "not identifiable"]
		printf " %.1f | %.1f | %.1f |\n", untold_here, wrong[row], untold_here + wrong[row]
	}
}

function heading(part)
{
	return part == "network contention" ? "network" : part == "message handlers" ? "handlers" : part
}

# The rows of what differs by more than 10, or of what its interval does not cover.
function scenarios(which,    i, p, field, k)
{
	print "| scenario | shared | machine | part | true | said | interval |"
	print "|---|---|---|---|---|---|---|"
	for (i = 1; i <= n; i++) {
		split(order[i], field, SUBSEP)
		for (p = 1; p <= parts; p++) {
			k = order[i] SUBSEP part[p]
			if (which == "wrong" && abs(truth[k] - said[k]) <= 10)
				continue
			if (which != "wrong" && (covers(k) || part[p] == "not identifiable"))
				continue
			printf "| %s, %s | %s | %s | %s | %.1f | %.1f | %.1f-%.1f |\n", field[2],
			       field[3], field[4], field[1], part[p], truth[k], said[k], low[k],
			       high[k]
		}
	}
}

# What differs by more than 10: the scenarios that need a better method.
function limits()
{
	print "\n## What the analysis cannot tell yet\n"
	print "Every part that is off by more than 10 % of the messages' or ranks' time, by what is not " \
	      "identifiable too. MPI_Get (spmv-get)\nhas no messages with two ends: its rows are the " \
	      "ranks' only. A get is one flow there, no\nrequest goes before it; so by the machine " \
	      "file a way takes half of what it does for a message.\n"
	print "Where all messages come in equal crowds, a machine on which they share ports and one on " \
	      "which each is slow\nalone look the same without a machine file (alltoall, sweep, stencil). " \
	      "What even the fastest messages\nwaited for is then called not identifiable; both " \
	      "readings are in the intervals. What one Waitall completes together may have come early\nor late: " \
	      "alltoall-split has it apart.\n"
	scenarios("wrong")
	print "\nThe intervals that do not cover the truth, by more than 0.1 %:\n"
	scenarios("not covered")
}

END {
	for (i = 1; i <= n; i++)
		judge(order[i])
	summary("machine-file", "Messages, with the true machine file", "the messages'")
	summary("self-calibrated", "Messages, self-calibrated", "the messages'")
	summary("machine-file ranks", "Ranks, with the true machine file", "the ranks'")
	summary("self-calibrated ranks", "Ranks, self-calibrated", "the ranks'")
	printf "- The sum of the messages' or the ranks' time differs from the simulator's in %d of " \
	       "%d reports.\n", different, reports
	of_messages = "network contention, message handlers, late partner, wire"
	of_ranks = "computation, " of_messages ", collectives"
	table("machine-file", "With the true machine file", "measured", of_messages)
	table("self-calibrated", "Self-calibrated", "measured", of_messages)
	table("machine-file ranks", "Where the ranks' time goes, with the true machine file",
	      "recorded", of_ranks)
	table("self-calibrated ranks", "Where the ranks' time goes, self-calibrated", "recorded",
	      of_ranks)
	limits()
}
