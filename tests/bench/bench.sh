#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# make bench: what recording adds to an MPI call, in ns, beside the bare call, the same in a pause
# of the recording and switched off, eztrace (where installed) and the floor (two clock readings
# and one record), and whether that is what it should be; what the recorder says of that itself;
# then how fast the analysis is, beside mere reading, in CPU time and elapsed, and whether that is
# what it should be, of recordings made here and of large regular traces; with BIG=1 of one of 100
# million events too, once, in minutes and with 1.2 GB of disk and 6 GB of memory. Everything
# interleaved: ROUNDS rounds (5) of all tools. Of each tool and kind of call the least: who else is
# on the machine, or on the host of a virtual one, slows whole runs down, bare ones and eztrace's
# too, by up to two times, and never makes one faster. It takes some 16 rounds until each tool has
# had a quiet one. Of the analysis the median. BENCH=calls: only the calls; BENCH=analysis: only
# that. The last line counts the aims; with BENCH_STRICT=1 one that is missed is a failure.
set -eu
: "${srcdir:?}" "${builddir:?}"
rounds=${ROUNDS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

least() { sort -n | head -n 1 | tr -d '\n'; }

# once TOOL MPI: one run; lines "TOOL KIND NS"
once()
{
	case $1 in
	bare) ./callcost-$2 ;;
	disabled) CONTEND_DISABLE=1 "$builddir/contend" record -o "run.$2.$round.contend" ./callcost-$2 ;;
	paused) "$builddir/contend" record -o "run.$2.$round.contend" ./callcost-$2 2048 paused ;;
	contend)
		"$builddir/contend" record -o "run.$2.$round.contend" ./callcost-$2
		sed -n 's/.*"ns_per_call": \([0-9.]*\),.*/\1/p' "run.$2.$round.contend/run.json" >>stated
		;;
	eztrace) eztrace -t "$2" ./callcost-$2 2>/dev/null | grep -E '^[A-Za-z+]+ [0-9.]+$' ;;
	esac | sed "s/^/$1 /"
	rm -rf run.* callcost*_trace
}

# added TOOL KIND: ns that a tool adds to a call
added()
{
	for of in "$1" bare; do
		grep -F "$of $2 " times | awk '{ print $3 }' | least
		echo
	done | paste -s -d ' ' | awk 'NF == 2 { printf "%.1f\n", $1 - $2 }'
}

# Of all calls that callcost makes: in a round of a kind there are as many as its name has words.
added_mean()
{
	for kind in $kinds; do
		echo "$(echo "$kind" | tr + '\n' | wc -l) $(added contend "$kind")"
	done | awk '{ sum += $1 * $2; n += $1 } END { printf "%.1f", sum / n }'
}

