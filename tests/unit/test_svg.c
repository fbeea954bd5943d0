/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the charts draw, and where. */
#include "report/svg.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

/* A chart in memory. */
struct drawing {
	struct svg_chart c;
	char *text;
	size_t size;
};

static void draw(struct drawing *d, const char *title, double bytes_max, double s_min, double s_max)
{
	*d = (struct drawing){.c = {.bytes_max = bytes_max, .s_min = s_min, .s_max = s_max}};
	d->c.out = open_memstream(&d->text, &d->size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(d->c.out);
	svg_begin(&d->c, title);
	fflush(d->c.out);
}

/* Where the last circle is. */
static void last_point(struct drawing *d, double *x, double *y)
{
	char *at, *next;

	fflush(d->c.out);
	at = strstr(d->text, "<circle ");
	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	while ((next = strstr(at + 1, "<circle ")))
		at = next;
	CU_ASSERT_EQUAL(sscanf(at, "<circle cx=\"%lf\" cy=\"%lf\"", x, y), 2);
}

static int circles(const char *text)
{
	int n = 0;

	while ((text = strstr(text, "<circle ")) && text++)
		n++;
	return n;
}

static void finish(struct drawing *d)
{
	svg_end(&d->c);
	fclose(d->c.out);
	CU_ASSERT_PTR_NOT_NULL(strstr(d->text, "</svg>\n<p class=\"key\">"));
	CU_ASSERT_STRING_EQUAL(d->text + d->size - 5, "</p>\n");
	free(d->text);
}

static void test_svg_axes_are_logarithmic(void)
{
	struct drawing d;
	double x0, x1, x2, y0, y1, y2;

	draw(&d, "t", 1 << 20, 1.5e-6, 0.9e-2);
	CU_ASSERT_DOUBLE_EQUAL(d.c.s_min, 1e-6, 1e-18); /* whole decades */
	CU_ASSERT_DOUBLE_EQUAL(d.c.s_max, 1e-2, 1e-12);
	svg_point(&d.c, 0, 16, (double[]){1e-6, 1e-6, 1e-6});
	last_point(&d, &x0, &y0);
	svg_point(&d.c, 0, 256, (double[]){1e-5, 1e-5, 1e-5});
	last_point(&d, &x1, &y1);
	svg_point(&d.c, 0, 4096, (double[]){1e-4, 1e-4, 1e-4});
	last_point(&d, &x2, &y2);
	CU_ASSERT_DOUBLE_EQUAL(x2 - x1, x1 - x0, 0.2);
	CU_ASSERT_DOUBLE_EQUAL(y2 - y1, y1 - y0, 0.2);
	CU_ASSERT(x1 > x0);
	CU_ASSERT(y1 < y0); /* upwards */
	finish(&d);
}

/* What is off the scale is no point at a value that it has not: a triangle on the edge. */
static void test_svg_points_stay_inside(void)
{
	struct drawing d;
	double x, low, high;
	char mark[64];

	draw(&d, "t", 1024, 1e-6, 1e-3);
	svg_point(&d.c, 0, 0, (double[]){1e-6, 1e-6, 1e-6});
	last_point(&d, &x, &low);
	svg_point(&d.c, 0, 1024, (double[]){1e-3, 1e-3, 1e-3});
	last_point(&d, &x, &high);
	CU_ASSERT_PTR_NULL(strstr(d.text, "fill-opacity"));
	svg_point(&d.c, 0, 4, (double[]){-2e-6, -1e-6, 1e-6});
	fflush(d.c.out);
	CU_ASSERT_PTR_NOT_NULL(strstr(d.text, "fill-opacity"));
	snprintf(mark, sizeof(mark), " %.1fL", low);
	CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(d.text, "<path class=\"beyond\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(strstr(d.text, "<path class=\"beyond\""), mark));
	svg_point(&d.c, 0, 4, (double[]){1, 1, 1});
	fflush(d.c.out);
	snprintf(mark, sizeof(mark), " %.1fL", high);
	CU_ASSERT_PTR_NOT_NULL(strstr(strrchr(d.text, 'M'), mark));
	CU_ASSERT_EQUAL(circles(d.text), 2);
	finish(&d);
}

