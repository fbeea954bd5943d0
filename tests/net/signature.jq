# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the signature in a machine file predicts for the all-to-alls of fewer ranks than it was
# fitted at: an object for each of its ranges of sizes, number of ranks and size measured. The
# first range is of all sizes; the others (split) are those that it falls into.
.contention.signature as $s | $s.regimes | to_entries[] | .key as $i | .value as $r |
$s.times[] | select(.ranks < $s.ranks and .bytes >= $r.from_bytes and .bytes <= $r.to_bytes) |
{from: $r.from_bytes, to: $r.to_bytes, split: ($i > 0), last: ($s.regimes | length == 1),
 fitted: $s.ranks, ranks, bytes, measured: .time.value,
 predicted: ((.ranks - 1) * (($s.alpha_s + .bytes * $s.beta_s_per_byte) * $r.gamma +
	if .bytes >= $r.M_bytes then $r.delta_s else 0 end))} |
.error = .predicted / .measured - 1
