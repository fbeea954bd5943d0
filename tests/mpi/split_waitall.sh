# SPDX-License-Identifier: GPL-3.0-or-later
# --split-waitall: a Waitall is the same as ever, and each of its messages has its own time.
. "$srcdir/tests/testlib.sh"

# Waitalls of all kinds, watched: the same results as bare, the events that are declared.
(
	CONTEND_SPLIT_WAITALL=yes
	BEHAVIOURS="waitall failing statuses handles persistent cancel nbc threads"
	export CONTEND_SPLIT_WAITALL
	. "$srcdir/tests/mpi/transparent.sh"
)

# "TAG TIME" of what rank 0 received of tags 50, 51, 52, sent in falling order with pauses.
completions() # RUN
{
	awk '$1 == "MPI_IRECV" && $2 == 0 && match($0, /Tag: 5[012],/) {
		print substr($0, RSTART + 5, 2), $3
	}' "$1.events" | sort
}

"$mpicc" -w -g -O1 "$srcdir/tests/mpi/waitall.c" -o waitall
for option in "" --split-waitall; do
	# A word or none. shellcheck disable=SC2086
	capture job mpi_run 2 timeout 60 "$contend" record $option -o run$option.contend ./waitall
	expect_status 0 "waitall $option"
	expect_clean_archive run$option.contend
	completions run$option.contend >times$option
	expect_lines 3 times$option
done
[ "$(awk '{ print $2 }' times | uniq | wc -l)" -eq 1 ] || fail "times that nobody has measured"
# The first was there before the last was even sent.
last_sent=$(awk '$1 == "MPI_SEND" && $2 == 1 && /Tag: 50,/ { print $3 }' run--split-waitall.contend.events)
awk -v last="$last_sent" '{ t[$1] = $2 }
	END { exit !(t[52] < t[51] && t[51] < t[50] && t[52] < last && last < t[50]) }' \
	times--split-waitall || fail "not each in its time: $(cat times--split-waitall)"
capture report timeout 60 "$contend" report --json run--split-waitall.contend
expect_status 0 "the report"
