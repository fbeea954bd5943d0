# SPDX-License-Identifier: GPL-3.0-or-later
# tests/: add the name of a test here and nothing else.

# Unit tests: tests/unit/test_MODULE from tests/unit/test_MODULE.c
unit_tests = \
	tests/unit/test_algorithms tests/unit/test_answer tests/unit/test_arrivals \
	tests/unit/test_attention tests/unit/test_attribution tests/unit/test_awaited tests/unit/test_blame \
	tests/unit/test_blocks \
	tests/unit/test_burst \
	tests/unit/test_cacheline tests/unit/test_changes tests/unit/test_channels tests/unit/test_clock \
	tests/unit/test_clock_parts tests/unit/test_clock_proofs tests/unit/test_clock_split \
	tests/unit/test_clock_tube \
	tests/unit/test_coll_costs tests/unit/test_collectives tests/unit/test_compare \
	tests/unit/test_compare_hotspots tests/unit/test_compare_sites \
	tests/unit/test_conditions tests/unit/test_confines tests/unit/test_contention_fit \
	tests/unit/test_contention_text \
	tests/unit/test_cores tests/unit/test_counters tests/unit/test_credit \
	tests/unit/test_crossings tests/unit/test_damage tests/unit/test_deadly \
	tests/unit/test_defs tests/unit/test_demangle tests/unit/test_derived \
	tests/unit/test_diamond_dag tests/unit/test_document tests/unit/test_document_collectives tests/unit/test_dozes \
	tests/unit/test_drift_file tests/unit/test_drift_point tests/unit/test_ending \
	tests/unit/test_embed tests/unit/test_envelope \
	tests/unit/test_evidence tests/unit/test_evtcheck tests/unit/test_excerpts \
	tests/unit/test_file_access \
	tests/unit/test_flights tests/unit/test_flow_table tests/unit/test_glossary \
	tests/unit/test_handed_on tests/unit/test_hanging \
	tests/unit/test_hockney tests/unit/test_idhash tests/unit/test_idle_rank \
	tests/unit/test_inner_nodes tests/unit/test_instants \
	tests/unit/test_lateness tests/unit/test_late_waits tests/unit/test_levelling tests/unit/test_launches \
	tests/unit/test_layout \
	tests/unit/test_ledger tests/unit/test_leeway tests/unit/test_log tests/unit/test_log_seal \
	tests/unit/test_logfuzz tests/unit/test_loggp tests/unit/test_logp tests/unit/test_logpc \
	tests/unit/test_machine_clocks \
	tests/unit/test_loose tests/unit/test_lopc tests/unit/test_lopc_general \
	tests/unit/test_lopc_server tests/unit/test_machine tests/unit/test_machine_credit \
	tests/unit/test_machine_crowd tests/unit/test_machine_dating tests/unit/test_machine_eager \
	tests/unit/test_machine_fit tests/unit/test_machine_known tests/unit/test_machine_line \
	tests/unit/test_machine_network \
	tests/unit/test_machine_progress tests/unit/test_machine_ranges \
	tests/unit/test_machine_text tests/unit/test_maxmin tests/unit/test_memory_need \
	tests/unit/test_message_table tests/unit/test_messages tests/unit/test_moved \
	tests/unit/test_node_ports tests/unit/test_nonblocking tests/unit/test_number \
	tests/unit/test_number_list tests/unit/test_onesided \
	tests/unit/test_opinion tests/unit/test_opinion_diamond tests/unit/test_opinion_lopc \
	tests/unit/test_opinion_network tests/unit/test_options \
	tests/unit/test_oracle tests/unit/test_own_messages tests/unit/test_pages \
	tests/unit/test_pair_odds \
	tests/unit/test_partners tests/unit/test_pattern tests/unit/test_pattern_collectives \
	tests/unit/test_pattern_names tests/unit/test_pattern_servers \
	tests/unit/test_pattern_strays tests/unit/test_pattern_trees tests/unit/test_pattern_turns \
	tests/unit/test_payload tests/unit/test_phases tests/unit/test_pipeline_load \
	tests/unit/test_places \
	tests/unit/test_plain_name tests/unit/test_plogp tests/unit/test_polls tests/unit/test_presence tests/unit/test_price \
	tests/unit/test_reader \
	tests/unit/test_reader_aside tests/unit/test_reader_hands tests/unit/test_reader_names \
	tests/unit/test_readings tests/unit/test_recording tests/unit/test_recover \
	tests/unit/test_refusal tests/unit/test_regression tests/unit/test_relabel \
	tests/unit/test_rivals tests/unit/test_run_processors \
	tests/unit/test_replay \
	tests/unit/test_joining_port tests/unit/test_replay_exchanges tests/unit/test_replay_port \
	tests/unit/test_resent tests/unit/test_retime tests/unit/test_rounds \
	tests/unit/test_alone tests/unit/test_shared_cores tests/unit/test_over_time \
	tests/unit/test_rule_aggregation tests/unit/test_rule_asynchronous \
	tests/unit/test_rule_block_size tests/unit/test_rule_concentration \
	tests/unit/test_rule_uneven_counts \
	tests/unit/test_own_work tests/unit/test_rule_imbalance tests/unit/test_rule_incast \
	tests/unit/test_could_begin tests/unit/test_rule_back_pressure \
	tests/unit/test_rule_late_posting tests/unit/test_rule_mapping \
	tests/unit/test_rule_order tests/unit/test_rule_overlap tests/unit/test_rule_polling \
	tests/unit/test_rule_chain tests/unit/test_rule_receive_order tests/unit/test_rule_rounds \
	tests/unit/test_rule_server \
	tests/unit/test_rule_shared_link tests/unit/test_rule_skew tests/unit/test_rule_sleep \
	tests/unit/test_rule_small_calls \
	tests/unit/test_rule_synchronous tests/unit/test_run tests/unit/test_run_ends \
	tests/unit/test_samples tests/unit/test_scenarios tests/unit/test_scene \
	tests/unit/test_self_calibrated tests/unit/test_run_cores \
	tests/unit/test_served tests/unit/test_share \
	tests/unit/test_sharing tests/unit/test_signature tests/unit/test_signature_fit \
	tests/unit/test_signature_page tests/unit/test_signature_regimes tests/unit/test_site_fold \
	tests/unit/test_sites tests/unit/test_slices tests/unit/test_sorting tests/unit/test_spill \
	tests/unit/test_squeeze tests/unit/test_stacked tests/unit/test_stand_left tests/unit/test_stand_requests \
	tests/unit/test_stands tests/unit/test_late_collectives tests/unit/test_late_receives \
	tests/unit/test_late_polls \
	tests/unit/test_spread_saving \
	tests/unit/test_sums tests/unit/test_svg tests/unit/test_table \
	tests/unit/test_taken_turns tests/unit/test_takers \
	tests/unit/test_text tests/unit/test_text_collectives tests/unit/test_text_evidence \
	tests/unit/test_text_hotspots tests/unit/test_text_instead tests/unit/test_text_late \
	tests/unit/test_text_models \
	tests/unit/test_text_next tests/unit/test_text_patterns tests/unit/test_text_tables \
	tests/unit/test_timeline \
	tests/unit/test_topology tests/unit/test_total_exchange tests/unit/test_turns \
	tests/unit/test_uneven tests/unit/test_loss \
	tests/unit/test_unidentified tests/unit/test_unsent tests/unit/test_unseen \
	tests/unit/test_vacancy \
	tests/unit/test_verdict tests/unit/test_verdict_cores \
	tests/unit/test_verdict_parts tests/unit/test_walk \
	tests/unit/test_walk_judge tests/unit/test_what_if

