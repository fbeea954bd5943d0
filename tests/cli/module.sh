# SPDX-License-Identifier: GPL-3.0-or-later
# The module file, as it is installed: the program is found once it is loaded, and no more after
# that, by those who have a MANPATH and those who have none.
. "$srcdir/tests/testlib.sh"
need_file modulecmd environment-modules

mkdir -p contend
sed "s,^prepend-path PATH .*,prepend-path PATH \"$builddir\"," "$builddir/share/modulefile" \
	>contend/0.1
grep -q "$builddir" contend/0.1 || fail "it does not say where the program is"
! grep -n '@[a-zA-Z_]*@' contend/0.1 || fail "what configure knows is not filled in"
export MODULEPATH="$PWD"
unset LOADEDMODULES _LMFILES_

module() # ARGUMENT...
{
	eval "$(modulecmd sh "$@" 2>said)"
}

for manuals in '' /usr/share/man; do
	unset MANPATH
	[ -z "$manuals" ] || export MANPATH=$manuals
	module load contend
	[ "$(command -v contend)" = "$builddir/contend" ] || fail "not found: $(cat said)"
	[ "${MANPATH+set}" = "${manuals:+set}" ] || fail "MANPATH is '${MANPATH-}'"
	module help contend
	expect_line 'mpirun -n 64 contend record \./app args' said
	module whatis contend
	expect_line 'contend .*: where the messages of an MPI job wait, and why' said
	module unload contend
	! command -v contend || fail "found when it was unloaded"
	[ "${MANPATH-}" = "$manuals" ] || fail "MANPATH is '$MANPATH' when it was unloaded"
done
