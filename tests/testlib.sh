# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the test scripts share. A script sources it first:
#	. "$srcdir/tests/testlib.sh"
# and starts in an empty folder of its own. $MPI says which MPI to use, where the test
# is run once for each.
set -eu

contend=$builddir/contend
export LC_ALL=C
unset CONTEND_OUTPUT CONTEND_MPI

# What the simulated machine runs is built once in each test.
export SIMULATED_PROGRAMS="$PWD/programs"

# A job of more ranks than processors, started by whom it may be.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1

skip() # REASON
{
	echo "$*"
	exit 77
}

# The hosts of net/cluster did not come up: a machine that denies them is no failure.
no_hosts() # STATUS LOG
{
	[ "$1" -ne 77 ] || skip "$(tail -n 1 "$2")"
	fail "no hosts, status $1: $(cat "$2")"
}

fail() # REASON
{
	echo "failed: $*" >&2
	exit 1
}

# Which percentage of the processors others have while this test wants them all.
others()
{
	"$builddir/tests/others"
}

# Ticks of the time that this machine's processors ran, and of that in which they would have, but
# whoever runs below the machine had taken them away.
ran_and_stolen()
{
	awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 + $9, $9 }' /proc/stat
}

# The percentage of their time that was taken away since ran_and_stolen printed RAN STOLEN.
stolen_since() # RAN STOLEN
{
	echo "$(ran_and_stolen) $*" | awk '{ print int(100 * ($2 - $4) / ($1 - $3 + 1)) }'
}

# CLAIM, a function, is of what is measured, and one launch in some differs from all others: it
# holds if one of three looks at it says so, and what two looks deny, and none says, is wrong. It
# sets $busy to why when the machine is too busy to tell, and so does who else uses the processors
# before, during or after a look that fails. If fewer than two could tell, why is left in
# $unchecked, with which the test ends as skipped.
looks() # WHY CLAIM
{
	denied=0
	for look in 1 2 3; do
		busy=
		before=$(others)
		begin=$(ran_and_stolen)
		if "$2"; then
			[ -n "$busy" ] || return 0
		elif [ -z "$busy" ]; then
			# Words wanted. shellcheck disable=SC2086
			during=$(stolen_since $begin)
			after=$(others)
			if [ "$before" -gt 10 ] || [ "$after" -gt 10 ]; then
				busy="others had $before % of the processors, and $after % then"
			elif [ "$during" -ge 3 ]; then
				busy="$during % of the processors' time was taken away"
			else
				denied=$((denied + 1))
			fi
		fi
		echo "look $look: ${busy:-$1}"
	done
	[ $denied -lt 2 ] || fail "$1"
	unchecked=${busy:-"one look of three could tell: $1"}
}

need_file() # FILE DEBIAN-PACKAGE
{
	command -v "$1" >/dev/null || [ -e "$1" ] || skip "no $1: Debian package $2"
}

# Sets mpicc, mpifort and mpiexec for $MPI.
case ${MPI:-none} in
openmpi) mpicc=$OPENMPI_MPICC mpifort=$OPENMPI_MPIFORT mpiexec=$OPENMPI_MPIEXEC ;;
mpich) mpicc=$MPICH_MPICC mpifort=$MPICH_MPIFORT mpiexec=$MPICH_MPIEXEC ;;
esac
[ -z "${MPI-}" ] || [ -n "$mpiexec" ] || skip "no mpiexec beside $mpicc"

mpi_run() # RANKS COMMAND [ARGUMENT]...
{
	ranks=$1
	shift
	"$mpiexec" -n "$ranks" "$@"
}

# Runs COMMAND, its output in the files NAME.out and NAME.err, its exit status in $status.
capture() # NAME COMMAND [ARGUMENT]...
{
	capture_name=$1
	shift
	status=0
	"$@" >"$capture_name.out" 2>"$capture_name.err" || status=$?
}