# What tests share: archives with known events, scratch directories.
check_LIBRARIES += tests/libfixture.a
tests_libfixture_a_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS)
tests_libfixture_a_SOURCES = \
	tests/traces/mkarchive.h tests/traces/mkdefs.c tests/traces/mkop.c \
	tests/traces/mktrace.c tests/traces/mktrace.h \
	tests/traces/mkrandom.c tests/traces/mkrandom.h \
	tests/traces/mkscenario.c tests/traces/mkscenario.h \
	tests/traces/mkcrowding.c tests/traces/mkcrowding.h tests/traces/mksim.c \
	tests/traces/mksim.h \
	tests/fixtures/exchange.c tests/fixtures/exchange.h tests/fixtures/hangs.h \
	tests/fixtures/opinions.h tests/fixtures/pipelines.c tests/fixtures/pipelines.h \
	tests/fixtures/rendered.h tests/fixtures/without_hotspots.h \
	tests/fixtures/sites_source.h tests/fixtures/suite.h tests/fixtures/traced.h \
	tests/fixtures/synthetic.c tests/fixtures/synthetic.h tests/fixtures/synthetic_maker.h \
	tests/fixtures/synthetic_grids.c tests/fixtures/synthetic_groups.c \
	tests/fixtures/synthetic_lines.c \
	tests/fixtures/comparison.h tests/fixtures/concentrated.h \
	tests/fixtures/machine_texts.h tests/fixtures/findings.c tests/fixtures/findings.h \
	tests/fixtures/judged.c tests/fixtures/judged.h tests/fixtures/late.h \
	tests/fixtures/handmade.c tests/fixtures/handmade.h tests/fixtures/in_scratch.h \
	tests/fixtures/matched.h tests/fixtures/survival.h \
	tests/fixtures/runlogs.c tests/fixtures/runlogs.h \
	tests/fixtures/retimed.c tests/fixtures/retimed.h \
	tests/fixtures/script.c tests/fixtures/script.h \
	tests/fixtures/sums.c tests/fixtures/sums.h tests/fixtures/tables.c \
	tests/fixtures/tables.h \
	tests/oracle/events.c tests/oracle/events.h \
	tests/oracle/handlers.c tests/oracle/handlers.h \
	tests/oracle/wormhole.c tests/oracle/wormhole.h \
	tests/fixtures/scratch.c tests/fixtures/scratch.h

