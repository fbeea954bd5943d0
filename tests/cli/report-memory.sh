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

for size in 0 10M; do
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
capture without limited "$PWD/none"
expect_status 1 "report within 30 MB without a file"
expect_line '^contend: error: .*memory' without.err
limited "$TMPDIR" --memory=5M >file.json || fail "within 30 MB with --memory=5M"
cmp all.json file.json || fail "within 30 MB, --memory=5M, it finds something else"
limited "$TMPDIR" >file.json 2>file.err || fail "within 30 MB: $(cat file.err)"
cmp all.json file.json || fail "within 30 MB it finds something else"
expect_line "are free; the rest will be in a file in $TMPDIR, which takes longer$" file.err

short()
{
	(ulimit -f 8000 && exec "$contend" report --json --memory=0 run)
}
capture short short
expect_status 1 "report with files of 4 MB at most"
expect_line "no room for [0-9.]* GB of tables in $TMPDIR, .*: File too large; set TMPDIR" short.err

capture nowhere env TMPDIR="$PWD/none" "$contend" report --memory=0 run
expect_status 1 "report without a folder for tables"
expect_line "^contend: error: no file for large tables can be made in $PWD/none: No such" nowhere.err
capture much "$contend" report --memory=much run
expect_status 2 "report --memory=much"
expect_line '^contend: error: --memory=much: expected a size' much.err
[ -z "$(ls tables)" ] || fail "left behind: $(ls tables)"
