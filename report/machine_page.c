/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/machine_page.h"

#include "common/number.h"
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

static void put_head(FILE *out, const char *title)
{
	fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", out);
	svg_text(out, title);
	fputs("</title>\n<style>\n"
	      "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:60em;"
	      "padding:0 1em;color:#222;background:#fff}\n"
	      "svg{width:100%;max-width:60em}svg text{font-size:11px;fill:currentColor}\n"
	      ".grid{stroke:#8883;fill:none}.interval{stroke-opacity:.45}h2{margin-top:1.6em}"
	      "table{border-collapse:collapse}td,th{padding:.1em .8em;text-align:right}\n"
	      "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}}\n"
	      "</style></head><body>\n<h1>",
	      out);
	svg_text(out, title);
	fputs("</h1>\n", out);
}

static void estimate_of(const json_t *e, double low_mid_high[3])
{
	low_mid_high[0] = number(e, "low");
	low_mid_high[1] = number(e, "value");
	low_mid_high[2] = number(e, "high");
}

/* Make the chart large enough for this estimate. */
static void include(struct svg_chart *c, const json_t *e)
{
	double value = number(e, "value");

	if (value <= 0)
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

static void put_loggp(struct svg_chart *c, const json_t *way)
{
	const json_t *m = json_object_get(json_object_get(way, "derived"), "loggp");
	double bytes[LINE], s[LINE];
	size_t i, n = line_sizes(c->bytes_max, bytes);

	for (i = 0; i < n; i++)
		s[i] = number(m, "g_s") + (bytes[i] - 1) * number(m, "G_s_per_byte");
	svg_line(c, 0, SVG_DASHES, n, bytes, s);
	svg_legend(c, 0, SVG_DASHES, "LogGP: g + (m-1) G");
}

static void put_way(FILE *out, const char *name, const char *which, const json_t *way)
{
	const json_t *points = json_object_get(way, "points"), *p;
	struct svg_chart c = {.out = out};
	char title[96];
	size_t i;

	json_array_foreach((json_t *)points, i, p) {
		include(&c, json_object_get(p, "g"));
		include(&c, json_object_get(p, "o_s"));
		include(&c, json_object_get(p, "o_r"));
		c.bytes_max = number(p, "bytes");
	}
	snprintf(title, sizeof(title), "%s, %s: rank %.0f to rank %.0f", name, which,
		 number(way, "from"), number(way, "to"));
	fputs("<h2>", out);
	svg_text(out, title);
	fprintf(out,
		"</h2>\n<p>Medians with 95 %% intervals; pale: the interval reaches 0. "
		"L = %s%s, g(0) = %s.</p>\n",
		number(json_object_get(way, "L"), "value") < 0 ? "-" : "",
		number_seconds(fabs(number(json_object_get(way, "L"), "value"))).text,
		number_seconds(number(json_object_get(way, "g0"), "value")).text);
	svg_begin(&c, title);
	put_series(&c, points, "g", 0, "gap g(m)");
	put_series(&c, points, "o_s", 1, "send overhead o_s(m)");
	put_series(&c, points, "o_r", 2, "receive overhead o_r(m)");
	put_loggp(&c, way);
	svg_end(&c);
}

/* The fitted signature for n ranks; gamma = 1 without it: the lower bound. */
static void put_signature_line(struct svg_chart *c, const json_t *s, const json_t *regime, double n)
{
	double alpha = number(s, "alpha_s"), beta = number(s, "beta_s_per_byte");
	double bytes[LINE], time[LINE];
	size_t i, count = line_sizes(c->bytes_max, bytes);

	for (i = 0; i < count; i++) {
		time[i] = alpha + bytes[i] * beta;
		if (regime)
			time[i] *= number(regime, "gamma");
		if (regime && bytes[i] >= number(regime, "M_bytes"))
			time[i] += number(regime, "delta_s");
		time[i] *= n - 1;
	}
	svg_line(c, regime ? 0 : 5, regime ? SVG_LINE : SVG_DASHES, count, bytes, time);
	svg_legend(c, regime ? 0 : 5, regime ? SVG_LINE : SVG_DASHES,
		   regime ? "signature" : "lower bound");
}

static void put_signature(FILE *out, const json_t *s)
{
	const json_t *times = json_object_get(s, "times"), *t;
	const json_t *regime = json_array_get(json_object_get(s, "regimes"), 0);
	struct svg_chart c = {.out = out};
	double of[3], n = number(s, "ranks"), seen = 0;
	int series = 0;
	char name[32];
	size_t i;

	if (!json_array_size(times))
		return;
	json_array_foreach((json_t *)times, i, t) {
		include(&c, json_object_get(t, "time"));
		c.bytes_max = fmax(c.bytes_max, number(t, "bytes"));
	}
	fputs("<h2>All-to-all</h2>\n<p>Time of ", out);
	svg_text(out, json_string_value(json_object_get(s, "algorithm")));
	fputs(", bytes to each rank.</p>\n", out);
	svg_begin(&c, "All-to-all");
	json_array_foreach((json_t *)times, i, t) {
		if (number(t, "ranks") != seen) {
			seen = number(t, "ranks");
			snprintf(name, sizeof(name), "%.0f ranks", seen);
			svg_legend(&c, series++, SVG_POINTS, name);
		}
		estimate_of(json_object_get(t, "time"), of);
		svg_point(&c, series - 1, number(t, "bytes"), of);
	}
	put_signature_line(&c, s, NULL, n);
	if (regime)
		put_signature_line(&c, s, regime, n);
	svg_end(&c);
}

int machine_page(const json_t *machine, FILE *out, struct err *err)
{
	const json_t *classes = json_object_get(machine, "classes"), *class, *condition;
	const char *title = json_string_value(json_object_get(machine, "name")), *name;
	size_t i;

	if (!title || !json_object_size(classes))
		return err_set(err, "no classes were measured, so there is nothing to draw");
	put_head(out, title);
	fprintf(out, "<p>Measured %s.</p>\n",
		json_string_value(json_object_get(machine, "measured_at")));
	json_array_foreach(json_object_get(machine, "conditions"), i, condition) {
		fputs("<p>Note: ", out);
		svg_text(out, json_string_value(condition));
		fputs(".</p>\n", out);
	}
	json_object_foreach((json_t *)classes, name, class) {
		put_way(out, name, "there", json_object_get(class, "there"));
		put_way(out, name, "back", json_object_get(class, "back"));
	}
	put_signature(out, json_object_get(json_object_get(machine, "contention"), "signature"));
	fputs("</body></html>\n", out);
	return ferror(out) ? err_set(err, "the page cannot be written") : 0;
}
