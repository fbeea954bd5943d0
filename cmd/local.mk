# SPDX-License-Identifier: GPL-3.0-or-later
# cmd/: the program. Our own libraries are linked statically, so that it also runs
# from the build tree as it is.

contend_parts = libreport.a libanalyze.a librecover.a libmodels.a libcommon.la
contend_libs = $(OTF2_LIBS) $(JANSSON_LIBS) $(GSL_LIBS) $(LIBDW_LIBS) $(HWLOC_LIBS) \
	$(SMARTCOLS_LIBS)

bin_PROGRAMS += contend
contend_SOURCES = \
	cmd/main.c cmd/verbs.def cmd/verbs.h \
	cmd/arguments.c cmd/arguments.h \
	cmd/cmd_calibrate.c cmd/cmd_diff.c cmd/cmd_info.c cmd/cmd_predict.c cmd/cmd_preload.c \
	cmd/cmd_record.c cmd/cmd_recover.c \
	cmd/cmd_report.c cmd/method.c cmd/method.h cmd/rank_map.c cmd/rank_map.h \
	cmd/job.c cmd/job.h cmd/json_file.c cmd/json_file.h \
	cmd/launcher.c cmd/launcher.h \
	cmd/library.c cmd/library.h \
	cmd/machine_choice.c cmd/machine_choice.h \
	cmd/cmd_model.c cmd/model/models.def cmd/model/model.c cmd/model/model.h \
	cmd/model/model_logpc.c cmd/model/model_lopc.c cmd/model/model_lopc_general.c \
	cmd/model/model_topology.c \
	cmd/model/model_args.c cmd/model/model_args.h \
	cmd/csv.c cmd/csv.h \
	cmd/model/model_json.c cmd/model/model_json.h \
	cmd/model/model_machine.c cmd/model/model_machine.h \
	cmd/model/model_messages.c cmd/model/model_sharing.c \
	cmd/model/model_exchange.c cmd/model/model_maxmin.c \
	cmd/model/model_print.c cmd/model/model_print.h \
	cmd/model/model_results.c cmd/model/model_results.h \
	cmd/model/model_sweep.c cmd/model/model_sweep.h \
	cmd/model/model_table.c cmd/model/model_table.h \
	cmd/nearest.c cmd/nearest.h \
	cmd/program.c cmd/program.h \
	cmd/progress.c cmd/progress.h \
	cmd/recovery.c cmd/recovery.h \
	cmd/terminal.c cmd/terminal.h
contend_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
contend_LDFLAGS = $(LTO_CFLAGS)
contend_LDADD = $(contend_parts) $(contend_libs)

if HAVE_HELP2MAN
man1_MANS += contend.1
CLEANFILES += contend.1 contend.h2m
contend.h2m: contend share/manual
	$(AM_V_GEN)$(srcdir)/share/manual ./contend $(HELP2MAN) >$@
contend.1: contend contend.h2m
	$(AM_V_GEN)$(HELP2MAN) --no-info --name="find where the messages of an MPI job wait" \
		--include=contend.h2m --output=$@ ./contend
endif
