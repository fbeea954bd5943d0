/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/sites.h"

#include "analyze/demangle.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEBUG_DIR "/usr/lib/debug/.build-id"

/* Objects whose frames say nothing about the program: MPI itself, and what is under it. */
static const char *const not_the_program[] = {"libmpi",     "libpmpi", "libfmpi", "libopen-",
					      "libcontend", "libc.so", "ld-linux"};

struct frame {
	char *path;
	char *build_id;  /* hex, or "-" */
	uint64_t offset; /* link-time address after the call */
};

struct object {
	char *path;
	char *build_id;
	Dwfl_Module *module; /* NULL: not on this machine, or another one */
};

struct resolver {
	Dwfl *dwfl;
	struct object *objects;
	size_t n_objects;
	char *debug_path; /* libdwfl wants a place to point to */
};

/*
 * Cut the first frame off *rest, which is PATH:BUILDID+0xOFFSET;..., in place.
 * Returns 0 when there is none; one that is not well formed has path NULL.
 */
static int next_frame(char **rest, struct frame *out)
{
	char *text = strsep(rest, ";"), *plus, *colon, *end;

	*out = (struct frame){0};
	if (!text)
		return 0;
	plus = strrchr(text, '+');
	if (!plus || strncmp(plus, "+0x", 3))
		return 1;
	*plus = 0;
	colon = strrchr(text, ':');
	out->offset = strtoull(plus + 3, &end, 16);
	if (!colon || *end || end == plus + 3)
		return 1;
	*colon = 0;
	out->build_id = colon + 1;
	out->path = text;
	return 1;
}

static int is_program(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t i;

	for (i = 0; i < sizeof(not_the_program) / sizeof(not_the_program[0]); i++) {
		if (!strncmp(name, not_the_program[i], strlen(not_the_program[i])))
			return 0;
	}
	return 1;
}

/* Has the module this build id? A recording without one takes any file. */
static int same_build(Dwfl_Module *module, const char *build_id)
{
	const unsigned char *bits;
	GElf_Addr address;
	int n = dwfl_module_build_id(module, &bits, &address), i;

	if (!strcmp(build_id, "-"))
		return n <= 0;
	if (n <= 0 || strlen(build_id) != 2 * (size_t)n)
		return 0;
	for (i = 0; i < n; i++) {
		char hex[3];

		snprintf(hex, sizeof(hex), "%02x", bits[i]);
		if (strncasecmp(hex, build_id + 2 * i, 2))
			return 0;
	}
	return 1;
}

static Dwfl_Module *open_module(Dwfl *dwfl, const char *path, const char *build_id)
{
	Dwfl_Module *module;
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return NULL;
	dwfl_report_begin_add(dwfl);
	module = dwfl_report_offline(dwfl, path, path, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	return module && same_build(module, build_id) ? module : NULL;
}

/* The object itself, else the debug file that a distribution keeps for its build id. */
static Dwfl_Module *find_module(Dwfl *dwfl, const char *path, const char *build_id)
{
	Dwfl_Module *module = open_module(dwfl, path, build_id);
	char debug[PATH_MAX];

	if (module || strlen(build_id) < 3 ||
	    strspn(build_id, "0123456789abcdef") < strlen(build_id))
		return module;
	if (snprintf(debug, sizeof(debug), DEBUG_DIR "/%.2s/%s.debug", build_id, build_id + 2) >=
	    (int)sizeof(debug))
		return NULL;
	return open_module(dwfl, debug, build_id);
}

/* The object of a frame, opened at its first use. NULL: out of memory. */
static const struct object *object_of(struct resolver *r, const struct frame *frame)
{
	struct object *o, *grown;
	size_t i;

	for (i = 0; i < r->n_objects; i++) {
		o = &r->objects[i];
		if (!strcmp(o->path, frame->path) && !strcmp(o->build_id, frame->build_id))
			return o;
	}
	grown = reallocarray(r->objects, r->n_objects + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	r->objects = grown;
	o = &grown[r->n_objects];
	*o = (struct object){strdup(frame->path), strdup(frame->build_id), NULL};
	r->n_objects++;
	if (!o->path || !o->build_id)
		return NULL;
	o->module = find_module(r->dwfl, o->path, o->build_id);
	return o;
}

/* The compilation unit of an address; without an address table (clang) by looking at all. */
static Dwarf_Die *unit_of(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(module, unit, bias))) {
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	}
	return NULL;
}

/* The innermost function, inlined ones included; NULL: not known. Lives with the module. */
static const char *function_of(Dwarf_Die *unit, Dwarf_Addr pc)
{
	Dwarf_Die *scopes = NULL;
	const char *name = NULL;
	int n = dwarf_getscopes(unit, pc, &scopes), i;

	for (i = 0; i < n && !name; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			name = dwarf_diename(&scopes[i]);
	}
	if (n > 0)
		free(scopes);
	return name;
}

/* Resolve one address. Returns 1 if anything is known of it, 0 if not, -1: out of memory. */
static int resolve_address(Dwfl_Module *module, uint64_t offset, struct site *site)
{
	Dwarf_Addr elf_bias = 0, bias = 0, address;
	const char *file = NULL, *function = NULL;
	Dwarf_Die *unit;
	Dwarf_Line *line;
	int number = 0;

	if (!offset || !dwfl_module_getelf(module, &elf_bias))
		return 0;
	address = offset - 1 + elf_bias; /* the call, not what follows it */
	unit = unit_of(module, address, &bias);
	line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
	if (line && !dwarf_lineno(line, &number))
		file = dwarf_linesrc(line, NULL, NULL);
	if (unit)
		function = function_of(unit, address - bias);
	if (!function)
		function = dwfl_module_addrname(module, address);
	if (!file && !function)
		return 0;
	site->file = file ? strdup(file) : NULL;
	site->function = function ? demangle(function) : NULL;
	site->line = file && number > 0 ? (unsigned)number : 0;
	return (file && !site->file) || (function && !site->function) ? -1 : 1;
}

static int resolve_site(struct resolver *r, struct site *site)
{
	char *path = strdup(site->path), *rest = path;
	const struct object *object;
	struct frame frame;
	int known = path ? 0 : -1, first = 1;

	while (!known && next_frame(&rest, &frame)) {
		if (!frame.path || !is_program(frame.path))
			continue;
		if (first)
			site->frame = (uint32_t)(frame.path - path);
		first = 0;
		object = object_of(r, &frame);
		if (!object)
			known = -1;
		else if (object->module)
			known = resolve_address(object->module, frame.offset, site);
		if (known > 0)
			site->frame = (uint32_t)(frame.path - path);
	}
	free(path);
	return known < 0 ? -1 : 0;
}

int sites_resolve(struct trace *t, struct err *err)
{
	struct resolver r = {0};
	const Dwfl_Callbacks callbacks = {
		.find_debuginfo = dwfl_build_id_find_debuginfo, /* this machine only, no server */
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &r.debug_path,
	};
	int ret = -1;
	uint32_t i;
	size_t k;

	r.dwfl = dwfl_begin(&callbacks);
	for (i = 0; r.dwfl && i < t->n_sites; i++) {
		if (!t->sites[i].file && !t->sites[i].function && resolve_site(&r, &t->sites[i]))
			goto out;
	}
	ret = r.dwfl ? 0 : -1;
out:
	if (ret)
		err_set(err, "%s: out of memory while looking up its call sites", t->anchor);
	for (k = 0; k < r.n_objects; k++) {
		free(r.objects[k].path);
		free(r.objects[k].build_id);
	}
	free(r.objects);
	if (r.dwfl)
		dwfl_end(r.dwfl);
	return ret;
}
