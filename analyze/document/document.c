/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/document/document.h"
#include "analyze/document/document_parts.h"
#include "analyze/document/events_end.h"
#include "analyze/run/ending.h"
#include "analyze/run/lost.h"
#include "analyze/tools/share.h"
#include "common/schema.h"

#include "config.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

json_t *document_real(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

json_t *document_text(const char *text)
{
	json_t *value;
	char *copy;
	size_t i;

	if (!text)
		return json_null();
	value = json_string(text);
	if (value)
		return value;
	copy = strdup(text);
	if (!copy)
		return NULL;
	for (i = 0; copy[i]; i++)
		if ((unsigned char)copy[i] >= 0x80)
			copy[i] = '?';
	value = json_string(copy);
	free(copy);
	return value;
}

double document_share(int64_t part, int64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : 0.0;
}

const char *document_percent(char buffer[16], double share)
{
	double p = share * 100.0;

	if (p > 0.0 && p < 0.05)
		snprintf(buffer, 16, "under 0.1 %%");
	else
		snprintf(buffer, 16, p >= 9.95 ? "%.0f %%" : "%.1f %%", p);
	return buffer;
}

static const char *meta_text(const struct analysis *a, const char *key, const char *otherwise)
{
	return a->run ? run_text(a->run, key, otherwise) : otherwise;
}

/* The run's directory by its own name, not by the link that leads to the newest one. */
static json_t *directory_name(const struct analysis *a)
{
	const char *dir = a->run ? a->run->dir : NULL;
	char target[PATH_MAX];
	ssize_t n;

	if (!dir || strchr(dir, '/'))
		return document_text(dir);
	n = readlink(dir, target, sizeof(target) - 1);
	if (n <= 0)
		return document_text(dir);
	target[n] = '\0';
	return document_text(target);
}

/*
 * The link to the newest run beside this one, which the next recording there moves; null where
 * there is none, as beside a copy.
 */
static json_t *latest_name(const struct analysis *a)
{
	const char *dir = a->run && a->run->dir ? a->run->dir : "";
	size_t end = strlen(dir), at;
	char path[PATH_MAX + 32];
	struct stat st;

	while (end > 1 && dir[end - 1] == '/')
		end--;
	for (at = end; at > 0 && dir[at - 1] != '/'; at--)
		;
	if (!strncmp(dir + at, ".", end - at) || !strncmp(dir + at, "..", end - at))
		snprintf(path, sizeof(path), "%.*s/../" SCHEMA_LATEST, (int)end, dir);
	else
		snprintf(path, sizeof(path), "%.*s" SCHEMA_LATEST, (int)at, dir);
	return *dir && !lstat(path, &st) && S_ISLNK(st.st_mode) ? document_text(path) : json_null();
}

/* Who wrote the trace; runs of ours have a run.json. */
static json_t *recorder_name(const struct analysis *a)
{
	if (!a->run || !a->run->meta)
		return document_text(a->trace->creator && *a->trace->creator ? a->trace->creator
									     : "another tool");
	return json_sprintf("%s %s", PACKAGE_NAME, run_text(a->run, "version", "?"));
}

double document_recorded_share(const struct analysis *a)
{
	const struct trace *t = a->trace;
	int64_t recorded_ns = 0, all_ns = t->wall_ns * (t->n_ranks - document_left_out(a));
	uint32_t r;

	for (r = 0; r < t->n_ranks; r++)
		recorded_ns += trace_recorded_ns(t, r);
	return recorded_ns == all_ns && all_ns > 0 ? 1.0 : document_share(recorded_ns, all_ns);
}

/* How each rank ended that did not finalize, as the recorder knows it. */
static json_t *unfinished(const struct analysis *a)
{
	const json_t *list = run_unfinished(a->run);

	return list ? json_deep_copy(list) : json_array();
}

/* The options that somebody gave for the recording, but for where it is; null: not known. */
static json_t *recording_options(const struct analysis *a)
{
	json_t *all = a->run ? json_object_get(a->run->meta, "options") : NULL, *option;
	json_t *given = all ? json_object() : json_null();
	const char *name;

	json_object_foreach(all, name, option) {
		const char *value = json_string_value(json_object_get(option, "value"));
		const char *origin = json_string_value(json_object_get(option, "origin"));

		if (value && origin && strcmp(origin, "default") && strcmp(name, "output"))
			json_object_set_new(given, name, json_string(value));
	}
	return given;
}

json_t *document_run(const struct analysis *a)
{
	const struct trace *t = a->trace;
	char ending[ENDING_ROOM], end[300], lost[600];

	ending_text(a->run, "; ", sizeof(ending), ending);
	events_end_text(a->run, sizeof(end), end);
	lost_text(a->run, a->trace, sizeof(lost), lost);
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:f, s:f, s:o, s:o, s:o, s:s, "
			 "s:s, s:s, s:o, s:o, s:o}",
			 "directory", directory_name(a), "latest", latest_name(a), "archive",
			 document_text(t->anchor), "command",
			 document_text(meta_text(a, "command", t->anchor)), "recorder",
			 recorder_name(a), "ranks", (json_int_t)t->n_ranks, "left_out_ranks",
			 (json_int_t)document_left_out(a), "nodes", (json_int_t)t->nodes, "wall_s",
			 (double)t->wall_ns / NS_PER_S, "recorded_share",
			 document_recorded_share(a), "mpi",
			 document_text(meta_text(a, "mpi", "unknown")), "recorded_at",
			 document_text(meta_text(a, "recorded_at", NULL)), "ended",
			 document_text(meta_text(a, "ended", "unknown")), "ending", ending,
			 "events_end", end, "lost", lost, "unfinished", unfinished(a), "options",
			 recording_options(a), "shared_cores", document_shared_cores(t));
}

