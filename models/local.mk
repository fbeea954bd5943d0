# SPDX-License-Identifier: GPL-3.0-or-later
# models/: pure mathematics.

noinst_LIBRARIES += libmodels.a
libmodels_a_SOURCES =
libmodels_a_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS)
