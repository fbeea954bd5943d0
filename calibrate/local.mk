# SPDX-License-Identifier: GPL-3.0-or-later
# calibrate/: measures the machine. It calls MPI by name, so there is a program for each MPI
# beside the recorder's backends; `contend calibrate` becomes the right one.

# What calls no MPI: its unit tests link it.
calibrate_numbers = \
	cmd/calibrate/calibrate_conditions.c cmd/calibrate/calibrate_conditions.h \
	cmd/calibrate/calibrate_drift_file.c cmd/calibrate/calibrate_drift_file.h \
	cmd/calibrate/calibrate_drift_point.c cmd/calibrate/calibrate_drift_point.h \
	cmd/calibrate/calibrate_unidentified.c cmd/calibrate/calibrate_unidentified.h \
	analyze/machine/machine_file.c analyze/machine/machine_file.h \
	analyze/run/mistaken.c analyze/run/mistaken.h analyze/run/run.c analyze/run/run.h \
	calibrate/blocks.c calibrate/blocks.h \
	calibrate/cacheline.c calibrate/cacheline.h \
	calibrate/contention_fit.c calibrate/contention_fit.h \
	calibrate/core.c calibrate/core.h \
	calibrate/credit.c calibrate/credit.h \
	calibrate/derived.c calibrate/derived.h \
	calibrate/launches.c calibrate/launches.h \
	calibrate/look.h \
	calibrate/moved.c calibrate/moved.h \
	calibrate/partners.c calibrate/partners.h \
	calibrate/places.c calibrate/places.h \
	calibrate/rounds.c calibrate/rounds.h \
	calibrate/samples.c calibrate/samples.h

calibrate_sources = $(calibrate_numbers) \
	cmd/calibrate/calibrate_main.c cmd/calibrate/calibrate_json.c cmd/calibrate/calibrate_json.h \
	cmd/calibrate/calibrate_contention.c cmd/calibrate/calibrate_contention.h \
	cmd/calibrate/calibrate_drift.c cmd/calibrate/calibrate_drift.h \
	cmd/launcher.c cmd/launcher.h cmd/launcher_tty.c cmd/launcher_tty.h \
	calibrate/batches.c calibrate/batches.h \
	calibrate/calibration.c calibrate/calibration.h \
	calibrate/contention.c calibrate/contention.h \
	calibrate/drift.c calibrate/drift.h \
	calibrate/exchanges.c calibrate/exchanges.h \
	calibrate/gaps.c calibrate/gaps.h \
	calibrate/pair.c calibrate/pair.h \
	calibrate/ready.c calibrate/ready.h \
	calibrate/saturation.c calibrate/saturation.h \
	calibrate/thresholds.c calibrate/thresholds.h \
	calibrate/together.c calibrate/together.h \
	calibrate/turn.c calibrate/turn.h
calibrate_cppflags = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(HWLOC_CFLAGS)
calibrate_libs = libreport.a libmodels.a libcommon.la $(JANSSON_LIBS) $(HWLOC_LIBS) \
	$(SMARTCOLS_LIBS) $(GSL_LIBS)

calibratedir = $(pkglibdir)
calibrate_PROGRAMS =

if HAVE_OPENMPI
calibrate_PROGRAMS += calibrate-openmpi
calibrate_openmpi_SOURCES = $(calibrate_sources)
calibrate_openmpi_CPPFLAGS = $(calibrate_cppflags) $(OPENMPI_CPPFLAGS)
calibrate_openmpi_LDADD = $(calibrate_libs) $(OPENMPI_LIBS)
endif

if HAVE_MPICH
calibrate_PROGRAMS += calibrate-mpich
calibrate_mpich_SOURCES = $(calibrate_sources)
calibrate_mpich_CPPFLAGS = $(calibrate_cppflags) $(MPICH_CPPFLAGS)
calibrate_mpich_LDADD = $(calibrate_libs) $(MPICH_LIBS)
endif

# Some headers name an MPI's types.
check_LIBRARIES = libcalibrate.a
libcalibrate_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(HWLOC_CFLAGS) $(any_mpi_cppflags)
libcalibrate_a_SOURCES = $(calibrate_numbers)
