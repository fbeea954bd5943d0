# SPDX-License-Identifier: GPL-3.0-or-later
# tests/: add the name of a test here and nothing else.

# Unit tests: tests/unit/test_MODULE from tests/unit/test_MODULE.c
unit_tests = tests/unit/test_options \
	tests/unit/test_attribution tests/unit/test_loggp tests/unit/test_machine \
	tests/unit/test_plogp tests/unit/test_replay \
	tests/unit/test_rule_incast tests/unit/test_rule_order \
	tests/unit/test_compare tests/unit/test_document tests/unit/test_text \
	tests/unit/test_clock tests/unit/test_collectives tests/unit/test_damage \
	tests/unit/test_evtcheck tests/unit/test_log \
	tests/unit/test_messages tests/unit/test_reader tests/unit/test_run tests/unit/test_scenarios \
	tests/unit/test_sites

# What tests share: archives with known events, scratch directories.
check_LIBRARIES = tests/libfixture.a
tests_libfixture_a_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS)
tests_libfixture_a_SOURCES = \
	tests/mkarchive.h tests/mkdefs.c tests/mktrace.c tests/mktrace.h \
	tests/mkrandom.c tests/mkrandom.h tests/mkscenario.c tests/mkscenario.h \
	tests/unit/exchange.c tests/unit/exchange.h \
	tests/unit/tables.c tests/unit/tables.h \
	tests/scratch.c tests/scratch.h

# Run directories: an exchange for tests/cli; any scenario, with the truth about it.
check_PROGRAMS += tests/mkexchange tests/mktrace
tests_mktrace_SOURCES = tests/mktrace_main.c

LDADD = tests/libfixture.a $(contend_parts) $(contend_libs) $(CUNIT_LIBS)

if HAVE_CUNIT
check_PROGRAMS += $(unit_tests)
endif

# What the driver tells every test; paths are absolute. See tests/run.
tests_environment = srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' \
	MPIS='$(CONTEND_MPIS)' OTF2_PRINT='$(OTF2_PRINT)' \
	OPENMPI_CC='$(OPENMPI_CC)' OPENMPI_FC='$(OPENMPI_FC)' OPENMPI_MPIEXEC='$(OPENMPI_MPIEXEC)' \
	MPICH_CC='$(MPICH_CC)' MPICH_FC='$(MPICH_FC)' MPICH_MPIEXEC='$(MPICH_MPIEXEC)'
