/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/machine_text.h"

#include "report/style.h"

#include <string.h>

#define COLUMNS 80

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

/* "1.2 us [1.1-1.3]" of an estimate. */
static void put_estimate(FILE *out, const json_t *e)
{
	fprintf(out, "%s [%s to %s]", number_seconds(number(e, "value")).text,
		number_seconds(number(e, "low")).text, number_seconds(number(e, "high")).text);
}

/* Is this point worth a line? Powers of 16, the first and the last. */
static int is_shown(const json_t *points, size_t i)
{
	double b = number(json_array_get(points, i), "bytes"), p = 1;

	if (i == 0 || i + 1 == json_array_size(points))
		return 1;
	while (p < b)
		p *= 16;
	return p == b;
}

static void put_points(FILE *out, const json_t *points)
{
	char rate[32];
	const json_t *p;
	size_t i;

	fprintf(out, "  %10s %10s %10s %10s %12s\n", "size", "o_s", "o_r", "gap g", "bandwidth");
	json_array_foreach((json_t *)points, i, p) {
		double n = number(p, "bytes"), gap = number(p, "g_s");

		if (!is_shown(points, i))
			continue;
		snprintf(rate, sizeof(rate), n > 0 && gap > 0 ? "%.3g MB/s" : "",
			 gap > 0 ? n / gap / 1e6 : 0);
		fprintf(out, "  %10s %10s %10s %10s %12s\n", number_bytes(n).text,
			number_seconds(number(p, "o_s_s")).text,
			number_seconds(number(p, "o_r_s")).text,
			gap > 0 ? number_seconds(gap).text : "?", rate);
	}
}

static void put_thresholds(FILE *out, const json_t *way)
{
	const json_t *t1 = json_object_get(way, "t1_bytes"), *t2 = json_object_get(way, "t2_bytes");

	fprintf(out,
		"  sends complete without the receiver up to %s,\n"
		"                 without its receive up to %s\n",
		json_is_null(t1) ? "any size" : number_bytes(json_number_value(t1)).text,
		json_is_null(t2) ? "any size" : number_bytes(json_number_value(t2)).text);
	fprintf(out, "  large messages %s while both sides compute\n",
		number(way, "asynchronous_progress") > 0.5 ? "move by themselves" : "do not move");
}

static void put_class(FILE *out, const char *name, const json_t *class)
{
	const json_t *way = json_object_get(class, "there"), *word;
	const json_t *unknown = json_object_get(way, "unidentified");
	int column;
	size_t i;

	fprintf(out, "\n%s   rank %.0f to rank %.0f, %.1f s\n",
		!strcmp(name, "cache")    ? "WITHIN A CACHE"
		: !strcmp(name, "socket") ? "WITHIN A SOCKET"
		: !strcmp(name, "node")   ? "WITHIN A NODE"
					  : "BETWEEN NODES",
		number(way, "from"), number(way, "to"), number(way, "spent_s"));
	fprintf(out, "  latency L        ");
	put_estimate(out, json_object_get(way, "L"));
	fprintf(out, "\n  least gap g(0)   ");
	put_estimate(out, json_object_get(way, "g0"));
	fputc('\n', out);
	put_points(out, json_object_get(class, "points"));
	put_thresholds(out, way);
	if (json_array_size(unknown)) {
		column = fprintf(out, "  not identified, intervals reach 0:");
		json_array_foreach((json_t *)unknown, i, word) {
			if (column + 1 + (int)json_string_length(word) > COLUMNS)
				column = fprintf(out, "\n   ") - 1;
			column += fprintf(out, " %s", json_string_value(word));
		}
		fputc('\n', out);
	}
}

int machine_text(const json_t *machine, const char *path, FILE *out, struct err *err)
{
	const json_t *classes = json_object_get(machine, "classes"), *class, *condition;
	const json_t *conditions = json_object_get(machine, "conditions");
	const char *title = json_string_value(json_object_get(machine, "name")), *name;
	size_t i;

	if (!title || !json_object_size(classes))
		return err_set(err, "%s: no classes were measured", path);
	fprintf(out, "%s   measured in %.1f s\n", title, number(machine, "spent_s"));
	json_object_foreach((json_t *)classes, name, class)
		put_class(out, name, class);
	json_array_foreach((json_t *)conditions, i, condition)
		fprintf(out, "\nnote: %s\n", json_string_value(condition));
	fprintf(out, "\nwritten: %s   next: contend report --machine=%s\n", path, path);
	return 0;
}
