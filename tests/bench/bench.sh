#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# make bench: what recording adds to an MPI call, in ns, beside the bare call, eztrace (where
# installed) and the floor (two clock readings and one record); then how fast the
# analysis reads events, beside otf2-print. Everything interleaved, medians of rounds.
set -eu
: "${srcdir:?}" "${builddir:?}"
rounds=${ROUNDS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

median() { sort -n | awk '{ v[NR] = $1 } END { if (NR) printf "%.1f", v[int((NR + 1) / 2)] }'; }

# once TOOL MPI: one run; lines "TOOL KIND NS"
once()
{
	case $1 in
	bare) ./callcost-$2 ;;
	disabled) CONTEND_DISABLE=1 "$builddir/contend" record -o "run.$2.$round.contend" ./callcost-$2 ;;
	contend) "$builddir/contend" record -o "run.$2.$round.contend" ./callcost-$2 ;;
	eztrace) eztrace -t "$2" ./callcost-$2 2>/dev/null | grep -E '^[A-Za-z+]+ [0-9.]+$' ;;
	esac | sed "s/^/$1 /"
	rm -rf run.* callcost*_trace
}

# sizes MPI: bytes a call of the log and of the archive's events; what the recorder says of its cost
sizes()
{
	CONTEND_KEEP_LOGS=1 "$builddir/contend" record -o "size.contend" ./callcost-$1 >/dev/null
	calls=$(sed -n 's/.*"cost": { "calls": \([0-9]*\),.*/\1/p' size.contend/run.json)
	for part in log/*.log traces/*.evt; do
		cat size.contend/$part | wc -c | awk -v part="${part%%/*}" -v n="$calls" \
			'{ printf "%-8s bytes per call %19.1f\n", part, $1 / n }'
	done
	sed -n 's/.*"ns_per_call": \([0-9.]*\),.*/stated cost of a call, mean          \1/p' size.contend/run.json
	rm -rf size.contend
}

for mpi in $MPIS; do
	case $mpi in
	openmpi) cc=$OPENMPI_MPICC ;;
	mpich) cc=$MPICH_MPICC ;;
	esac
	$cc -O2 -w "$srcdir/tests/bench/callcost.c" -o "callcost-$mpi"
	tools="bare contend disabled"
	[ "$mpi" != openmpi ] || ! command -v eztrace >/dev/null || tools="$tools eztrace"
	: >times
	round=0
	while [ $round -lt "$rounds" ]; do
		round=$((round + 1))
		for tool in $tools; do once $tool "$mpi" >>times; done
	done
	echo "$mpi: ns per call, median of $rounds interleaved runs"
	echo "calls                       bare   +contend   +eztrace   contend/eztrace"
	for kind in Irecv+Isend+Waitall Irecv+Send+Wait Allreduce Iprobe; do
		for tool in bare contend eztrace; do
			grep -F "$tool $kind " times | awk '{ print $3 }' | median
			echo
		done | paste -s -d ' ' | awk -v kind=$kind '{
			printf "%-20s  %10.1f %10.1f", kind, $1, $2 - $1
			if (NF > 2) printf " %10.1f %10.2f", $3 - $1, ($2 - $1) / ($3 - $1)
			print ""
		}'
	done
	printf 'floor                            %10s\n' "$(grep 'bare floor' times | awk '{ print $3 }' | median)"
	for kind in Irecv+Isend+Waitall Allreduce; do
		for tool in bare disabled; do
			grep -F "$tool $kind " times | awk '{ print $3 }' | median
			echo
		done | paste -s -d ' ' | awk -v kind=$kind '{ printf "disabled, %-20s   %10.1f\n", kind, $2 - $1 }'
	done
	sizes "$mpi"
	echo
done

# A trace of some million events: contend report beside otf2-print.
"$builddir/contend" record -o big.contend ./callcost-${MPIS%% *} 100000 >/dev/null
events=$("$builddir/contend" info --json big.contend | sed -n 's/.*"events": *\([0-9]*\).*/\1/p' | head -n 1)
seconds() { s=$(date +%s.%N); "$@" >/dev/null 2>&1; e=$(date +%s.%N); echo "$e $s" | awk '{ print $1 - $2 }'; }
: >report; : >print
round=0
while [ $round -lt 3 ]; do
	round=$((round + 1))
	seconds "$builddir/contend" report --json big.contend >>report
	[ -z "${OTF2_PRINT-}" ] || seconds "$OTF2_PRINT" --silent big.contend/traces.otf2 >>print
done
echo "analysis of $events events: $(median <report | awk -v n="$events" '{ printf "%.1f s, %.2f million a second", $1, n / $1 / 1e6 }')"
[ ! -s print ] || echo "otf2-print --silent: $(median <print | awk -v n="$events" '{ printf "%.1f s, %.2f million a second", $1, n / $1 / 1e6 }')"
