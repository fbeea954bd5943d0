# SPDX-License-Identifier: GPL-3.0-or-later
# cmd/: the program. Our own libraries are linked statically, so that it also runs
# from the build tree as it is.

contend_parts = libreport.a libanalyze.a libmodels.a libcommon.la
contend_libs = $(OTF2_LIBS) $(JANSSON_LIBS) $(GSL_LIBS) $(LIBDW_LIBS) $(HWLOC_LIBS) \
	$(SMARTCOLS_LIBS)

if HAVE_CMD
bin_PROGRAMS += contend
contend_SOURCES = \
	cmd/main.c
contend_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
contend_LDADD = $(contend_parts) $(contend_libs)

if HAVE_HELP2MAN
man1_MANS += contend.1
CLEANFILES += contend.1
contend.1: contend
	$(AM_V_GEN)$(HELP2MAN) --no-info --name="find where the messages of an MPI job wait" \
		--output=$@ ./contend
endif
endif
