# SPDX-License-Identifier: GPL-3.0-or-later
# Every function of this MPI, be it declared in its headers or only exported by its library,
# has a row in calls.def: recorded, or looked at and found quiet. No row stands for nothing. What
# is recorded is called in a test program.
. "$srcdir/tests/testlib.sh"

# Prints the functions of the MPI whose compiler wrapper is COMMAND, one a line.
functions_of() # COMMAND
{
	printf '#include <mpi.h>\n#ifdef OPEN_MPI\n#include <mpi-ext.h>\n#endif\nint main(void) { return MPI_Init(0, 0); }\n' >all.c
	# "MPI_Aint (" is a type. shellcheck disable=SC2030
	"$1" -E all.c | tr '\n' ' ' | grep -Eo '\bMPIX?_[A-Z][A-Za-z0-9_]* *\(' | tr -d ' (' |
		grep -vx MPI_Aint
	"$1" all.c -o all
	library=$(ldd all | sed -En 's/.*libmpi(ch)?\.so\.[^ ]* => ([^ ]+) .*/\2/p')
	nm -D --defined-only "$library" | sed -En 's/.* [TWV] P(MPIX?_[A-Za-z0-9_]+)$/\1/p'
}

# Prints the rows' functions by -D arguments that say what each kind is to print.
rows() # [ARGUMENT]...
{
	"$mpicc" -E -P -x c -I"$srcdir" "$@" "$srcdir/interpose/calls/calls.def" |
		grep -Eo '\bMPIX?_\w+' |
		sort
}

functions_of "$mpicc" | sort -u >functions
for other in $MPIS; do
	case $other in
	openmpi) functions_of "$OPENMPI_MPICC" ;;
	mpich) functions_of "$MPICH_MPICC" ;;
	esac
done | sort -u >functions-of-all
[ "$(wc -l <functions)" -gt 400 ] || fail "only $(wc -l <functions) functions in this MPI"

recorded="-DCALL(name,...)=MPI_##name -DSPECIAL(name,...)=MPI_##name"
mpix="-DSOME_MPIX(name,...)=MPIX_##name"
quiet="-DQUIET(name)=MPI_##name -DQUIET_MPIX(name)=MPIX_##name"
# Words wanted. shellcheck disable=SC2086
rows $recorded $mpix >recorded
rows '-DCALL(...)=' '-DSPECIAL(...)=' $quiet >quiet
# What every MPI must have.
rows $recorded '-DSOME_SPECIAL(...)=' '-DSOME_MPI(...)=' '-DSOME_MPIX(...)=' >certain

sort recorded quiet | uniq -d >twice
[ ! -s twice ] || fail "two rows in calls.def:" $(cat twice)
sort -u recorded quiet >all-rows
sort -u all-rows | comm -23 functions - >missing
[ ! -s missing ] || fail "not in calls.def:" $(cat missing)
comm -23 certain functions >unknown
[ ! -s unknown ] || fail "in calls.def and not in this MPI:" $(cat unknown)
if [ "$MPIS" = "openmpi mpich" ]; then # a row for another MPI than these is a mistake
	comm -23 all-rows functions-of-all >unknown
	[ ! -s unknown ] || fail "in calls.def and in no MPI:" $(cat unknown)
fi

# What the programs of this folder call, without what headers declare: "# 12 "FILE"" says where the
# lines come from.
for program in "$srcdir"/tests/mpi/*.c; do
	"$mpicc" -E -I"$srcdir" "$program" | awk -v here="$srcdir/tests/mpi/" '
	/^# [0-9]+ "/ { ours = index($3, "\"" here) == 1; next }
	ours { gsub(/"[^"]*"/, ""); print }' | grep -Eo '\bMPIX?_\w+' || true
done | sort -u >called
# MPICH 4.0.2 ends the process in what it has of fault tolerance.
sort -u called - <<-END >called-or-not-to-be
	MPIX_Comm_agree
	MPIX_Comm_revoke
	MPIX_Comm_shrink
END
comm -12 functions recorded | comm -23 - called-or-not-to-be >missing
[ ! -s missing ] || fail "recorded, and called in no test:" $(cat missing)

# What the rows say is what the preloaded library does.
nm -D --defined-only "$builddir/.libs/libcontend.so" |
	sed -En 's/.* T (MPIX?_[A-Za-z0-9_]+)$/\1/p' |
	sort >exported
comm -3 recorded exported >differing
[ ! -s differing ] ||
	fail "the preloaded library has other functions than the rows:" $(cat differing)
echo "$(comm -12 functions recorded | wc -l) functions recorded and $(comm -12 functions quiet | wc -l) quiet of $(wc -l <functions)"
