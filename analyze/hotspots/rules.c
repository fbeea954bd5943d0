/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/hotspots/rules.h"

#include "common/ascending.h"
#include "common/wording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION_MOST 60 /* characters of a function's name; rather its end than its class */

int findings_add(struct findings *f, const struct hotspot *h, struct err *err)
{
	if (f->n == f->room) {
		uint32_t room = f->room ? 2 * f->room : 8;
		struct hotspot *more = reallocarray(f->h, room, sizeof(*more));

		if (!more)
			return err_set(err, "out of memory for %u hotspots", room);
		f->h = more;
		f->room = room;
	}
	f->h[f->n++] = *h;
	return 0;
}

static int is_about(const struct hotspot *h, uint32_t rank)
{
	return h->about ? h->about[rank] : h->rank == rank;
}

int findings_has(const struct findings *f, const char *kind, uint32_t rank)
{
	for (uint32_t k = 0; k < f->n; k++)
		if (!strcmp(f->h[k].kind, kind) && is_about(&f->h[k], rank))
			return 1;
	return 0;
}

int hotspot_is_trifle(const struct hotspot *h, double wall_s)
{
	return h->saves_high_s < 0.01 * wall_s;
}

/* Uneven counts of collectives, or a rank whose memory all go for, say nothing of its messages. */
static int is_skew_of_sends(const struct hotspot *h, const struct trace *t)
{
	return !strcmp(h->kind, "skew") && senders_is_send(t->regions[h->region].kind);
}

int findings_explain_sends(const struct findings *f, const struct evidence_base *b, uint32_t rank)
{
	for (uint32_t k = 0; k < f->n; k++) {
		const struct hotspot *h = &f->h[k];

		if (is_about(h, rank) && !hotspot_is_trifle(h, b->wall_s) &&
		    (!strcmp(h->kind, "incast") || !strcmp(h->kind, "server") ||
		     is_skew_of_sends(h, b->t)))
			return 1;
	}
	return 0;
}

void hotspot_evidence(struct hotspot *h, const char *key, double value)
{
	if (h->n_evidence < HOTSPOT_EVIDENCE_MAX)
		h->evidence[h->n_evidence++] = (struct evidence){key, value};
}

double rule_gini(double *x, size_t n)
{
	double sum = 0, weighted = 0;

	qsort(x, n, sizeof(*x), ascending);
	for (size_t i = 0; i < n; i++) {
		sum += x[i];
		weighted += (2.0 * (i + 1) - n - 1) * x[i];
	}
	return sum > 0 ? weighted / (n * sum) : 0;
}

uint32_t rule_take_most(double *x, uint32_t n, double least)
{
	uint32_t most = 0;

	for (uint32_t k = 1; k < n; k++)
		if (x[k] > x[most])
			most = k;
	if (n == 0 || x[most] <= 0 || x[most] < least)
		return TRACE_NONE;
	x[most] = 0;
	return most;
}

uint32_t rule_key_site(const struct trace *t, uint32_t key)
{
	return key < t->n_sites ? key : TRACE_NONE;
}

/* Where no line is known: " in exchange()", or " at solver+0x30". */
static void add_function(struct wording *w, const struct site *site)
{
	const char *frame, *slash, *colon;
	size_t n;

	if (site->function) {
		size_t around = w->used + strlen(" in ...()") + 1;
		size_t most = w->room > around ? w->room - around : 0;

		n = strlen(site->function);
		most = most < FUNCTION_MOST ? most : FUNCTION_MOST;
		wording_add(w, " in %s%s()", n > most ? "..." : "",
			    site->function + (n > most ? n - most : 0));
		return;
	}
	frame = site->path ? site->path + site->frame : "";
	colon = memchr(frame, ':', strcspn(frame, ";"));
	if (!colon)
		return;
	for (slash = colon; slash > frame && slash[-1] != '/'; slash--)
		;
	frame = colon + strcspn(colon, "+;");
	wording_add(w, " at %.*s%.*s", (int)(colon - slash), slash, (int)strcspn(frame, ";"),
		    frame);
}

const char *rule_place(const struct trace *t, uint32_t call, size_t size, char buffer[size])
{
	const struct call *c = &t->calls[call];
	const char *name = t->regions[c->region].name;
	const char *file = c->site < t->n_sites ? t->sites[c->site].file : NULL, *slash;
	struct wording w = {buffer, size, 0};
	size_t used, most = size - 1, over;

	if (!file) {
		wording_add(&w, "%s", name);
		if (c->site < t->n_sites)
			add_function(&w, &t->sites[c->site]);
		return buffer;
	}
	slash = strrchr(file, '/');
	file = slash ? slash + 1 : file;
	used = (size_t)snprintf(buffer, size, "%s at %s:%u", name, file, t->sites[c->site].line);
	over = used > most ? used - most + strlen("...") : 0;
	if (over) /* rather the line than how the file's name begins */
		snprintf(buffer, size, "%s at ...%s:%u", name,
			 file + (over < strlen(file) ? over : strlen(file)),
			 t->sites[c->site].line);
	return buffer;
}

void rule_saves(const struct evidence_base *b, const double *lost_s, struct hotspot *h)
{
	double sum = 0, most = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		sum += lost_s[r];
		most = fmax(most, lost_s[r]);
	}
	h->saves_low_s = 0;
	h->saves_mid_s = fmin(sum / b->t->n_ranks, b->wall_s);
	h->saves_high_s = fmin(most, b->wall_s);
}
