/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/mistaken.h"

#include "analyze/run/run.h"

#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#define AT(wanted) (1u << (wanted))

struct kind {
	const char *schema; /* without its version; NULL: has none */
	const char *what;
	const char *use;  /* its first "%s" is the path */
	unsigned is_what; /* where it is wanted */
};

static const struct kind documents[] = {
	{"contend", "a document of report --json", "contend report %s prints it", AT(WANTED_RUN)},
	{"contend-machine", "a machine file", "report, diff and model take it with --machine=%s",
	 AT(WANTED_MACHINE)},
	{"contend-run", "a run's own description", "name the folder that it is in", 0},
	{"contend-diff", "a document of diff --json", "it is for other programs, no verb reads it",
	 0},
	{"contend-info", "a document of info --json", "it is for other programs, no verb reads it",
	 0},
	{"contend-drift", "a document of calibrate --drift --json",
	 "it is for other programs, no verb reads it", 0},
};

static const struct kind answer = {NULL, "a document of model --json",
				   "it is for other programs, no verb reads it", 0};
static const struct kind recording = {NULL, "a recording", "contend report %s explains it",
				      AT(WANTED_RUN) | AT(WANTED_RECORDING)};
static const struct kind folder = {NULL, "a folder", "name a file",
				   AT(WANTED_RUN) | AT(WANTED_RECORDING)};

static const char *const wishes[] = {
	[WANTED_RUN] = "a run (its directory, an OTF2 archive or a document of report --json)",
	[WANTED_RECORDING] = "a recording (a run directory or an OTF2 archive)",
	[WANTED_MACHINE] = "a machine file, which mpirun -n 2 contend calibrate writes",
};

/* What says of itself what it is; NULL: it does not. */
static const struct kind *kind_of_document(const json_t *document)
{
	const char *schema = json_string_value(json_object_get(document, "schema"));
	size_t n = schema ? strcspn(schema, "/") : 0, i;

	for (i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
		if (n && n == strlen(documents[i].schema) &&
		    !strncmp(schema, documents[i].schema, n))
			return &documents[i];
	return json_object_get(document, "model") && json_object_get(document, "inputs") ? &answer
											 : NULL;
}

static const struct kind *kind_of(const char *path)
{
	const struct kind *kind;
	json_t *document;
	struct err unused;
	struct stat st;
	struct run run;

	if (stat(path, &st))
		return NULL;
	if (!run_is_other(path)) {
		if (run_open(path, &run, &unused))
			return S_ISDIR(st.st_mode) ? &folder : NULL;
		run_release(&run);
		return &recording;
	}
	if (!S_ISREG(st.st_mode))
		return NULL;
	document = json_load_file(path, 0, NULL);
	kind = kind_of_document(document);
	json_decref(document);
	return kind;
}

int mistaken_for(const char *path, enum wanted wanted, struct err *err)
{
	const struct kind *kind = kind_of(path);
	const char *gap;

	if (!kind || kind->is_what & AT(wanted))
		return 0;
	gap = strstr(kind->use, "%s");
	return err_set(err, "%s is %s, not %s; %.*s%s%s", path, kind->what, wishes[wanted],
		       gap ? (int)(gap - kind->use) : 0, kind->use, gap ? path : "",
		       gap ? gap + 2 : kind->use);
}
