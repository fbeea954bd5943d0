# SPDX-License-Identifier: GPL-3.0-or-later
# Where memory does not do, tables of calls and messages are in a file, and the document is the
# same to the byte; where there can be no file, or none that is large enough, one sentence says so.
. "$srcdir/tests/testlib.sh"

case $(stat -f -c %T .) in tmpfs | ramfs) skip "this folder is in memory" ;; esac
"$builddir/tests/bench/mkbig" run 64 1000000
unset PMI_RANK MPI_LOCALNRANKS
export OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=1 # one thread: a stack counts as data
export TMPDIR=$PWD/tables
mkdir tables
"$contend" report --json --messages=all.csv run >all.json

# ... by two hands, too, and by one
for size in 0 10M; do
	OMPI_COMM_WORLD_LOCAL_SIZE=2 "$contend" report --json --messages=file.csv --memory=$size run \
		>file.json
	cmp all.json file.json && cmp all.csv file.csv ||
		fail "--memory=$size finds something else with two hands"
	"$contend" report --json --messages=file.csv --memory=$size run >file.json
	cmp all.json file.json && cmp all.csv file.csv || fail "--memory=$size finds something else"
done
"$contend" info --memory=0 run >info.txt
"$contend" info run | cmp - info.txt || fail "info --memory=0 lists something else"
"$contend" diff --memory=0 run all.json >diff.txt || fail "diff --memory=0: $(cat diff.txt)"

# Private memory is limited to what does not do, files are not. Without --memory that is seen.
limited() # TMPDIR OPTION...
{
	folder=$1
	shift
	(ulimit -d 30000 && TMPDIR=$folder exec "$contend" report --json "$@" run)
}
limited "$PWD/none" >file.json 2>other.err || fail "within 30 MB, elsewhere: $(cat other.err)"
cmp all.json file.json || fail "within 30 MB, elsewhere, it finds something else"
expect_line "are free; the rest will be in a file in /.*, which takes longer$" other.err
expect_line "can be made in $PWD/none: No such file or directory; it is in /" other.err
limited "$TMPDIR" --memory=5M >file.json || fail "within 30 MB with --memory=5M"
cmp all.json file.json || fail "within 30 MB, --memory=5M, it finds something else"
limited "$TMPDIR" >file.json 2>file.err || fail "within 30 MB: $(cat file.err)"
cmp all.json file.json || fail "within 30 MB it finds something else"
expect_line "are free; the rest will be in a file in $TMPDIR, which takes longer$" file.err

# What cannot be in the file does not grow with the events: five times as many need no more. Nor
# where every message has a tag and a size of its own.
within() # KB RUN
{
	(ulimit -d $1 && exec "$contend" report --json --memory=0 $2) >file.json 2>within.err
}
grows_not() # FEW MANY
{
	least=4000
	until within $least $1; do
		[ $least -lt 100000 ] ||
			fail "$1 within $least kB with --memory=0: $(cat within.err)"
		least=$((least * 5 / 4))
	done
	within $((least * 5 / 4)) $2 || fail "$1 takes $least kB, and $2 more: $(cat within.err)"
}
"$builddir/tests/bench/mkbig" long 64 5000000
"$builddir/tests/bench/mkbig" unlike 4 400000 unlike
"$builddir/tests/bench/mkbig" long-unlike 4 2000000 unlike
grows_not run long
grows_not unlike long-unlike
rm -r long unlike long-unlike

short()
{
	(ulimit -f 8000 && exec "$contend" report --json --memory=0 run)
}
capture short short
expect_status 1 "report with files of 4 MB at most"
expect_line "no room for [0-9.]* MB of tables in $TMPDIR, which has [0-9.]* MB of others: File too large; set TMPDIR" short.err

# Of a folder that cannot have the file it is said, and the next one has it; -v says which.
TMPDIR=$PWD/none "$contend" report -v --json --memory=0 run >file.json 2>nowhere.err ||
	fail "TMPDIR is not there: $(cat nowhere.err)"
cmp all.json file.json || fail "with another folder than TMPDIR it finds something else"
expect_line "^contend: no file for large tables can be made in $PWD/none: No such.*; it is in /" \
	nowhere.err
expect_line "^contend: up to [0-9.]* MB of tables were in a file in /" nowhere.err
"$contend" report -v --json run 2>&1 >/dev/null | grep 'were in a file' &&
	fail "-v speaks of a file that was not needed"
capture much "$contend" report --memory=much run
expect_status 2 "report --memory=much"
expect_line '^contend: error: --memory=much: expected a size' much.err
[ -z "$(ls tables)" ] || fail "left behind: $(ls tables)"
