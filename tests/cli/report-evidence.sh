# SPDX-License-Identifier: GPL-3.0-or-later
# What the recorder saw beside the calls bounds the report's numbers: how long MPI searched its
# queues may be handlers in place of the network, how long a rank waited for its core no contention
# at all. That a rank was so for 0.1 ms can have held up itself and each of the others for as long.
. "$srcdir/tests/testlib.sh"
need_file jq jq

"$builddir/tests/traces/mktrace" shared-uplink -o run --ranks=8 >/dev/null || fail "no trace"
mv run/run.json bare.json
report() # KEY: the most of handlers and of what is not identifiable, ns; whether it is said
{
	jq ".evidence = {nodes: [], missing: {}, queues: [],
		processes: [range(8) | {rank: ., \"$1\": (if . == 7 then 100000 else 0 end)}]}" \
		bare.json >run/run.json
	"$contend" report --json run >"$1.json" || fail "no report with $1"
	jq -r '(.budget.parts | .handler_contention, .not_identifiable | .high_s * 1e9 | round),
		(.quality.conditions | any(test("rank time that .* may be that$")))' "$1.json" |
		paste -sd' '
}
report voluntary_switches >nothing
report match_time_ns >searched
report core_awaited_ns >awaited
head nothing searched awaited
jq -e '.budget.parts.network_contention.s > 2e-4' voluntary_switches.json >/dev/null ||
	fail "no network contention that could be anything else"
cat nothing searched awaited | awk '
{ handlers[NR] = $1; unknown[NR] = $2; said[NR] = $3 }
function grew(by) { return by >= 100000 && by <= 800000 }
END {
	exit !(grew(handlers[2] - handlers[1]) && unknown[2] == unknown[1] &&
		grew(unknown[3] - unknown[1]) && handlers[3] == handlers[1] &&
		said[1] == "false" && said[2] == "true" && said[3] == "true")
}' || fail "evidence is not in the numbers as it should be"
for key in match_time_ns core_awaited_ns; do
	jq '.budget.parts | map_values(.s)' voluntary_switches.json >parts
	jq '.budget.parts | map_values(.s)' $key.json | cmp - parts ||
		fail "$key moves more than bounds"
done
