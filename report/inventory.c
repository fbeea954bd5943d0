/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/inventory.h"

#include "common/number.h"
#include "common/wording.h"
#include "report/columns.h"
#include "report/layout.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/text.h"

#include <stdint.h>
#include <string.h>

#define LABEL_COLUMN 15

static void put_field(struct layout *l, const char *label, const char *text)
{
	layout_line(l, label, LABEL_COLUMN, text);
}

/* As a person says it; what else there is are words already. */
static const char *how_ended(const char *ended)
{
	return strcmp(ended, "finalize") ? ended : "all ranks in MPI_Finalize";
}

static void put_run(struct layout *l, const json_t *run)
{
	double left_out = pick_number(run, "left_out_ranks", 0.0);
	char text[160], some[60] = "";

	layout_begin(l, "", 0);
	layout_put(l, INK_HEADING, pick_text(run, "directory", pick_text(run, "archive", "?")));
	layout_end(l);
	put_field(l, "  command", pick_text(run, "command", "?"));
	put_field(l, "  recorder", pick_text(run, "recorder", "?"));
	put_field(l, "  recorded at", pick_text(run, "recorded_at", "unknown"));
	put_field(l, "  MPI", pick_text(run, "mpi", "unknown"));
	put_field(l, "  ended", how_ended(pick_text(run, "ended", "unknown")));
	if (*pick_text(run, "ending", ""))
		put_field(l, "", pick_text(run, "ending", ""));
	if (*pick_text(run, "events_end", ""))
		put_field(l, "  recorded", pick_text(run, "events_end", ""));
	if (*pick_text(run, "lost", ""))
		put_field(l, "  not whole", pick_text(run, "lost", ""));
	if (left_out > 0.0)
		snprintf(some, sizeof(some), ", %.0f of them %s",
			 pick_number(run, "ranks", 0.0) - left_out,
			 *pick_text(run, "lost", "") ? "in the trace" : "recorded");
	snprintf(text, sizeof(text), "%.0f on %.0f node%s%s, %s", pick_number(run, "ranks", 0.0),
		 pick_number(run, "nodes", 0.0), pick_number(run, "nodes", 0.0) == 1.0 ? "" : "s",
		 some, number_seconds(pick_number(run, "wall_s", 0.0)).text);
	put_field(l, "  ranks", text);
	if (left_out > 0.0 && left_out < pick_number(run, "ranks", 0.0) &&
	    !*pick_text(run, "lost", ""))
		put_field(l, "", "of the others no calls, at most MPI_Init and MPI_Finalize");
}

/* How well the clocks of several nodes are known, as the recorder compared them. */
static void put_clocks(struct layout *l, const json_t *clock)
{
	const json_t *node;
	int64_t least = INT64_MAX, steps = 0;
	char text[160], times[48] = "";
	size_t i;

	json_array_foreach((json_t *)pick(clock, "nodes"), i, node) {
		int64_t n = (int64_t)pick_number(node, "compared", 0.0);

		least = n < least ? n : least;
		steps += (int64_t)pick_number(node, "steps", 0.0);
	}
	if (least != INT64_MAX)
		snprintf(times, sizeof(times), ", compared %lld times", (long long)least);
	snprintf(text, sizeof(text), "of different nodes agree to %s%s%s",
		 number_seconds(pick_number(clock, "error_ns", 0.0) * 1e-9).text, times,
		 steps ? "; one was set while the job ran" : "");
	put_field(l, "  clocks", text);
}

/* What recording took, by the archive's own figures. */
static void put_recording(struct layout *l, const json_t *recording, double finishing_s)
{
	double share = pick_number(recording, "share", 0.0);
	char text[400], after[96] = "";

	if (finishing_s > 0.0)
		snprintf(after, sizeof(after), "; then MPI_Finalize took %s to write the trace",
			 number_seconds(finishing_s).text);
	snprintf(text, sizeof(text),
		 "took %s a call, %s a request and %s a poll, %s for call sites and %s for "
		 "writing: %s of rank time%s",
		 number_seconds(pick_number(recording, "call_s", 0.0)).text,
		 number_seconds(pick_number(recording, "request_s", 0.0)).text,
		 number_seconds(pick_number(recording, "poll_s", 0.0)).text,
		 number_seconds(pick_number(recording, "sites_s", 0.0)).text,
		 number_seconds(pick_number(recording, "writing_s", 0.0)).text,
		 share < 0.0005 ? "under 0.1 %" : number_share(share).text, after);
	put_field(l, "  recording", text);
}

