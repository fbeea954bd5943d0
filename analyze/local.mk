# SPDX-License-Identifier: GPL-3.0-or-later
# analyze/: trace -> tables -> attribution -> document.

noinst_LIBRARIES += libanalyze.a
libanalyze_a_SOURCES = \
	analyze/costs.def \
	analyze/arrivals.c analyze/arrivals.h \
	analyze/attribution.c analyze/attribution.h \
	analyze/booking.c analyze/booking.h \
	analyze/pattern.c analyze/pattern.h analyze/pattern_fit.c analyze/pattern_fit.h \
	analyze/pattern_dense.c analyze/pattern_direct.c analyze/pattern_hubs.c \
	analyze/pattern_shapes.c analyze/pattern_trees.c analyze/pattern_two_way.c \
	analyze/clock_split.c analyze/clock_split.h analyze/dialogue.c analyze/dialogue.h \
	analyze/opinion.c analyze/opinion.h analyze/opinion_facts.h analyze/opinion_lopc.c analyze/opinion_load.c \
	analyze/opinion_network.c analyze/opinion_network.h analyze/opinion_pairs.c analyze/opinion_pairs.h analyze/document_models.c \
	analyze/patterns.c analyze/patterns.h analyze/pattern_collectives.c analyze/document_patterns.c \
	analyze/phases.c analyze/phases.h analyze/phases_cut.c analyze/phases_cut.h \
	analyze/radix.h analyze/relabel.c analyze/relabel.h analyze/releases.c analyze/releases.h \
	analyze/selections.c analyze/selections.h \
	analyze/shape_fit.c analyze/shape_fit.h analyze/shape_twins.c analyze/shape_twins.h \
	analyze/shapes.c analyze/shapes.h \
	analyze/traffic.c analyze/traffic.h analyze/traffic_circles.c analyze/traffic_time.c \
	analyze/flow.c analyze/flow.h analyze/flow_cross.c analyze/crossings.c analyze/crossings.h \
	analyze/gathering.c analyze/gathering.h analyze/holes.c analyze/holes.h \
	analyze/hanging.c analyze/hanging.h analyze/stands.c analyze/stands.h \
	analyze/stand_open.c analyze/stand_open.h \
	analyze/stand_places.c analyze/stand_places.h analyze/stand_waits.c analyze/stand_waits.h \
	analyze/stand_requests.c analyze/stand_requests.h analyze/stand_tags.c analyze/stand_tags.h \
	analyze/orphans.c analyze/orphans.h \
	analyze/handler.c analyze/handler.h analyze/handlings.c analyze/handlings.h \
	analyze/lateness.c analyze/lateness.h analyze/document_lateness.c \
	analyze/lines.c analyze/lines.h \
	analyze/ledger.c analyze/ledger.h analyze/leeway.c analyze/leeway.h analyze/pollers.c analyze/pollers.h \
	analyze/run_cores.c analyze/run_cores.h analyze/run_ends.c analyze/run_ends.h \
	analyze/share.c analyze/share.h analyze/takers.c analyze/takers.h \
	analyze/slices.c analyze/slices.h analyze/tally.c analyze/tally.h \
	analyze/machine.c analyze/machine.h \
	analyze/memory_need.c analyze/memory_need.h analyze/mistaken.c analyze/mistaken.h \
	analyze/machine_crowd.c analyze/machine_faith.c analyze/machine_known.c analyze/machine_known.h analyze/machine_eager.c analyze/machine_fit.c analyze/machine_fit.h \
	analyze/excerpts.h analyze/machine_dating.c analyze/machine_dating.h \
	analyze/machine_progress.c analyze/machine_progress.h \
	analyze/machine_file.c analyze/machine_file.h \
	analyze/machine_identity.c analyze/machine_identity.h \
	analyze/machine_topology.c analyze/machine_topology.h analyze/machine_load.c analyze/machine_credit.c analyze/machine_credit.h analyze/vacancy.c analyze/vacancy.h analyze/machine_ranges.c analyze/machine_ranges.h analyze/machine_samples.c analyze/machine_samples.h \
	analyze/sample_table.c analyze/sample_table.h \
	analyze/awaited.c analyze/awaited.h analyze/hindered.c analyze/hindered.h \
	analyze/searched.c analyze/searched.h analyze/run_queues.c analyze/run_queues.h \
	analyze/envelope.c analyze/envelope.h \
	analyze/episodes.c analyze/episodes.h analyze/evidence_base.c analyze/evidence_base.h \
	analyze/flights.c analyze/flights.h \
	analyze/hotspots.c analyze/hotspots.h \
	analyze/instants.h \
	analyze/order_saving.c analyze/order_saving.h \
	analyze/order_test.c analyze/order_test.h \
	analyze/replay.c analyze/replay.h \
	analyze/posting_saving.c analyze/posting_saving.h \
	analyze/retime.c analyze/retime.h analyze/retime_order.c analyze/retime_order.h \
	analyze/spread_saving.c analyze/spread_saving.h \
	analyze/rules.c analyze/rules.h \
	analyze/rule_skew.c analyze/rule_synchronous.c \
	analyze/rule_mapping.c analyze/rank_order.c analyze/rank_order.h \
	analyze/rule_aggregation.c analyze/rule_polling.c \
	analyze/rule_imbalance.c analyze/rule_late_posting.c analyze/rule_overlap.c \
	analyze/rule_incast.c analyze/rule_shared_link.c \
	analyze/rule_order.c \
	analyze/rule_server.c analyze/server_load.c analyze/server_load.h \
	analyze/presence.c analyze/presence.h \
	analyze/price.c analyze/price.h \
	analyze/scene.c analyze/scene.h analyze/turns.c analyze/turns.h \
	analyze/unseen.c analyze/unseen.h \
	analyze/message_sizes.c analyze/message_sizes.h \
	analyze/walk.c analyze/walk.h analyze/walk_judge.c analyze/walk_own.c \
	analyze/channels.c analyze/channels.h \
	analyze/clock.c analyze/clock.h analyze/clock_correct.c analyze/clock_correct.h analyze/clock_course.c analyze/clock_course.h \
	analyze/clock_drift.c analyze/clock_drift.h analyze/clock_pairs.c analyze/clock_pairs.h analyze/clock_proofs.c analyze/clock_proofs.h analyze/clock_seed.c analyze/clock_seed.h analyze/clock_tube.c analyze/clock_tube.h \
	analyze/document_clocks.c \
	analyze/coll_costs.c analyze/coll_costs.h analyze/document_collectives.c \
	analyze/collectives.c analyze/collectives.h analyze/nonblocking.c analyze/nonblocking.h \
	analyze/endpoints.c analyze/endpoints.h \
	analyze/growing.h \
	analyze/message_table.c analyze/message_table.h \
	analyze/loose.c analyze/loose.h analyze/messages.c analyze/messages.h \
	analyze/onesided.c analyze/onesided.h analyze/onesided_epochs.c analyze/onesided_locks.c \
	analyze/onesided_targets.c analyze/document_onesided.c \
	analyze/open_requests.c analyze/open_requests.h \
	analyze/recording.c analyze/recording.h \
	analyze/run.c analyze/run.h \
	analyze/ending.c analyze/ending.h analyze/wording.c analyze/wording.h analyze/lost.c analyze/lost.h \
	analyze/events_end.c analyze/events_end.h \
	analyze/evtcheck.c analyze/evtcheck.h \
	analyze/frames.c analyze/frames.h \
	analyze/idmap.c analyze/idmap.h \
	analyze/reader.c analyze/reader.h analyze/reader_defs.h analyze/reader_load.h analyze/reader_state.h \
	analyze/reader_attributes.c analyze/reader_calls.c analyze/reader_defs.c analyze/reader_events.c \
	analyze/reader_metrics.c analyze/readings.c analyze/readings.h analyze/resends.c analyze/resends.h analyze/resent.c analyze/resent.h \
	analyze/occupied.c analyze/occupied.h \
	analyze/reader_callback.h analyze/reader_finish.c analyze/reader_hands.c analyze/reader_hands.h analyze/reader_places.c analyze/reader_rma.c analyze/reader_io.c \
	analyze/regions.c analyze/regions.h \
	analyze/site_fold.c analyze/site_fold.h analyze/sites.c analyze/sites.h analyze/sorting.h \
	analyze/trace.c analyze/trace.h \
	analyze/demangle.c analyze/demangle.h \
	analyze/document.c analyze/document.h analyze/document_parts.h \
	analyze/document_evidence.c analyze/document_evidence_network.c analyze/document_hotspots.c analyze/document_inventory.c \
	analyze/document_quality.c analyze/document_quality.h analyze/document_quality_machine.c \
	analyze/document_quality_recording.c \
	analyze/document_silence.c \
	analyze/document_sites.c \
	analyze/document_summary.c analyze/document_views.c
libanalyze_a_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(JANSSON_CFLAGS) $(GSL_CFLAGS) \
	$(LIBDW_CFLAGS) $(HWLOC_CFLAGS)
