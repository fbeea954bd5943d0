/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/reader_load.h"

#include "common/schema.h"

#include <stdlib.h>
#include <string.h>

#define EZTRACE_RUNNING "Working" /* its region around all that a process does: no function */

static const struct {
	const char *name;
	OTF2_Type type;
} known[LOAD_ATTRIBUTES] = {
	[LOAD_SITE] = {SCHEMA_ATTR_SITE, OTF2_TYPE_STRING},
	[LOAD_NEW_SITE] = {SCHEMA_ATTR_NEW_SITE, OTF2_TYPE_STRING},
	[LOAD_POLLS] = {SCHEMA_ATTR_POLLS, OTF2_TYPE_UINT64},
	[LOAD_POLLED_NS] = {SCHEMA_ATTR_POLLED_NS, OTF2_TYPE_UINT64},
	[LOAD_SKIPPED] = {SCHEMA_ATTR_SKIPPED, OTF2_TYPE_UINT64},
	[LOAD_COMM] = {SCHEMA_ATTR_COMM, OTF2_TYPE_UINT64},
	[LOAD_PEER] = {SCHEMA_ATTR_PEER, OTF2_TYPE_UINT64},
	[LOAD_TAG] = {SCHEMA_ATTR_TAG, OTF2_TYPE_UINT64},
	[LOAD_UNSEEN] = {SCHEMA_ATTR_UNSEEN, OTF2_TYPE_UINT64},
	[LOAD_MATCHED] = {SCHEMA_ATTR_MATCHED, OTF2_TYPE_UINT64},
};

int load_attributes(struct load *l)
{
	const struct defs *d = &l->defs;
	size_t i;
	int k;

	for (i = 0; i < d->n_attributes; i++) {
		for (k = 0; k < LOAD_ATTRIBUTES; k++) {
			if (d->attributes[i].type != known[k].type ||
			    strcmp(defs_text(d, d->attributes[i].name), known[k].name))
				continue;
			l->attribute[k] = d->attributes[i].id;
			l->has_attribute[k] = 1;
		}
	}
	return load_cursor(l);
}

int load_cursor(struct load *l)
{
	size_t strings = l->defs.n_strings + 1;

	l->at = (struct cursor){.site = malloc(l->trace.n_regions * sizeof(*l->at.site))};
	l->string_site = malloc(strings * sizeof(*l->string_site));
	l->recorded = calloc(l->trace.n_regions, sizeof(*l->recorded));
	if (!l->string_site || !l->at.site || !l->recorded)
		return load_no_memory(l);
	memset(l->string_site, 0xff, strings * sizeof(*l->string_site));
	return 0;
}

int load_says(const struct load *l, const OTF2_AttributeList *list, enum load_attribute what)
{
	return l->has_attribute[what] && OTF2_AttributeList_GetNumberOfElements(list) &&
	       OTF2_AttributeList_TestAttributeByID(list, l->attribute[what]);
}

uint64_t load_number(const struct load *l, const OTF2_AttributeList *list, enum load_attribute what)
{
	uint64_t n;

	if (!load_says(l, list, what) ||
	    OTF2_AttributeList_GetUint64(list, l->attribute[what], &n) != OTF2_SUCCESS)
		return 0;
	return n;
}

void load_around_pause(const struct load *l, const OTF2_AttributeList *list, struct op *op)
{
	uint64_t skipped;

	if (!OTF2_AttributeList_GetNumberOfElements(list))
		return;
	skipped = load_number(l, list, LOAD_SKIPPED);
	op->skipped = skipped < SCHEMA_SKIPPED_UNKNOWN ? (uint32_t)skipped : SCHEMA_SKIPPED_UNKNOWN;
	op->unseen = load_number(l, list, LOAD_UNSEEN) != 0;
}

