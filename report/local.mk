# SPDX-License-Identifier: GPL-3.0-or-later
# report/: document -> text, comparison.

noinst_LIBRARIES += libreport.a
libreport_a_SOURCES =
libreport_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(SMARTCOLS_CFLAGS)
