/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/svg.h"

#include "common/number.h"
#include "report/html.h"
#include "report/style.h"

#include <math.h>

/* Pixels. */
#define WIDTH  720
#define HEIGHT 380
#define LEFT   90
#define RIGHT  16
#define TOP    14
#define BOTTOM 52
#define BESIDE 2.5 /* points of one size, so that none hides another */

/* A colour of the series, by number; the same in all charts. */
static const char *colour_of(int series)
{
	static const char *const colours[] = {"#2f83c5", "#d9556a", "#2f9a63",
					      "#9668b5", "#bf821c", "#858585"};

	return colours[series % 6];
}

/* Sizes from 0 up by doubling, and one more. */
#define DOUBLINGS 66

/* Steps of two from the left edge: 0 bytes, 1, 2, 4 ... */
static double column(double bytes)
{
	return bytes < 1 ? 0 : 1 + log2(bytes);
}

static double x_of(const struct svg_chart *c, double bytes)
{
	double from = column(c->bytes_min), to = column(c->bytes_max);

	return LEFT + (column(bytes) - from) / (to - from) * (WIDTH - LEFT - RIGHT);
}

/* How high a time is, 0 on the lower edge, 1 on the upper; of one above 0. */
static double height_of(const struct svg_chart *c, double s)
{
	return log10(s / c->s_min) / log10(c->s_max / c->s_min);
}

static double y_at(double height)
{
	return HEIGHT - BOTTOM - fmin(fmax(height, 0), 1) * (HEIGHT - TOP - BOTTOM);
}

/* What is off the scale is on its edge. */
static double y_of(const struct svg_chart *c, double s)
{
	return y_at(height_of(c, fmax(s, c->s_min)));
}

static int is_on_scale(const struct svg_chart *c, double s)
{
	return s >= c->s_min * (1 - 1e-9) && s <= c->s_max * (1 + 1e-9);
}

