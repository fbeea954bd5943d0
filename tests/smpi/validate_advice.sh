# SPDX-License-Identifier: GPL-3.0-or-later
#
# What contend's advice is said to save beside what it does save: tests/smpi/advised.c as it is and
# as advised, on the simulated machine. For tests/smpi/advice.sh and a chapter of
# tests/smpi/validate.

# NAME KIND MACHINE RANKS OVERHEAD HANDLER EAGER_BYTES OPTION-OF-RUN ARGUMENT...; links of 40 MB/s,
# of which ports are shared.
advice_rows='
polls-early polling switch:8 8 1e-6 1e-6 65535 --poll=20e-6 --count=100 --bytes=100000 --work=5000
polls-dear polling switch:8 8 1e-6 1e-6 65535 --poll=20e-6 --count=200 --bytes=150000 --work=5000
polls-few polling switch:8 8 1e-6 1e-6 65535 --poll=10e-6 --count=20 --work=500 --after=200
polls-late polling switch:8 8 1e-6 1e-6 65535 --poll=1e-6 --count=50 --work=500 --after=1000
polls-often polling switch:8 8 1e-6 1e-6 65535 --poll=2e-6 --count=1000 --work=1000 --after=2000
polls-two polling switch:2 2 1e-6 1e-6 65535 --poll=1e-6 --count=100 --work=500 --after=3000
polls-cheap polling switch:8 8 1e-6 1e-6 65535 --poll=2e-7 --count=500 --work=1000 --after=2000
polls-large polling switch:8 8 1e-6 1e-6 65535 --poll=1e-6 --count=100 --bytes=100000 --work=5000 --after=300
polls-only polling switch:8 8 1e-6 1e-6 65535 --poll=1e-6 --count=0 --work=500 --after=1000
polls-slow polling switch:8 8 1e-6 1e-6 65535 --poll=20e-6 --count=0 --work=50 --after=1000
joined-ten aggregation switch:8 8 2e-6 5e-6 65535 - --count=10 --bytes=8 --work=50
joined-rare aggregation switch:8 8 2e-6 5e-6 65535 - --count=10 --bytes=8 --work=1000
joined-three aggregation switch:16 16 2e-6 5e-6 65535 - --count=20 --bytes=64 --work=100 --peers=3
joined-long aggregation switch:8 8 1e-6 1e-6 65535 - --count=10 --bytes=2000 --work=100
joined-blocking aggregation switch:8 8 2e-6 5e-6 65535 - --count=10 --bytes=8 --work=50 --blocking
joined-two aggregation switch:8 8 2e-6 0 65535 - --count=30 --bytes=8 --work=200 --blocking --peers=2
joined-port aggregation switch:8 8 0 0 65535 - --count=200 --bytes=8 --work=100
joined-uneven aggregation switch:8 8 2e-6 5e-6 65535 - --count=10 --bytes=8 --work=50 --uneven=500
joined-few aggregation switch:4 4 5e-6 1e-6 65535 - --count=5 --bytes=32 --work=20 --peers=2
joined-handled aggregation switch:8 8 1e-6 20e-6 65535 - --count=8 --bytes=1000 --work=20 --peers=2
joined-each aggregation switch:8 8 2e-6 5e-6 65535 - --count=30 --bytes=8 --work=200 --each
joined-each-two aggregation switch:2 2 1e-6 1e-6 65535 - --count=50 --bytes=8 --work=500 --each
joined-each-four aggregation switch:8 8 1e-6 0 65535 - --count=20 --bytes=64 --work=300 --peers=2 --uneven=200 --each
begun-four synchronous switch:8 8 2e-6 0 65535 - --peers=4 --bytes=64 --work=50
begun-uneven synchronous switch:8 8 2e-6 0 65535 - --peers=4 --bytes=64 --work=50 --uneven=200
begun-eight synchronous switch:16 16 2e-6 0 65535 - --peers=8 --bytes=4000 --work=500
begun-large synchronous switch:8 8 2e-6 5e-6 65535 - --peers=4 --bytes=20000 --work=500
begun-after synchronous switch:8 8 1e-6 0 65535 - --peers=1 --bytes=20000 --work=500 --after=500
begun-alone synchronous switch:8 8 1e-6 0 65535 - --peers=1 --bytes=20000 --work=500
begun-both synchronous switch:8 8 1e-6 0 65535 - --peers=2 --bytes=2000 --work=100 --uneven=300 --after=200
begun-late synchronous switch:8 8 1e-6 0 65535 - --peers=2 --bytes=2000 --work=100 --uneven=300
begun-handled synchronous switch:16 16 2e-6 10e-6 65535 - --peers=6 --bytes=100 --work=100
begun-rare synchronous switch:8 8 0 0 65535 - --peers=7 --bytes=100 --work=1000
sent-blocks asynchronous switch:8 8 1e-6 1e-6 65535 - --count=10 --bytes=20000 --work=400 --blocking
sent-held asynchronous switch:8 8 1e-6 0 0 - --count=10 --bytes=20000 --work=400 --blocking
sent-uneven asynchronous switch:8 8 1e-6 1e-6 65535 - --count=1 --peers=7 --bytes=20000 --work=100 --uneven=3000 --blocking
sent-groups asynchronous switch:12 12 1e-6 1e-6 65535 - --count=5 --peers=3 --bytes=10000 --work=100 --uneven=600 --blocking
sent-while asynchronous switch:8 8 1e-6 1e-6 65535 - --count=5 --bytes=4000 --work=100 --after=300 --blocking
sent-answered asynchronous switch:8 8 1e-6 1e-6 65535 - --count=5 --peers=3 --bytes=20000 --work=500
sent-gathered asynchronous switch:8 8 1e-6 1e-6 65535 - --count=1 --peers=7 --bytes=20000 --work=1000
sent-even asynchronous switch:8 8 1e-6 1e-6 65535 - --count=1 --peers=7 --bytes=20000 --work=1000 --blocking
sent-meanwhile asynchronous switch:8 8 1e-6 1e-6 0 - --count=6 --bytes=40000 --work=300 --after=2000 --blocking
moved-never overlap switch:8 8 1e-6 0 0 --poll=1e-6 --bytes=20000 --work=2000
moved-little overlap switch:8 8 1e-6 0 0 --poll=1e-6 --bytes=60000 --work=1000
moved-two overlap switch:8 8 1e-6 0 0 --poll=1e-6 --bytes=20000 --work=2000 --peers=2
moved-uneven overlap switch:8 8 1e-6 0 0 --poll=1e-6 --bytes=40000 --work=1000 --uneven=2000
moved-quickly overlap switch:8 8 1e-6 0 0 --poll=1e-6 --bytes=200 --work=2000
posted-early late_posting switch:8 8 1e-6 0 0 - --bytes=20000 --work=200 --uneven=2000
posted-peers late_posting switch:8 8 1e-6 0 0 - --bytes=2000 --peers=4 --work=100 --uneven=200 --blocking
posted-handled late_posting switch:8 8 1e-6 5e-6 0 - --bytes=2000 --peers=4 --work=100 --blocking
posted-full late_posting switch:8 8 1e-6 0 0 - --bytes=20000 --peers=4 --work=100 --blocking
posted-barrier late_posting switch:8 8 1e-6 0 0 - --bytes=20000 --peers=4 --work=100 --uneven=1000
posted-pair late_posting switch:2 2 1e-6 0 0 - --bytes=20000 --work=200 --uneven=800
posted-three late_posting switch:16 16 1e-6 0 0 - --bytes=4000 --peers=3 --work=100 --uneven=300
posted-even late_posting switch:8 8 1e-6 0 0 - --bytes=20000 --work=200
posted-eager late_posting switch:8 8 1e-6 5e-6 65535 - --bytes=1000 --peers=4 --work=100 --uneven=200
posted-after late_posting switch:8 8 1e-6 0 0 - --bytes=20000 --work=200 --uneven=500 --after=500
taken-uneven receive_order switch:8 8 1e-6 1e-6 65535 - --rounds=60 --bytes=1000 --work=500 --uneven=2000 --after=150
taken-answered receive_order switch:8 8 1e-6 1e-6 65535 - --rounds=60 --bytes=1000 --work=500 --uneven=4000 --after=200 --blocking
taken-answered-two receive_order switch:4 4 1e-6 5e-6 65535 - --rounds=60 --bytes=1000 --work=200 --uneven=1000 --after=200 --blocking
taken-held receive_order switch:8 8 1e-6 1e-6 0 - --rounds=60 --bytes=2000 --work=500 --uneven=2000 --after=200
taken-held-answered receive_order switch:16 16 1e-6 1e-6 0 - --rounds=40 --bytes=2000 --work=1000 --uneven=6000 --after=200 --blocking
taken-posted receive_order switch:8 8 1e-6 1e-6 0 - --rounds=60 --bytes=2000 --work=500 --uneven=4000 --after=400 --each
taken-posted-eager receive_order switch:8 8 1e-6 1e-6 65535 - --rounds=60 --bytes=2000 --work=1000 --uneven=8000 --after=500 --each
taken-posted-answered receive_order switch:8 8 1e-6 1e-6 65535 - --rounds=60 --bytes=2000 --work=500 --uneven=4000 --after=400 --each --blocking
taken-first receive_order switch:4 4 1e-6 1e-6 65535 - --rounds=60 --bytes=1000 --work=3000 --uneven=1000 --after=500 --blocking
taken-quickly receive_order switch:8 8 1e-6 1e-6 65535 - --rounds=60 --bytes=1000 --work=500 --uneven=2000 --after=0
line-of-eight chain switch:8 8 1e-6 1e-6 65535 - --rounds=60 --bytes=1000 --work=200 --blocking
line-held chain switch:16 16 1e-6 1e-6 0 - --rounds=60 --bytes=8000 --work=5000 --blocking
line-uneven chain switch:8 8 1e-6 1e-6 65535 - --rounds=60 --bytes=4000 --work=200 --uneven=400 --blocking
line-ring chain switch:8 8 2e-6 5e-6 65535 - --rounds=60 --bytes=2000 --work=400
line-taken chain switch:8 8 1e-6 1e-6 0 - --rounds=60 --bytes=4000 --work=500 --count=0 --blocking
line-taken-uneven chain switch:16 16 1e-6 5e-6 65535 - --rounds=60 --bytes=1000 --work=500 --uneven=300 --count=0 --blocking
line-passed-on chain switch:8 8 1e-6 1e-6 65535 - --rounds=60 --bytes=1000 --work=200 --each --blocking
line-passed-on-far chain switch:16 16 1e-6 1e-6 65535 - --rounds=60 --bytes=4000 --work=500 --each
line-of-four chain switch:4 4 1e-6 1e-6 65535 - --rounds=60 --bytes=4000 --work=300 --blocking
line-rare chain switch:8 8 1e-6 1e-6 65535 - --rounds=60 --bytes=1000 --work=50000 --blocking
taken-even receive_order switch:8 8 1e-6 1e-6 65535 - --rounds=60 --bytes=1000 --work=2000 --after=300 --blocking
crowd-waits incast switch:16 16 1e-6 1e-6 0 - --count=10 --bytes=2000 --work=100 --share=30 --blocking
crowd-handled incast switch:8 8 1e-6 10e-6 0 - --count=10 --bytes=100 --work=100 --share=60 --blocking
crowd-large incast switch:32 32 1e-6 0 0 - --count=5 --bytes=10000 --work=500 --share=20
crowd-sent incast switch:16 16 1e-6 1e-6 65535 - --count=10 --bytes=2000 --work=100 --share=30
gathered-held incast switch:8 8 1e-6 1e-6 0 - --habit=gather --bytes=56000 --work=5000 --blocking
gathered-posted incast switch:8 8 1e-6 1e-6 0 - --habit=gather --bytes=56000 --work=5000
gathered-eager incast switch:8 8 1e-6 1e-6 65535 - --habit=gather --bytes=56000 --work=5000
gathered-taken incast switch:8 8 1e-6 1e-6 65535 - --habit=gather --bytes=56000 --work=5000 --blocking
gathered-uneven incast switch:16 16 1e-6 1e-6 0 - --habit=gather --bytes=20000 --work=2000 --uneven=2000 --blocking
gathered-small incast switch:16 16 1e-6 20e-6 0 - --habit=gather --bytes=500 --work=300 --blocking
skewed-few skew switch:4 4 1e-6 1e-6 0 - --count=20 --bytes=5000 --work=100 --share=60
skewed-large skew switch:6 6 1e-6 0 65535 - --count=10 --bytes=20000 --work=300 --share=70
skewed-held skew switch:4 4 1e-6 0 0 - --count=10 --bytes=20000 --work=100 --share=60 --blocking
skewed-two skew switch:8 8 1e-6 10e-6 0 - --count=20 --bytes=100 --work=100 --share=70 --peers=2
turns-get skew switch:8 8 1e-6 1e-6 65535 - --habit=counts --rounds=24 --bytes=5000 --work=200 --share=60
turns-held skew switch:16 16 1e-6 0 0 - --habit=counts --rounds=32 --bytes=2000 --work=200 --share=50
turns-work skew switch:8 8 1e-6 1e-6 65535 - --habit=counts --rounds=24 --bytes=10000 --work=200 --uneven=2000 --share=50
turns-small skew switch:8 8 2e-6 5e-6 65535 - --habit=counts --rounds=24 --bytes=100 --work=50 --share=60
order-held order switch:16 16 1e-6 0 0 - --bytes=20000 --work=200 --blocking
order-small order switch:16 16 2e-6 0 0 - --bytes=2000 --work=100 --blocking
order-uneven order switch:16 16 1e-6 0 0 - --bytes=10000 --work=100 --uneven=1000 --blocking
order-eager order switch:16 16 1e-6 0 65535 - --bytes=1000 --work=500
longer-two imbalance switch:8 8 1e-6 1e-6 65535 - --work=500 --uneven=500 --peers=2 --blocking
longer-one imbalance switch:16 16 1e-6 1e-6 65535 - --work=1000 --uneven=2000 --peers=1
longer-most imbalance switch:8 8 1e-6 1e-6 65535 - --work=500 --uneven=200 --peers=6 --blocking
longer-none imbalance switch:8 8 1e-6 1e-6 65535 - --work=500 --peers=2 --blocking
rounds-uneven imbalance switch:8 8 1e-6 1e-6 65535 - --habit=rounds --rounds=60 --work=1000 --uneven=15000
rounds-many imbalance switch:16 16 1e-6 2e-6 65535 - --habit=rounds --rounds=60 --work=500 --uneven=1000 --count=5
rounds-even imbalance switch:8 8 1e-6 1e-6 65535 - --habit=rounds --rounds=60 --work=1000
rounds-of-three imbalance switch:4 4 1e-6 1e-6 65535 - --habit=rounds --rounds=60 --work=2000 --uneven=2000 --count=20
served-slowly server switch:16 16 1e-6 1e-6 65535 - --servers=1 --work=500 --handler=50 --chunks=180
served-idly server switch:16 16 1e-6 1e-6 65535 - --servers=6 --work=1000 --handler=20 --chunks=180
served-two server switch:32 32 1e-6 1e-6 65535 - --servers=2 --work=1000 --handler=131 --chunks=60
served-uneven server switch:32 32 1e-6 1e-6 65535 - --servers=1 --work=500 --handler=20 --chunks=60 --exponential-work
served-random server switch:32 32 1e-6 1e-6 65535 - --servers=2 --work=500 --handler=50 --chunks=60 --exponential-work --exponential-handler
served-small server switch:8 8 1e-6 1e-6 65535 - --servers=1 --work=100 --handler=50 --chunks=180
served-three server switch:8 8 1e-6 1e-6 65535 - --servers=3 --work=1000 --handler=50 --chunks=180
served-hard server switch:16 16 1e-6 1e-6 65535 - --servers=1 --work=200 --handler=100 --chunks=180 --exponential-handler
served-well server switch:16 16 1e-6 1e-6 65535 - --servers=1 --work=2000 --handler=50 --chunks=60
served-enough server switch:16 16 1e-6 1e-6 65535 - --servers=2 --work=500 --handler=50 --chunks=60
blocks-one block_size switch:8 8 1e-6 2e-6 65535 - --length=512 --blocks=1 --task=100
blocks-large block_size switch:8 8 1e-6 2e-6 65535 - --length=512 --blocks=8 --task=100
blocks-random block_size switch:16 16 1e-6 2e-6 65535 - --length=512 --blocks=16 --task=50 --map=random
blocks-repeated block_size switch:8 8 1e-6 2e-6 65535 - --length=512 --blocks=4 --task=100 --repeat=4
blocks-held block_size switch:8 8 0 0 0 - --length=512 --blocks=4 --task=100
blocks-longer block_size switch:8 8 1e-6 2e-6 65535 - --length=512 --blocks=8 --task=100 --extra=200
blocks-good block_size switch:8 8 1e-6 2e-6 65535 - --length=512 --blocks=64 --task=100
blocks-small block_size switch:8 8 1e-6 2e-6 65535 - --length=512 --blocks=512 --task=100
blocks-handled block_size switch:16 16 1e-6 10e-6 65535 - --length=512 --blocks=256 --task=50
blocks-held-small block_size switch:8 8 0 0 0 - --length=512 --blocks=512 --task=20
far-two mapping switch:2,cores=4 8 1e-6 1e-6 65535 --per-host=4 --bytes=2000 --work=5000
far-four mapping switch:4,cores=4 16 1e-6 1e-6 65535 --per-host=4 --bytes=2000 --work=5000
far-held mapping switch:4,cores=4 16 1e-6 0 0 --per-host=4 --bytes=20000 --count=2 --work=1000
far-pairs mapping switch:8,cores=2 16 1e-6 1e-6 65535 --per-host=2 --bytes=2000 --work=1000 --peers=2
far-near mapping switch:2,cores=2 4 1e-6 1e-6 65535 --per-host=2 --bytes=2000 --work=500
far-small mapping switch:4,cores=4 16 1e-6 10e-6 65535 --per-host=4 --bytes=100 --work=100 --count=20
far-uneven mapping switch:4,cores=4 16 1e-6 1e-6 65535 --per-host=4 --bytes=2000 --work=100 --uneven=5000
far-many mapping switch:16,cores=4 64 1e-6 1e-6 65535 --per-host=4 --bytes=2000 --work=5000
far-rare mapping switch:4,cores=4 16 1e-6 1e-6 65535 --per-host=4 --bytes=2000 --work=50000
far-ring mapping switch:4,cores=4 16 1e-6 1e-6 65535 --per-host=4 --count=0 --peers=1 --bytes=5000'

