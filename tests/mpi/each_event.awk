# SPDX-License-Identifier: GPL-3.0-or-later
# Of what otf2-print says: how often each event was the same, as expect_in() of behave.h writes it,
# FUNCTION:EVENT:RANK:VALUES COUNT. What a request ends is of the function that began it.
BEGIN {
	values["MPI_SEND"] = values["MPI_ISEND"] = "Receiver,Tag,Length"
	values["MPI_RECV"] = values["MPI_IRECV"] = "Sender,Tag,Length"
	values["MPI_COLLECTIVE_END"] = values["NON_BLOCKING_COLLECTIVE_COMPLETE"] = \
		"Operation,Root,Sent,Received"
	values["RMA_PUT"] = values["RMA_GET"] = "Remote,Bytes"
	values["RMA_ATOMIC"] = "Remote,Type,Sent,Received"
	values["IO_OPERATION_BEGIN"] = "Mode,Operation Flags,Bytes Request"
	values["IO_OPERATION_COMPLETE"] = "Bytes Result"
}

function value(label,	found)
{
	if (!match($0, label ": ([{][^}]*[}]|[^ ,]*)"))
		return "?"
	found = substr($0, RSTART + length(label) + 2, RLENGTH - length(label) - 2)
	gsub(/ /, "", found)
	return found
}

$1 == "ENTER" { inside[$2] = substr($5, 2, length($5) - 2) }
$1 == "NON_BLOCKING_COLLECTIVE_REQUEST" { began[$2, value("Request")] = inside[$2] }
$1 == "IO_OPERATION_BEGIN" { began[$2, value("Matching Id")] = inside[$2] }

$1 in values {
	where = inside[$2]
	if ($1 == "NON_BLOCKING_COLLECTIVE_COMPLETE")
		where = began[$2, value("Request")]
	if ($1 == "IO_OPERATION_COMPLETE")
		where = began[$2, value("Matching Id")]
	event = where ":" $1 ":" $2
	n = split(values[$1], label, ",")
	for (i = 1; i <= n; i++)
		event = event ":" value(label[i])
	same[event]++
}

END {
	for (event in same)
		print event, same[event]
}
