# SPDX-License-Identifier: GPL-3.0-or-later
# What programs say that a trace must hold, beside what it holds. Scripts that run such programs
# source it, after testlib.sh.

# Prints "EVENT COUNT" for what a trace holds, as the programs name it.
counts() # RUN
{
	awk '/^(MPI|NON_BLOCKING|RMA|IO)_/ {
		n[$1]++
		if (match($0, /Length: [0-9]+/))
			bytes[$1] += substr($0, RSTART + 8, RLENGTH - 8)
		if (!/^RMA/ && match($0, /Sent: [0-9]+/))
			collective += substr($0, RSTART + 6, RLENGTH - 6)
		itself += /, Root: SELF,/
		beside += /, Root: THIS_GROUP,/
		if ($1 ~ /^MPI_I?(SEND|RECV)$/ && match($0, /Communicator: .*, Tag/))
			balance[substr($0, RSTART, RLENGTH)] += $1 ~ /SEND/ ? 1 : -1
		if ($1 ~ /^MPI_I?RECV$/) {
			senders += $5
			world += /"MPI_COMM_WORLD"/
			if (match($0, /Tag: [0-9]+/))
				tags += substr($0, RSTART + 5, RLENGTH - 5)
		}
		if ($1 == "IO_OPERATION_BEGIN")
			mode[$2, $NF] = $0 ~ /Mode: READ/ ? "read" : "written"
		if ($1 == "IO_OPERATION_COMPLETE" && match($0, /Result: [0-9]+/))
			io[mode[$2, $NF]] += substr($0, RSTART + 8, RLENGTH - 8)
		if ($1 ~ /^RMA_(PUT|ATOMIC)/ && match($0, /(Bytes|Sent): [0-9]+/))
			put += substr($0, RSTART + index(substr($0, RSTART), " "), RLENGTH)
		if ($1 ~ /^RMA_(GET|ATOMIC)/ && match($0, /(Bytes|Received): [0-9]+/))
			got += substr($0, RSTART + index(substr($0, RSTART), " "), RLENGTH)
	}
	/^(ENTER|LEAVE)/ && $3 != now[$2] {
		now[$2] = $3
		entered_now[$2] = 0
	}
	/^ENTER/ {
		entered_now[$2]++
		inside[$2] = $5
		n[substr($5, 2, length($5) - 2)]++
		entered[$2] = $3
		asks[$2] = $5 ~ /Test|probe|get_status/
		polls += asks[$2]
	}
	$1 == "ADDITIONAL" && last == "ENTER" && match($0, /POLLS" <[0-9]+>; UINT64; [0-9]+/) {
		many = substr($0, RSTART, RLENGTH)
		sub(/.*; /, "", many)
		polls += asks[where] * (many - 1)
	}
	$1 == "ADDITIONAL" && last == "MPI_REQUEST_TEST" && /POLLS/ { early += when == entered[where] }
	/^MPI_(ISEND_COMPLETE|IRECV) / { looked += inside[$2] ~ /get_status/ }
	{ last = $1; where = $2; when = $3 }
	/^LEAVE/ { astray += inside[$2] != $5 }
	END {
		for (event in n)
			print event, n[event]
		print "calls-left-without-entering", astray + 0
		for (where in entered_now)
			at_the_end += entered_now[where]
		print "calls-entered-at-the-end", at_the_end + 0
		print "polls", polls + 0
		print "completed-by-looking", looked + 0
		print "received-in-the-world", world + 0
		for (comm in balance)
			elsewhere += balance[comm] > 0 ? balance[comm] : 0
		print "not-received-in-its-communicator", elsewhere + 0
		print "senders-of-all-received", senders + 0
		print "tags-of-all-received", tags + 0
		print "last-tests-when-the-first-began", early + 0
		printf "bytes-sent %.0f\n", bytes["MPI_SEND"] + bytes["MPI_ISEND"]
		printf "bytes-put %.0f\nbytes-got %.0f\n", put, got
		printf "bytes-read %.0f\nbytes-written %.0f\n", io["read"], io["written"]
		print "roots-themselves", itself + 0
		print "roots-of-this-group", beside + 0
		printf "bytes-in-collectives %.0f\n", collective
		printf "bytes-received %.0f\n", bytes["MPI_RECV"] + bytes["MPI_IRECV"]
	}' "$1.events"
	echo communicators "$(grep -Ec '^(COMM|INTER_?COMM) ' "$1.defs")"
	echo comms-named-a-pair "$(grep -c '^COMM .*Name: "a pair"' "$1.defs")"
	echo locations "$(grep -c '^LOCATION ' "$1.defs")"
	echo windows "$(grep -c '^RMA_WIN ' "$1.defs")"
	echo windows-of-neighbours "$(grep -c '^RMA_WIN .*Name: "neighbours"' "$1.defs")"
	echo files "$(grep -c '^IO_REGULAR_FILE ' "$1.defs")"
	echo file-handles "$(grep -c '^IO_HANDLE ' "$1.defs")"
	echo log-bytes "$(cat "$1"/log/*.log 2>/dev/null | wc -c)"
}

# Messages must be what was declared, no more; the rest where it was declared.
expect_declared() # PROGRAM RUN DECLARED
{
	counts "$2" >"$2.counts"
	! grep -q '^expect [^ ]*:' "$3" || # one by one
		awk -f "$srcdir/tests/mpi/each_event.awk" "$2.events" >>"$2.counts"
	sed -n 's/^expect //p' "$3" | awk -v program="$1" '
	NR == FNR { have[$1] = $2; next }
	{ want[$1] += $2 }
	split($1, of, ":") > 1 { want[of[2]] += $2 } # there are no others
	END {
		split("MPI_SEND MPI_ISEND MPI_RECV MPI_IRECV MPI_IRECV_REQUEST " \
		      "RMA_PUT RMA_GET RMA_ATOMIC RMA_GROUP_SYNC RMA_REQUEST_LOCK " \
		      "IO_CREATE_HANDLE IO_SEEK IO_OPERATION_BEGIN " \
		      "calls-left-without-entering completed-by-looking", always)
		for (i in always)
			want[always[i]] += 0
		if (want["MPI_ISEND"])
			want["MPI_ISEND_COMPLETE"] += 0
		for (event in want) {
			name = event
			if (sub(/^at-most-/, "", name))
				good = have[name] <= want[event]
			else
				good = have[name] + 0 == want[event]
			if (!good) {
				printf "%s: %s %.0f, expected %.0f\n", program, name, have[name], want[event]
				bad = 1
			}
		}
		exit bad
	}' "$2.counts" - >&2
}
