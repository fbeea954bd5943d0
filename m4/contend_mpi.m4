# SPDX-License-Identifier: GPL-3.0-or-later
# Which MPIs the recorder gets a backend for. A compiler wrapper's kind is asked
# from its own mpi.h, never guessed from its name; the first wrapper of a kind wins.

# CONTEND_MPI_KIND(WRAPPER): sets contend_kind to openmpi, mpich or nothing.
AC_DEFUN([CONTEND_MPI_KIND], [
  cat >conftest_mpi.c <<'_EOF'
#include <mpi.h>
#if defined(OMPI_MAJOR_VERSION)
contend_kind=openmpi
#elif defined(MPICH_VERSION)
contend_kind=mpich
#endif
_EOF
  contend_kind=`"$1" -E -P conftest_mpi.c 2>/dev/null | sed -n 's/^contend_kind=//p'`
  rm -f conftest_mpi.c])

# CONTEND_MPI_TRY(WRAPPER): if WRAPPER exists and its kind is new, sets
# KIND_MPICC, KIND_MPIFORT, KIND_MPIEXEC, KIND_CPPFLAGS and KIND_LIBS.
AC_DEFUN([CONTEND_MPI_TRY], [
  contend_cc=`command -v "$1" 2>/dev/null`
  contend_kind=
  AS_IF([test -n "$contend_cc"], [CONTEND_MPI_KIND([$contend_cc])])
  contend_dir=${contend_cc%/*}
  contend_suffix=${contend_cc[##]*/mpicc}
  contend_fc=$contend_dir/mpifort$contend_suffix
  test -x "$contend_fc" || contend_fc=
  contend_mpiexec=$contend_dir/mpiexec$contend_suffix
  test -x "$contend_mpiexec" || contend_mpiexec=
  AS_CASE([$contend_kind:$OPENMPI_MPICC:$MPICH_MPICC],
    [openmpi::*], [
      OPENMPI_MPICC=$contend_cc OPENMPI_MPIFORT=$contend_fc OPENMPI_MPIEXEC=$contend_mpiexec
      contend_compile=`"$contend_cc" -showme:compile`
      contend_link=`"$contend_cc" -showme:link`
      CONTEND_MPI_FLAGS([OPENMPI])],
    [mpich:*:], [
      MPICH_MPICC=$contend_cc MPICH_MPIFORT=$contend_fc MPICH_MPIEXEC=$contend_mpiexec
      contend_compile=`"$contend_cc" -compile_info`
      contend_link=`"$contend_cc" -link_info`
      CONTEND_MPI_FLAGS([MPICH])])])

# CONTEND_MPI_FLAGS(KIND): of all that the wrapper adds, only where mpi.h and the
# libraries are; its optimisation and hardening flags are not ours to copy.
AC_DEFUN([CONTEND_MPI_FLAGS], [
  $1_CPPFLAGS= $1_LIBS=
  for contend_flag in $contend_compile; do
    AS_CASE([$contend_flag], [-I*|-D*], [$1_CPPFLAGS="$$1_CPPFLAGS $contend_flag"])
  done
  for contend_flag in $contend_link; do
    AS_CASE([$contend_flag], [-L*|-l*|-Wl,-rpath*], [$1_LIBS="$$1_LIBS $contend_flag"])
  done])

# CONTEND_FIND_MPI(): --with-mpi, its substitutions and conditionals.
AC_DEFUN([CONTEND_FIND_MPI], [
  AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi=LIST],
    [record programs of these MPIs: openmpi, mpich or paths of mpicc wrappers,
     separated by commas (default: all that are found)])], [], [with_mpi=yes])
  OPENMPI_MPICC= MPICH_MPICC=
  AS_CASE([$with_mpi],
    [no], [],
    [yes], [
      for contend_try in mpicc.openmpi mpicc.mpich mpicc; do
        CONTEND_MPI_TRY([$contend_try])
      done],
    [for contend_item in `echo "$with_mpi" | tr ',' ' '`; do
      AS_CASE([$contend_item],
        [openmpi|mpich], [contend_tries="mpicc.$contend_item mpicc"],
        [contend_tries=$contend_item])
      contend_item_found=
      for contend_try in $contend_tries; do
        CONTEND_MPI_TRY([$contend_try])
        AS_CASE([$contend_item:$contend_kind],
          [openmpi:mpich|mpich:openmpi], [],
          [*:openmpi|*:mpich], [contend_item_found=yes; break])
      done
      AS_IF([test -z "$contend_item_found"],
        [AC_MSG_ERROR([--with-mpi=$contend_item: no mpicc of Open MPI or MPICH found by that name])])
    done
    AS_CASE([,$with_mpi,],
      [*,openmpi,*|*/*], [], [OPENMPI_MPICC=])
    AS_CASE([,$with_mpi,],
      [*,mpich,*|*/*], [], [MPICH_MPICC=])])
  AS_IF([test -z "$OPENMPI_MPICC$MPICH_MPICC" && test "$with_mpi" != no],
    [CONTEND_MISSING([an MPI (mpicc)], [libopenmpi-dev or libmpich-dev])])
  AC_MSG_CHECKING([for Open MPI])
  AC_MSG_RESULT([${OPENMPI_MPICC:-no}])
  AC_MSG_CHECKING([for MPICH])
  AC_MSG_RESULT([${MPICH_MPICC:-no}])
  contend_mpis="${OPENMPI_MPICC:+openmpi} ${MPICH_MPICC:+mpich}"
  AC_SUBST([CONTEND_MPIS], [$contend_mpis])
  AC_SUBST([OPENMPI_MPICC]) AC_SUBST([OPENMPI_MPIFORT]) AC_SUBST([OPENMPI_MPIEXEC])
  AC_SUBST([OPENMPI_CPPFLAGS]) AC_SUBST([OPENMPI_LIBS])
  AC_SUBST([MPICH_MPICC]) AC_SUBST([MPICH_MPIFORT]) AC_SUBST([MPICH_MPIEXEC])
  AC_SUBST([MPICH_CPPFLAGS]) AC_SUBST([MPICH_LIBS])
  AM_CONDITIONAL([HAVE_OPENMPI], [test -n "$OPENMPI_MPICC"])
  AM_CONDITIONAL([HAVE_MPICH], [test -n "$MPICH_MPICC"])])
