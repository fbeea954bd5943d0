/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/frames.h"

#include "analyze/tools/demangle.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <uthash.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEBUG_DIR "/usr/lib/debug/.build-id"

/* Objects whose frames say nothing about the program: MPI itself, and what is under it. */
static const char *const not_the_program[] = {"libmpi",     "libpmpi", "libfmpi", "libopen-",
					      "libcontend", "libc.so", "ld-linux"};

/* A frame's text cut up: PATH:BUILDID+0xOFFSET. */
struct address {
	char *path;
	char *build_id;  /* hex, or "-" */
	uint64_t offset; /* link-time address after the call */
};

struct object {
	char *path;
	char *build_id;
	Dwfl_Module *module; /* NULL: not on this machine, or another one: */
	int is_rebuilt;
};

struct frames {
	Dwfl *dwfl;
	struct frame *known; /* hash table by text */
	struct object *objects;
	size_t n_objects;
	Dwfl_Callbacks callbacks;
	char *debug_path; /* libdwfl wants a place to point to */
};

/* Cut text up, in place. Returns 0 when it is not well formed. */
static int cut_up(char *text, struct address *out)
{
	char *plus = strrchr(text, '+'), *colon, *end;

	if (!plus || strncmp(plus, "+0x", 3))
		return 0;
	*plus = 0;
	colon = strrchr(text, ':');
	out->offset = strtoull(plus + 3, &end, 16);
	if (!colon || *end || end == plus + 3)
		return 0;
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

static Dwfl_Module *open_module(Dwfl *dwfl, const char *path, const char *build_id, int *is_another)
{
	Dwfl_Module *module;
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return NULL;
	dwfl_report_begin_add(dwfl);
	module = dwfl_report_offline(dwfl, path, path, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	*is_another = module && !same_build(module, build_id);
	return *is_another ? NULL : module;
}

/* The object itself, else the debug file that a distribution keeps for its build id. */
static Dwfl_Module *find_module(Dwfl *dwfl, struct object *o)
{
	Dwfl_Module *module = open_module(dwfl, o->path, o->build_id, &o->is_rebuilt);
	const char *build_id = o->build_id;
	char debug[PATH_MAX];
	int is_another;

	if (module || strlen(build_id) < 3 ||
	    strspn(build_id, "0123456789abcdef") < strlen(build_id))
		return module;
	if (snprintf(debug, sizeof(debug), DEBUG_DIR "/%.2s/%s.debug", build_id, build_id + 2) >=
	    (int)sizeof(debug))
		return NULL;
	return open_module(dwfl, debug, build_id, &is_another);
}

/* The object of an address, opened at its first use. NULL: out of memory. */
static const struct object *object_of(struct frames *f, const struct address *at)
{
	struct object *o, *grown;
	size_t i;

	for (i = 0; i < f->n_objects; i++) {
		o = &f->objects[i];
		if (!strcmp(o->path, at->path) && !strcmp(o->build_id, at->build_id))
			return o;
	}
	grown = reallocarray(f->objects, f->n_objects + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	f->objects = grown;
	o = &grown[f->n_objects];
	*o = (struct object){strdup(at->path), strdup(at->build_id), NULL, 0};
	f->n_objects++;
	if (!o->path || !o->build_id)
		return NULL;
	o->module = find_module(f->dwfl, o);
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

static const char *function_name(Dwarf_Die *scope)
{
	int tag = dwarf_tag(scope);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ? dwarf_diename(scope)
									    : NULL;
}

/*
 * The innermost function, inlined ones included, into out->function, and those around it. Leaves
 * NULL what is not known. Returns 0, or -1: out of memory.
 */
static int name_functions(Dwarf_Die *unit, Dwarf_Addr pc, struct frame *out)
{
	Dwarf_Die *at = NULL, *scopes = NULL;
	int found = dwarf_getscopes(unit, pc, &at);
	/* The first is in what it is inlined into; the others are around its definition. */
	int n = found > 0 ? dwarf_getscopes_die(&at[0], &scopes) : 0, ret = 0;
	char *around = NULL;
	size_t size = 0;
	FILE *names = open_memstream(&around, &size);

	for (int i = 0; names && i < n; i++) {
		const char *name = function_name(&scopes[i]);
		char *readable = name ? demangle(name) : NULL;

		ret |= name && !readable;
		if (readable && out->function)
			fprintf(names, "%s\n", readable);
		if (out->function)
			free(readable);
		else
			out->function = readable;
	}
	if (!names || fclose(names))
		ret = -1;
	if (size > 0 && !ret)
		out->around = around;
	else
		free(around);
	if (n > 0)
		free(scopes);
	if (found > 0)
		free(at);
	return ret ? -1 : 0;
}

/* What is known of an address. Returns 0, or -1: out of memory. */
static int resolve(Dwfl_Module *module, uint64_t offset, struct frame *out)
{
	Dwarf_Addr elf_bias = 0, bias = 0, address;
	const char *file = NULL, *function;
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
	if (unit && name_functions(unit, address - bias, out))
		return -1;
	function = out->function ? NULL : dwfl_module_addrname(module, address);
	if (function)
		out->function = demangle(function);
	out->file = file ? strdup(file) : NULL;
	out->line = file && number > 0 ? (unsigned)number : 0;
	return (file && !out->file) || (function && !out->function) ? -1 : 0;
}

static void release_frame(struct frame *frame)
{
	free(frame->text);
	free(frame->file);
	free(frame->function);
	free(frame->around);
	free(frame);
}

static int look_up(struct frames *f, struct frame *frame)
{
	char *text = strdup(frame->text);
	const struct object *object;
	struct address at;
	int ret = text ? 0 : -1;

	if (text && cut_up(text, &at) && is_program(at.path)) {
		frame->is_program = 1;
		object = object_of(f, &at);
		frame->is_rebuilt = object && !object->module && object->is_rebuilt;
		ret = !object ? -1 : object->module ? resolve(object->module, at.offset, frame) : 0;
	}
	free(text);
	return ret;
}

const struct frame *frames_find(struct frames *f, const char *text)
{
	size_t n = strcspn(text, ";");
	struct frame *frame;

	HASH_FIND(hh, f->known, text, n, frame);
	if (frame)
		return frame;
	frame = calloc(1, sizeof(*frame));
	if (!frame)
		return NULL;
	frame->text = strndup(text, n);
	if (!frame->text || look_up(f, frame)) {
		release_frame(frame);
		return NULL;
	}
	HASH_ADD_KEYPTR(hh, f->known, frame->text, n, frame);
	return frame;
}

struct frames *frames_open(void)
{
	struct frames *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->callbacks.find_debuginfo = dwfl_build_id_find_debuginfo; /* this machine, no server */
	f->callbacks.section_address = dwfl_offline_section_address;
	f->callbacks.debuginfo_path = &f->debug_path;
	f->dwfl = dwfl_begin(&f->callbacks);
	if (!f->dwfl) {
		free(f);
		return NULL;
	}
	return f;
}

void frames_close(struct frames *f)
{
	struct frame *frame, *next;
	size_t i;

	if (!f)
		return;
	HASH_ITER(hh, f->known, frame, next) {
		HASH_DEL(f->known, frame);
		release_frame(frame);
	}
	for (i = 0; i < f->n_objects; i++) {
		free(f->objects[i].path);
		free(f->objects[i].build_id);
	}
	free(f->objects);
	dwfl_end(f->dwfl);
	free(f);
}
