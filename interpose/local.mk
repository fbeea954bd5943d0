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
recorder_cppflags = $(AM_CPPFLAGS) -DCONTEND_VERSION=\"$(VERSION)\"

# The rows of all calls, in parts.
calls_rows = \
	interpose/calls/calls.def \
	interpose/calls/calls_coll.def \
	interpose/calls/calls_comm.def \
	interpose/calls/calls_file.def \
	interpose/calls/calls_forms.def \
	interpose/calls/calls_io.def \
	interpose/calls/calls_p2p.def \
	interpose/calls/calls_quiet.def \
	interpose/calls/calls_rma.def \
	interpose/calls/calls_wait.def \
	interpose/calls/calls_win.def

# The same as names, for trampolines. What a row has besides stays out.
calls_names = $(CC) -E -P -x c -I$(srcdir) -D'CALL(name, ...)=MPI_\#\#name' \
	-D'SOME_MPIX(name, ...)=MPIX_\#\#name' -D'SPECIAL(name, ...)=MPI_\#\#name' \
	$(srcdir)/interpose/calls/calls.def

front_sources = \
	$(calls_rows) \
	interpose/front/backend.h \
	interpose/front/front.c \
	interpose/front/front_exec.c interpose/front/front_exec.h \
	interpose/front/front_exit.c interpose/front/front_exit.h \
	interpose/front/front_signals.c interpose/front/front_signals.h \
	interpose/front/front_tool.c interpose/front/front_tool.h \
	interpose/front/symbols.c interpose/front/symbols.h

# Logs to an archive, without MPI: in the backends and in `contend recover`.
trace_sources = \
	interpose/job/simulated.h \
	interpose/evidence/confines.c interpose/evidence/confines.h \
	interpose/evidence/counters.c interpose/evidence/counters.def \
	interpose/evidence/counters.h \
	interpose/log/alive.c interpose/log/alive.h \
	interpose/log/log.c interpose/log/log.h \
	interpose/log/log_format.h \
	interpose/log/log_seal.c interpose/log/log_seal.h \
	interpose/log/log_view.c interpose/log/log_view.h \
	interpose/log/payload.h \
	interpose/log/record.h \
	interpose/log/room.c interpose/log/room.h \
	interpose/log/settings.c interpose/log/settings.h \
	interpose/log/squeeze.c interpose/log/squeeze.h \
	interpose/log/ticks.c interpose/log/ticks.h \
	interpose/archive/archive.c interpose/archive/archive.h \
	interpose/archive/archive_costs.c \
	interpose/archive/archive_attributes.def interpose/archive/archive_definer.h \
	interpose/archive/archive_defs.c interpose/archive/archive_defs.h \
	interpose/archive/archive_groups.c \
	interpose/archive/archive_events.c \
	interpose/archive/archive_io.c \
	interpose/archive/archive_log.c \
	interpose/archive/archive_matched.c \
	interpose/archive/archive_memory.c interpose/archive/archive_memory.h \
	interpose/archive/archive_mpi.h \
	interpose/archive/archive_names.c interpose/archive/archive_names.h \
	interpose/archive/archive_polls.c \
	interpose/archive/archive_rma.c \
	interpose/archive/archive_writer.h \
	interpose/archive/defs.c interpose/archive/defs.h \
	interpose/archive/defs_add.h \
	interpose/archive/defs_check.c \
	interpose/archive/defs_objects.c \
	interpose/archive/jsontext.c interpose/archive/jsontext.h \
	interpose/archive/losses.c interpose/archive/losses.h \
	interpose/archive/pieces.c interpose/archive/pieces.h \
	interpose/archive/recover.c interpose/archive/recover.h \
	interpose/archive/runjson.c interpose/archive/runjson.h \
	interpose/archive/runjson_end.c interpose/archive/runjson_end.h \
	interpose/archive/runjson_evidence.c interpose/archive/runjson_evidence.h \
	interpose/archive/runjson_full.c interpose/archive/runjson_full.h \
	interpose/archive/runjson_processors.c interpose/archive/runjson_processors.h \
	interpose/archive/tidy.c interpose/archive/tidy.h \
	interpose/archive/timeline.c interpose/archive/timeline.h \
	interpose/archive/unreceived.c interpose/archive/unreceived.h