# Run directories: an exchange for tests/cli; any scenario, with the truth about it.
check_PROGRAMS += tests/fuzz tests/others tests/traces/matches tests/traces/mkdialect \
	tests/traces/mkexchange tests/traces/mkforeign tests/traces/mktrace tests/traces/mkwords \
	tests/bench/mkbig tests/bench/readonly \
	tests/oracle/naming tests/oracle/validate
tests_others_LDFLAGS = $(AM_LDFLAGS) -pthread
tests_traces_mktrace_SOURCES = tests/traces/mktrace_main.c
tests_traces_mkdialect_SOURCES = tests/traces/mkdialect.c tests/traces/mkchecked.h
tests_traces_mkdialect_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS)
tests_traces_mkwords_SOURCES = tests/traces/mkwords.c tests/traces/mkchecked.h
tests_traces_mkwords_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS)
tests_traces_mkforeign_SOURCES = tests/traces/mkforeign.c tests/traces/mkforeign_more.c \
	tests/traces/mkforeign_rewound.c tests/traces/mkforeign_windows.c \
	tests/traces/mkforeign.h tests/traces/mkchecked.h
tests_traces_mkforeign_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS)

LDADD = tests/libfixture.a libcalibrate.a $(contend_parts) $(contend_libs) $(CUNIT_LIBS)

