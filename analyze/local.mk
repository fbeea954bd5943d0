# SPDX-License-Identifier: GPL-3.0-or-later
# analyze/: trace -> tables -> attribution -> document.

noinst_LIBRARIES += libanalyze.a
libanalyze_a_SOURCES = \
	analyze/costs.def \
	analyze/core_groups.c analyze/core_groups.h \
	analyze/endpoints.c analyze/endpoints.h \
	analyze/given_requests.c analyze/given_requests.h \
	analyze/readings.c analyze/readings.h \
	analyze/trace.c analyze/trace.h \
	analyze/tools/demangle.c analyze/tools/demangle.h \
	analyze/tools/excerpts.h \
	analyze/tools/dated.h \
	analyze/tools/find_first.h \
	analyze/tools/growing.h \
	analyze/tools/idhash.c analyze/tools/idhash.h \
	analyze/tools/idmap.c analyze/tools/idmap.h \
	analyze/tools/clock_error.h analyze/tools/instants.h \
	analyze/tools/memory_need.c analyze/tools/memory_need.h \
	analyze/tools/radix.h \
	analyze/tools/sets.h \
	analyze/tools/share.c analyze/tools/share.h \
	analyze/tools/slices.c analyze/tools/slices.h \
	analyze/tools/sorting.h \
	analyze/tools/suffix.h \
	analyze/run/ending.c analyze/run/ending.h \
	analyze/run/lost.c analyze/run/lost.h \
	analyze/run/mistaken.c analyze/run/mistaken.h \
	analyze/run/orphans.c analyze/run/orphans.h \
	analyze/run/resends.c analyze/run/resends.h \
	analyze/run/rivals.c analyze/run/rivals.h \
	analyze/run/run.c analyze/run/run.h \
	analyze/run/run_cores.c analyze/run/run_cores.h \
	analyze/run/run_ends.c analyze/run/run_ends.h \
	analyze/run/run_processors.c analyze/run/run_processors.h \
	analyze/run/run_queues.c analyze/run/run_queues.h \
	analyze/reader/evtcheck.c analyze/reader/evtcheck.h \
	analyze/reader/frames.c analyze/reader/frames.h \
	analyze/reader/reader.c analyze/reader/reader.h \
	analyze/reader/reader_attributes.c \
	analyze/reader/reader_callback.h \
	analyze/reader/reader_calls.c \
	analyze/reader/reader_defs.c analyze/reader/reader_defs.h \
	analyze/reader/reader_events.c \
	analyze/reader/reader_files.c analyze/reader/reader_files.h \
	analyze/reader/reader_finish.c \
	analyze/reader/reader_hands.c analyze/reader/reader_hands.h \
	analyze/reader/reader_io.c \
	analyze/reader/reader_load.h \
	analyze/reader/reader_metrics.c \
	analyze/reader/reader_places.c \
	analyze/reader/reader_silent.c \
	analyze/reader/reader_loss.c \
	analyze/reader/reader_rma.c \
	analyze/reader/reader_state.h \
	analyze/reader/regions.c analyze/reader/regions.h \
	analyze/reader/site_fold.c analyze/reader/site_fold.h \
	analyze/reader/sites.c analyze/reader/sites.h \
	analyze/matching/channels.c analyze/matching/channels.h \
	analyze/matching/collectives.c analyze/matching/collectives.h \
	analyze/matching/dozes.c analyze/matching/dozes.h \
	analyze/matching/holes.c analyze/matching/holes.h \
	analyze/matching/loose.c analyze/matching/loose.h \
	analyze/matching/messages.c analyze/matching/messages.h \
	analyze/matching/nonblocking.c analyze/matching/nonblocking.h \
	analyze/matching/numbering.c analyze/matching/numbering.h \
	analyze/matching/presence.c analyze/matching/presence.h \
	analyze/matching/stretches.c analyze/matching/stretches.h \
	analyze/matching/takers.c analyze/matching/takers.h \
	analyze/matching/takers_lines.c analyze/matching/takers_lines.h \
	analyze/matching/unanswered.c analyze/matching/unanswered.h \
	analyze/matching/unsent.c analyze/matching/unsent.h \
	analyze/matching/uneven.c analyze/matching/uneven.h \
	analyze/machine/machine.c analyze/machine/machine.h \
	analyze/machine/machine_clocks.c analyze/machine/machine_clocks.h \
	analyze/machine/machine_credit.c analyze/machine/machine_credit.h \
	analyze/machine/machine_crowd.c \
	analyze/machine/machine_dating.c analyze/machine/machine_dating.h \
	analyze/machine/machine_eager.c \
	analyze/machine/machine_file.c analyze/machine/machine_file.h \
	analyze/machine/machine_fit.c analyze/machine/machine_fit.h \
	analyze/machine/machine_identity.c analyze/machine/machine_identity.h \
	analyze/machine/machine_known.c analyze/machine/machine_known.h \
	analyze/machine/machine_line.c analyze/machine/machine_line.h \
	analyze/machine/machine_load.c \
	analyze/machine/machine_progress.c analyze/machine/machine_progress.h \
	analyze/machine/machine_ranges.c analyze/machine/machine_ranges.h \
	analyze/machine/machine_samples.c analyze/machine/machine_samples.h \
	analyze/machine/machine_topology.c analyze/machine/machine_topology.h \
	analyze/machine/message_sizes.c analyze/machine/message_sizes.h \
	analyze/machine/sample_table.c analyze/machine/sample_table.h \
	analyze/clock/clock.c analyze/clock/clock.h \
	analyze/clock/clock_correct.c analyze/clock/clock_correct.h \
	analyze/clock/clock_course.c analyze/clock/clock_course.h \
	analyze/clock/clock_drift.c analyze/clock/clock_drift.h \
	analyze/clock/clock_pairs.c analyze/clock/clock_pairs.h \
	analyze/clock/clock_parts.c analyze/clock/clock_parts.h \
	analyze/clock/clock_proofs.c analyze/clock/clock_proofs.h \
	analyze/clock/clock_seed.c analyze/clock/clock_seed.h \
	analyze/clock/clock_split.c analyze/clock/clock_split.h \
	analyze/clock/clock_tube.c analyze/clock/clock_tube.h \
	analyze/flow/census.h \
	analyze/flow/attention.c analyze/flow/attention.h \
	analyze/flow/coll_costs.c analyze/flow/coll_costs.h \
	analyze/flow/crossings.c analyze/flow/crossings.h \
	analyze/flow/file_calls.c analyze/flow/file_calls.h \
	analyze/flow/flow.c analyze/flow/flow.h \
	analyze/flow/flow_cross.c \
	analyze/flow/gathering.c analyze/flow/gathering.h \
	analyze/flow/handler.c analyze/flow/handler.h \
	analyze/flow/inner_nodes.c analyze/flow/inner_nodes.h \
	analyze/flow/lines.c analyze/flow/lines.h \
	analyze/flow/price.c analyze/flow/price.h \
	analyze/flow/releases.c analyze/flow/releases.h \
	analyze/flow/scene.c analyze/flow/scene.h \
	analyze/flow/turns.c analyze/flow/turns.h \
	analyze/flow/unseen.c analyze/flow/unseen.h \
	analyze/flow/vacancy.c analyze/flow/vacancy.h \
	analyze/attribution/alone.c analyze/attribution/alone.h \
	analyze/attribution/arrivals.c analyze/attribution/arrivals.h \
	analyze/attribution/attribution.c analyze/attribution/attribution.h \
	analyze/attribution/booking.c analyze/attribution/booking.h \
	analyze/attribution/envelope.c analyze/attribution/envelope.h \
	analyze/attribution/handlings.c analyze/attribution/handlings.h \
	analyze/attribution/hindered.c analyze/attribution/hindered.h \
	analyze/attribution/causes.c analyze/attribution/causes.h \
	analyze/attribution/late_waits.c analyze/attribution/late_waits.h \
	analyze/attribution/lateness.c analyze/attribution/lateness.h \
	analyze/attribution/ledger.c analyze/attribution/ledger.h \
	analyze/attribution/leeway.c analyze/attribution/leeway.h \
	analyze/attribution/occupied.c analyze/attribution/occupied.h \
	analyze/attribution/onesided.c analyze/attribution/onesided.h \
	analyze/attribution/onesided_epochs.c \
	analyze/attribution/onesided_locks.c \
	analyze/attribution/onesided_targets.c \
	analyze/attribution/pollers.c analyze/attribution/pollers.h \
	analyze/attribution/recording.c analyze/attribution/recording.h \
	analyze/attribution/resent.c analyze/attribution/resent.h \
	analyze/attribution/tally.c analyze/attribution/tally.h \
	analyze/attribution/over_time.c analyze/attribution/over_time.h \
	analyze/attribution/target_load.c analyze/attribution/target_load.h \
	analyze/attribution/count_loads.c analyze/attribution/count_loads.h \
	analyze/attribution/count_parts.c analyze/attribution/count_parts.h \
	analyze/attribution/walk.c analyze/attribution/walk.h \
	analyze/attribution/walk_judge.c \
	analyze/attribution/walk_own.c \
	analyze/patterns/pattern.c analyze/patterns/pattern.h \
	analyze/patterns/pattern_collectives.c \
	analyze/patterns/pattern_dense.c \
	analyze/patterns/pattern_direct.c \
	analyze/patterns/pattern_fit.c analyze/patterns/pattern_fit.h \
	analyze/patterns/pattern_hubs.c \
	analyze/patterns/pattern_shapes.c \
	analyze/patterns/pattern_trees.c \
	analyze/patterns/pattern_two_way.c \
	analyze/patterns/patterns.c analyze/patterns/patterns.h \
	analyze/patterns/phases.c analyze/patterns/phases.h \
	analyze/patterns/phases_cut.c analyze/patterns/phases_cut.h \
	analyze/patterns/embed.c analyze/patterns/embed.h \
	analyze/patterns/placing.c analyze/patterns/placing.h \
	analyze/patterns/graph.c analyze/patterns/graph.h \
	analyze/patterns/line_order.c analyze/patterns/line_order.h \
	analyze/patterns/pair_odds.c analyze/patterns/pair_odds.h \
	analyze/patterns/pairing.c analyze/patterns/pairing.h \
	analyze/patterns/relabel.c analyze/patterns/relabel.h \
	analyze/patterns/selections.c analyze/patterns/selections.h \
	analyze/patterns/shape_fit.c analyze/patterns/shape_fit.h \
	analyze/patterns/shape_twins.c analyze/patterns/shape_twins.h \
	analyze/patterns/shapes.c analyze/patterns/shapes.h \
	analyze/patterns/traffic.c analyze/patterns/traffic.h \
	analyze/patterns/traffic_circles.c \
	analyze/patterns/traffic_time.c \
	analyze/gains/answers.c analyze/gains/answers.h \
	analyze/gains/could_begin.c analyze/gains/could_begin.h \
	analyze/gains/episodes.c analyze/gains/episodes.h \
	analyze/gains/evidence_base.c analyze/gains/evidence_base.h \
	analyze/gains/fan_in.c analyze/gains/fan_in.h \
	analyze/gains/flights.c analyze/gains/flights.h \
	analyze/gains/as_they_come.c analyze/gains/as_they_come.h \
	analyze/gains/burst.c analyze/gains/burst.h \
	analyze/gains/end_costs.c analyze/gains/end_costs.h \
	analyze/gains/joined_price.c analyze/gains/joined_price.h \
	analyze/gains/hub.c analyze/gains/hub.h \
	analyze/gains/joining.c analyze/gains/joining.h \
	analyze/gains/levelling.c analyze/gains/levelling.h \
	analyze/gains/shared_cores.c analyze/gains/shared_cores.h \
	analyze/gains/own_pieces.c analyze/gains/own_pieces.h \
	analyze/gains/own_work.c analyze/gains/own_work.h \
	analyze/gains/order_saving.c analyze/gains/order_saving.h \
	analyze/gains/order_test.c analyze/gains/order_test.h \
	analyze/gains/polls.c analyze/gains/polls.h \
	analyze/gains/posting_saving.c analyze/gains/posting_saving.h \
	analyze/gains/copies.c analyze/gains/copies.h \
	analyze/gains/mapping.c analyze/gains/mapping.h \
	analyze/gains/node_ports.c analyze/gains/node_ports.h \
	analyze/gains/quickest.c analyze/gains/quickest.h \
	analyze/gains/rank_order.c analyze/gains/rank_order.h \
	analyze/gains/chains.c analyze/gains/chains.h \
	analyze/gains/receive_order.c analyze/gains/receive_order.h \
	analyze/gains/replay.c analyze/gains/replay.h \
	analyze/gains/replay_events.c analyze/gains/replay_events.h \
	analyze/gains/replay_exchanges.c analyze/gains/replay_exchanges.h \
	analyze/gains/replay_order.c analyze/gains/replay_order.h \
	analyze/gains/replay_play.c analyze/gains/replay_play.h \
	analyze/gains/replay_port.c analyze/gains/replay_port.h \
	analyze/gains/retime.c analyze/gains/retime.h \
	analyze/gains/retime_order.c analyze/gains/retime_order.h \
	analyze/opinion/answering.c analyze/opinion/answering.h \
	analyze/opinion/dialogue.c analyze/opinion/dialogue.h \
	analyze/opinion/opinion.c analyze/opinion/opinion.h \
	analyze/opinion/opinion_diamond.c \
	analyze/opinion/opinion_facts.h \
	analyze/opinion/opinion_load.c \
	analyze/opinion/opinion_lopc.c \
	analyze/opinion/opinion_network.c analyze/opinion/opinion_network.h \
	analyze/opinion/opinion_pairs.c analyze/opinion/opinion_pairs.h \
	analyze/opinion/pipeline_blocks.c \
	analyze/opinion/pipeline_load.c analyze/opinion/pipeline_load.h \
	analyze/opinion/server_load.c analyze/opinion/server_load.h \
	analyze/opinion/server_saving.c analyze/opinion/server_saving.h \
	analyze/opinion/server_samples.c analyze/opinion/server_samples.h \
	analyze/opinion/stripes.c analyze/opinion/stripes.h \
	analyze/gains/pacing.c analyze/gains/pacing.h \
	analyze/gains/pacing_saving.c analyze/gains/pacing_saving.h \
	analyze/gains/sending_saving.c analyze/gains/sending_saving.h \
	analyze/gains/serial_sends.c analyze/gains/serial_sends.h \
	analyze/gains/small_calls.c analyze/gains/small_calls.h \
	analyze/gains/taken_turns.c analyze/gains/taken_turns.h \
	analyze/gains/scaled_machine.c analyze/gains/scaled_machine.h \
	analyze/gains/what_if.c analyze/gains/what_if.h analyze/gains/what_if_shorter.c \
	analyze/gains/what_if_trial.c analyze/gains/what_if_trial.h \
	analyze/changes/changes.c analyze/changes/changes.h \
	analyze/changes/change_asynchronous.c analyze/changes/change_map.c \
	analyze/changes/change_order.c analyze/changes/change_ranks.c \
	analyze/changes/change_servers.c \
	analyze/hotspots/hotspots.c analyze/hotspots/hotspots.h \
	analyze/hotspots/rule_aggregation.c \
	analyze/hotspots/rule_asynchronous.c \
	analyze/hotspots/rule_hot_target.c \
	analyze/hotspots/rule_imbalance.c \
	analyze/hotspots/rule_incast.c \
	analyze/hotspots/rule_back_pressure.c \
	analyze/hotspots/rule_block_size.c \
	analyze/hotspots/rule_late_posting.c \
	analyze/hotspots/rule_mapping.c \
	analyze/hotspots/rule_order.c \
	analyze/hotspots/rule_overlap.c \
	analyze/hotspots/rule_polling.c \
	analyze/hotspots/rule_chain.c \
	analyze/hotspots/rule_receive_order.c \
	analyze/hotspots/rule_rounds.c \
	analyze/hotspots/rule_server.c \
	analyze/hotspots/rule_shared_link.c \
	analyze/hotspots/rule_skew.c \
	analyze/hotspots/rule_sleep.c \
	analyze/hotspots/rule_small_calls.c \
	analyze/hotspots/rule_synchronous.c \
	analyze/hotspots/rule_uneven_counts.c \
	analyze/hotspots/rules.c analyze/hotspots/rules.h \
	analyze/hotspots/spread_saving.c analyze/hotspots/spread_saving.h \
	analyze/standing/awaited.c analyze/standing/awaited.h \
	analyze/standing/hanging.c analyze/standing/hanging.h \
	analyze/standing/stand_left.c analyze/standing/stand_left.h \
	analyze/standing/stand_open.c analyze/standing/stand_open.h \
	analyze/standing/stand_peers.c analyze/standing/stand_peers.h \
	analyze/standing/stand_places.c analyze/standing/stand_places.h \
	analyze/standing/stand_requests.c analyze/standing/stand_requests.h \
	analyze/standing/stand_sent.c analyze/standing/stand_sent.h \
	analyze/standing/stand_tags.c analyze/standing/stand_tags.h \
	analyze/standing/stand_waits.c analyze/standing/stand_waits.h \
	analyze/standing/stand_ways.c analyze/standing/stand_ways.h \
	analyze/standing/stands.c analyze/standing/stands.h \
	analyze/document/document.c analyze/document/document.h \
	analyze/document/document_clocks.c \
	analyze/document/document_collectives.c \
	analyze/document/document_cores.c \
	analyze/document/document_evidence.c \
	analyze/document/document_evidence_network.c \
	analyze/document/document_hotspots.c \
	analyze/document/document_inventory.c \
	analyze/document/document_lateness.c \
	analyze/document/document_meaning.c \
	analyze/document/document_models.c \
	analyze/document/document_onesided.c \
	analyze/document/document_parts.h \
	analyze/document/document_patterns.c \
	analyze/document/document_quality.c analyze/document/document_quality.h \
	analyze/document/document_quality_machine.c \
	analyze/document/document_quality_recording.c \
	analyze/document/document_awaited.c \
	analyze/document/document_changes.c analyze/document/document_predictions.c \
	analyze/document/document_silence.c \
	analyze/document/document_standstill.c \
	analyze/document/document_sites.c \
	analyze/document/document_queue.c \
	analyze/document/document_summary.c \
	analyze/document/document_timeline.c analyze/document/document_traffic.c \
	analyze/document/document_views.c \
	analyze/document/events_end.c analyze/document/events_end.h \
	analyze/document/message_table.c analyze/document/message_table.h
libanalyze_a_CFLAGS = $(AM_CFLAGS) $(LTO_CFLAGS)
libanalyze_a_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(JANSSON_CFLAGS) $(GSL_CFLAGS) \
	$(LIBDW_CFLAGS) $(HWLOC_CFLAGS)