# NAME KIND MACHINE RANKS OVERHEAD HANDLER EAGER_BYTES OPTION-OF-RUN: what its arguments follow.
advice_run() # FOLDER ARGUMENT...
{
	into=$1
	shift
	wait=
	[ "$eager" != 0 ] || wait=--wait
	# Words wanted. shellcheck disable=SC2086
	SMPI_CPPFLAGS="${SMPI_CPPFLAGS:--I/usr/include/smpi} -I$srcdir" \
		simulate "$into" $wait $option --overhead="$overhead" --handler="$handler" \
		"$machine,bandwidth=40e6,contention=ports" "$ranks" "$@"
}

# FOLDER MACHINE-FILE
advice_report() { "$builddir/contend" report --json ${2:+--machine="$2"} "$1/run.contend"; }

# FOLDER: the run's wall time, s
wall() { "$builddir/contend" report --json "$1/run.contend" | jq .run.wall_s; }

# With the number of servers of the report, for as many chunks in all. FOLDER ARGUMENT...
serve_as_advised()
{
	now=$(echo "$*" | sed 's/.*--servers=\([0-9]*\).*/\1/')
	chunks=$(echo "$*" | sed 's/.*--chunks=\([0-9]*\).*/\1/')
	best=$(jq --argjson now "$now" '[.hotspots[] | select(.kind == "server")
		| .evidence.servers_best] + [$now] | .[0]' "$name.json")
	advice_run "$@" --servers="$best" \
		--chunks=$(((chunks * (ranks - now) + (ranks - best) / 2) / (ranks - best)))
}