/* The names of a class's MACHINE_JOINT_ bits. */
static json_t *joint_names(unsigned bits)
{
	json_t *names = json_array();

	if (bits & (MACHINE_JOINT_L_G | MACHINE_JOINT_SUM))
		json_array_append_new(names, json_string("L_g"));
	if (bits & MACHINE_JOINT_O_S)
		json_array_append_new(names, json_string("o_s"));
	if (bits & MACHINE_JOINT_O_R)
		json_array_append_new(names, json_string("o_r"));
	return names;
}

static json_t *machine_class_section(const struct machine_class *c)
{
	json_int_t eager;
	json_t *points, *class;
	uint32_t i;

	if (!c->n)
		return json_null();
	points = json_array();
	for (i = 0; i < c->n; i++) {
		const struct plogp_point *p = &c->points[i];

		json_array_append_new(points, json_pack("{s:f, s:o, s:o, s:o}", "bytes", p->bytes,
							"o_s_s", document_real(p->o_s_s), "o_r_s",
							document_real(p->o_r_s), "g_s",
							document_real(p->g_s)));
	}
	eager = c->eager_bytes > INT64_MAX ? INT64_MAX : (json_int_t)c->eager_bytes;
	class = json_pack("{s:o, s:o, s:I, s:b, s:o, s:I, s:o}", "L_s", document_real(c->L_s),
			  "uncertainty", document_real(c->uncertainty), "eager_bytes", eager,
			  "eager_assumed", c->eager_assumed, "joint", joint_names(c->joint),
			  "samples", (json_int_t)c->samples, "points", points);
	if (c->L_s_per_byte > 0)
		json_object_set_new(class, "L_s_per_byte", document_real(c->L_s_per_byte));
	if (c->has_handshake)
		json_object_set_new(class, "handshake_s", document_real(c->handshake_s));
	if (c->crowding > 0)
		json_object_set_new(class, "crowding", document_real(c->crowding));
	if (c->beyond > 0)
		json_object_set_new(class, "beyond", document_real(c->beyond));
	if (c->without_core)
		json_object_set_new(class, "without_core", json_true());
	json_object_set_new(class, "progress",
			    json_pack("{s:o, s:o}", "receiver", document_real(c->progress.receiver),
				      "sender", document_real(c->progress.sender)));
	if (c->company > 0)
		json_object_set_new(class, "company", document_real(c->company));
	if (c->vague > 0)
		json_object_set_new(class, "vague", document_real(c->vague));
	if (c->slow)
		json_object_set_new(class, "slow", json_true());
	if (c->late_handling)
		json_object_set_new(class, "late_handling", json_true());
	return class;
}

static json_t *machine_section(const struct analysis *a)
{
	const struct machine *m = a->machine;

	return json_pack("{s:s, s:o, s:o, s:{s:o, s:o}}", "source",
			 m->source == MACHINE_FILE ? "file" : "self-calibrated", "name",
			 document_text(m->name), "path", document_text(m->path), "classes", "node",
			 machine_class_section(&m->classes[LOCALITY_NODE]), "network",
			 machine_class_section(&m->classes[LOCALITY_NETWORK]));
}