# sizes MPI: bytes a call of the log and of the archive's events
sizes()
{
	CONTEND_KEEP_LOGS=1 "$builddir/contend" record -o "size.contend" ./callcost-$1 >/dev/null
	calls=$(sed -n 's/.*"cost": { "calls": \([0-9]*\),.*/\1/p' size.contend/run.json)
	for part in log/*.log traces/*.evt; do
		cat size.contend/$part | wc -c | awk -v part="${part%%/*}" -v n="$calls" \
			'{ printf "%-8s bytes per call %19.1f\n", part, $1 / n }'
	done
	rm -rf size.contend
}

# What a call may cost, ns, and as a share of what it costs with eztrace.
added_most=40
disabled_most=5
eztrace_most=0.2

# The last line, of what was said.
count_aims()
{
	awk '{ met += gsub(/: met/, ""); missed += gsub(/: MISSED/, "") }
		END { printf "%d of %d aims met, %d missed\n", met, met + missed, missed; exit !!missed }' \
		said || [ -z "${BENCH_STRICT-}" ]
}

load() { echo "load of the machine $1: $(cut -d ' ' -f 1-3 /proc/loadavg), on $(nproc) processors"; }

sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
load "before"
kinds="Irecv+Isend+Waitall Irecv+Send+Wait Startall+Waitall Allreduce Iallreduce+Wait Iprobe Test"
use() # MPI
{
	case $1 in
	openmpi) cc=$OPENMPI_MPICC launcher=$OPENMPI_MPIEXEC ;;
	mpich) cc=$MPICH_MPICC launcher=$MPICH_MPIEXEC ;;
	esac
}
for mpi in $MPIS; do
	[ "${BENCH:-all}" != analysis ] || break
	use "$mpi"
	$cc -O2 -w "$srcdir/tests/bench/callcost.c" -o "callcost-$mpi"
	tools="bare contend paused disabled"
	! command -v eztrace >/dev/null || tools="$tools eztrace"
	: >times
	: >stated
	round=0
	while [ $round -lt "$rounds" ]; do
		round=$((round + 1))
		for tool in $tools; do once $tool "$mpi" >>times; done
	done
	echo "$mpi: ns per call, the least of $rounds interleaved runs of each"
	echo "calls                       bare   +contend    +paused  +disabled   +eztrace   contend/eztrace"
	for kind in $kinds; do
		bare=$(grep -F "bare $kind " times | awk '{ print $3 }' | least)
		echo "$kind $bare $(added contend "$kind") $(added paused "$kind")" \
			"$(added disabled "$kind") $(added eztrace "$kind")"
	done | awk -v most=$added_most -v off=$disabled_most -v ratio=$eztrace_most '
	function aim(what, value, most) {
		line = line sprintf("   %s: %s", what, value <= most ? "met" : "MISSED")
	}
	{
		printf "%-20s  %10.1f %10.1f %10.1f %10.1f", $1, $2, $3, $4, $5
		if (NF > 5) printf " %10.1f %10.2f", $6, $3 / $6
		print ""
		line = ""
		aim("at most " most, $3, most)
		aim("disabled at most " off, $5, off)
		if (NF > 5) aim("at most " ratio " of eztrace", $3 / $6, ratio)
		aims[NR] = sprintf("  %-20s%s", $1, line)
	}
	END {
		print "aims, on a quiet machine:"
		for (i = 1; i <= NR; i++) print aims[i]
	}' | tee -a said
	printf 'floor                            %10s\n' "$(grep 'bare floor' times | awk '{ print $3 }' | least)"
	printf 'mean of all calls: measured %s, stated by the recorder %s\n' "$(added_mean)" "$(least <stated)"
	sizes "$mpi"
	echo
done

load "after"
if [ "${BENCH:-all}" = calls ]; then
	count_aims
	exit
fi

# The analysis of big traces beside merely reading their events: CPU time beside CPU time, of all
# threads, and elapsed beside elapsed. Reading has one thread.
analysis_least=3  # million events a second and core
reading_most=4    # times mere reading
spent() # COMMAND...: seconds of CPU, user and system, and elapsed
{
	bash -c 'TIMEFORMAT="%U %S %R"; time "$@" >/dev/null 2>/dev/null' bash "$@" 2>&1 |
		awk '{ printf "%.3f %.3f\n", $1 + $2, $3 }'
}
middle() # COLUMN
{
	cut -d ' ' -f "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# analysis WHAT RUN [ROUNDS]
analysis()
{
	events=$("$builddir/tests/bench/readonly" "$2/traces.otf2")
	: >report
	: >reading
	for round in $(seq "${3:-$rounds}"); do
		spent "$builddir/tests/bench/readonly" "$2/traces.otf2" >>reading
		spent "$builddir/contend" report --json "$2" >>report
	done
	echo "$events $(middle 1 <report) $(middle 1 <reading)" \
		"$(middle 2 <report) $(middle 2 <reading)" |
		awk -v what="$1" -v least=$analysis_least -v most=$reading_most '{
		speed = $1 / $2 / 1e6
		cpu = $2 / $3
		elapsed = $4 / $5
		printf "%.1f million events of %s: %.2f million a second and core; %.2f s of CPU, " \
			"%.1f times mere reading; %.2f s elapsed, %.1f times\n",
			$1 / 1e6, what, speed, $2, cpu, $4, elapsed
		printf "  at least %g million: %s   at most %g times reading, in CPU time: %s, elapsed: %s\n",
			least, (speed >= least) ? "met" : "MISSED", most, (cpu <= most) ? "met" : "MISSED",
			(elapsed <= most) ? "met" : "MISSED" }' |
		tee -a said
	rm -rf "$2"
}

# recording WHAT SOURCE ARGUMENT...: of 8 ranks on these cores
recording()
{
	what=$1 source=$2
	shift 2
	$cc -O2 -w -I "$srcdir/share/examples" "$source" -o program -lm
	$launcher -n 8 "$builddir/contend" record -o recorded ./program "$@" >/dev/null
	analysis "8 ranks, $what, recorded" recorded
}

use "${MPIS%% *}"
export OMPI_MCA_rmaps_base_oversubscribe=1
echo "analysis, median of $rounds interleaved runs of each:"
recording "EM3D" "$srcdir/share/examples/em3d.c" --iterations=170 --no-verify
recording "a stencil" "$srcdir/share/examples/stencil.c" --iterations=22000
recording "requests polled by Testsome" "$srcdir/tests/bench/polling.c" 20000
for big in "64 1000000" "1024 4000000" ${BIG:+"1024 100000000"}; do
	"$builddir/tests/bench/mkbig" big ${big}
	many=${big#* }
	analysis "${big% *} ranks, a grid" big $((many > 10000000 ? 1 : rounds))
done
count_aims
