/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/machine_page.h"

#include "common/number.h"
#include "report/html.h"
#include "report/machine_notes.h"
#include "report/signature_page.h"
#include "report/style.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

/* Points of a fitted line. */
#define LINE 64

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static void estimate_of(const json_t *e, double low_mid_high[3])
{
	low_mid_high[0] = number(e, "low");
	low_mid_high[1] = number(e, "value");
	low_mid_high[2] = number(e, "high");
}

/* Make the chart large enough for this estimate; what is not told from 0 may be anywhere below. */
static void include(struct svg_chart *c, const json_t *e)
{
	double value = number(e, "value");

	if (value <= 0 || json_is_false(json_object_get(e, "identifiable")))
		return;
	c->s_min = c->s_min > 0 ? fmin(c->s_min, value) : value;
	c->s_max = fmax(c->s_max, value);
}

/* The powers of two up to the largest size. */
static size_t line_sizes(double most, double bytes[LINE])
{
	size_t n = 0;
	double b;

	for (b = 1; b <= most && n < LINE; b *= 2)
		bytes[n++] = b;
	return n;
}

static void put_series(struct svg_chart *c, const json_t *points, const char *key, int series,
		       const char *name)
{
	double of[3];
	const json_t *p;
	size_t i;

	json_array_foreach((json_t *)points, i, p) {
		estimate_of(json_object_get(p, key), of);
		svg_point(c, series, number(p, "bytes"), of);
	}
	svg_legend(c, series, SVG_POINTS, name);
}

/* Do the data tell what a byte takes? LogGP's G, which is Hockney's beta too. */
static int is_byte_told(const json_t *way)
{
	const json_t *m = json_object_get(json_object_get(way, "derived"), "loggp");
	const json_t *G = json_object_get(m, "G_s_per_byte");

	return json_is_number(G) && json_number_value(G) >= 0 &&
	       !machine_notes_have(json_object_get(way, "unidentified"), "G");
}

static void put_loggp(struct svg_chart *c, const json_t *way)
{
	const json_t *m = json_object_get(json_object_get(way, "derived"), "loggp");
	double bytes[LINE], s[LINE];
	size_t i, n = line_sizes(c->bytes_max, bytes);

	if (!is_byte_told(way))
		return;
	for (i = 0; i < n; i++)
		s[i] = number(m, "g_s") + (bytes[i] - 1) * number(m, "G_s_per_byte");
	svg_line(c, 0, SVG_DASHES, n, bytes, s);
	svg_legend(c, 0, SVG_DASHES, "LogGP: g + (m-1) G");
}

/* Between the sizes pLogP's gap is on straight lines; those that are not identified have none. */
static void put_plogp(struct svg_chart *c, const json_t *points)
{
	double bytes[2], s[2];
	const json_t *p, *g;
	size_t i, n = 0;

	json_array_foreach((json_t *)points, i, p) {
		g = json_object_get(p, "g");
		if (!json_is_true(json_object_get(g, "identifiable")))
			continue;
		bytes[1] = number(p, "bytes");
		s[1] = number(g, "value");
		if (n++)
			svg_straight(c, 0, SVG_LINE, bytes, s);
		bytes[0] = bytes[1];
		s[0] = s[1];
	}
	if (n > 1)
		svg_legend(c, 0, SVG_LINE, "pLogP: g between the sizes");
}

/* Of a message alone, from its send to its end. */
static void put_hockney(struct svg_chart *c, const json_t *way)
{
	const json_t *m = json_object_get(json_object_get(way, "derived"), "hockney");
	double bytes[LINE], s[LINE];
	size_t i, n = line_sizes(c->bytes_max, bytes);

	if (!is_byte_told(way) || !json_is_number(json_object_get(m, "beta_s_per_byte")))
		return;
	for (i = 0; i < n; i++)
		s[i] = number(m, "alpha_s") + bytes[i] * number(m, "beta_s_per_byte");
	svg_line(c, 3, SVG_DASHES, n, bytes, s);
	svg_legend(c, 3, SVG_DASHES, "Hockney, a message alone: alpha + m beta");
}

