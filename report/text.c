/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include "common/number.h"
#include "report/budget_rows.h"
#include "report/cost_words.h"
#include "report/glossary.h"
#include "report/pick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts under this share of rank time are not worth a place on the first screen. */
#define SHARE_SHOWN 0.005
#define PARTS_SHOWN 5

static const char *plural(double n)
{
	return n == 1.0 ? "" : "s";
}

/* Leave out the folders of "/a/b 1 : /c/d": where the programs are. */
static void drop_folders(const char *command, size_t size, char text[size])
{
	size_t used = 0;

	for (const char *next; *command && used < size; command = next) {
		const char *name = command, *end = strchrnul(command, ' ');

		next = strstr(command, " : ");
		next = next ? next + 3 : command + strlen(command);
		for (const char *c = command; c < end; c++)
			name = *c == '/' ? c + 1 : name;
		used += (size_t)snprintf(text + used, size - used, "%.*s", (int)(next - name),
					 name);
	}
}

/* The program's name, its arguments as far as they fit. */
static void put_command(struct layout *l, const char *command)
{
	unsigned room = l->style->width / 2;
	char names[512] = "";

	if (layout_columns(command) > room) {
		drop_folders(command, sizeof(names), names);
		command = names;
	}
	if (layout_columns(command) <= room)
		layout_item(l, INK_HEADING, "%s", command);
	else
		layout_item(l, INK_HEADING, "%.*s...", (int)layout_cut(command, room - 3), command);
}

void text_run(struct layout *l, const json_t *document)
{
	double ranks = pick_number(document, "run.ranks", 0.0);
	double left_out = pick_number(document, "run.left_out_ranks", 0.0);
	double nodes = pick_number(document, "run.nodes", 0.0);
	double clock_s = pick_number(document, "quality.clock_error_s", 0.0);
	const char *ended = pick_text(document, "run.ended", "unknown");
	char cost[120];

	layout_begin(l, "", 0);
	layout_item(l, INK_DIM, "contend %s", pick_text(document, "generator.version", "?"));
	put_command(l, pick_text(document, "run.command", "?"));
	if (left_out > 0.0)
		layout_item(l, INK_PLAIN, "%.0f rank%s, %.0f of them recorded, %.0f node%s", ranks,
			    plural(ranks), ranks - left_out, nodes, plural(nodes));
	else
		layout_item(l, INK_PLAIN, "%.0f rank%s, %.0f node%s", ranks, plural(ranks), nodes,
			    plural(nodes));
	layout_item(l, INK_PLAIN, "%s",
		    number_seconds(pick_number(document, "run.wall_s", 0.0)).text);
	if (strcmp(ended, "finalize") && strcmp(ended, "unknown"))
		layout_item(l, INK_DOUBT, "%s", ended);
	cost_words(document, sizeof(cost), cost);
	if (*cost)
		layout_item(l, INK_PLAIN, "%s", cost);
	if (nodes > 1.0)
		layout_item(l, INK_PLAIN, "clock error %s", number_seconds(clock_s).text);
	layout_end(l);
}

static void put_verdict(struct layout *l, const json_t *document)
{
	const json_t *sentence;
	size_t i;

	layout_begin(l, "", 0);
	json_array_foreach(pick(document, "summary.verdict"), i, sentence) {
		const char *text = json_is_string(sentence) ? json_string_value(sentence) : "?";

		layout_words(l, text);
		if (!strchr(text, '\n'))
			continue;
		layout_end(l); /* of a list */
		layout_begin(l, "", 0);
	}
	layout_end(l);
}

/* The largest parts of the communication with their intervals. */
static void put_parts(struct layout *l, const json_t *document)
{
	struct budget_row rows[LEGEND_PARTS];
	size_t shown = 0;

	if (!(pick_number(document, "budget.total_s", 0.0) > 0.0))
		return;
	budget_rows(document, rows);
	layout_begin(l, "", 2);
	for (size_t i = 0; i < LEGEND_PARTS && shown < PARTS_SHOWN; i++) {
		struct number bounds = number_bounds(rows[i].low, rows[i].high);

		if (rows[i].share < SHARE_SHOWN || !strcmp(rows[i].legend->name, "compute") ||
		    !strcmp(rows[i].legend->name, "start_end") ||
		    !strcmp(rows[i].legend->name, "file_access"))
			continue;
		layout_item(l, INK_PLAIN, "%s %s%s%s%s", rows[i].legend->label,
			    number_share(rows[i].share).text, *bounds.text ? " [" : "", bounds.text,
			    *bounds.text ? "]" : "");
		shown++;
	}
	if (shown)
		layout_end(l);
}

void text_conditions(struct layout *l, const json_t *document)
{
	const json_t *conditions = pick(document, "quality.conditions");
	const json_t *sentence;
	char remark[64];
	size_t i;

	snprintf(remark, sizeof(remark), "confidence: %s",
		 pick_text(document, "quality.confidence", "unknown"));
	layout_heading(l, "CONDITIONS", remark);
	if (pick_text(document, "machine.path", NULL)) {
		layout_begin(l, "- ", 2);
		layout_words(l, "the idle machine is what this file says:");
		layout_words(l, pick_text(document, "machine.path", ""));
		layout_end(l);
	}
	json_array_foreach(conditions, i, sentence)
		layout_line(l, "- ", 2,
			    json_is_string(sentence) ? json_string_value(sentence) : "?");
	if (!json_array_size(conditions)) {
		layout_line(l, "", 2,
			    "none: clock, machine parameters and trace are as they should be");
	}
}

const char *text_shell_word(const char *word, size_t size, char buffer[size])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=./:@%,^";
	size_t used = 0;

	if (*word && !word[strspn(word, plain)]) {
		snprintf(buffer, size, "%s", word);
		return buffer;
	}
	buffer[used++] = '\'';
	for (; *word && used + 6 < size; word++)
		if (*word == '\'')
			used += (size_t)snprintf(buffer + used, size - used, "'\\''");
		else
			buffer[used++] = *word;
	snprintf(buffer + used, size - used, "'");
	return buffer;
}

/* What the document says. */
static int put_sections(struct layout *l, const json_t *document, struct err *err)
{
	text_run(l, document);
	put_verdict(l, document);
	put_parts(l, document);
	text_hotspots(l, document);
	text_patterns(l, document);
	text_models(l, document);
	if (text_budget_table(l, document, err) || text_ranks_table(l, document, err) ||
	    text_late_table(l, document, err) || text_collectives_table(l, document, err) ||
	    text_onesided_table(l, document, err) || text_callsites_table(l, document, err))
		return -1;
	text_evidence(l, document);
	text_conditions(l, document);
	return 0;
}

int text_report(const json_t *document, const struct style *style, FILE *out, struct err *err)
{
	struct layout l = {.style = style};
	char *text = NULL;
	size_t size;
	int ret;

	if (pick_check(document, err))
		return -1;
	l.out = open_memstream(&text, &size);
	if (!l.out)
		return err_set(err, "out of memory for the report");
	ret = put_sections(&l, document, err);
	if (fclose(l.out) && !ret)
		ret = err_set(err, "out of memory for the report");
	l.out = out;
	if (!ret) {
		fputs(text, out);
		ret = glossary_put_used(&l, text);
		if (ret)
			err_set(err, "out of memory for the report");
		else
			text_next(&l, document);
	}
	free(text);
	return ret;
}
