# SPDX-License-Identifier: GPL-3.0-or-later
# analyze/: trace -> tables -> attribution -> document.

noinst_LIBRARIES += libanalyze.a
libanalyze_a_SOURCES =
libanalyze_a_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(JANSSON_CFLAGS) $(GSL_CFLAGS) \
	$(LIBDW_CFLAGS) $(HWLOC_CFLAGS)
