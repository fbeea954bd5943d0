# SPDX-License-Identifier: GPL-3.0-or-later
# Recording that each rank turns off and on where it likes: what has both its ends in the
# trace is joined, and nothing else is.
. "$srcdir/tests/testlib.sh"
need_file jq jq

case $MPI in
openmpi) ranks=4 seeds="1 2 3 4" ;;
*) ranks=2 seeds="5 6" ;; # busy-polls: no more ranks than processors
esac

# What must be joined, from what the ranks say: sizes of messages whose send, post and
# completion all were recorded.
joinable() # OUTPUT...
{
	awk '$1 == "sent" && $3 == 1 { sent[$2] = 1 }
	$1 == "received" && $3 == 2 && $4 == 2 { received[$2] = 1 }
	END { for (size in sent) if (size in received) print "matched", size }' "$@" | sort
}

"$mpicc" -w -g -O1 "$srcdir/tests/mpi/pauses.c" -o pauses
for seed in $seeds; do
	capture bare mpi_run $ranks timeout 60 ./pauses "$seed"
	expect_status 0 "pauses $seed without a recorder"
	capture job mpi_run $ranks timeout 60 "$contend" record -o run$seed.contend ./pauses "$seed"
	expect_status 0 "pauses $seed recorded"
	[ ! -s job.err ] || fail "recording says: $(cat job.err)"
	expect_clean_archive run$seed.contend
	expect_line '^MEASUREMENT_ON_OFF .*ON' run$seed.contend.events
	expect_line '^MEASUREMENT_ON_OFF .*OFF' run$seed.contend.events
	"$builddir/tests/traces/matches" run$seed.contend >found || fail "no matches"
	joinable said.* >wanted
	grep '^matched' found | sort >joined
	echo "seed $seed: $(wc -l <wanted) messages to be joined, $(wc -l <joined) joined;" \
		"$(cat said.* | grep -c '^sent') sent; $(tail -n 2 found | tr '\n' ' ')"
	! grep -E '^(misjoined|torn)' found >&2 || fail "what does not belong together was joined"
	diff wanted joined >diff.out || { head diff.out >&2; fail "not joined, or too much"; }
	[ "$(wc -l <wanted)" -ge 50 ] || fail "hardly any message is recorded at both ends"
	expect_line '^unmatched 0$' found
	expect_verdict run$seed.contend
done

# A message whose receiver is away: of one that was seen computing it is said, of one whose
# recording paused it is not known.
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/away.c" -o away
for pause in "" pause; do
	# A word or none. shellcheck disable=SC2086
	capture job mpi_run 2 timeout 60 "$contend" record -o away$pause.contend ./away $pause
	expect_status 0 "away $pause"
	"$contend" report --json away$pause.contend >away.json
	more=inattention less=not_identifiable
	[ -z "$pause" ] || more=not_identifiable less=inattention
	jq -c '.blame.parts | map_values(.s)' away.json
	jq -e ".blame.parts | .$more.s > .$less.s" away.json >/dev/null ||
		fail "away $pause: more $less than $more"
done
