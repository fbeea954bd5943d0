# SPDX-License-Identifier: BSD-3-Clause
# interpose/: the only code inside the user's process.
#
# libcontend.so            the front: preloaded, needs libc only
# libcontend-openmpi.so    a backend for each MPI found, the same sources
# libcontend-mpich.so      compiled against that MPI's mpi.h
#
# They are built in .libs/ and installed in $(pkglibdir).

recorder_cflags = $(AM_CFLAGS) -fvisibility=hidden -ftls-model=initial-exec
recorder_ldflags = -module -avoid-version -shared -Wl,-z,defs
front_sources =
backend_sources =
backend_cppflags = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(LIBUNWIND_CFLAGS)
backend_libs = libcommon.la $(OTF2_LIBS) $(LIBUNWIND_LIBS)

if HAVE_INTERPOSE
pkglib_LTLIBRARIES += libcontend.la
libcontend_la_SOURCES = $(front_sources)
libcontend_la_CFLAGS = $(recorder_cflags)
libcontend_la_LDFLAGS = $(recorder_ldflags)

if HAVE_OPENMPI
pkglib_LTLIBRARIES += libcontend-openmpi.la
libcontend_openmpi_la_SOURCES = $(backend_sources)
libcontend_openmpi_la_CPPFLAGS = $(backend_cppflags) $(OPENMPI_CPPFLAGS)
libcontend_openmpi_la_CFLAGS = $(recorder_cflags)
libcontend_openmpi_la_LDFLAGS = $(recorder_ldflags)
libcontend_openmpi_la_LIBADD = $(backend_libs) $(OPENMPI_LIBS)
endif

if HAVE_MPICH
pkglib_LTLIBRARIES += libcontend-mpich.la
libcontend_mpich_la_SOURCES = $(backend_sources)
libcontend_mpich_la_CPPFLAGS = $(backend_cppflags) $(MPICH_CPPFLAGS)
libcontend_mpich_la_CFLAGS = $(recorder_cflags)
libcontend_mpich_la_LDFLAGS = $(recorder_ldflags)
libcontend_mpich_la_LIBADD = $(backend_libs) $(MPICH_LIBS)
endif
endif