# Unit tests link archives alone: libtool would take longer to find that out than all else.
$(unit_tests): private LINK = $(CCLD) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) -o $@
$(unit_tests): private LDADD := $(LDADD:libcommon.la=.libs/libcommon.a)
if HAVE_CUNIT
check_PROGRAMS += $(unit_tests)
endif
tests_unit_test_contention_fit_CPPFLAGS = $(AM_CPPFLAGS) $(any_mpi_cppflags)
tests_unit_test_derived_CPPFLAGS = $(AM_CPPFLAGS) $(any_mpi_cppflags)
tests_unit_test_answer_SOURCES = tests/unit/test_answer.c interpose/job/answer.c \
	interpose/job/launch.c
tests_unit_test_deadly_SOURCES = tests/unit/test_deadly.c interpose/job/deadly.c
tests_unit_test_flow_table_SOURCES = tests/unit/test_flow_table.c tests/smpi/flow_table.c
tests_unit_test_launches_CPPFLAGS = $(AM_CPPFLAGS) $(any_mpi_cppflags)
tests_unit_test_moved_CPPFLAGS = $(AM_CPPFLAGS) $(any_mpi_cppflags)
tests_unit_test_unidentified_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(any_mpi_cppflags)
tests_unit_test_places_CPPFLAGS = $(AM_CPPFLAGS) $(HWLOC_CFLAGS)
tests_unit_test_drift_file_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(any_mpi_cppflags)
tests_unit_test_drift_point_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)

# The simulated machine: SimGrid's plug-in, see tests/smpi/run.
check_PROGRAMS += tests/smpi/truth tests/smpi/compare
tests_smpi_compare_SOURCES = tests/smpi/side_by_side.c
tests_smpi_truth_SOURCES = tests/smpi/truth.c tests/smpi/fates.c tests/smpi/fates.h \
	tests/smpi/flow_table.c tests/smpi/flow_table.h tests/smpi/waits.c tests/smpi/waits.h
if HAVE_SIMGRID
check_LTLIBRARIES += tests/smpi/machine.la tests/smpi/untimed.la
tests_smpi_untimed_la_SOURCES = tests/smpi/untimed.c
tests_smpi_untimed_la_LDFLAGS = -module -avoid-version -shared -rpath $(pkglibdir)
tests_smpi_machine_la_SOURCES = tests/smpi/machine.cc tests/smpi/flows.cc tests/smpi/flows.h
tests_smpi_machine_la_CPPFLAGS = $(AM_CPPFLAGS) $(SIMGRID_CFLAGS)
tests_smpi_machine_la_CXXFLAGS = -std=c++17 $(DEVEL_CFLAGS)
tests_smpi_machine_la_LDFLAGS = -module -avoid-version -shared -rpath $(pkglibdir) -Wl,-z,nodelete
tests_smpi_machine_la_LIBADD = $(SIMGRID_LIBS)
endif

# Scripts: tests/FOLDER/NAME.sh. Those of tests/mpi and tests/apps
# are run once for each MPI named after @.
each_mpi = $(foreach mpi,$(CONTEND_MPIS),$(addsuffix @$(mpi),$(1)))
only_mpi = $(if $(filter $(1),$(CONTEND_MPIS)),$(addsuffix @$(1),$(2)))

cli_tests = \
	tests/cli/cannot-tell.sh tests/cli/complete.sh tests/cli/cores.sh \
	tests/cli/cut.sh \
	tests/cli/dialects.sh \
	tests/cli/diff-cut.sh \
	tests/cli/diff-order.sh \
	tests/cli/diff-regression.sh \
	tests/cli/foreign.sh \
	tests/cli/full.sh \
	tests/cli/fuzzed.sh \
	tests/cli/help.sh \
	tests/cli/info.sh \
	tests/cli/looks.sh \
	tests/cli/manual.sh \
	tests/cli/model.sh \
	tests/cli/mistaken.sh tests/cli/module.sh tests/cli/moved.sh \
	tests/cli/model-contention.sh \
	tests/cli/record-program.sh \
	tests/cli/next.sh tests/cli/page.sh tests/cli/predict.sh \
	tests/cli/report-bad-input.sh tests/cli/report-evidence.sh \
	tests/cli/report-fail-on.sh \
	tests/cli/report-machine.sh \
	tests/cli/report-memory.sh \
	tests/cli/report-messages.sh \
	tests/cli/report-shared.sh \
	tests/cli/report-order.sh \
	tests/cli/report-random.sh \
	tests/cli/schema.sh \
	tests/cli/terminal.sh \
	tests/cli/usage.sh tests/cli/widths.sh tests/cli/words.sh

