# SPDX-License-Identifier: GPL-3.0-or-later
# report/: document -> text, comparison.

noinst_LIBRARIES += libreport.a
libreport_a_SOURCES = \
	report/budget_rows.c report/budget_rows.h \
	report/columns.c report/columns.h \
	report/compare.c report/compare.h report/compare_text.c \
	report/compare_hotspots.c report/compare_hotspots.h \
	report/compare_sites.c report/compare_sites.h report/noise.c report/noise.h \
	report/unlike.c report/unlike.h \
	report/cut_short.c report/cut_short.h \
	report/contention_text.c report/contention_text.h \
	report/cost_words.c report/cost_words.h \
	report/glossary.c report/glossary.h report/words.def \
	report/html.c report/html.h \
	report/inventory.c report/inventory.h \
	report/layout.c report/layout.h \
	report/legend.c report/legend.h \
	report/machine_page.c report/machine_page.h \
	report/main_phases.c report/main_phases.h \
	report/moments.c report/moments.h \
	report/machine_notes.c report/machine_notes.h \
	report/machine_text.c report/machine_text.h \
	report/page.c report/page.h report/page_budget.c report/page_hotspots.c \
	report/page_phases.c report/page_predictions.c report/page_ranks.c \
	report/page_sites.c report/page_timeline.c report/page_traffic.c \
	report/pick.c report/pick.h \
	report/plain_name.c report/plain_name.h \
	report/rows.c report/rows.h \
	report/stacked.c report/stacked.h report/style.c report/style.h \
	report/signature_page.c report/signature_page.h report/svg.c report/svg.h \
	report/text.c report/text.h report/text_collectives.c report/text_evidence.c \
	report/text_hotspots.c report/text_instead.c \
	report/text_late.c report/text_models.c report/text_next.c report/text_onesided.c \
	report/text_patterns.c report/text_predict.c report/text_sites.c report/text_tables.c
libreport_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(SMARTCOLS_CFLAGS)
