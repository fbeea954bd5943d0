# SPDX-License-Identifier: GPL-3.0-or-later
# Wrong usage: exit status 2, one line, the nearest valid word or the corrected command.
PATH=$builddir:$PATH

try()
{
	echo "\$ $*"
	"$@" 2>&1
	echo "exit $?"
}

try contend repot
try contend --hlp
try contend report --jsn
try contend report --top
try contend report -n
try contend report --json=3
try contend report --top=
try contend report -n ''
try contend record --depth= ./app
try contend record --depth '' ./app
try contend report --top=x
try contend report -zv
try contend report --bogus
try contend frobnicate
try contend --bogus
try contend help frobnicate
try contend report one two
try contend report --colour=pink
try contend diff one
try contend info --machine=3
try contend calibrate --drift=machine.json -o new.json
try contend calibrate --plot=page.html --drift=machine.json
try contend calibrate --drift=machine.json --check
try contend calibrate --quick --drift=machine.json
try contend calibrate --drift=machine.json --contention=3
try contend calibrate --contention=abc
try contend preload it
try contend record
try contend record --detph=3 ./app
try contend record --depth=100 ./app
try contend record --mpi=lam ./app
try contend record --ranks=3-1 ./app
try contend record --clock-interval=0.5 ./app
try contend record mpirun -n 4 ./app x
try contend record --depth=3 mpirun.openmpi -np 4 --mca btl tcp,self ./app --depth 5
try contend record srun -n4 -p debug ./app
try contend record mpiexec.hydra -n 2 ./a : -n 2 ./b
try contend record mpirun
try contend record --trace-max=3 ./app
# Of variables, what is nearly the name of one; any other may be a site's own.
try env CONTEND_TRACE_MAX=64k CONTEND_DETPH=3 CONTEND_PATIENT=x CONTEND_HOME=/opt contend report one two
try env CONTEND_ORIGINS=depth CONTEND_PID=1 CONTEND_WITDH=60 CONTEND_=1 contend record
try env CONTEND_DETPH=3 OMPI_COMM_WORLD_RANK=0 contend record
try env CONTEND_DETPH=3 OMPI_COMM_WORLD_RANK=1 contend record
try env OMPI_COMM_WORLD_RANK=0 contend record --depth=x ./app
try env OMPI_COMM_WORLD_RANK=1 contend record --depth=x ./app
