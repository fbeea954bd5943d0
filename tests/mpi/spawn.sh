# SPDX-License-Identifier: GPL-3.0-or-later
# Processes that are started by others and have the recorder too: a run directory for each
# world, neither written into by the other; peers in the other world are nobody in this.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/spawned.c" -o spawned
[ -n "$OTF2_PRINT" ] || skip "no otf2-print: Debian package otf2-tools"
need_file jq jq
preload=$("$contend" preload)
capture bare mpi_run 3 timeout 60 ./spawned
[ "$status" -eq 0 ] || skip "this MPI cannot start processes: $(grep -m 1 -i error bare.err)"

# The archive of the run whose programs were started by nobody, and that of the others.
for who in "" first; do
	rm -rf ./*.contend*
	# No word when empty. shellcheck disable=SC2086
	capture both timeout 60 env LD_PRELOAD="$preload" "$mpiexec" -n 3 ./spawned $who
	expect_status 0 "both worlds recorded $who"
	[ ! -s both.err ] || { cat both.err >&2; fail "something to complain of"; }
	set -- ./*.contend
	[ $# -eq 2 ] || fail "$# run directories instead of 2: $*"
	[ "$(readlink contend.latest)" = "$(basename ./spawned.3.*.contend)" ] ||
		fail "contend.latest is $(readlink contend.latest), not the job that was started"
	for run in ./spawned.3.*.contend ./spawned.2.*.contend; do
		capture report timeout 60 "$contend" report "$run"
		expect_status 0 "contend report $run"
		# Some members' entries are in the other archive: what the others did is not known.
		"$contend" report --json "$run" >report.json
		jq -e '[.callsites[] | select(.callsite.mpi == "MPI_Allreduce") | .parts] |
			length == 1 and all(.[]; .not_identifiable > 0 and
				(.collective_transfer // 0) == 0)' report.json >jq.out ||
			fail "$run: a collective of two worlds is explained"
		# OTF2 has no name for members of another world.
		"$OTF2_PRINT" "$run/traces.otf2" 2>complaints >"$run.events"
		! grep -v 'invalid rank in Group' complaints || fail "$run: other complaints"
		awk '{ n[$1]++ } END { print n["MPI_SEND"], n["MPI_RECV"] }' "$run.events" \
			>"$run.counts"
	done
	expect_line '^6 8$' ./spawned.3.*.counts
	expect_line '^4 2$' ./spawned.2.*.counts
	if [ -n "$who" ]; then # rank 2 of the two worlds is rank 0 of this
		expect_line '^MPI_SEND +0 .*Receiver: 3 \("rank 1 .*Tag: 3' ./spawned.3.*.events
		expect_line '^MPI_SEND +2 .*Receiver: 2 \("rank 0 .*Tag: 3' ./spawned.3.*.events
	fi
done