static void put_hosts(struct layout *l, const json_t *nodes)
{
	const json_t *node;
	size_t i;

	layout_begin(l, "  hosts", LABEL_COLUMN);
	json_array_foreach((json_t *)nodes, i, node) {
		if (i == l->style->top && json_array_size(nodes) > i + 1) {
			layout_item(l, INK_DIM, "and %zu more", json_array_size(nodes) - i);
			break;
		}
		layout_item(l, INK_PLAIN, "%s: %.0f", pick_text(node, "host", "?"),
			    pick_number(node, "ranks", 0.0));
	}
	layout_end(l);
}

/* Which ranks have to share cores, if any have. */
static void put_shared(struct layout *l, const json_t *document)
{
	const json_t *shared = pick(document, "run.shared_cores");
	double nodes = pick_number(document, "run.nodes", 0.0);
	size_t n = json_array_size(shared), i;
	const json_t *group;
	char text[400];

	if (json_is_array(shared) && !n)
		put_field(l, "  cores",
			  json_array_size(pick(document, "recorded.processors"))
				  ? "no fewer than ranks, wherever these may run"
				  : "no fewer than ranks; which of them these were bound to is "
				    "not recorded");
	json_array_foreach((json_t *)shared, i, group) {
		const char *which = pick_text(group, "which", "");
		const char *host = nodes > 1.0 ? pick_text(group, "host", "?") : "";

		if (strstr(pick_text(group, "text", "?"), host)) /* it is said there */
			host = "";
		if (i == l->style->top && n > i + 1) {
			snprintf(text, sizeof(text), "and %zu more groups of ranks", n - i);
			put_field(l, "", text);
			break;
		}
		snprintf(text, sizeof(text), "%s%s%s%s%.60s", pick_text(group, "text", "?"),
			 *which ? ": " : "", which, *host ? ", on " : "", host);
		put_field(l, i ? "" : "  cores", text);
	}
}

/* Events that no rank's time is made of. */
static void put_unread(struct layout *l, const json_t *archive)
{
	double locations = pick_number(archive, "unread_locations", 0.0);
	char text[160];

	if (!(locations > 0.0))
		return;
	snprintf(text, sizeof(text), "%s events of %s location%s that are no threads of ranks",
		 number_count(pick_number(archive, "unread_events", 0.0)).text,
		 number_count(locations).text, locations == 1.0 ? "" : "s");
	put_field(l, "  not read", text);
}

/* What was sent, as far as records are in calls: those alone can be joined. */
static void put_messages(struct layout *l, const json_t *document)
{
	const json_t *messages = pick(document, "messages");
	double records = pick_number(document, "archive.operations", 0.0);
	double sends = pick_number(messages, "unmatched_sends", 0.0);
	double receives = pick_number(messages, "unmatched_receives", 0.0);
	double count = pick_number(messages, "count", 0.0);
	char text[240];
	struct wording w = wording_begin(sizeof(text), text);

	if (!(pick_number(document, "archive.calls", 0.0) > 0.0)) {
		snprintf(text, sizeof(text), "%s, none in an MPI call: what was sent is not joined",
			 number_count(records).text);
		put_field(l, "  records", records > 0.0 ? text : "none of communication");
		return;
	}
	if (count > 0.0)
		wording_add(&w, "%s, %s together, the largest %s", number_count(count).text,
			    number_bytes(pick_number(messages, "bytes", 0.0)).text,
			    number_bytes(pick_number(messages, "largest_bytes", 0.0)).text);
	else
		wording_add(&w, "none");
	if (sends + receives > 0.0)
		wording_add(&w, "; unmatched: %.0f send%s, %.0f receive%s", sends,
			    sends == 1.0 ? "" : "s", receives, receives == 1.0 ? "" : "s");
	put_field(l, "  messages", text);
	put_field(l, "  collectives",
		  number_count(pick_number(document, "collectives.count", 0.0)).text);
	if (pick_number(messages, "unrecorded_calls", 0.0) > 0.0) {
		snprintf(text, sizeof(text),
			 "of %s calls that send, receive or are collective: none",
			 number_count(pick_number(messages, "unrecorded_calls", 0.0)).text);
		put_field(l, "  records", text);
	}
}

static void put_archive(struct layout *l, const json_t *document)
{
	const json_t *archive = pick(document, "archive");
	double calls = pick_number(archive, "calls", 0.0);
	double records = pick_number(archive, "call_records", calls);
	char text[240], of[80] = "";

	layout_heading(l, "ARCHIVE", "");
	if (records < calls) /* polls in a row are one record */
		snprintf(of, sizeof(of), "%s records of ", number_count(records).text);
	snprintf(text, sizeof(text), "%s, of them %s%s MPI calls at %.0f call site%s",
		 number_count(pick_number(archive, "events", 0.0)).text, of,
		 number_count(calls).text, pick_number(archive, "call_sites", 0.0),
		 pick_number(archive, "call_sites", 0.0) == 1 ? "" : "s");
	put_field(l, "  events", text);
	put_unread(l, archive);
	put_messages(l, document);
}

