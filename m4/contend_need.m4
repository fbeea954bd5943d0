# SPDX-License-Identifier: GPL-3.0-or-later
# What the build needs and which Debian package brings it. Everything missing is
# collected and named in one list, so that one installation suffices.

# CONTEND_NEED_INIT()
AC_DEFUN([CONTEND_NEED_INIT], [contend_missing= contend_missing_packages=])

# CONTEND_MISSING(WHAT, DEBIAN-PACKAGE)
AC_DEFUN([CONTEND_MISSING], [
  contend_missing="$contend_missing
    $1: Debian package $2"
  contend_missing_packages="$contend_missing_packages $2"])

# CONTEND_NEED_MODULE(VARIABLE, PKG-CONFIG-MODULE, DEBIAN-PACKAGE)
AC_DEFUN([CONTEND_NEED_MODULE], [
  PKG_CHECK_MODULES([$1], [$2], [], [CONTEND_MISSING([$2], [$3])])])

# CONTEND_NEED_HEADER(HEADER, DEBIAN-PACKAGE)
AC_DEFUN([CONTEND_NEED_HEADER], [
  AC_CHECK_HEADER([$1], [], [CONTEND_MISSING([$1], [$2])])])

# CONTEND_NEED_DONE()
AC_DEFUN([CONTEND_NEED_DONE], [
  AS_IF([test -n "$contend_missing"], [
    AC_MSG_ERROR([missing:
$contend_missing

install them with: sudo apt-get install$contend_missing_packages])])])