backend_sources = \
	$(trace_sources) $(calls_rows) \
	interpose/calls/helpers.def \
	interpose/calls/mpi4.h \
	interpose/calls/real.h \
	interpose/calls/special.c \
	interpose/calls/wrap.c interpose/calls/wrap.h \
	interpose/front/backend.h \
	interpose/front/symbols.c interpose/front/symbols.h \
	interpose/hooks/callsite.c interpose/hooks/callsite.h \
	interpose/hooks/completions.c interpose/hooks/completions.h \
	interpose/hooks/guards.c interpose/hooks/guards.h \
	interpose/hooks/hooks.h \
	interpose/hooks/hooks_coll.c interpose/hooks/hooks_coll.h \
	interpose/hooks/hooks_count.h \
	interpose/hooks/hooks_io.c interpose/hooks/hooks_io.h \
	interpose/hooks/hooks_matched.c \
	interpose/hooks/hooks_p2p.c interpose/hooks/hooks_p2p.h \
	interpose/hooks/hooks_poll.c \
	interpose/hooks/hooks_rma.c interpose/hooks/hooks_rma.h \
	interpose/hooks/hooks_scope.c \
	interpose/hooks/hooks_wait.c interpose/hooks/hooks_wait.h \
	interpose/hooks/hooks_watch.c \
	interpose/hooks/given.c interpose/hooks/given.h \
	interpose/hooks/left.c interpose/hooks/left.h \
	interpose/hooks/scope.h \
	interpose/objects/comms.c interpose/objects/comms.h \
	interpose/objects/files.c interpose/objects/files.h \
	interpose/objects/quiet.c interpose/objects/quiet.h \
	interpose/objects/requests.c interpose/objects/requests.h \
	interpose/objects/requests_plain.h \
	interpose/objects/requests_table.c interpose/objects/requests_table.h \
	interpose/objects/sizes.c interpose/objects/sizes.h \
	interpose/objects/skipped.c interpose/objects/skipped.h \
	interpose/objects/windows.c interpose/objects/windows.h \
	interpose/job/answer.c interpose/job/answer.h \
	interpose/job/cost.c interpose/job/cost.h \
	interpose/job/deadly.c interpose/job/deadly.h \
	interpose/job/early.c interpose/job/early.h \
	interpose/job/finish.c interpose/job/finish.h \
	interpose/job/full.c interpose/job/full.h \
	interpose/job/lane.h \
	interpose/job/lanes.c \
	interpose/job/launch.c interpose/job/launch.h \
	interpose/job/launch_job.c \
	interpose/job/meetings.c interpose/job/meetings.h \
	interpose/job/nodes.c interpose/job/nodes.h \
	interpose/job/offsets.c interpose/job/offsets.h \
	interpose/job/pause.c interpose/job/pause.h \
	interpose/job/process.c interpose/job/process.h \
	interpose/job/recorder.c interpose/job/recorder.h \
	interpose/job/sessions.c interpose/job/sessions.h \
	interpose/job/world.c interpose/job/world.h \
	interpose/evidence/evidence.c interpose/evidence/evidence.h \
	interpose/evidence/queues.h \
	interpose/log/arena.c interpose/log/arena.h \
	interpose/archive/archive_mpi.c
backend_cppflags = $(recorder_cppflags) $(OTF2_CFLAGS) $(LIBUNWIND_CFLAGS)

EXTRA_DIST += interpose/front/gencalls.awk interpose/front/front.map
CLEANFILES += interpose/trampolines.S interpose/trampolines.S.names
BUILT_SOURCES += interpose/trampolines.S
interpose/trampolines.S: $(calls_rows) interpose/front/gencalls.awk
	$(AM_V_GEN)$(MKDIR_P) interpose && \
		$(calls_names) >$@.names && \
		$(AWK) -f $(srcdir)/interpose/front/gencalls.awk $@.names >$@.new && \
		mv $@.new $@