static void put_value(FILE *out, const char *name, const json_t *e)
{
	fprintf(out, "%s = %s [%s to %s]", name, number_seconds(number(e, "value")).text,
		number_seconds(number(e, "low")).text, number_seconds(number(e, "high")).text);
	fputs(json_is_false(json_object_get(e, "identifiable")) ? ", not identified; " : "; ", out);
}

/* Those that are of no size; G is the last size's. */
static void put_values(FILE *out, const json_t *way)
{
	const json_t *m = json_object_get(json_object_get(way, "derived"), "loggp");
	const json_t *per_byte = json_object_get(m, "G_s_per_byte");
	double G = json_number_value(per_byte);
	int is_told = is_byte_told(way);

	put_value(out, "L", json_object_get(way, "L"));
	put_value(out, "g(0)", json_object_get(way, "g0"));
	if (json_is_number(per_byte))
		fprintf(out, "G = %.3g ns/B%s", G * 1e9, is_told ? "" : ", not identified");
	else
		fputs("G is not known", out);
	if (G > 0 && is_told)
		fprintf(out, ", %s", number_rate(1 / G).text);
	fputc('.', out);
}

static void put_way(FILE *out, const char *name, const char *which, const json_t *way)
{
	const json_t *points = json_object_get(way, "points"), *p;
	struct svg_chart c = {.out = out};
	char title[96];
	const json_t *hockney = json_object_get(json_object_get(way, "derived"), "hockney");
	size_t i;

	json_array_foreach((json_t *)points, i, p) {
		include(&c, json_object_get(p, "g"));
		include(&c, json_object_get(p, "o_s"));
		include(&c, json_object_get(p, "o_r"));
		c.bytes_max = number(p, "bytes");
	}
	c.s_max = fmax(c.s_max, number(hockney, "alpha_s") +
					c.bytes_max * number(hockney, "beta_s_per_byte"));
	snprintf(title, sizeof(title), "%s%s%s: rank %.0f to rank %.0f",
		 strcmp(name, "network") ? "Within a " : "Between nodes",
		 strcmp(name, "network") ? name : "", which, number(way, "from"),
		 number(way, "to"));
	fputs("<h2>", out);
	html_text(out, title);
	fputs("</h2>\n<p>", out);
	put_values(out, way);
	fputs(" Medians with 95 % intervals; pale: the interval reaches 0; a triangle on the lower "
	      "edge: the median is below it, or not above 0.</p>\n",
	      out);
	svg_begin(&c, title);
	put_series(&c, points, "g", 0, "gap g(m)");
	put_series(&c, points, "o_s", 1, "send overhead o_s(m)");
	put_series(&c, points, "o_r", 2, "receive overhead o_r(m)");
	put_plogp(&c, points);
	put_loggp(&c, way);
	put_hockney(&c, way);
	svg_end(&c);
}

int machine_page(const json_t *machine, FILE *out, struct err *err)
{
	const json_t *classes = json_object_get(machine, "classes"), *class, *condition;
	const char *title = json_string_value(json_object_get(machine, "name")), *name;
	size_t i;

	if (!title || !json_object_size(classes))
		return err_set(err, "no classes were measured, so there is nothing to draw");
	html_begin(out, title, "", "");
	fprintf(out, "<p>Measured %s.</p>\n",
		json_string_value(json_object_get(machine, "measured_at")));
	json_array_foreach(json_object_get(machine, "conditions"), i, condition) {
		fputs("<p>Note: ", out);
		html_text(out, json_string_value(condition));
		fputs(".</p>\n", out);
	}
	json_object_foreach((json_t *)classes, name, class) {
		put_way(out, name, "", json_object_get(class, "there"));
		put_way(out, name, ", back", json_object_get(class, "back"));
	}
	signature_page(json_object_get(json_object_get(machine, "contention"), "signature"), out);
	html_end(out);
	return ferror(out) ? err_set(err, "the page cannot be written") : 0;
}
