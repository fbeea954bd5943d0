# SPDX-License-Identifier: GPL-3.0-or-later
# Ranks bound to the same processor, and each to its own: run.json has which, and the report says
# which of them have to share.
. "$srcdir/tests/testlib.sh"
need_file jq jq
need_file taskset util-linux

"$mpicc" -g -O1 "$srcdir/tests/mpi/bound.c" -o bound_program
first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
last=$(taskset -cp $$ | sed 's/.*: //; s/.*[-,]//')

# Launchers bind, too: what counts is where a rank is in the end. Rank 1 is on the processor $1.
cat >bind.sh <<'SH'
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] && at=$FIRST || at=$1
shift
exec taskset -c "$at" "$@"
SH
export FIRST=$first

record() # NAME PROCESSOR-OF-RANK-1
{
	capture "$1" mpi_run 2 sh bind.sh "$2" timeout 60 "$contend" record -o "$1.contend" \
		./bound_program
	expect_status 0 "contend record"
	"$contend" report --json "$1.contend" >"$1.json" || fail "no report"
}
may_use() # RUN RANKS: where
{
	jq -r --arg ranks "$2" '.processors[] | select(.ranks == $ranks) | .may_use' \
		"$1.contend/run.json"
}

record same "$first"
[ "$(may_use same 0-1)" = "$first" ] || fail "not bound alike: $(jq -c .processors same.contend/run.json)"
jq -e --arg first "$first" '.run.shared_cores | length == 1 and
	(.[0] | .ranks == "0-1" and .cores == 1 and .which == $first)' same.json >/dev/null ||
	fail "shared: $(jq -c .run.shared_cores same.json)"
capture info "$contend" info same.contend
# A machine of one processor is shared as it is.
[ "$first" = "$last" ] || words='ranks 0 and 1 were bound to the same core'
expect_line "^  cores +${words:-2 ranks shared 1 core}: $first\$" info.out
jq -e --arg words "${words:-2 ranks shared 1 core}" '.quality.conditions | any(startswith($words))' \
	same.json >/dev/null || fail "no condition"

[ "$first" != "$last" ] || exit 0
record apart "$last"
[ "$(may_use apart 0) $(may_use apart 1)" = "$first $last" ] ||
	fail "not bound apart: $(jq -c .processors apart.contend/run.json)"
jq -e '.run.shared_cores == []' apart.json >/dev/null ||
	fail "shared: $(jq -c .run.shared_cores apart.json)"
jq -e '.quality.conditions | any(contains("bound to the same core")) | not' apart.json >/dev/null ||
	fail "said to share a core"
