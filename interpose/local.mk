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
calls_rows = interpose/calls.def interpose/calls_coll.def interpose/calls_comm.def \
	interpose/calls_forms.def interpose/calls_p2p.def interpose/calls_quiet.def \
	interpose/calls_file.def interpose/calls_io.def interpose/calls_rma.def interpose/calls_wait.def interpose/calls_win.def

# The same as names, for trampolines. What a row has besides stays out.
calls_names = $(CC) -E -P -x c -I$(srcdir) -D'CALL(name, ...)=MPI_\#\#name' \
	-D'SOME_MPIX(name, ...)=MPIX_\#\#name' -D'SPECIAL(name, ...)=MPI_\#\#name' \
	$(srcdir)/interpose/calls.def

front_sources = \
	interpose/front.c interpose/backend.h $(calls_rows) \
	interpose/front_exec.c interpose/front_exec.h interpose/front_exit.c interpose/front_exit.h \
	interpose/front_signals.c interpose/front_signals.h \
	interpose/front_tool.c interpose/front_tool.h \
	interpose/symbols.c interpose/symbols.h

# Logs to an archive, without MPI: in the backends and in `contend recover`.
trace_sources = \
	interpose/alive.c interpose/alive.h \
	interpose/archive.c interpose/archive.h \
	interpose/archive_costs.c \
	interpose/archive_defs.c interpose/archive_defs.h \
	interpose/archive_events.c interpose/archive_writer.h \
	interpose/archive_log.c \
	interpose/archive_memory.c interpose/archive_memory.h \
	interpose/archive_names.c interpose/archive_names.h interpose/archive_mpi.h \
	interpose/archive_polls.c interpose/archive_matched.c interpose/archive_io.c interpose/archive_rma.c \
	interpose/counters.c interpose/counters.def interpose/counters.h \
	interpose/defs_check.c interpose/defs.c interpose/defs.h interpose/defs_add.h interpose/defs_objects.c \
	interpose/log.c interpose/log.h interpose/log_format.h interpose/log_view.c interpose/log_view.h \
	interpose/log_seal.c interpose/log_seal.h \
	interpose/losses.c interpose/losses.h \
	interpose/payload.h interpose/pieces.c interpose/pieces.h interpose/record.h \
	interpose/recover.c interpose/recover.h \
	interpose/room.c interpose/room.h \
	interpose/simulated.h \
	interpose/runjson.c interpose/runjson.h interpose/jsontext.c interpose/jsontext.h \
	interpose/runjson_end.c interpose/runjson_end.h \
	interpose/runjson_evidence.c interpose/runjson_evidence.h \
	interpose/runjson_full.c interpose/runjson_full.h \
	interpose/settings.c interpose/settings.h \
	interpose/squeeze.c interpose/squeeze.h \
	interpose/ticks.c interpose/ticks.h \
	interpose/tidy.c interpose/tidy.h \
	interpose/timeline.c interpose/timeline.h \
	interpose/unreceived.c interpose/unreceived.h

backend_sources = $(trace_sources) \
	interpose/answer.c interpose/answer.h \
	interpose/archive_mpi.c \
	interpose/arena.c interpose/arena.h \
	$(calls_rows) interpose/helpers.def \
	interpose/callsite.c interpose/callsite.h \
	interpose/guards.c interpose/guards.h \
	interpose/comms.c interpose/comms.h \
	interpose/cost.c interpose/cost.h \
	interpose/deadly.c interpose/deadly.h \
	interpose/early.c interpose/early.h \
	interpose/evidence.c interpose/evidence.h \
	interpose/finish.c interpose/finish.h \
	interpose/full.c interpose/full.h \
	interpose/lanes.c \
	interpose/hooks.h interpose/hooks_count.h interpose/hooks_poll.c \
	interpose/hooks_coll.c interpose/hooks_coll.h interpose/hooks_p2p.c interpose/hooks_p2p.h \
	interpose/hooks_matched.c interpose/hooks_wait.c interpose/hooks_wait.h interpose/hooks_watch.c \
	interpose/completions.c interpose/completions.h interpose/hooks_scope.c interpose/scope.h \
	interpose/files.c interpose/files.h \
	interpose/hooks_io.c interpose/hooks_io.h interpose/hooks_rma.c interpose/hooks_rma.h \
	interpose/launch.c interpose/launch_job.c interpose/launch.h \
	interpose/left.c interpose/left.h \
	interpose/mpi4.h \
	interpose/meetings.c interpose/meetings.h \
	interpose/nodes.c interpose/nodes.h \
	interpose/process.c interpose/process.h \
	interpose/sessions.c interpose/sessions.h \
	interpose/offsets.c interpose/offsets.h \
	interpose/pause.c interpose/pause.h \
	interpose/queues.h \
	interpose/quiet.c interpose/quiet.h \
	interpose/lane.h interpose/real.h interpose/recorder.c interpose/recorder.h \
	interpose/requests.c interpose/requests.h interpose/requests_plain.h \
	interpose/requests_table.c interpose/requests_table.h \
	interpose/sizes.c interpose/sizes.h \
	interpose/skipped.c interpose/skipped.h \
	interpose/special.c interpose/backend.h \
	interpose/symbols.c interpose/symbols.h \
	interpose/windows.c interpose/windows.h \
	interpose/world.c interpose/world.h \
	interpose/wrap.c interpose/wrap.h