/* Options and where each value came from, as run.json has them. */
static int put_options(struct layout *l, const json_t *options, struct err *err)
{
	static const struct column heads[] = {
		{"option", COLUMN_LEFT}, {"value", COLUMN_CUT}, {"from", COLUMN_LEFT}};
	struct columns *c;
	const char *name;
	json_t *option;
	int ret;

	if (!json_object_size(options))
		return 0;
	c = columns_new(l->style, 3, heads);
	if (!c)
		return err_set(err, "out of memory for the table of options");
	json_object_foreach((json_t *)options, name, option) {
		char value[400];
		const json_t *given = pick(option, "value");

		snprintf(value, sizeof(value), "%s",
			 json_is_string(given)           ? json_string_value(given)
			 : json_is_null(given) || !given ? "-"
							 : "?");
		columns_add(c);
		columns_put(c, INK_PLAIN, name);
		columns_put(c, INK_PLAIN, value);
		columns_put(c, INK_DIM, pick_text(option, "origin", "?"));
	}
	layout_heading(l, "OPTIONS", "");
	ret = columns_print(c, l->out, err);
	columns_free(c);
	return ret;
}

static void put_region(struct columns *c, const json_t *region)
{
	columns_add(c);
	cell_number(c, number_count, region, "calls");
	cell_number(c, number_seconds, region, "s");
	cell_text(c, region, "name");
}

static void put_counted(struct columns *c, const json_t *row)
{
	columns_add(c);
	cell_number(c, number_count, row, "calls");
	cell_number(c, number_seconds, row, "s");
	cell_number(c, number_count, row, "sent");
	cell_number(c, number_bytes, row, "sent_bytes");
	cell_number(c, number_count, row, "received");
	cell_text(c, row, "call");
	cell_place(c, row);
}

static void put_communicator(struct columns *c, const json_t *comm)
{
	double ranks = pick_number(comm, "ranks", 0.0);
	const char *name = pick_text(comm, "name", "");

	columns_add(c);
	columns_put(c, INK_PLAIN, ranks > 0.0 ? number_count(ranks).text : "unknown");
	columns_put(c, INK_PLAIN, *name ? name : "without a name");
}

static const struct column region_columns[] = {
	{"calls", COLUMN_RIGHT}, {"time", COLUMN_RIGHT}, {"function", COLUMN_LEFT}};
static const struct rows regions = {"FUNCTIONS", NULL, 3, region_columns, put_region};

static const struct column counted_columns[] = {{"calls", COLUMN_RIGHT},    {"time", COLUMN_SPARE},
						{"sent", COLUMN_SPARE},     {"bytes", COLUMN_RIGHT},
						{"received", COLUMN_SPARE}, {"call", COLUMN_LEFT},
						{"where", COLUMN_CUT}};
static const struct rows counted = {"AFTER THE EVENTS' END", NULL, 7, counted_columns, put_counted};

static const struct column communicator_columns[] = {{"ranks", COLUMN_RIGHT},
						     {"communicator", COLUMN_LEFT}};
static const struct rows communicators = {"COMMUNICATORS", NULL, 2, communicator_columns,
					  put_communicator};

int inventory_text(const json_t *document, const struct style *style, FILE *out, struct err *err)
{
	struct layout l = {.out = out, .style = style};
	const char *run = pick_text(document, "run.directory", NULL);
	char word[1024];

	put_run(&l, pick(document, "run"));
	if (json_array_size(pick(document, "nodes")))
		put_hosts(&l, pick(document, "nodes"));
	put_shared(&l, document);
	if (pick_number(document, "run.nodes", 0.0) > 1.0 && pick(document, "recorded.clock"))
		put_clocks(&l, pick(document, "recorded.clock"));
	if (json_is_object(pick(document, "recording")))
		put_recording(&l, pick(document, "recording"),
			      pick_number(document, "recorded.cost.finishing_s", 0.0));
	put_archive(&l, document);
	if (put_options(&l, pick(document, "recorded.options"), err) ||
	    rows_print_top(&l, &regions, pick(document, "regions"), err) ||
	    rows_print_top(&l, &counted, pick(document, "only_counted"), err) ||
	    rows_print_top(&l, &communicators, pick(document, "communicators"), err))
		return -1;
	if (!(pick_number(document, "archive.calls", 0.0) > 0.0)) /* nothing to report */
		return 0;
	fprintf(out, "\nWhere its messages wait:\n  %scontend report %s%s\n",
		style_ink(style, INK_HEADING),
		text_shell_word(run ? run : "RUN", sizeof(word), word), style_reset(style));
	return 0;
}