mpi_tests = $(call each_mpi, \
	tests/mpi/callers.sh \
	tests/mpi/coverage.sh \
	tests/mpi/transparent.sh \
	tests/mpi/comma.sh \
	tests/mpi/cost.sh \
	tests/mpi/evidence.sh \
	tests/mpi/node_counters.sh \
	tests/mpi/bound.sh \
	tests/mpi/core_wait.sh \
	tests/mpi/calibrate.sh \
	tests/mpi/killed.sh \
	tests/mpi/killed_access.sh \
	tests/mpi/hung.sh \
	tests/mpi/killed_shown.sh \
	tests/mpi/dozing.sh \
	tests/mpi/still.sh \
	tests/mpi/becomes.sh \
	tests/mpi/interrupted.sh \
	tests/mpi/late_fence.sh \
	tests/mpi/lowered.sh \
	tests/mpi/rma_waits.sh \
	tests/mpi/paths.sh \
	tests/mpi/matched.sh \
	tests/mpi/untold.sh \
	tests/mpi/pauses.sh \
	tests/mpi/roots.sh \
	tests/mpi/selected.sh \
	tests/mpi/partial.sh \
	tests/mpi/ids.sh \
	tests/mpi/sessions.sh \
	tests/mpi/spawn.sh \
	tests/mpi/other_tools.sh \
	tests/mpi/eztrace.sh \
	tests/mpi/split_waitall.sh \
	tests/mpi/reach.sh \
	tests/mpi/report_once.sh \
	tests/mpi/everywhere.sh \
	tests/mpi/limited.sh \
	tests/mpi/max_trace.sh \
	tests/mpi/damaged.sh \
	tests/mpi/damaged_logs.sh \
	tests/mpi/unwritable.sh \
	tests/mpi/filling_disk.sh \
	tests/mpi/full_disk.sh \
	tests/mpi/fortran.sh \
	tests/mpi/fortran_many.sh \
	tests/mpi/clocks.sh) \
	$(call only_mpi,openmpi,tests/mpi/bindings.sh) tests/mpi/both_mpis.sh $(call only_mpi,mpich,tests/mpi/never_given.sh)

san_tests = $(call each_mpi, tests/san/sanitized.sh)

app_tests = $(call each_mpi, tests/apps/netpipe.sh tests/apps/examples.sh) \
	$(call only_mpi,openmpi, tests/apps/lammps.sh tests/apps/hpcc.sh)

net_tests = tests/net/leftovers.sh $(call each_mpi,tests/net/calibration.sh tests/net/em3d_hotspot.sh tests/net/loss.sh tests/net/max_rate.sh) \
	$(call only_mpi,openmpi,tests/net/uplink.sh)

smpi_tests = tests/smpi/calibrated.sh tests/smpi/command.sh tests/smpi/gets.sh \
	tests/smpi/diamond.sh tests/smpi/thousand.sh tests/smpi/em3d.sh tests/smpi/patterns.sh \
	tests/smpi/opinion.sh tests/smpi/idle.sh tests/smpi/split.sh tests/smpi/links.sh \
	tests/smpi/rows.sh tests/smpi/advice.sh tests/smpi/predicted.sh tests/smpi/changed.sh tests/smpi/copies.sh \
	tests/smpi/drawn.sh tests/smpi/servers.sh