# With as many times the blocks as the report has it, with the machine file or, where that is silent,
# without. FOLDER ARGUMENT...
divide_as_advised()
{
	now=$(echo "$*" | sed 's/.*--blocks=\([0-9]*\).*/\1/')
	advice_report "$name" "$name.machine.json" >"$name.file.json"
	best=$(jq -s --argjson now "$now" '[.[].hotspots[] | select(.kind == "block_size")
		| .evidence | $now * .blocks_best / .blocks | round] + [$now] | .[0]' \
		"$name.file.json" "$name.json")
	advice_run "$@" --blocks="$best"
}

# As advised: the same with --advised, or with other blocks or servers, or the ranks in the order of
# the report. FOLDER ARGUMENT...
take_advice()
{
	advised=$1
	shift
	case $kind in
	mapping) ;;
	server)
		serve_as_advised "$advised" "$@"
		return
		;;
	block_size)
		divide_as_advised "$advised" "$@"
		return
		;;
	*)
		advice_run "$advised" "$@" --advised
		return
		;;
	esac
	# order[i] runs where rank i does; nothing is advised: as they are.
	jq -r --slurpfile hosts "$name/hosts.json" '[.hotspots[] | select(.kind == "mapping")][0] as $advice
		| if $advice then $advice.order else [range($hosts[0] | length)] end
		| . as $rank | [range(length)] | sort_by($rank[.])[] | $hosts[0][.]' \
		"$name.json" >"$name.map"
	[ -s "$name.map" ] || die "$name: no order of the ranks"
	option=--map=$name.map
	advice_run "$advised" "$@"
}