noinst_LIBRARIES += librecover.a
librecover_a_SOURCES = $(trace_sources)
librecover_a_CPPFLAGS = $(recorder_cppflags) $(OTF2_CFLAGS)
backend_libs = libcommon.la $(OTF2_LIBS) $(LIBUNWIND_LIBS)

pkglib_LTLIBRARIES += libcontend.la
libcontend_la_SOURCES = $(front_sources)
nodist_libcontend_la_SOURCES = interpose/trampolines.S
libcontend_la_CPPFLAGS = $(recorder_cppflags)
libcontend_la_LIBADD = libcommon.la
EXTRA_libcontend_la_DEPENDENCIES = $(srcdir)/interpose/front/front.map
libcontend_la_CFLAGS = $(recorder_cflags)
libcontend_la_LDFLAGS = $(recorder_ldflags) -Wl,--version-script=$(srcdir)/interpose/front/front.map

# SimGrid's SMPI is an MPI for the tests alone: nothing of it is installed. See simulated.h.
if HAVE_SIMGRID
check_LTLIBRARIES += libcontend-smpi.la libcontend-smpi-front.la
simulated_cppflags = -DCONTEND_SIMULATED $(SIMGRID_CFLAGS) $(SMPI_CPPFLAGS)
libcontend_smpi_la_SOURCES = $(backend_sources) interpose/job/simulated.c
libcontend_smpi_la_CPPFLAGS = $(backend_cppflags) $(simulated_cppflags)
libcontend_smpi_la_CFLAGS = $(recorder_cflags)
libcontend_smpi_la_LDFLAGS = $(recorder_ldflags) -Wl,-s -rpath $(pkglibdir)
libcontend_smpi_la_LIBADD = $(backend_libs) $(SIMGRID_LIBS) -lm

libcontend_smpi_front_la_SOURCES = interpose/front/front_smpi.c interpose/front/backend.h \
	$(calls_rows)
nodist_libcontend_smpi_front_la_SOURCES = interpose/trampolines.S
libcontend_smpi_front_la_CPPFLAGS = $(recorder_cppflags) $(simulated_cppflags)
libcontend_smpi_front_la_CFLAGS = $(recorder_cflags)
libcontend_smpi_front_la_LDFLAGS = $(recorder_ldflags) -rpath $(pkglibdir) \
	-Wl,--version-script=$(srcdir)/interpose/front/front.map
libcontend_smpi_front_la_LIBADD = libcommon.la $(SIMGRID_LIBS)
if DEVEL
# Whoever changes the recorder runs tests/smpi by hand too: plain make keeps it up to date.
all-local: libcontend-smpi.la libcontend-smpi-front.la
endif
endif

if HAVE_OPENMPI
pkglib_LTLIBRARIES += libcontend-openmpi.la
libcontend_openmpi_la_SOURCES = $(backend_sources) interpose/evidence/queues.c
libcontend_openmpi_la_CPPFLAGS = $(backend_cppflags) $(OPENMPI_CPPFLAGS)
libcontend_openmpi_la_CFLAGS = $(recorder_cflags)
libcontend_openmpi_la_LDFLAGS = $(recorder_ldflags)
libcontend_openmpi_la_LIBADD = $(backend_libs) $(OPENMPI_LIBS)
endif

if HAVE_MPICH
pkglib_LTLIBRARIES += libcontend-mpich.la
libcontend_mpich_la_SOURCES = $(backend_sources) interpose/evidence/queues.c
libcontend_mpich_la_CPPFLAGS = $(backend_cppflags) $(MPICH_CPPFLAGS)
libcontend_mpich_la_CFLAGS = $(recorder_cflags)
libcontend_mpich_la_LDFLAGS = $(recorder_ldflags)
libcontend_mpich_la_LIBADD = $(backend_libs) $(MPICH_LIBS)
endif