# Those that measure nothing and race with nothing go several at a time, the longest first.
untimed_tests = $(call each_mpi,tests/mpi/transparent.sh) $(san_tests) $(smpi_tests) \
	$(call each_mpi,tests/apps/examples.sh tests/mpi/fortran_many.sh tests/mpi/fortran.sh \
	tests/mpi/other_tools.sh tests/mpi/reach.sh tests/mpi/damaged_logs.sh tests/mpi/callers.sh \
	tests/mpi/coverage.sh tests/mpi/comma.sh tests/mpi/paths.sh tests/mpi/matched.sh \
	tests/mpi/ids.sh tests/mpi/sessions.sh tests/mpi/eztrace.sh tests/mpi/split_waitall.sh \
	tests/mpi/unwritable.sh tests/mpi/max_trace.sh tests/mpi/damaged.sh tests/mpi/roots.sh \
	tests/mpi/selected.sh tests/mpi/spawn.sh) \
	$(call only_mpi,openmpi,tests/mpi/bindings.sh) tests/mpi/both_mpis.sh
timed_cli_tests = tests/cli/terminal.sh tests/cli/report-memory.sh

if HAVE_CUNIT
quick_tests = $(unit_tests)
endif
parallel_tests = tests/layers
serial_tests = $(timed_cli_tests)
if LONG_TESTS
parallel_tests += $(untimed_tests)
serial_tests += $(filter-out $(untimed_tests),$(mpi_tests) $(app_tests) $(net_tests))
endif
parallel_tests += $(filter-out $(timed_cli_tests),$(cli_tests)) $(quick_tests)

EXTRA_DIST += doc/agreement.md doc/calibration.md doc/promises.md doc/suites.md \
	doc/patterns.md doc/validation-models.md doc/validation.md doc/recording.md \
	doc/hotspots.md doc/numbers.md doc/scale.md tests/run tests/testlib.sh \
	tests/layers \
	tests/lint \
	tests/cli tests/mpi tests/san tests/apps tests/net tests/bench tests/smpi tests/suites

# What the driver tells every test; paths are absolute. See tests/run.
tests_environment = srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' \
	CC='$(CC)' MPIS='$(CONTEND_MPIS)' OTF2_PRINT='$(OTF2_PRINT)' \
	OPENMPI_MPICC='$(OPENMPI_MPICC)' OPENMPI_MPIFORT='$(OPENMPI_MPIFORT)' \
	OPENMPI_MPIEXEC='$(OPENMPI_MPIEXEC)' MPICH_MPICC='$(MPICH_MPICC)' \
	MPICH_MPIFORT='$(MPICH_MPIFORT)' MPICH_MPIEXEC='$(MPICH_MPIEXEC)' \
	SMPIRUN='$(SMPIRUN)' SMPI_CPPFLAGS='$(SMPI_CPPFLAGS)'
tests_run = $(tests_environment) $(srcdir)/tests/run -j "$$(nproc)"

# make check TESTS="tests/cli/usage.sh tests/mpi/fortran.sh@mpich" runs just these.
check-local:
	@$(tests_run) $(if $(TESTS),--serial $(TESTS),$(parallel_tests) --serial $(serial_tests))

check-unit check-cli check-mpi check-apps check-net check-smpi check-floods check-kills check-san \
	check-tsan update-golden validate: test-programs

# What any test may use, in a folder where nothing is built yet: after all, which is a make of its
# own and would build the same libraries at the same time.
test-programs: all
	@$(MAKE) $(AM_MAKEFLAGS) $(check_LIBRARIES) $(check_LTLIBRARIES) $(check_PROGRAMS)

check-unit:
	@$(tests_run) tests/layers $(quick_tests)

check-cli:
	@$(tests_run) --serial $(cli_tests)

check-mpi:
	@$(tests_run) --serial $(mpi_tests)

check-apps:
	@$(tests_run) --serial $(app_tests)

