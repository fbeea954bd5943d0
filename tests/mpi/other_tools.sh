# SPDX-License-Identifier: GPL-3.0-or-later
# Another tool between the program and MPI: wherever the loader puts it, its counts are those
# without the recorder, the trace is the one without the tool, the results are the same.
. "$srcdir/tests/testlib.sh"
front=$("$contend" preload)
"$mpicc" -w -g -O1 -shared -fPIC "$srcdir/tests/mpi/other_tally.c" -o libtally.so
"$mpicc" -w -g -O1 -shared -fPIC -DPAST "$srcdir/tests/mpi/other_tally.c" -o libpast.so
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/fortran_twin.c" -o c
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/fortran_twin.c" -o c-linked \
	"-Wl,-rpath,$PWD" -Wl,--no-as-needed ./libtally.so
programs=c
if [ -n "$mpifort" ]; then
	"$mpifort" -g -O1 -w -fallow-argument-mismatch -DBIND_MPIF_H \
		"$srcdir/tests/mpi/fortran_twin.F90" -o mpif_h
	"$mpifort" -g -O1 -w -fallow-argument-mismatch -DBIND_USE_MPI_F08 \
		"$srcdir/tests/mpi/fortran_twin.F90" -o f08
	programs="c mpif_h f08"
fi

event_counts() # RUN
{
	awk '/^ENTER/ { n["call " $5]++ } /^[A-Z]/ { n[$1]++ }
		END { for (k in n) print k, n[k] }' "$1.events" | grep -v '^ADDITIONAL' | sort
}

# Runs the job COMMAND... as NAME, and leaves what the tool counted in NAME.tally.
job() # NAME COMMAND...
{
	name=$1
	shift
	rm -f tally.*
	capture "$name" mpi_run 2 "$@"
	expect_status 0 "$name"
	expect_line '^verified on 2 ranks$' "$name.out"
	cat tally.* >"$name.tally" 2>/dev/null || :
}

expect_tally() # WHERE: the tool has counted what it counts when it is alone
{
	diff -u "$program-tool.tally" "$name.tally" >&2 ||
		fail "$program, $1: the tool counts otherwise"
}

expect_both() # WHERE [CALLER]: and the trace is the one without it, called by the program
{
	[ ! -s "$name.err" ] ||
		{ cat "$name.err" >&2; fail "$program, $1: something to complain of"; }
	expect_tally "$1"
	expect_clean_archive run.contend
	event_counts run.contend >"$name.counts"
	diff -u "$program-alone.counts" "$name.counts" >&2 || fail "$program, $1: another trace"
	awk '	# a call site is written where it changes
	where != "" {
		if ($1 == "ADDITIONAL" && sub(/.*STRING; "[^;]*\//, "") && sub(/:.*/, ""))
			caller[where] = $0
		n[caller[where]]++
		where = ""
	}
	/^ENTER.*"MPI_Isend"/ { where = $2 }
	END { for (c in n) print n[c], c }' run.contend.events >"$name.callers"
	expect_line "^ *16 ${2:-$program}\$" "$name.callers"
	echo "$program, $1: $(wc -l <run.contend.events) lines of events"
	rm -rf run.contend*
}

for program in $programs; do
	job $program-alone "$contend" record -o run.contend ./$program
	expect_clean_archive run.contend
	event_counts run.contend >$program-alone.counts
	rm -rf run.contend*
	job $program-tool env LD_PRELOAD="$PWD/libtally.so" ./$program

	job after env CONTEND_OUTPUT=run.contend LD_PRELOAD="$front:$PWD/libtally.so" ./$program
	expect_both "the tool after the recorder"
	job before env CONTEND_OUTPUT=run.contend LD_PRELOAD="$PWD/libtally.so:$front" ./$program
	expect_both "the tool before the recorder"
done
# What it sees of a Fortran program is the MPI's affair; of one in C it sees everything.
expect_line '^MPI_Isend 8$' c-tool.tally

program=c
job record env LD_PRELOAD="$PWD/libtally.so" "$contend" record -o run.contend ./c
expect_both "contend record beside a tool"
job linked "$contend" record -o run.contend ./c-linked
expect_both "the tool linked to the program" c-linked
job off env CONTEND_DISABLE=1 LD_PRELOAD="$front:$PWD/libtally.so" ./c
expect_tally "recording switched off"
[ -z "$(ls -d ./*.contend 2>/dev/null)" ] || fail "recording switched off: there is a run"
job inert env CONTEND_OUTPUT=/proc/run.contend LD_PRELOAD="$front:$PWD/libtally.so" ./c
expect_tally "nowhere to record"
expect_one_warning inert.err

# One that looks up the next MPI_x cannot be followed when it comes after, and is left alone.
job past-before env CONTEND_OUTPUT=run.contend LD_PRELOAD="$PWD/libpast.so:$front" ./c
expect_both "a tool that looks MPI up, before the recorder"
job past-after env CONTEND_OUTPUT=run.contend LD_PRELOAD="$front:$PWD/libpast.so" ./c
expect_tally "a tool that looks MPI up, after the recorder"
expect_one_warning past-after.err
expect_line 'after a library that calls MPI past it: .*/libpast.so; ' past-after.err

# A tool that many have. Its own messages at the end are recorded too, being some.
command -v eztrace >/dev/null || { echo "no eztrace: Debian package eztrace"; exit 0; }
program_counts() # ARCHIVE
{
	timeout 60 "$OTF2_PRINT" "$1" 2>/dev/null |
		awk '/^ENTER.*MPI_(Isend|Irecv|Wait|Waitall|Sendrecv|Allreduce)"/ { n[$5]++ }
		END { for (k in n) print k, n[k] }' | sort
}
job ez eztrace -t "$MPI" -o ez-alone ./c
program_counts ez-alone/c_trace/eztrace_log.otf2 >ez-alone.counts
[ "$(wc -l <ez-alone.counts)" -eq 6 ] || fail "eztrace alone: $(cat ez-alone.counts)"
job ez-inside "$contend" record -o inside.contend eztrace -t "$MPI" -o ez-inside ./c
job ez-around eztrace -t "$MPI" -o ez-around "$contend" record -o around.contend ./c
for where in inside around; do
	program_counts ez-$where/c_trace/eztrace_log.otf2 | diff -u ez-alone.counts - >&2 ||
		fail "eztrace $where: it counts otherwise"
	expect_clean_archive $where.contend
	sed -n 's/^call \("MPI_\(Isend\|Irecv\|Wait\|Waitall\|Sendrecv\|Allreduce\)"\)/\1/p' \
		c-alone.counts >wanted.counts
	program_counts $where.contend/traces.otf2 | diff -u wanted.counts - >&2 ||
		fail "eztrace $where: the recorder counts otherwise"
	echo "eztrace $where contend: same counts"
done
