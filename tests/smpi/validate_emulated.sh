# SPDX-License-Identifier: GPL-3.0-or-later
#
# The contention signature of a saturated network that real MPI libraries use over TCP
# (tests/net/cluster). For tests/smpi/validate, whose functions it uses; a table on standard output.

emulated_hosts=14 emulated_rate=25 emulated_uplink=10 # Mbit/s
emulated_fitted=10
emulated_others="6 8 12 14"
emulated_loaded=95 # %: what is too little load for the model

# MPI: into MPI.csv; else prints why there is none.
emulated_times()
{
	cluster=$srcdir/tests/net/cluster
	command -v "mpicc.$1" >/dev/null || {
		echo "None here: no mpicc.$1."
		return 1
	}
	"$cluster" run --hosts=2 --mpi="$1" -- true >probe.log 2>&1 || {
		echo "None here: $(tail -n 1 probe.log)"
		return 1
	}
	${CC:-cc} -shared -fPIC -O2 "$srcdir/tests/net/patient.c" -o patient.so -ldl &&
		"mpicc.$1" -O2 "$srcdir/tests/mpi/exchange_times.c" -o exchange_times ||
		die "exchange_times or patient.so: not compiled for $1"
	# MPICH's UCX would ask before it sends some of these sizes, Open MPI none.
	CONTEND_PATIENT=$PWD/patient.so UCX_RNDV_THRESH=1m timeout 240 "$cluster" run --mpi="$1" \
		--hosts=$emulated_hosts --leaves=$((emulated_hosts / 2)) --rate=$emulated_rate \
		--uplink=$emulated_uplink --buffer=32 --rto=10 --realtime -- ./exchange_times 8 \
		"2 $emulated_fitted $emulated_others" "64 16384 24576 32768 49152" \
		>"$1.csv" 2>emulated.log || {
		echo "None here: the exchanges of $emulated_hosts hosts failed: $(tail -n 1 emulated.log)"
		return 1
	}
}

# RANKS BYTES: the time, s, of $mpi.
emulated_time() { sed -n "s/^$1,$2,\([^,]*\),.*/\1/p" "$mpi.csv"; }

# RANKS BYTES: percent of the segments that were sent again.
emulated_again()
{
	awk -F, -v n="$1" -v m="$2" '$1 == n && $2 == m { printf "%.1f", 100 * $4 / $5 }' "$mpi.csv"
}

# RANKS BYTES: percent of the time by which its median may be off, and of the fitted ones,
# of which the fit has the middle one.
emulated_noise()
{
	awk -F, -v n="$1" -v m="$2" -v fitted=$emulated_fitted '$2 >= 16384 && $3 > 0 {
			half = 50 * ($7 - $6) / $3 }
		$1 == n && $2 == m { own = half }
		$1 == fitted && $2 >= 16384 { fit[++k] = half }
		END { for (i = 1; i <= k; i++) for (j = i + 1; j <= k; j++) if (fit[j] < fit[i]) {
				t = fit[i]; fit[i] = fit[j]; fit[j] = t }
			printf "%.2f", own + fit[int((k + 1) / 2)] }' "$mpi.csv"
}

# RANKS: how long the ports alone take for all, as a multiple of the lower bound; percent of that at
# the fitted number of ranks.
emulated_load()
{
	awk -v n="$1" -v fitted=$emulated_fitted 'function ports(n) { return (n - 2) / (n - 1) }
		BEGIN { printf "%.0f", 100 * ports(n) / ports(fitted) }'
}

