# SPDX-License-Identifier: GPL-3.0-or-later
# A ring of messages, checked. mpi4py is a module that Python loads, and MPI comes with it.
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, ranks = comm.Get_rank(), comm.Get_size()
left, right = (rank - 1) % ranks, (rank + 1) % ranks
wrong = 0
for i in range(10):
    got = array("i", [-1])
    receive = comm.Irecv(got, source=left, tag=i)
    send = comm.Isend(array("i", [rank]), dest=right, tag=i)
    MPI.Request.Waitall([receive, send])
    wrong += got[0] != left
total = array("i", [0])
comm.Allreduce(array("i", [wrong]), total)
if rank == 0:
    print(total[0], "wrong")
