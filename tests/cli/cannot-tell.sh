# SPDX-License-Identifier: GPL-3.0-or-later
# doc/validation.md's list "What the analysis cannot tell yet" has what its tables have: each part
# that is off by more than 10 there, with the same numbers, and no other; and the list of intervals
# that do not cover the truth has the cells that are marked so.
awk -F' *[|] *' -v rounding=0.1 '
function abs(x) { return x < 0 ? -x : x }
function complain(what, key) { print what ": " key; bad = 1 }

/^## / {
	of = /^## With the true machine file/ ? "machine-file" : /^## Self-calibrated/ ? "self-calibrated" : \
	     /^## Where .* true machine file/ ? "machine-file ranks" : \
	     /^## Where .* self-calibrated/ ? "self-calibrated ranks" : ""
	listed = /^## What the analysis cannot tell yet/
	uncovered = 0
}
/^The intervals that do not cover/ { uncovered = 1 }
/^Of what the chapters above compare/ { listed = 0 }
/^[|] application / {
	for (i = 2; i < NF; i++)
		column[i] = $i == "network" ? "network contention" : $i == "handlers" ? "message handlers" : $i
	next
}
/^[|]-/ || /^[|] scenario / { next }

# "true / said [low-high]" of a part.
of != "" && /^[|]/ {
	rows++
	for (i = 2; i < NF; i++) {
		if ($i !~ /\[/)
			continue
		split($i, word, " ")
		key = $2 ", " $3 " | " $4 " | " of " | " column[i]
		interval = word[4]
		gsub(/[][]/, "", interval)
		cell[key] = sprintf("%.1f %.1f %s", word[1], word[3], interval)
		off[key] = abs(word[1] - word[3])
		if ($i ~ /!/)
			marked[key] = 1
	}
}

listed && /^[|]/ {
	key = $2 " | " $3 " | " $4 " | " $5
	if (uncovered)
		open[key] = 1
	else
		named[key] = 1
	lines++
	said = sprintf("%.1f %.1f %s", $6, $7, $8)
	if (key in cell && cell[key] != said)
		complain("the list has " said ", the table " cell[key], key)
	if (!uncovered && abs($6 - $7) <= 10 - rounding)
		complain("listed though it is not off by 10", key)
}

END {
	for (key in off)
		if (off[key] > 10 + rounding && !(key in named))
			complain("off by more than 10 and not listed", key)
	for (key in marked)
		if (!(key in open))
			complain("does not cover and is not listed", key)
	for (key in open)
		if (key in cell && !(key in marked))
			complain("listed as not covering, and is not marked", key)
	if (rows < 100 || lines < 10)
		complain("tables or the list are not found", rows " and " lines)
	exit bad
}' "${1:-$srcdir/doc/validation.md}"