# MPI: its rows. Sizes that pay delta for certain, by the fit, are saturated: of those each is asked
# for, for as many ranks as load the ports like the fitted number of ranks; for fewer the model is
# too long. Of all sizes, where the machine had other things to do, the median is.
emulated_signature()
{
	mpi=$1
	alpha=$(emulated_time 2 64)
	beta=$(jq -n "($(emulated_time 2 49152) - $(emulated_time 2 16384)) / (49152 - 16384)")
	{
		echo n,m,T
		sed -n "s/^\($emulated_fitted,[0-9]\{5\},[^,]*\),.*/\1/p" "$mpi.csv"
	} >fit.csv
	"$builddir/contend" model signature-fit file=fit.csv alpha="$alpha" beta="$beta" --json \
		>fit.json || die "no signature of the emulated network with $mpi"
	signature=$(jq -r '.results | "gamma=\(.gamma) delta=\(.delta // 0) M=\(.M // 1e18)"' fit.json)
	gamma=$(jq -r '.results.gamma' fit.json)
	delta=$(jq -r '.results.delta // 0 | . * 1e5 | round / 1e2' fit.json)
	surely=$(jq -r '.results.M_high // 0' fit.json)
	again=$(sed -n 's/^# \([0-9]*\) of \([0-9]*\) .*/\1 \2/p' "$mpi.csv" |
		awk '{ printf "%.1f", 100 * $1 / $2 }')
	: >errors
	: >beyond
	for n in $emulated_others; do
		for m in 16384 24576 32768 49152; do
			T=$(emulated_time "$n" $m)
			# Words wanted. shellcheck disable=SC2086
			P=$(model T signature n="$n" m=$m alpha="$alpha" beta="$beta" $signature)
			saturated=perhaps loaded=loaded
			[ $m -lt "$surely" ] || saturated=yes
			[ "$(emulated_load "$n")" -ge $emulated_loaded ] || loaded=fewer
			printf '| %s | %.2f | %s | %s | %s | %s %% | %s | %s %% | %s | %.4f | %.4f | %s |\n' \
				"$mpi" "$gamma" "$delta" $emulated_fitted "$n" "$(emulated_load "$n")" $m \
				"$(emulated_again "$n" $m)" $saturated "$T" "$P" "$(above "$P" "$T")"
			error=$(jq -n "100 * ($P / $T - 1) | fabs")
			echo "$n $loaded $saturated $error" >>errors
			echo "$n $loaded $saturated $(jq -n \
				"[$error - $(emulated_noise "$n" $m), 0] | max")" >>beyond
		done
	done
	within "$gamma" 2 20 "the emulated network with $mpi, saturated: gamma"
	within "$again" 1 50 "the emulated network with $mpi: % of segments sent again"
	for n in $emulated_others; do
		[ "$(emulated_load "$n")" -ge $emulated_loaded ] || continue
		within "$(median_error "^$n " beyond)" 0 10 \
			"the emulated network with $mpi, $n ranks: median error of the signature beyond noise, %"
		within "$(largest_error "^$n loaded yes" beyond)" 0 10 \
			"the emulated network with $mpi, $n ranks, saturated: error of the signature beyond noise, %"
	done
}

# PATTERN [FILE]: the median of what errors, or the file, has of it.
median_error()
{
	grep "$1" "${2-errors}" | sed 's/.* //' | sort -g |
		awk '{ e[NR] = $1 } END { printf "%.1f", (e[int((NR + 1) / 2)] + e[int(NR / 2) + 1]) / 2 }'
}

# PATTERN [FILE]: the largest; 0: there is none.
largest_error()
{
	grep "$1" "${2-errors}" | sed 's/.* //' | sort -g | awk 'END { printf "%.1f", $1 }'
}

predict_emulated()
{
	cat <<'END'

## The contention signature on an emulated network

Open MPI and MPICH over TCP between fourteen hosts that are network namespaces (tests/net/cluster),
real time: unlike everything above, other figures each time. Two hosts with 25 Mbit/s each share a
switch, whose port to the core passes 10 Mbit/s and holds 32 kB; what comes when it is full is lost.
All messages at once (tests/mpi/exchange_times.c), the medians of 8; fitted to four sizes at n' = 10
ranks, then asked for other numbers of ranks.

The network is saturated: by the rates of the ports alone all takes 5 (n - 2) / (n - 1) times as long
as the lower bound, 4.0 times for 6 ranks and 4.6 for 14; the column load has that as a share of what
it is for n' ranks. What gamma has beyond that is TCP's, which sends a tenth of the segments again:
of each row as its column has it. The model's gamma does not depend on n, so it has to be too long for
few ranks and too short for many; where the load is less than 95 % of the fitted one (6 ranks), it says
nothing by its own condition, and the row is there to show by how much it is off. The senders take
what was not acknowledged for 10 ms for lost; with the kernel's 200 ms single time-outs would decide.
Messages of less than some 10 kB, whose few segments are followed by none that would tell of a loss,
wait for time-outs all the same, up to 17 times the lower bound, and are left out; and so are those
for which the libraries ask before they send. Sizes that saturate for certain are those from the most
on that M may be by the fit (95 %), and all if it has no M: there an error above 10 % is a failure,
from that load on, once it is less by how far the medians may be off where the machine has other
things to do (half of what the second and the last but one of the 8 times are apart, of the row and,
the middle one, of the fitted sizes).

END
	echo "| MPI | gamma | delta, ms | n' | n | load | bytes | sent again | size saturates | measured s | predicted s | error |"
	echo "|---|---|---|---|---|---|---|---|---|---|---|---|"
	for mpi in openmpi mpich; do
		if why=$(emulated_times $mpi); then
			emulated_signature $mpi
			said="${said-}
- $mpi: $again % of all segments were sent again; the median of the errors' sizes is
  $(median_error .) %, the largest $(largest_error .) %, with enough load $(largest_error loaded) %, of what is
  then surely saturated $(largest_error 'loaded yes') %."
		else
			said="${said-}
- $mpi: $why"
		fi
	done
	echo "$said"
}