# FILE: of a machine whose messages move only while their ends are in MPI.
unmoved()
{
	jq '.classes[].there.asynchronous_progress = 0' "$1" >"$1.unmoved"
	mv "$1.unmoved" "$1"
}

# A row of advice_rows: $name, $kind, what is $saved by the advice, and for each machine file
# (alone: none) in $name.said: SOURCE LOW LIKELY HIGH; all in %, - where the report does not advise
# that.
advise()
{
	name=$1 kind=$2 machine=$3 ranks=$4 overhead=$5 handler=$6 eager=$7 option=$8
	shift 8
	[ "$option" != - ] || option=
	case $kind in
	server) set -- "$srcdir/share/examples/workpile.c" "$@" ;;
	block_size) set -- "$srcdir/share/examples/diamond.c" "$@" ;;
	incast) set -- "$srcdir/tests/smpi/advised.c" --habit=skew "$@" ;;
	*) set -- "$srcdir/tests/smpi/advised.c" --habit="$kind" "$@" ;;
	esac
	advice_run "$name" "$@"
	true_machine "$overhead" "$handler" "$eager" ports >"$name.machine.json"
	[ "$kind" != overlap ] || unmoved "$name.machine.json"
	jq -R . "$name/hosts" | jq -s . >"$name/hosts.json"
	: >"$name.said"
	for source in file alone; do
		given=
		[ $source = alone ] || given=$name.machine.json
		advice_report "$name" "$given" >"$name.json" || die "$name: no report"
		jq -r --arg source $source --arg kind "$kind" '[.hotspots[] | select(.kind == $kind)]
			| sort_by(-.saves_share[2])[0].saves_share // ["-", "-", "-"]
			| map(if type == "number" then . * 1000 | round / 10 else . end)
			| [$source] + . | @tsv' "$name.json" >>"$name.said"
	done
	take_advice "$name-advised" "$@"
	saved=$(jq -n "(1 - $(wall "$name-advised") / $(wall "$name")) * 1000 | round / 10 + 0")
	rm -rf "$name" "$name-advised"
}