/* A line ends at the edge that it crosses, and where all of it is beyond there is none. */
static void test_svg_lines_stay_inside(void)
{
	static const double bytes[] = {1, 4, 16, 64};
	struct drawing d;
	double x, low, high;
	char mark[64], *line;

	draw(&d, "t", 1024, 1e-6, 1e-3);
	svg_point(&d.c, 1, 4, (double[]){1e-6, 1e-6, 1e-6});
	last_point(&d, &x, &low);
	svg_point(&d.c, 1, 16, (double[]){1e-3, 1e-3, 1e-3});
	last_point(&d, &x, &high);
	svg_line(&d.c, 0, SVG_LINE, 4, bytes, (double[]){1e-8, 1e-7, -1, 1e-7});
	fflush(d.c.out);
	CU_ASSERT_PTR_NOT_NULL(strstr(d.text, "<path d=\"\" fill"));
	svg_line(&d.c, 0, SVG_LINE, 4, bytes, (double[]){1e-9, 1e-6, 1e-3, 1});
	fflush(d.c.out);
	snprintf(mark, sizeof(mark), " %.1fL%.1f %.1f", low, x, high);
	line = strstr(strstr(d.text, "<path d=\"\" fill") + 1, "<path d=\"M");
	CU_ASSERT_PTR_NOT_NULL_FATAL(line);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, mark));
	svg_line(&d.c, 0, SVG_LINE, 2, (double[]){1, 16}, (double[]){1e-9, 1e-3});
	fflush(d.c.out);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, mark)); /* both from 4 bytes to 16 */
	CU_ASSERT_PTR_NOT_NULL(strstr(strrchr(line, 'M'), mark));
	finish(&d);
}

/* 32 bytes are 3 % of the way from 1 to 1024, not half of it as on the axis. */
static void test_svg_straight_is_straight_in_bytes(void)
{
	struct drawing d;

	draw(&d, "t", 1024, 1e-6, 1e-3);
	svg_straight(&d.c, 0, SVG_LINE, (double[]){1, 1024}, (double[]){1e-6, 1e-4});
	fflush(d.c.out);
	CU_ASSERT_PTR_NOT_NULL(strstr(d.text, "424.9 265.0"));
	finish(&d);
}

/* What begins at large sizes has the whole width. */
static void test_svg_axis_begins_where_sizes_do(void)
{
	struct drawing d = {
		.c = {.bytes_min = 600, .bytes_max = 1 << 20, .s_min = 1e-6, .s_max = 1}};
	double x, y;

	d.c.out = open_memstream(&d.text, &d.size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(d.c.out);
	svg_begin(&d.c, "t");
	svg_point(&d.c, 1, 512, (double[]){1e-6, 1e-6, 1e-6});
	last_point(&d, &x, &y);
	CU_ASSERT_DOUBLE_EQUAL(x, 90, 0.1);
	CU_ASSERT_PTR_NULL(strstr(d.text, ">0</text>"));
	CU_ASSERT_PTR_NOT_NULL(strstr(d.text, ">512 B</text>"));
	finish(&d);
}

static void test_svg_text_is_escaped(void)
{
	struct drawing d;

	draw(&d, "a<b & \"c\">", 1024, 1e-6, 1e-3);
	CU_ASSERT_PTR_NOT_NULL(strstr(d.text, "<title>a&lt;b &amp; &quot;c&quot;&gt;</title>"));
	finish(&d);
}

/* Nothing to draw is an empty chart, not one of endless or not a number. */
static void test_svg_of_nothing(void)
{
	struct drawing d;

	draw(&d, "t", 0, 0, 0);
	CU_ASSERT(d.size < 10000);
	CU_ASSERT_PTR_NULL(strstr(d.text, "nan"));
	CU_ASSERT_PTR_NULL(strstr(d.text, "inf"));
	svg_line(&d.c, 0, SVG_LINE, 0, NULL, NULL);
	finish(&d);
}

/*
 * Below the chart, where it can be read on a narrow page too; no more keys than there is room for.
 */
static void test_svg_legend_is_text_below(void)
{
	struct drawing d;
	int i;

	draw(&d, "t", 1024, 1e-6, 1e-3);
	svg_legend(&d.c, 0, SVG_POINTS, "one");
	for (i = 0; i < SVG_KEYS; i++)
		svg_legend(&d.c, 1, SVG_DASHES, "two < three");
	svg_end(&d.c);
	fflush(d.c.out);
	CU_ASSERT_PTR_NOT_NULL(strstr(strstr(d.text, "</svg>\n<p"), "</svg> one</span>"));
	CU_ASSERT_PTR_NOT_NULL(strstr(d.text, "</svg> two &lt; three</span>"));
	CU_ASSERT_EQUAL(d.c.keys, SVG_KEYS);
	fclose(d.c.out);
	free(d.text);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_svg_axes_are_logarithmic),
	SUITE_CASE(test_svg_points_stay_inside),
	SUITE_CASE(test_svg_lines_stay_inside),
	SUITE_CASE(test_svg_axis_begins_where_sizes_do),
	SUITE_CASE(test_svg_text_is_escaped),
	SUITE_CASE(test_svg_of_nothing),
	SUITE_CASE(test_svg_straight_is_straight_in_bytes),
	SUITE_CASE(test_svg_legend_is_text_below),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("svg", tests);
}
