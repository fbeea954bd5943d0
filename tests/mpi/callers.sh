# SPDX-License-Identifier: GPL-3.0-or-later
# Where a call comes from is found whatever it comes from: no frame pointers, a jump, a signal
# handler, a small stack, a coroutine, a module that is gone by then, code without unwind tables;
# and what is written down (object, build id, offset) can be looked up afterwards, in a copy with
# debug information, wherever the objects lay in memory.
. "$srcdir/tests/testlib.sh"
need_file addr2line binutils
flags="-w -g -O2 -fomit-frame-pointer"

# Words wanted. shellcheck disable=SC2086
"$mpicc" $flags "$srcdir/tests/mpi/callers.c" -o callers -lpthread -ldl
"$mpicc" $flags -shared -fPIC -DMODULE=one "$srcdir/tests/mpi/callers.c" -o one.so
# Words wanted. shellcheck disable=SC2086
"$mpicc" $flags -shared -fPIC -DMODULE=other -DLATER "$srcdir/tests/mpi/callers.c" -o other.so
# Words wanted. shellcheck disable=SC2086
"$mpicc" $flags -fno-asynchronous-unwind-tables -fno-unwind-tables -shared -fPIC \
	-DMODULE=untold "$srcdir/tests/mpi/callers.c" -o untold.so
mkdir whole
cp callers one.so other.so untold.so whole/
strip callers one.so other.so untold.so

# The paths of all ranks, each once: "FUNCTION<FUNCTION..." of those that are ours.
paths_of() # RUN [FUNCTION]
{
	grep -A 1 "^ENTER.*\"${2:-MPI_Barrier}\"" "$1.events" |
		sed -n 's/.*CALL_SITE" [^"]*"\([^"]*\)".*/\1/p' | sort -u >"$1.sites"
	while IFS= read -r site; do
		path=
		for frame in $(echo "$site" | tr ';' ' '); do
			object=$(basename "${frame%%:*}")
			[ -e "whole/$object" ] || continue
			# The call is before where it returns to.
			name=$(addr2line -f -e "whole/$object" $(printf '0x%x' $((${frame##*+} - 1))) | head -n 1)
			[ "$name" = _start ] || path=$path${path:+<}$name
		done
		echo "$path"
	done <"$1.sites" | sort -u
}

modules="./one.so ./other.so ./untold.so"
# Words wanted. shellcheck disable=SC2086
capture bare mpi_run 2 timeout 60 ./callers $modules
expect_status 0 bare
for run in first second; do # at other addresses
	# Words wanted. shellcheck disable=SC2086
	capture job mpi_run 2 timeout 60 "$contend" record -o $run ./callers $modules
	expect_status 0 "$run run"
	[ ! -s job.err ] || { cat job.err >&2; fail "something to complain of"; }
	expect_same_results sort bare.out job.out
	expect_clean_archive $run
	paths_of $run >$run.paths
	expect_lines 13 $run.sites # of ranks that lie at addresses of their own
	grep -Eo "$PWD/(callers|[a-z]*\\.so):[0-9a-f]+\\+0x[0-9a-f]+" $run.sites |
		sort -u >$run.frames
	for function in MPI_Init_thread MPI_Finalize; do # recorded apart from all others
		paths_of $run $function >$run.path
		[ "$(cat $run.path)" = main ] || fail "$function is called from '$(cat $run.path)'"
	done
done
cat first.paths
for path in 'plain<main' 'before_jump<main' 'grows<main' 'handler<interrupted<main' \
	'handler<interrupted<on_other_stack<main' in_thread \
	'shared<room_16<coroutine' 'shared<room_32<coroutine' 'shared<room_48<coroutine' \
	'shared<room_64<coroutine' 'one<load<main' 'other<load<main' \
	'untold(<.*)?'; do
	expect_line "^$path\$" first.paths
done
diff -u first.paths second.paths >&2 || fail "other paths in the second run"
diff -u first.frames second.frames >&2 || fail "offsets that depend on where the objects lay"
for object in callers one.so other.so untold.so; do
	id=$(readelf -n whole/$object | sed -n 's/.*Build ID: //p')
	expect_line "/$object:$id\\+" first.frames
done

# In Fortran the caller is the program, not the binding of MPI.
[ -n "$mpifort" ] || { echo "no mpifort of $MPI: Debian package gfortran"; exit 0; }
for binding in MPIF_H USE_MPI USE_MPI_F08; do
	# Words wanted. shellcheck disable=SC2086
	"$mpifort" $flags -fno-inline -fallow-argument-mismatch -ffree-line-length-none \
		-DBIND_$binding "$srcdir/tests/mpi/fortran_rules.F90" -o rules
	cp rules whole/
	strip rules
	capture job mpi_run 2 timeout 60 "$contend" record -o rules.contend ./rules
	expect_status 0 "rules, $binding"
	expect_clean_archive rules.contend
	paths_of rules.contend MPI_Ssend >rules.paths
	cat rules.paths
	expect_lines 2 rules.contend.sites # of two calls of send
	! grep -v "^$PWD/rules:" rules.contend.sites >&2 || fail "$binding: called by somebody else"
	expect_lines 1 rules.paths
	! grep -Ev '^send[.0-9]*<indices[.0-9]*<' rules.paths >&2 ||
		fail "$binding: not those paths"
	for function in MPI_Init MPI_Finalize; do
		paths_of rules.contend $function >rules.path
		expect_line '^(MAIN__|fortran_rules)(<main)?$' rules.path
		expect_lines 1 rules.path
	done
	rm -rf rules.contend*
done
