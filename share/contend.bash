# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion of contend: verbs and options as its own --help lists them.

_contend()
{
	local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} help i

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		help=$("$1" --help 2>/dev/null |
			sed -n 's/^  .*contend \([a-z]*\)[ ].*/\1/p')
		mapfile -t COMPREPLY < <(compgen -W "$help --help --version" -- "$word")
		return
	fi
	if [ "$verb" = record ]; then
		# After the first word that is not an option everything is the program's.
		for ((i = 2; i < COMP_CWORD; i++)); do
			case ${COMP_WORDS[i]} in
			-*|=) ;;
			*) compopt -o default; return ;;
			esac
		done
	fi
	case $word in
	-*)
		help=$("$1" "$verb" --help 2>/dev/null |
			sed -n 's/^ \{2,\}\(-[a-z?], \)\{0,1\}\(--[a-z-]*=\{0,1\}\).*/\2/p')
		mapfile -t COMPREPLY < <(compgen -W "$help" -- "$word")
		[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace
		;;
	*)
		compopt -o default
		;;
	esac
}
complete -F _contend contend