/* Returns 0, or -1: out of memory. function: as the archive has it, or NULL. */
static int add_site(struct load *l, const char *path, const char *function, uint64_t key)
{
	struct trace *t = &l->trace;
	struct site site = {.path = strdup(path), .function = function ? strdup(function) : NULL};

	if (!site.path || (function && !site.function) ||
	    GROW(t->sites, t->n_sites, l->cap_sites) ||
	    GROW(l->site_keys, t->n_sites, l->cap_site_keys)) {
		site_release(&site);
		return -1;
	}
	l->site_keys[t->n_sites] = key;
	t->sites[t->n_sites++] = site;
	return 0;
}

/* The site of a string, an index into the definitions, made when it is new; or TRACE_NONE. */
static uint32_t site_of(struct load *l, uint32_t string)
{
	struct trace *t = &l->trace;
	const char *path;

	if (string == IDMAP_NONE)
		return TRACE_NONE;
	if (l->string_site[string] != TRACE_NONE)
		return l->string_site[string];
	path = l->defs.strings[string];
	if (!*path)
		return TRACE_NONE;
	if (add_site(l, path, NULL, string))
		return TRACE_NONE;
	return l->string_site[string] = t->n_sites - 1;
}

/* A function's name without what TAU puts behind it, " [{FILE} {LINE,COLUMN}-...]"; or NULL. */
static char *bare_name(const char *name)
{
	const char *end = strstr(name, " [{");

	return strndup(name, end ? (size_t)(end - name) : strlen(name));
}

/*
 * The site of a function's calls in a user's region, where the archive says no more of them.
 * TRACE_NONE: out of memory.
 */
static uint32_t site_in(struct load *l, uint32_t user, uint32_t region)
{
	struct trace *t = &l->trace;
	uint64_t key = (uint64_t)user << 32 | region;
	uint32_t site = idmap_find(&l->site_in, key);
	char *function;
	int failed;

	if (site != IDMAP_NONE)
		return site;
	function = bare_name(t->regions[user].name);
	failed = !function || add_site(l, function, function, LOAD_IN | key) ||
		 idmap_set(&l->site_in, key, t->n_sites - 1);
	free(function);
	return failed ? TRACE_NONE : t->n_sites - 1;
}

uint32_t load_site_again(struct load *l, uint64_t key)
{
	if (key & LOAD_IN)
		return site_in(l, (uint32_t)((key & ~LOAD_IN) >> 32), (uint32_t)key);
	return site_of(l, (uint32_t)key);
}

/* Empty, not defined, out of memory: TRACE_NONE. */
static uint32_t site_of_reference(struct load *l, OTF2_StringRef ref)
{
	return site_of(l, idmap_find(&l->defs.string_ids, ref));
}

/* The innermost of the user's regions that are open; TRACE_NONE: there is none. */
static uint32_t user_region(const struct load *l)
{
	const struct cursor *at = &l->at;

	for (size_t n = at->n_stack; n > 0; n--) {
		const struct region *r = &l->trace.regions[at->stack[n - 1]];

		if (r->kind == REGION_OTHER && strcmp(r->name, EZTRACE_RUNNING))
			return at->stack[n - 1];
	}
	return TRACE_NONE;
}

uint32_t load_site(struct load *l, const OTF2_AttributeList *list, uint32_t region)
{
	OTF2_StringRef ref;
	uint32_t user;

	if (!l->has_attribute[LOAD_SITE] && !l->has_attribute[LOAD_NEW_SITE]) {
		user = user_region(l);
		return user == TRACE_NONE ? TRACE_NONE : site_in(l, user, region);
	}
	if (load_says(l, list, LOAD_SITE) &&
	    OTF2_AttributeList_GetStringRef(list, l->attribute[LOAD_SITE], &ref) == OTF2_SUCCESS)
		return site_of_reference(l, ref);
	if (load_says(l, list, LOAD_NEW_SITE) &&
	    OTF2_AttributeList_GetStringRef(list, l->attribute[LOAD_NEW_SITE], &ref) ==
		    OTF2_SUCCESS)
		l->at.site[region] = site_of_reference(l, ref);
	return l->at.site[region];
}
