/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last line is a command: what a person would want to type now. */
#include "report/text.h"

#include "report/pick.h"

#include "config.h"

#include <stdio.h>
#include <string.h>

void text_next(struct layout *l, const json_t *document)
{
	const json_t *first = json_array_get(pick(document, "hotspots"), 0);
	const char *run = pick_text(document, "run.directory", NULL);
	const char *recorder = pick_text(document, "run.recorder", "");
	char place[400];
	char why[600];
	const char *latest = pick_text(document, "run.latest", NULL);
	char word[1024], new[1024] = "NEW";
	char command[2100];

	text_shell_word(run ? run : "RUN", sizeof(word), word);
	if (*recorder && strncmp(recorder, PACKAGE_NAME, strlen(PACKAGE_NAME))) {
		snprintf(why, sizeof(why), "Record with contend to see call sites:");
		snprintf(command, sizeof(command), "mpirun -n %.0f contend record ./app",
			 pick_number(document, "run.ranks", 1.0));
	} else if (first) {
		snprintf(why, sizeof(why), "Change %s%s, record again and compare%s:",
			 text_is_computation(first) ? "what is computed before " : "",
			 text_place(pick(first, "callsite"), sizeof(place), place),
			 latest ? "" : " with the NEW run");
		if (latest)
			text_shell_word(latest, sizeof(new), new);
		snprintf(command, sizeof(command), "contend diff %s %s", word, new);
	} else if (pick_number(document, "messages.count", 0.0) > 0.0) {
		snprintf(why, sizeof(why), "What it would take on a better machine:");
		snprintf(command, sizeof(command), "contend predict %s", word);
	} else {
		snprintf(why, sizeof(why), "What was recorded, and with which options:");
		snprintf(command, sizeof(command), "contend info %s", word);
	}
	putc('\n', l->out);
	layout_line(l, "", 0, why);
	layout_begin(l, "  ", 2);
	layout_put(l, INK_HEADING, command);
	layout_end(l);
}