static void put_rule(const struct svg_chart *c, double x1, double y1, double x2, double y2)
{
	fprintf(c->out, "<path class=\"grid\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x1, y1, x2, y2);
}

static void put_label(const struct svg_chart *c, double x, double y, const char *anchor,
		      const char *text)
{
	fprintf(c->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	html_text(c->out, text);
	fputs("</text>\n", c->out);
}

static void put_grid(const struct svg_chart *c)
{
	double s, bytes, low = HEIGHT - BOTTOM, right = WIDTH - RIGHT,
			 first = fmax(c->bytes_min, 1);
	double step = c->bytes_max < 256 * first ? 4 : 16;

	for (s = c->s_min; s <= c->s_max * 1.01; s *= 10) {
		put_rule(c, LEFT, y_of(c, s), right, y_of(c, s));
		put_label(c, LEFT - 6, y_of(c, s) + 4, "end", number_seconds(s).text);
	}
	put_rule(c, LEFT, TOP, LEFT, low);
	if (c->bytes_min < 1)
		put_label(c, LEFT, low + 20, "middle", "0");
	for (bytes = first; bytes <= c->bytes_max; bytes *= step) {
		put_rule(c, x_of(c, bytes), TOP, x_of(c, bytes), low);
		put_label(c, x_of(c, bytes) - (bytes > 1 ? 0 : 4), low + 20,
			  bytes > 1 ? "middle" : "start", number_bytes(bytes).text);
	}
	put_label(c, (LEFT + right) / 2, HEIGHT - 6, "middle", "message size");
}

void svg_begin(struct svg_chart *c, const char *title)
{
	c->keys = 0;
	c->s_min = pow(10, floor(log10(fmax(c->s_min, 1e-9))));
	c->s_max = pow(10, ceil(log10(fmax(c->s_max, 2 * c->s_min))));
	c->bytes_min = c->bytes_min < 1 ? 0 : exp2(floor(log2(c->bytes_min)));
	c->bytes_max = fmax(c->bytes_max, fmax(4 * c->bytes_min, 16));
	fprintf(c->out, "<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>", WIDTH, HEIGHT);
	html_text(c->out, title);
	fputs("</title>\n", c->out);
	put_grid(c);
}

static void put_stroke(FILE *out, int series, enum svg_mark mark)
{
	fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s/>", colour_of(series),
		mark == SVG_DASHES ? " stroke-dasharray=\"5 4\"" : "");
}

void svg_legend(struct svg_chart *c, int series, enum svg_mark mark, const char *text)
{
	struct svg_key *key = &c->key[c->keys];

	if (c->keys == SVG_KEYS)
		return;
	c->keys++;
	key->series = series;
	key->mark = mark;
	snprintf(key->text, sizeof(key->text), "%s", text);
}

void svg_end(struct svg_chart *c)
{
	const struct svg_key *key;

	fputs("</svg>\n<p class=\"key\">\n", c->out);
	for (key = c->key; key < c->key + c->keys; key++) {
		fputs("<span><svg viewBox=\"0 0 22 8\">", c->out);
		if (key->mark == SVG_POINTS) {
			fprintf(c->out, "<circle cx=\"11\" cy=\"4\" r=\"3\" fill=\"%s\"/>",
				colour_of(key->series));
		} else {
			fputs("<path d=\"M0 4h22", c->out);
			put_stroke(c->out, key->series, key->mark);
		}
		fputs("</svg> ", c->out);
		html_text(c->out, key->text);
		fputs("</span>\n", c->out);
	}
	fputs("</p>\n", c->out);
}

/* Of the middle of a point that is off the scale: a triangle on the edge that it is beyond. */
static void put_beyond(const struct svg_chart *c, double x, int is_above)
{
	double y = y_at(is_above);

	fprintf(c->out, "<path class=\"beyond\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"", x, y, x - 4,
		y + (is_above ? 7 : -7), x + 4, y + (is_above ? 7 : -7));
}

void svg_point(const struct svg_chart *c, int series, double bytes, const double low_mid_high_s[3])
{
	double x = x_of(c, bytes) + BESIDE * (series % 3 - 1);

	fprintf(c->out, "<path class=\"interval\" d=\"M%.1f %.1fV%.1f\" stroke=\"%s\"/>\n", x,
		y_of(c, low_mid_high_s[0]), y_of(c, low_mid_high_s[2]), colour_of(series));
	if (is_on_scale(c, low_mid_high_s[1]))
		fprintf(c->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"", x,
			y_of(c, low_mid_high_s[1]));
	else
		put_beyond(c, x, low_mid_high_s[1] > c->s_max);
	fprintf(c->out, " fill=\"%s\"%s/>\n", colour_of(series),
		low_mid_high_s[0] > 0 ? "" : " fill-opacity=\"0.35\"");
}

/* An end of a piece of a line, to the right in pixels and up as height_of(). */
struct end {
	double x, up;
};

/* Where the piece from a to b is at a's height, or at the edge that a is beyond. */
static struct end cut(struct end a, struct end b)
{
	double up = fmin(fmax(a.up, 0), 1);

	return up == a.up ? a : (struct end){a.x + (up - a.up) / (b.up - a.up) * (b.x - a.x), up};
}

static struct end end_of(const struct svg_chart *c, double bytes, double s)
{
	return (struct end){x_of(c, bytes), height_of(c, s)};
}

/*
 * A piece of a line, as far as it is on the scale; joined: to the one before. Returns 1 when the
 * next can be joined to it.
 */
static int put_piece(const struct svg_chart *c, int joined, struct end a, struct end b)
{
	struct end from, to;

	if (fmax(a.up, b.up) < 0 || fmin(a.up, b.up) > 1)
		return 0;
	from = cut(a, b);
	to = cut(b, a);
	if (!joined)
		fprintf(c->out, "M%.1f %.1f", from.x, y_at(from.up));
	fprintf(c->out, "L%.1f %.1f", to.x, y_at(to.up));
	return to.up == b.up;
}

void svg_line(const struct svg_chart *c, int series, enum svg_mark mark, size_t n,
	      const double bytes[n], const double s[n])
{
	int joined = 0;
	size_t i;

	fputs("<path d=\"", c->out);
	for (i = 1; i < n; i++)
		joined = s[i - 1] > 0 && s[i] > 0 &&
			 put_piece(c, joined, end_of(c, bytes[i - 1], s[i - 1]),
				   end_of(c, bytes[i], s[i]));
	put_stroke(c->out, series, mark);
	fputc('\n', c->out);
}

void svg_straight(const struct svg_chart *c, int series, enum svg_mark mark, const double bytes[2],
		  const double s[2])
{
	double at[DOUBLINGS], time[DOUBLINGS], b, share;
	size_t n = 0;

	for (b = bytes[0]; b < bytes[1] && n < DOUBLINGS - 1; b = b < 1 ? 1 : 2 * b) {
		share = (b - bytes[0]) / (bytes[1] - bytes[0]);
		at[n] = b;
		time[n++] = s[0] + share * (s[1] - s[0]);
	}
	at[n] = bytes[1];
	time[n++] = s[1];
	svg_line(c, series, mark, n, at, time);
}
