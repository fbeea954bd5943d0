# SPDX-License-Identifier: GPL-3.0-or-later
# What a process becomes after MPI_Finalize need not call MPI: nothing is said of it, and its
# environment is as it was, but for the recorder's mark of the process.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/becomes.c" -o becomes
for how in execv execve execvp execvpe fexecve execl execlp execle; do
	capture $how env BECOMES_KEPT=yes "$mpiexec" -n 2 timeout 60 "$contend" record \
		-o $how.contend ./becomes $how
	expect_status 0 "$how"
	[ ! -s $how.err ] || fail "$how: $(cat $how.err)"
	[ "$(grep -c '^BECOMES_KEPT=yes$' $how.out)" -eq 2 ] || fail "$how: the environment is lost"
	grep -q '^LD_PRELOAD=.*libcontend' $how.out || fail "$how: the environment has changed"
	expect_verdict $how.contend
done