backend_cppflags = $(recorder_cppflags) $(OTF2_CFLAGS) $(LIBUNWIND_CFLAGS)

EXTRA_DIST += interpose/gencalls.awk interpose/front.map
CLEANFILES += interpose/trampolines.S interpose/trampolines.S.names
BUILT_SOURCES += interpose/trampolines.S
interpose/trampolines.S: $(calls_rows) interpose/gencalls.awk
	$(AM_V_GEN)$(MKDIR_P) interpose && \
		$(calls_names) >$@.names && \
		$(AWK) -f $(srcdir)/interpose/gencalls.awk $@.names >$@.new && \
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
EXTRA_libcontend_la_DEPENDENCIES = $(srcdir)/interpose/front.map
libcontend_la_CFLAGS = $(recorder_cflags)
libcontend_la_LDFLAGS = $(recorder_ldflags) -Wl,--version-script=$(srcdir)/interpose/front.map

# SimGrid's SMPI is an MPI for the tests alone: nothing of it is installed. See simulated.h.
if HAVE_SIMGRID
check_LTLIBRARIES += libcontend-smpi.la libcontend-smpi-front.la
simulated_cppflags = -DCONTEND_SIMULATED $(SIMGRID_CFLAGS) $(SMPI_CPPFLAGS)
libcontend_smpi_la_SOURCES = $(backend_sources) interpose/simulated.c
libcontend_smpi_la_CPPFLAGS = $(backend_cppflags) $(simulated_cppflags)
libcontend_smpi_la_CFLAGS = $(recorder_cflags)
libcontend_smpi_la_LDFLAGS = $(recorder_ldflags) -Wl,-s -rpath $(pkglibdir)
libcontend_smpi_la_LIBADD = $(backend_libs) $(SIMGRID_LIBS) -lm

libcontend_smpi_front_la_SOURCES = interpose/front_smpi.c interpose/backend.h $(calls_rows)
nodist_libcontend_smpi_front_la_SOURCES = interpose/trampolines.S
libcontend_smpi_front_la_CPPFLAGS = $(recorder_cppflags) $(simulated_cppflags)
libcontend_smpi_front_la_CFLAGS = $(recorder_cflags)
libcontend_smpi_front_la_LDFLAGS = $(recorder_ldflags) -rpath $(pkglibdir) \
	-Wl,--version-script=$(srcdir)/interpose/front.map
libcontend_smpi_front_la_LIBADD = libcommon.la $(SIMGRID_LIBS)
if DEVEL
# Whoever changes the recorder runs tests/smpi by hand too: plain make keeps it up to date.
all-local: libcontend-smpi.la libcontend-smpi-front.la
endif
endif

if HAVE_OPENMPI
pkglib_LTLIBRARIES += libcontend-openmpi.la
libcontend_openmpi_la_SOURCES = $(backend_sources) interpose/queues.c
libcontend_openmpi_la_CPPFLAGS = $(backend_cppflags) $(OPENMPI_CPPFLAGS)
libcontend_openmpi_la_CFLAGS = $(recorder_cflags)
libcontend_openmpi_la_LDFLAGS = $(recorder_ldflags)
libcontend_openmpi_la_LIBADD = $(backend_libs) $(OPENMPI_LIBS)
endif

if HAVE_MPICH
pkglib_LTLIBRARIES += libcontend-mpich.la
libcontend_mpich_la_SOURCES = $(backend_sources) interpose/queues.c
libcontend_mpich_la_CPPFLAGS = $(backend_cppflags) $(MPICH_CPPFLAGS)
libcontend_mpich_la_CFLAGS = $(recorder_cflags)
libcontend_mpich_la_LDFLAGS = $(recorder_ldflags)
libcontend_mpich_la_LIBADD = $(backend_libs) $(MPICH_LIBS)
endif
