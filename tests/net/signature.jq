# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the signature in a machine file predicts for the all-to-alls of fewer ranks than it was
# fitted at, beside what they took in another one's launch (--slurpfile other OTHER.json): an
# object for each of its ranges of sizes, number of ranks and size. The first range is of all
# sizes; the others (split) are those that have a signature of their own where it serves badly.
# Those that it says to hold for, by the launch that it was fitted in, are claimed.
.contention.signature as $s | $s.regimes | to_entries[] | .key as $i | .value as $r |
$other[0].contention.signature.times[] |
select(.ranks < $s.ranks and .bytes >= $r.from_bytes and .bytes <= $r.to_bytes) |
{from: $r.from_bytes, to: $r.to_bytes, gamma: $r.gamma, fitted: $s.ranks, ranks, bytes,
 claimed: (($i > 0 or ($s.regimes | length == 1)) and .ranks >= $r.n_low),
 measured: .time.value,
 predicted: ((.ranks - 1) * (($s.alpha_s + .bytes * $s.beta_s_per_byte) * $r.gamma +
	if .bytes >= $r.M_bytes then $r.delta_s else 0 end))} |
.error = .predicted / .measured - 1
