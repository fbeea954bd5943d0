/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/sites.h"

#include "analyze/reader/frames.h"
#include "analyze/reader/site_fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where the frame after the one at `at` begins; NULL: there is none. */
static const char *next_frame(const char *at)
{
	at += strcspn(at, ";");
	return *at ? at + 1 : NULL;
}

static int is_known(const struct frame *frame)
{
	return frame->file || frame->function;
}

static int name_site(struct site *site, const struct frame *frame)
{
	site->file = frame->file ? strdup(frame->file) : NULL;
	site->function = frame->function ? strdup(frame->function) : NULL;
	site->line = frame->line;
	return (frame->file && !site->file) || (frame->function && !site->function) ? -1 : 0;
}

/* Is it another tool's own MPI_Send(), or whichever was called? In Fortran mpi_send_(). */
static int is_tool(const struct trace *t, const struct frame *frame)
{
	const char *name = frame->function;

	if (!name)
		return 0;
	name += *name == 'P' || *name == 'p';
	for (uint32_t i = 0; i < t->n_regions && !strncasecmp(name, "mpi_", 4); i++) {
		const char *called = t->regions[i].name;
		size_t n = strlen(called);

		if (!strncasecmp(name, called, n) && !name[n + strspn(name + n, "_")])
			return 1;
	}
	return 0;
}

/* Is it what gfortran calls for a coarray? The program's own line is further out. */
static int is_coarray(const struct frame *frame)
{
	return frame->function && !strncmp(frame->function, "_gfortran_caf_", 14);
}

/* Where a path is out of the coarrays' library, which calls itself; NULL: out of memory. */
static const char *after_coarrays(struct frames *f, const char *path)
{
	const char *from = path;

	for (const char *at = path; at; at = next_frame(at)) {
		const struct frame *frame = frames_find(f, at);

		if (!frame)
			return NULL;
		if (is_coarray(frame))
			from = at;
	}
	return from;
}

/* How long the name of a frame's object is, and its build id. */
static size_t object_length(const char *frame)
{
	size_t n = strcspn(frame, ";");

	while (n > 0 && frame[n] != '+')
		n--;
	return n;
}

static int is_same_object(const char *a, const char *b)
{
	size_t n = object_length(a);

	return n == object_length(b) && !strncmp(a, b, n);
}

/*
 * Does a frame say where the program is that called MPI from further in, in frames of which nothing
 * is known? Its source does; of another object a function may be any that calls others' functions:
 * an interpreter's, a thread library's.
 */
static int is_telling(const struct frame *frame, const char *at, const char *inner)
{
	return frame->file || is_same_object(at, inner);
}

/*
 * Named after the first frame that is known and tells where that is; after another tool's only
 * where no other is.
 */
static int resolve_site(struct frames *f, struct trace *t, uint32_t i)
{
	struct site *site = &t->sites[i];
	const struct frame *tool = NULL;
	const char *named = NULL, *from;

	if (site->file || site->function || !site->path)
		return 0; /* the trace said so, or nothing */
	from = after_coarrays(f, site->path);
	if (!from)
		return -1;
	for (const char *at = from; at; at = next_frame(at)) {
		const struct frame *frame = frames_find(f, at);

		if (!frame)
			return -1;
		if (frame->is_rebuilt && !site->rebuilt)
			site->rebuilt = 1 + (uint32_t)(at - site->path);
		if (tool && !is_known(frame))
			continue;
		if (named && is_known(frame) && !tool && !is_telling(frame, at, named))
			return 0;
		if (frame->is_program && (!named || is_known(frame)))
			named = at;
		site->frame = named ? (uint32_t)(named - site->path) : 0;
		if (is_known(frame) && (is_coarray(frame) || is_tool(t, frame)))
			tool = frame;
		else if (is_known(frame))
			return name_site(site, frame);
	}
	return tool ? name_site(site, tool) : 0;
}

/* Is it, or is it inlined into, what starts all else? What starts that is not the program's. */
static int is_start(const struct frame *frame)
{
	const char *outermost = frame->function;

	if (frame->around) {
		size_t n = strlen(frame->around) - 1; /* the last newline */

		while (n > 0 && frame->around[n - 1] != '\n')
			n--;
		outermost = frame->around + n;
		return !strcmp(outermost, "main\n");
	}
	return outermost && (!strcmp(outermost, "main") || !strcmp(outermost, "_start"));
}

static void put_caller(FILE *out, const struct frame *frame)
{
	fprintf(out, "%s", frame->function);
	if (frame->file && frame->line)
		fprintf(out, "\t%s:%u", frame->file, frame->line);
	fputc('\n', out);
}

/*
 * The functions that led to a site's, the innermost first, to main(), and where each called. Of
 * one that others are inlined into the line is not known.
 */
static int find_callers(struct frames *f, struct trace *t, uint32_t i)
{
	struct site *site = &t->sites[i];
	size_t size = 0;
	FILE *out = open_memstream(&site->callers, &size);
	int ret = 0;

	if (!out)
		return -1;
	for (const char *own = site->path + site->frame, *at = own; at; at = next_frame(at)) {
		const struct frame *frame = frames_find(f, at);

		if (!frame) {
			ret = -1;
			break;
		}
		if (at != own && frame->is_program && frame->function &&
		    strcmp(frame->function, "_start"))
			put_caller(out, frame);
		if (frame->is_program && frame->around)
			fputs(frame->around, out);
		if (is_start(frame))
			break;
	}
	return fclose(out) ? -1 : ret;
}

static int each(struct trace *t, struct frames *f,
		int (*what)(struct frames *, struct trace *, uint32_t), struct err *err)
{
	for (uint32_t i = 0; i < t->n_sites; i++)
		if (!f || what(f, t, i))
			return err_set(err, "%s: out of memory while looking up its call sites",
				       t->anchor);
	return 0;
}

int sites_resolve(struct trace *t, struct err *err)
{
	struct frames *f = frames_open();
	int ret = each(t, f, resolve_site, err);

	frames_close(f);
	return ret;
}

int sites_name(struct trace *t, struct err *err)
{
	struct frames *f = frames_open();
	int ret =
		each(t, f, resolve_site, err) || sites_fold(t, err) || each(t, f, find_callers, err)
			? -1
			: 0;

	frames_close(f);
	return ret;
}
