/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/signature_page.h"

#include "common/number.h"
#include "report/html.h"
#include "report/style.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

/* Points of a fitted line. */
#define LINE 64

/* Numbers of ranks, each a series; and those of lines of none of them. */
enum { COUNTS_MOST = 4, SERIES_WHOLE = 4, SERIES_BOUND = 5 };

struct counts {
	int n;
	double ranks[COUNTS_MOST]; /* the most first, as they were measured */
};

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static int series_of(const struct counts *all, double ranks)
{
	int i = 0;

	while (i < all->n && all->ranks[i] != ranks)
		i++;
	return i;
}

/* Make the chart large enough for a time. */
static void include(struct svg_chart *c, double s)
{
	if (s > 0)
		c->s_min = c->s_min > 0 ? fmin(c->s_min, s) : s;
	c->s_max = fmax(c->s_max, s);
}

/* Everything that was measured is to fit in. */
static struct counts take_counts(const json_t *times, struct svg_chart *c)
{
	struct counts all = {0};
	const json_t *t;
	size_t i;

	json_array_foreach((json_t *)times, i, t) {
		double bytes = number(t, "bytes");

		include(c, number(json_object_get(t, "time"), "value"));
		c->bytes_min = i ? fmin(c->bytes_min, bytes) : bytes;
		c->bytes_max = fmax(c->bytes_max, bytes);
		if (all.n < COUNTS_MOST && series_of(&all, number(t, "ranks")) == all.n)
			all.ranks[all.n++] = number(t, "ranks");
	}
	return all;
}

static void put_times(struct svg_chart *c, const json_t *times, const struct counts *all)
{
	const json_t *t;
	char name[64];
	size_t i;
	int k;

	for (k = 0; k < all->n; k++) {
		snprintf(name, sizeof(name), "%.0f ranks, measured", all->ranks[k]);
		svg_legend(c, k, SVG_POINTS, name);
	}
	json_array_foreach((json_t *)times, i, t) {
		const json_t *e = json_object_get(t, "time");
		const double of[3] = {number(e, "low"), number(e, "value"), number(e, "high")};

		k = series_of(all, number(t, "ranks"));
		if (k < all->n)
			svg_point(c, k, number(t, "bytes"), of);
	}
}

/*
 * (n-1)((alpha + m beta) gamma + delta), without a regime the bound of one message after the other.
 */
static double time_of(const json_t *s, const json_t *regime, double n, double bytes)
{
	double t = number(s, "alpha_s") + bytes * number(s, "beta_s_per_byte");

	if (regime)
		t *= number(regime, "gamma");
	if (regime && bytes >= number(regime, "M_bytes"))
		t += number(regime, "delta_s");
	return (n - 1) * t;
}

/* How a line is drawn: by series and mark. */
struct pen {
	int series;
	enum svg_mark mark;
};

/* Between two sizes, with a step at M. Without a regime: the bound. */
static void put_line(struct svg_chart *c, const json_t *s, const json_t *regime, double n,
		     struct pen pen)
{
	double from = fmax(regime ? number(regime, "from_bytes") : 1, c->bytes_min), b;
	double to = regime ? number(regime, "to_bytes") : c->bytes_max;
	const double step[] = {number(regime, "M_above_bytes"), number(regime, "M_bytes")};
	double bytes[LINE], time[LINE];
	size_t count = 0, i;

	for (b = from; count < LINE - 3; b = fmin(2 * b, to)) {
		for (i = 0; i < 2; i++)
			if (count && bytes[count - 1] < step[i] && step[i] < b)
				bytes[count++] = step[i];
		bytes[count++] = b;
		if (b >= to)
			break;
	}
	for (i = 0; i < count; i++)
		time[i] = time_of(s, regime, n, bytes[i]);
	svg_line(c, pen.series, pen.mark, count, bytes, time);
}

/*
 * A range of sizes: as it was fitted, and as it predicts where it was seen to hold. Returns how
 * many.
 */
static int put_regime(struct svg_chart *c, const json_t *s, const json_t *regime,
		      const struct counts *all)
{
	int k, predicted = 0;

	for (k = 0; k < all->n; k++) {
		double n = all->ranks[k];

		if (n == number(s, "ranks"))
			put_line(c, s, regime, n, (struct pen){k, SVG_LINE});
		else if (n < number(regime, "n_low") || n > number(regime, "n_high"))
			continue;
		else
			put_line(c, s, regime, n, (struct pen){k, SVG_DASHES});
		predicted += n != number(s, "ranks");
	}
	return predicted;
}