# LOW LIKELY HIGH SAVED: are they what they should be? In words. What is likely may be off by a
# quarter, and by 2.
verdict_of()
{
	awk -v low="$1" -v likely="$2" -v high="$3" -v saved="$4" 'BEGIN {
		if (high == "-")
			print saved < 5 ? "silent" : "silent, though it would have saved"
		else if (low > saved + 0.5)
			print "too much is certain"
		else if (high < saved - 0.5)
			print "too little"
		else
			print "covers" (high > saved + 10 ? ", wide" : "") \
			      (likely > 1.25 * saved + 2 ? ", likely too much" : "") \
			      (saved > 1.25 * likely + 2 ? ", likely too little" : "")
	}'
}

# NAME: its lines of NAME.advice, one a machine file:
# NAME|KIND|SAVED|SOURCE|LOW|LIKELY|HIGH|VERDICT.
advice_row()
{
	# Words wanted. shellcheck disable=SC2046
	advise $(echo "$advice_rows" | grep "^$1 ")
	while read -r source low likely high; do
		echo "$name|$kind|$saved|$source|$low|$likely|$high|$(verdict_of "$low" "$likely" "$high" "$saved")"
	done <"$name.said" >"$name.advice"
}

# SOURCE TITLE, reads such lines: how many of these rows are right.
advice_counts()
{
	awk -F'|' -v source="$1" -v title="$2" '
		$4 != source { next }
		{ rows++ }
		$8 ~ /^covers/ { covers++ }
		$8 ~ /, wide/ { wide++ }
		$8 ~ /likely too much$/ { much++ }
		$8 ~ /likely too little$/ { little++ }
		$8 == "too little" { less++ }
		$8 == "too much is certain" { more++ }
		$8 ~ /^silent/ { silent++ }
		$8 == "silent, though it would have saved" { missed++ }
		END {
			printf "%s something is said in %d of %d rows: the interval covers what is saved " \
			       "in %d\n(wide in %d of them), says too little in %d, and too much is certain " \
			       "in %d; where it covers, the likely value\nis too high in %d and too low in %d; " \
			       "of the %d without advice 5 %% or more would be saved in %d.\n",
			       title, rows - silent, rows, covers, wide, less, more, much, little, silent,
			       missed
		}'
}