json_t *document_messages(const struct analysis *a)
{
	const struct messages *m = a->messages;
	uint64_t bytes = 0;
	uint64_t largest = 0;
	uint32_t within_node = 0;
	uint32_t to_self = 0;
	uint32_t i;

	for (i = 0; i < m->n; i++) {
		const struct message *x = &m->m[i];

		bytes += x->bytes;
		if (x->bytes > largest)
			largest = x->bytes;
		within_node += machine_locality(a->trace, x->src, x->dst) == LOCALITY_NODE;
		to_self += x->src == x->dst;
	}
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "count",
			 (json_int_t)m->n, "bytes", (json_int_t)bytes, "largest_bytes",
			 (json_int_t)largest, "within_node", (json_int_t)within_node, "to_self",
			 (json_int_t)to_self, "unmatched_sends", (json_int_t)m->unmatched_sends,
			 "unmatched_receives", (json_int_t)m->unmatched_recvs, "cancelled",
			 (json_int_t)m->cancelled, "ambiguous", (json_int_t)m->ambiguous, "untold",
			 (json_int_t)m->untold, "unrecorded_calls",
			 (json_int_t)document_unrecorded_calls(a));
}

/* What calls of several threads of a rank at once are more than the budget counts of them. */
static int64_t overlap_ns(const struct analysis *a)
{
	const struct trace *t = a->trace;
	int64_t ns = 0;

	for (uint32_t c = 0; a->attribution->presence.overlaps && c < t->n_calls; c++)
		if (trace_call_kind(t, c) != REGION_OTHER && !trace_is_before_recording(t, c) &&
		    !trace_is_left_out(t, t->calls[c].rank))
			ns += presence_covered_ns(&a->attribution->presence, c);
	return ns;
}

static json_t *budget_section(const struct analysis *a)
{
	json_t *budget = document_view(&a->attribution->budget);
	int64_t ns = overlap_ns(a);

	if (ns > 0)
		json_object_set_new(budget, "overlap_s", json_real((double)ns / NS_PER_S));
	return budget;
}

/* In the order in which the document has them. */
static const struct section {
	const char *key;
	json_t *(*build)(const struct analysis *a);
} sections[] = {
	{"run", document_run},
	{"summary", document_summary},
	{"quality", document_quality},
	{"evidence", document_evidence},
	{"machine", machine_section},
	{"messages", document_messages},
	{"traffic", document_traffic},
	{"collectives", document_collectives},
	{"budget", budget_section},
	{"timeline", document_timeline},
	{"blame", document_blame},
	{"phases", document_phases},
	{"patterns", document_patterns},
	{"models", document_models},
	{"hotspots", document_hotspots},
	{"unjudged", document_unjudged},
	{"late_partners", document_late_partners},
	{"alone", document_alone},
	{"one_sided", document_onesided},
	{"callsites", document_callsites},
	{"spread", document_spread},
	{"ranks", document_ranks},
};

#define SECTIONS (sizeof(sections) / sizeof(*sections))

/* The sections at work, side by side. */
struct building {
	const struct analysis *a;
	json_t *section[SECTIONS];
};

static int no_memory(const struct analysis *a, struct err *err)
{
	return err_set(err, "out of memory for the document of %u ranks", a->trace->n_ranks);
}

static int build_one(void *building, unsigned hand, uint32_t k, struct err *err)
{
	struct building *b = building;

	(void)hand;
	b->section[k] = sections[k].build(b->a);
	return b->section[k] ? 0 : no_memory(b->a, err);
}

json_t *document_build(const struct analysis *a, struct err *err)
{
	struct building b = {.a = a};
	json_t *document = json_pack("{s:s, s:{s:s, s:s}}", "schema", "contend/1", "generator",
				     "name", PACKAGE_NAME, "version", PACKAGE_VERSION);
	int failed = share_run(share_hands(), SECTIONS, build_one, &b, err);

	for (size_t k = 0; k < SECTIONS; k++)
		if (failed)
			json_decref(b.section[k]);
		else if (json_object_set_new(document, sections[k].key, b.section[k]))
			failed = no_memory(a, err);
	if (!failed && a->predictions)
		failed = json_object_set_new(document, "predictions", document_predictions(a));
	if (!failed && a->changes)
		failed = json_object_set_new(document, "changes", document_changes(a));
	if (!failed)
		return document;
	json_decref(document);
	return NULL;
}
