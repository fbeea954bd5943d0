# SPDX-License-Identifier: GPL-3.0-or-later
# tests/: add the name of a test here and nothing else.

# Unit tests: tests/unit/test_MODULE from tests/unit/test_MODULE.c
unit_tests = tests/unit/test_options

LDADD = $(contend_parts) $(contend_libs) $(CUNIT_LIBS)

if HAVE_CUNIT
check_PROGRAMS += $(unit_tests)
endif

# What the driver tells every test; paths are absolute. See tests/run.
tests_environment = srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' \
	MPIS='$(CONTEND_MPIS)' OTF2_PRINT='$(OTF2_PRINT)' \
	OPENMPI_CC='$(OPENMPI_CC)' OPENMPI_FC='$(OPENMPI_FC)' OPENMPI_MPIEXEC='$(OPENMPI_MPIEXEC)' \
	MPICH_CC='$(MPICH_CC)' MPICH_FC='$(MPICH_FC)' MPICH_MPIEXEC='$(MPICH_MPIEXEC)'
