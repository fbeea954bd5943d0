# SPDX-License-Identifier: GPL-3.0-or-later
#
# The machine file of a simulated machine. For tests/smpi/validate and advice.sh.

# OVERHEAD_S HANDLER_S EAGER_BYTES SHARED [BYTE_S [WAYS [SHAPE]]]: the simulated machine as it is. A
# message of m bytes takes m + 16 times BYTE_S (1 / 40e6) in each port; where ports are not shared
# it takes as long on its way and no port. What posting and handling take does not hold the port, so
# it is part of L. A send that waits for its receive leaves the moment that is posted, no handshake,
# and moves whatever the two ends do meanwhile. Within a host it goes through memory. A get is one
# flow, and no request goes before: to the target and back (WAYS 2) it is as long on its way as a
# message to there. Each message is a flow by itself there, so those from one rank to another are
# side by side. Where links are shared the file has the network's shape, if it is one that it can
# have (see shape).
true_machine()
{
	jq -n --argjson o "$1" --argjson handler "$2" --argjson eager "$3" --arg shared "$4" \
		--argjson byte "${5:-2.5e-8}" --argjson ways "${6:-1}" --arg shape "${7:-}" '
		def class($alone; $port; $latency): {
			L_s: (($latency + 16 * $alone) / $ways + $o + $handler), L_s_per_byte: $alone,
			handshake_s: 0, uncertainty: 0.01, eager_bytes: $eager, samples: 1,
			points: [0, 1048576 |
				{bytes: ., o_s_s: $o, o_r_s: $handler, g_s: ((. + 16) * $port)}],
			there: {asynchronous_progress: 1}};
		def topology: ($shape | split(",")[0] | split(":")) as [$kind, $sizes]
			| ($sizes | split("x") | map(tonumber)) as $size
			| if $kind == "tree" then {$kind, size: ($size + [$size[1] / 4])}
				else {$kind, $size} end;
		{schema: "contend-machine/1", name: "as simulated", classes: {
			node: class(1e-10; 0; 1e-7),
			network: ((if $shared == "none" then class($byte; 0; 1e-6)
				else class(0; $byte; 1e-6) end) + {side_by_side: true})}}
		+ if $shared == "all" and ($shape | test("^(mesh|torus|tree):")) then {topology: topology}
			else {} end'
}
