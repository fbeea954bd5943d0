# SPDX-License-Identifier: GPL-3.0-or-later
# Every function of this MPI's mpi.h that communicates, waits or makes communicators has a
# row in calls.def, or a reason below why it has none.
. "$srcdir/tests/testlib.sh"

# What is not recorded, as patterns of whole names without MPI_.
unrecorded='
# persistent collectives and partitioned messages (MPI 4): their starts and ends are not followed
.*_init .*_init_c P(send|recv)_init Pready.* Parrived
# counts of 64 bits (MPI 4)
.*_c
# processes made or met while the job runs: their communicators are known from their first use
Comm_(spawn|spawn_multiple|accept|connect|join)
# sessions and their communicators (MPI 4)
Session_.* Group_from_session_pset Comm_create_from_group Intercomm_create_from_groups
Comm_idup_with_info
'
# Names of families that are about messages and communicators; one-sided and file access
# are not looked at, nor what only asks or sets.
about='Send|Bsend|Ssend|Rsend|Recv|Sendrecv.*|I(b|s|r)?send|Irecv|Isendrecv.*|.*(send|recv)_init.*
Start|Startall|Wait.*|Test(all|any|some)?|Request_(free|get_status)|Cancel|Buffer_detach
Probe|Iprobe|Mprobe|Improbe|Mrecv|Imrecv|P(send|recv|ready|arrived).*
I?(barrier|bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|(all)?reduce|reduce_scatter(_block)?|scan|exscan)(_init)?(_c)?
I?neighbor_.*
Comm_(dup.*|idup.*|create|create_group|create_from_group|split.*|free|disconnect|spawn.*|accept|connect|join)
Intercomm_.*|Cart_(create|sub)|Graph_create|Dist_graph_create.*|Comm_set_name
Init|Init_thread|Finalize|Abort|Session_.*'

alternatives() # joins the words of the lines that are no comments
{
	grep -v '^#' | tr ' \n' '||' | sed 's/||*/|/g; s/^|//; s/|$//'
}

echo '#include <mpi.h>' >all.c
"$mpicc" -E all.c | tr '\n' ' ' | grep -Eo '\bMPI_[A-Z][A-Za-z0-9_]* *\(' | tr -d ' (' |
	sed 's/^MPI_//' | sort -u >declared
sed -En 's/^(CALL|SOME_MPI|SPECIAL)\(([A-Za-z0-9_]+).*/\2/p' "$srcdir"/interpose/calls*.def |
	sort -u >rows
[ "$(wc -l <declared)" -gt 300 ] || fail "only $(wc -l <declared) functions in mpi.h"

grep -Eix "$(echo "$about" | alternatives)" declared | comm -23 - rows |
	grep -Evx "$(echo "$unrecorded" | alternatives)" >missing || :
echo "$(comm -12 declared rows | wc -l) functions recorded of $(wc -l <declared)"
[ ! -s missing ] || fail "not in calls.def:" $(cat missing)
# A row for nothing would be a mistake in its name.
comm -23 rows declared | grep -v '^Isendrecv' >unknown || :
[ ! -s unknown ] || fail "in calls.def and not in mpi.h:" $(cat unknown)
