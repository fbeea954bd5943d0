/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A chart as SVG with logarithmic axes: sizes to the right in powers of two, 0 bytes left of 1;
 * times upwards in powers of ten. Points off the scale, as those not above 0 in time, are triangles
 * on the edge that point away from it; of lines what is off the scale is left out.
 */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include <stddef.h>
#include <stdio.h>

enum svg_mark { SVG_POINTS, SVG_LINE, SVG_DASHES };

enum { SVG_KEYS = 16 };

/* A line of the legend. */
struct svg_key {
	int series;
	enum svg_mark mark;
	char text[64];
};

struct svg_chart {
	FILE *out;
	double bytes_min, bytes_max, s_min, s_max; /* what is to fit in */
	int keys;
	struct svg_key key[SVG_KEYS];
};

/* Begins a chart: frame, grid, labels. Its title is for the eye and for screen readers. */
void svg_begin(struct svg_chart *c, const char *title);

/* The legend comes below, as lines of text that wrap: of class "key". */
void svg_end(struct svg_chart *c);

/* A key in the legend; joined or drawn as points. More than there is room for are left out. */
void svg_legend(struct svg_chart *c, int series, enum svg_mark mark, const char *text);

/* A point with its interval. */
void svg_point(const struct svg_chart *c, int series, double bytes, const double low_mid_high_s[3]);

/* A line through n points. */
void svg_line(const struct svg_chart *c, int series, enum svg_mark mark, size_t n,
	      const double bytes[n], const double s[n]);

/* The straight line between two points; on these axes it is a curve. */
void svg_straight(const struct svg_chart *c, int series, enum svg_mark mark, const double bytes[2],
		  const double s[2]);

#endif
