# SPDX-License-Identifier: GPL-3.0-or-later
# Completion offers exactly the verbs of verbs.def and the flags of options.def.
PATH=$builddir:$PATH
exec bash -c '
compopt() { :; }
. "$0/share/contend.bash"
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _contend contend; echo "$*: ${COMPREPLY[*]}"; }
try contend ""
try contend re
try contend report --
try contend record -
try contend record ./app --
' "$srcdir"
