/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/document/document.h"
#include "analyze/reader/reader.h"
#include "analyze/run/run_cores.h"
#include "cmd/arguments.h"
#include "cmd/progress.h"
#include "cmd/recovery.h"
#include "cmd/terminal.h"
#include "common/options.h"
#include "report/inventory.h"

#include <stdio.h>
#include <string.h>

struct contents {
	struct run run;
	struct trace trace;
	struct messages messages;
	struct collectives collectives;
};

static json_t *list(struct contents *c, const char *path, struct progress *p, struct err *err)
{
	const struct inventory all = {&c->run, &c->trace, &c->messages, &c->collectives};

	if (recovery_open(path, p, &c->run, err))
		return NULL;
	if (recovery_read(&c->run, p, &c->trace, err) || run_cores_mark(&c->run, &c->trace, err))
		return NULL;
	progress_step(p, "matching messages");
	if (messages_match(&c->trace, &c->messages, err))
		return NULL;
	progress_step(p, "matching collectives");
	if (collectives_match(&c->trace, &c->collectives, err))
		return NULL;
	progress_step(p, "writing the document");
	return document_inventory(&all, err);
}

static int print(const json_t *document, const struct style *style, struct err *err)
{
	if (!option_is_on(OPTION_JSON))
		return inventory_text(document, style, stdout, err);
	return terminal_json(document, "document", err);
}

int cmd_info(const struct verb *v, int argc, char **argv, struct err *err)
{
	struct arguments a;
	struct contents contents;
	struct progress progress;
	struct style style;
	json_t *document;
	int status;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (arguments_are_one(v, &a, WANTED_RECORDING, err))
		return STATUS_USAGE;
	if (terminal_style(&style, err) || recovery_checked(err))
		return STATUS_USAGE;
	memset(&contents, 0, sizeof(contents));
	progress_start(&progress);
	document = list(&contents, a.n ? a.words[0] : NULL, &progress, err);
	progress_stop(&progress);
	status = !document || print(document, &style, err) ? STATUS_FAILED : STATUS_OK;
	json_decref(document);
	collectives_release(&contents.collectives);
	messages_release(&contents.messages);
	trace_release(&contents.trace);
	run_release(&contents.run);
	return status;
}