expect_status() # STATUS WHAT: the last capture's
{
	[ "$status" -eq "$1" ] && return
	cat "$capture_name.err" >&2
	fail "$2: exit status $status instead of $1"
}

expect_line() # PATTERN FILE
{
	grep -Eq -e "$1" "$2" && return
	cat "$2" >&2
	fail "no line with '$1' in $2"
}

expect_lines() # COUNT FILE
{
	[ "$(wc -l <"$2")" -eq "$1" ] && return
	cat "$2" >&2
	fail "$2 has $(wc -l <"$2") lines instead of $1"
}

expect_one_warning() # FILE: what the job's ranks printed on stderr
{
	[ "$(grep -c '^contend: ' "$1")" -eq 1 ] && return
	cat "$1" >&2
	fail "$(grep -c '^contend: ' "$1") warnings instead of one"
}

# The archive is read by somebody else's reader without a complaint; what that printed
# is in the file RUN.events.
expect_clean_archive() # RUN
{
	[ -n "$OTF2_PRINT" ] || skip "no otf2-print: Debian package otf2-tools"
	timeout 120 "$OTF2_PRINT" -G "$1/traces.otf2" >"$1.defs" 2>"$1.complaints" ||
		fail "otf2-print does not read the definitions: $(head -n 1 "$1.complaints")"
	timeout 120 "$OTF2_PRINT" "$1/traces.otf2" >"$1.events" 2>>"$1.complaints" ||
		fail "otf2-print does not read the events: $(head -n 1 "$1.complaints")"
	if grep -Ei 'warning|error' "$1.complaints" "$1.defs" "$1.events" | grep -v ' \[POSIX\]' |
		head -n 5 >"$1.bad" && [ -s "$1.bad" ]; then
		cat "$1.bad" >&2
		fail "otf2-print complains about $1"
	fi
}

# The report has a verdict in words as its second line.
expect_verdict() # RUN
{
	capture report timeout 120 "$contend" report "$1"
	expect_status 0 "contend report"
	expect_line '^Communication is|^No |not identifiable' report.out
}

# No hotspot but those of KINDS, a regular expression. After expect_verdict.
expect_hotspots_only() # RUN KINDS
{
	need_file jq jq
	"$contend" report --json "$1" | jq -r '.hotspots[] | .kind' >kinds
	! grep -Evx "$2" kinds >unwanted || fail "hotspots: $(tr '\n' ' ' <unwanted)"
}

# FILTER BARE prints a line at least and the same as FILTER RECORDED.
expect_same_results() # FILTER BARE RECORDED
{
	"$1" "$2" >"$2.results"
	"$1" "$3" >"$3.results"
	[ -s "$2.results" ] || fail "no results in $2"
	diff -u "$2.results" "$3.results" >&2 || fail "the recorded job's results differ"
}

# After expect_clean_archive. Only a receive that the program cancels may stay without
# its message.
expect_every_receive_completed() # RUN
{
	awk '{ n[$1]++ } /^ENTER.*"MPI_Cancel"/ { cancels++ }
	END {
		received = n["MPI_RECV"] + n["MPI_IRECV"]
		sent = n["MPI_SEND"] + n["MPI_ISEND"]
		printf "%d sent, %d received, %d cancelled\n", sent, received, n["MPI_REQUEST_CANCELLED"]
		exit !(sent == received && sent > 0 && n["MPI_REQUEST_CANCELLED"] <= cancels)
	}' "$1.events" >&2 || fail "not every message of $1 was received"
}

# A folder disk to mount a small one at, with unshare -m $as_root; skips where that is denied.
need_disk()
{
	as_root=-r
	[ "$(id -u)" -ne 0 ] || as_root=
	mkdir disk
	unshare -m $as_root mount -t tmpfs -o size=1m tmpfs disk 2>unshare.err ||
		skip "no mount namespaces: $(cat unshare.err)"
	TMPDIR=$(mktemp -d) # the launcher is somebody else in there
	export TMPDIR
	trap 'rm -rf "$TMPDIR"' EXIT
}
