# SPDX-License-Identifier: GPL-3.0-or-later
# record becomes the program: its status, its arguments; what cannot be recorded still runs.
PATH=$builddir:$PATH

try()
{
	echo "\$ $*"
	"$@" 2>&1
	echo "exit $?"
}

try contend record /bin/sh -c 'exit 7'
try contend record -- /bin/sh -c 'echo "$0"' --depth
try contend record --off env -u LD_PRELOAD /bin/echo quiet
try contend record ./no-such-program
try contend record no-such-program
try contend record /etc/passwd
try contend record --libdir=/nowhere /bin/echo runs anyway
PMI_RANK=1 try contend record --libdir=/nowhere /bin/echo says nothing
try contend record --depth=3 /bin/sh -c 'echo $CONTEND_DEPTH $CONTEND_ORIGINS'
LD_PRELOAD=libutil.so.1 try contend record /bin/sh -c 'echo ${LD_PRELOAD%%:/*/libcontend.so}'
