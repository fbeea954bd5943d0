# SPDX-License-Identifier: GPL-3.0-or-later
# models/: pure mathematics.

noinst_LIBRARIES += libmodels.a
libmodels_a_SOURCES = \
	models/algorithms.c models/algorithms.h \
	models/bruck.c models/bruck.h \
	models/buses.c models/buses.h \
	models/clement.c models/clement.h \
	models/logp.c models/logp.h \
	models/diamond_dag.c models/diamond_dag.h \
	models/logpc.c models/logpc.h \
	models/logpc_network.c models/logpc_network.h \
	models/lopc.c models/lopc.h \
	models/lopc_general.c models/lopc_general.h \
	models/lopc_server.c models/lopc_server.h \
	models/served.c models/served.h \
	models/topology.c models/topology.h \
	models/topology_graph.c models/topology_routes.c models/topology_routes.h \
	models/max_rate.c models/max_rate.h \
	models/maxmin.c models/maxmin.h \
	models/ports.c models/ports.h \
	models/signature.c models/signature.h \
	models/signature_data.c models/signature_data.h \
	models/signature_fit.c models/signature_fit.h \
	models/signature_regimes.c models/signature_regimes.h \
	models/total_exchange.c models/total_exchange.h \
	models/two_state.c models/two_state.h \
	models/domain.c models/domain.h \
	models/hockney.c models/hockney.h \
	models/loggp.c models/loggp.h \
	models/plogp.c models/plogp.h
libmodels_a_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS)
