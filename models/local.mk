# SPDX-License-Identifier: GPL-3.0-or-later
# models/: pure mathematics.

noinst_LIBRARIES += libmodels.a
libmodels_a_SOURCES = \
	models/domain.c models/domain.h \
	models/hockney.c models/hockney.h \
	models/loggp.c models/loggp.h \
	models/plogp.c models/plogp.h
libmodels_a_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS)
