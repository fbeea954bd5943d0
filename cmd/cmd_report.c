/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/arguments.h"
#include "cmd/method.h"
#include "cmd/recovery.h"
#include "cmd/terminal.h"
#include "common/options.h"
#include "report/page.h"
#include "report/pick.h"
#include "report/text.h"

#include <stdio.h>
#include <string.h>

/* What --fail-on takes: severities as the document has them, and none of them. */
enum { FAIL_NEVER = PICK_SEVERITIES };
static const char *const fail_words[] = {"low", "medium", "high", [FAIL_NEVER] = "never"};

/* Has a hotspot at least the severity of --fail-on? */
static int is_finding(const json_t *document, size_t fail_on)
{
	const json_t *hotspot;
	size_t i;

	json_array_foreach(pick(document, "hotspots"), i, hotspot)
		if (pick_severity(hotspot, "severity") >= fail_on)
			return 1;
	return 0;
}

/* A hotspot's severity that is none; NULL: all are. */
static const char *unknown_severity(const json_t *document)
{
	const json_t *hotspot;
	size_t i;

	json_array_foreach(pick(document, "hotspots"), i, hotspot) {
		const char *word = pick_text(hotspot, "severity", fail_words[0]);

		if (strcmp(word, fail_words[pick_severity(hotspot, "severity")]))
			return word;
	}
	return NULL;
}

/* By --fail-on, of which nobody shall take silence about what was not recorded for an acquittal. */
static int judge(const json_t *document, size_t fail_on, struct err *err)
{
	const char *unknown = unknown_severity(document);

	if (is_finding(document, fail_on))
		return STATUS_FINDING;
	if (fail_on == FAIL_NEVER)
		return STATUS_OK;
	if (unknown)
		err_set(err,
			"a hotspot's severity is \"%.40s\", which is none of %s, %s and %s: "
			"--fail-on cannot judge it",
			unknown, fail_words[0], fail_words[1], fail_words[2]);
	else if (!(pick_number(document, "run.recorded_share", 1.0) > 0.0))
		err_set(err, "nothing was recorded of this run: --fail-on has nothing to judge");
	else if (pick_number(document, "messages.unrecorded_calls", 0.0) > 0.0)
		err_set(err,
			"%.0f communicating calls have no record of what they moved: --fail-on "
			"cannot judge them",
			pick_number(document, "messages.unrecorded_calls", 0.0));
	else if (*pick_text(document, "run.lost", ""))
		err_set(err, "files of this run are missing or not whole: --fail-on does not pass "
			     "what is left");
	else if (json_array_size(pick(document, "run.unfinished")))
		err_set(err, "not all ranks of this run reached MPI_Finalize: --fail-on does not "
			     "pass it");
	else
		return STATUS_OK;
	return STATUS_FAILED;
}

static int print(const json_t *document, const struct style *style, struct err *err)
{
	if (option_is_on(OPTION_HTML))
		return page_report(document, stdout, err);
	if (!option_is_on(OPTION_JSON))
		return text_report(document, style, stdout, err);
	return terminal_json(document, "document", err);
}

/* Is what is asked of standard output possible, and of some use to who looks at it? */
static int is_output_sensible(struct err *err)
{
	if (option_text(OPTION_MESSAGES) && !strcmp(option_text(OPTION_MESSAGES), "-"))
		return !err_set(err, "--messages needs a file's name: standard output has the "
				     "report");
	return !terminal_page_check("report", err);
}

int cmd_report(const struct verb *v, int argc, char **argv, struct err *err)
{
	struct arguments a;
	struct style style;
	json_t *document;
	size_t fail_on = FAIL_NEVER;
	int status;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (arguments_are_one(v, &a, WANTED_RUN, err))
		return STATUS_USAGE;
	if (!is_output_sensible(err) || terminal_style(&style, err) || recovery_checked(err) ||
	    option_word(OPTION_FAIL_ON, FAIL_NEVER + 1, fail_words, &fail_on, err))
		return STATUS_USAGE;
	document = method_document(a.n ? a.words[0] : NULL,
				   (struct method_extras){.messages = option_text(OPTION_MESSAGES),
							  .with_machine =
								  option_origin(OPTION_MACHINE) ==
								  ORIGIN_FLAG},
				   err);
	if (!document)
		return STATUS_FAILED;
	status = print(document, &style, err) ? STATUS_FAILED : judge(document, fail_on, err);
	json_decref(document);
	return status;
}