# The recorder with ThreadSanitizer; it, the command and the unit tests with ASan and UBSan.
check-tsan:
	@TEST_TIMEOUT=1800 SANITIZER=thread BEHAVIOURS=all $(tests_run) --serial $(san_tests)

check-san:
	@TEST_TIMEOUT=1800 SANITIZER=address BEHAVIOURS=all $(tests_run) --serial $(san_tests) \
		tests/san/unit.sh

# 250 processes killed under each MPI: at random times, at every kind of moment.
check-kills:
	@TEST_TIMEOUT=1800 KILLS=250 $(tests_run) --serial $(call each_mpi,tests/mpi/killed.sh)

# 10^8 polls, and as many messages as do not fit, by each process: bytes and memory stay bounded.
# Open MPI would give its processor away at each poll, which takes microseconds.
check-floods:
	@TEST_TIMEOUT=3600 JOB_TIMEOUT=1700 BEHAVIOURS=floods RANKS=2 OMPI_MCA_mpi_yield_when_idle=0 \
		POLLS=50000000 ROUNDS=1000000 $(tests_run) \
		--serial $(call each_mpi,tests/mpi/transparent.sh tests/mpi/max_trace.sh)

# Other people's test suites under the recorder, hours: see tests/suites/run.
check-suites: all
	@$(tests_environment) $(srcdir)/tests/suites/run

check-net:
	@$(tests_run) --serial $(net_tests)

check-smpi:
	@$(tests_run) --serial $(smpi_tests)

update-golden:
	@UPDATE_GOLDEN=yes $(tests_run) --serial $(cli_tests)

bench: all tests/bench/mkbig tests/bench/readonly
	@$(tests_environment) $(srcdir)/tests/bench/bench.sh

# What the papers print, the models say and the simulators measure; the document is committed.
validate-models: tests/oracle/validate
	$(MKDIR_P) $(srcdir)/doc
	tests/oracle/validate >$(srcdir)/doc/validation-models.md

# How often patterns are called by their names: minutes; the document is committed.
validate-patterns: tests/oracle/naming
	tests/oracle/naming 100 >patterns.md && mv patterns.md $(srcdir)/doc/patterns.md

# In variables, because a backslash inside the quotes would stay.
lint_cppflags = $(CPPFLAGS) $(OTF2_CFLAGS) $(JANSSON_CFLAGS) $(GSL_CFLAGS) $(LIBDW_CFLAGS) \
	$(HWLOC_CFLAGS) $(SMARTCOLS_CFLAGS) $(LIBUNWIND_CFLAGS)
any_mpi_cppflags = $(if $(OPENMPI_CPPFLAGS),$(OPENMPI_CPPFLAGS),$(MPICH_CPPFLAGS))
lint: all
	@$(tests_environment) CPPFLAGS='$(lint_cppflags)' MPI_CPPFLAGS='$(any_mpi_cppflags)' \
		$(srcdir)/tests/lint

# Writes doc/validation.md: minutes. make validate ONLY='em3d/*' shows some rows of it, in seconds.
validate:
	@$(tests_environment) nice $(srcdir)/tests/smpi/validate $(ONLY:%=--only='%') validate \
		>validation.md && $(if $(ONLY),cat validation.md,mv validation.md $(srcdir)/doc/validation.md)

# Writes doc/agreement.md: LAUNCHES (20) of each of four kinds, 20 s for all four; those that are in
# the folder agreement from before count too, if the same program measured them.
validate-calibration: all
	@$(tests_environment) $(srcdir)/tests/net/agreement $(LAUNCHES:%=-n %) >agreement.md && \
		mv agreement.md $(srcdir)/doc/agreement.md

.PHONY: test-programs validate validate-calibration check-unit check-cli check-mpi check-apps \
	check-net \
	check-smpi \
	check-floods check-kills check-san check-suites check-tsan update-golden bench \
	lint validate-models validate-patterns

clean-local:
	rm -rf tests/logs tests/san-thread tests/san-address tests/suites-built
