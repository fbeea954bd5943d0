# SPDX-License-Identifier: BSD-3-Clause
# common/: what the recorder and the command share. Position independent, because
# the recorder's backends link it too.

noinst_LTLIBRARIES += libcommon.la
libcommon_la_SOURCES = \
	common/ascending.h \
	common/cores.c common/cores.h \
	common/cpu_name.c common/cpu_name.h \
	common/err.c common/err.h \
	common/machine_schema.h \
	common/message_columns.def \
	common/mpi_name.c common/mpi_name.h \
	common/number.c common/number.h \
	common/number_list.c common/number_list.h \
	common/options.c common/options.def common/options.h \
	common/pages.c common/pages.h \
	common/prefetch.h \
	common/processor_set.h \
	common/space.h \
	common/schema.h common/spill.c common/spill.h common/steady.h \
	common/table.c common/table.h \
	common/wording.c common/wording.h