# NAME.advice...: the chapter.
advice_chapter()
{
	cat <<'END'

## What the advice saves

END
	cat "$@" | advice_counts file "With the machine file"
	cat "$@" | advice_counts alone "Self-calibrated,"
	cat <<'END'

tests/smpi/advised.c (of server, workpile, of block_size, diamond) as it is, and as the hotspot's advice has it: what that
saves of the run's wall time, and what the report of the first run alone says of it, [least, likely,
most], with the machine file and without. Links of 40 MB/s, of which ports are shared. `!` where the
interval does not cover it, by more than 0.5, or where 5 % or more would be saved and nothing is said;
wide: the most is more than 10 above it; high, low: the likely value is more than a quarter and 2 above
or below it. Each rank of a node has a core of its own.

| row | rule | saves, % | with the machine file | | self-calibrated | |
|---|---|---|---|---|---|---|
END
	cat "$@" | awk -F'|' '
		$4 == "file" { printf "| %s | %s | %s |", $1, $2, $3 }
		{
			printf " %s |", $7 == "-" ? "-" : sprintf("[%s, %s, %s]", $5, $6, $7)
			sub(/^covers(, )?/, "", $8)
			gsub(/likely too much/, "high", $8)
			gsub(/likely too little/, "low", $8)
			printf " %s |", $8 ~ /^(wide|high|low|wide, high|wide, low|)$/ ? $8 : $8 == "silent" ? "" : "!"
		}
		$4 == "alone" { print "" }'
}