/* All ranges, and, where there are several, what all sizes together would say, the file's first. */
static void put_regimes(struct svg_chart *c, const json_t *s, const struct counts *all)
{
	const json_t *regimes = json_object_get(s, "regimes");
	size_t n = json_array_size(regimes), i;
	int predicted = 0;

	for (i = n > 1; i < n; i++)
		predicted += put_regime(c, s, json_array_get(regimes, i), all);
	if (n)
		svg_legend(c, series_of(all, number(s, "ranks")), SVG_LINE, "signature, fitted");
	if (predicted)
		svg_legend(c, all->n - 1, SVG_DASHES, "predicted for fewer ranks, where it holds");
	if (n < 2)
		return;
	put_line(c, s, json_array_get(regimes, 0), number(s, "ranks"),
		 (struct pen){SERIES_WHOLE, SVG_DASHES});
	svg_legend(c, SERIES_WHOLE, SVG_DASHES, "one signature for all sizes");
}

static void put_row(FILE *out, const json_t *r, const char *which)
{
	fprintf(out, "<tr><td class=\"words\">%s%s to ", which,
		number_bytes(number(r, "from_bytes")).text);
	fprintf(out, "%s</td><td>%.3g &plusmn; %.2g</td>", number_bytes(number(r, "to_bytes")).text,
		number(r, "gamma"), number(r, "half_gamma"));
	if (number(r, "delta_s") > 0) {
		fprintf(out, "<td>%s &plusmn; %s</td><td class=\"words\">%s",
			number_seconds(number(r, "delta_s")).text,
			number_seconds(number(r, "half_delta_s")).text,
			number_bytes(number(r, "M_bytes")).text);
		fprintf(out, ", above %s", number_bytes(number(r, "M_low_bytes")).text);
		fprintf(out, ", at most %s</td>", number_bytes(number(r, "M_high_bytes")).text);
	} else {
		fputs("<td>not identified</td><td></td>", out);
	}
	if (number(r, "n_low") < number(r, "n_high"))
		fprintf(out, "<td>%.0f to %.0f ranks</td></tr>\n", number(r, "n_low"),
			number(r, "n_high"));
	else
		fprintf(out, "<td>%.0f ranks only</td></tr>\n", number(r, "n_high"));
}

/* The ranges, and, however badly it serves, that of all sizes, which is the file's first. */
static void put_table(FILE *out, const json_t *regimes)
{
	size_t n = json_array_size(regimes), i;

	if (!n)
		return;
	fputs("<div class=\"wide\"><table><tr><th>sizes</th><th>gamma</th><th>delta</th>"
	      "<th>from M</th><th>holds for</th></tr>\n",
	      out);
	for (i = 1; i < n; i++)
		put_row(out, json_array_get(regimes, i), "");
	put_row(out, json_array_get(regimes, 0), n > 1 ? "all sizes, " : "");
	fputs("</table></div>\n", out);
}

void signature_page(const json_t *s, FILE *out)
{
	const json_t *times = json_object_get(s, "times"), *regimes = json_object_get(s, "regimes");
	const char *why = json_string_value(json_object_get(s, "why_not"));
	struct svg_chart c = {.out = out};
	struct counts all = take_counts(times, &c);

	if (!all.n)
		return;
	fputs("<h2>All-to-all</h2>\n<p>Time of ", out);
	html_text(out, json_string_value(json_object_get(s, "algorithm")));
	fputs(" by bytes to each rank; signature: (n-1)((alpha + m beta) gamma + delta from M on), "
	      "by "
	      "ranges of sizes.</p>\n",
	      out);
	if (why) {
		fputs("<p>No signature: ", out);
		html_text(out, why);
		fputs(".</p>\n", out);
	}
	include(&c, time_of(s, NULL, number(s, "ranks"), c.bytes_min));
	svg_begin(&c, "All-to-all");
	put_times(&c, times, &all);
	put_regimes(&c, s, &all);
	put_line(&c, s, NULL, number(s, "ranks"), (struct pen){SERIES_BOUND, SVG_DASHES});
	svg_legend(&c, SERIES_BOUND, SVG_DASHES, "without contention");
	svg_end(&c);
	put_table(out, regimes);
}
