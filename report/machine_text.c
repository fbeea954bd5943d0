/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/machine_text.h"

#include "common/number.h"
#include "report/contention_text.h"
#include "report/machine_notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 80
#define NARROW  1.25 /* sizes that do and do not, further apart: both are said */
#define ALIKE   0.1  /* gaps of both ways that differ by less */

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

/* " ?" after what a way's parameter of this name comes to, if that is no time; else nothing. */
static const char *mark(const json_t *way, const char *name, double value)
{
	return value < 0 || machine_notes_have(json_object_get(way, "unidentified"), name) ? " ?"
											   : "";
}

/* "1.2 us [1.1 to 1.3]" of an estimate, marked when it was not told from 0. */
static void put_estimate(FILE *out, const json_t *e)
{
	fprintf(out, "%s%s [%s to %s]", number_seconds(number(e, "value")).text,
		number(e, "value") < 0 || json_is_false(json_object_get(e, "identifiable")) ? " ?"
											    : "",
		number_seconds(number(e, "low")).text, number_seconds(number(e, "high")).text);
}

/* Of a point: the value, with "?" when it was not told from 0. */
static struct number estimated(const json_t *point, const char *key)
{
	const json_t *e = json_object_get(point, key);
	struct number n = number_seconds(number(e, "value"));

	if (json_is_false(json_object_get(e, "identifiable")))
		strncat(n.text, " ?", sizeof(n.text) - strlen(n.text) - 1);
	return n;
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
	const json_t *p;
	size_t i;

	fprintf(out, "  %10s %10s %10s %10s %12s\n", "size", "o_s", "o_r", "gap g", "bandwidth");
	json_array_foreach((json_t *)points, i, p) {
		double n = number(p, "bytes"), gap = number(p, "g_s");
		int is_told =
			!json_is_false(json_object_get(json_object_get(p, "g"), "identifiable"));

		if (!is_shown(points, i))
			continue;
		fprintf(out, "  %10s %10s %10s %10s %12s\n", number_bytes(n).text,
			estimated(p, "o_s").text, estimated(p, "o_r").text, estimated(p, "g").text,
			n > 0 && gap > 0 && is_told ? number_rate(n / gap).text : "-");
	}
}

/* "4.00 KiB", "any size", "16.0 KiB, below 64.0 KiB" by the looks there was time for. */
static struct number threshold(const json_t *way, const char *key, const char *fails_key)
{
	const json_t *bytes = json_object_get(way, key), *fails = json_object_get(way, fails_key);
	struct number text = number_bytes(json_number_value(bytes));
	struct number below = number_bytes(json_number_value(fails));

	if (machine_notes_have(json_object_get(way, "not_known"), key)) {
		if (json_is_integer(fails))
			snprintf(text.text, sizeof(text.text), "some size below %.14s", below.text);
		else
			snprintf(text.text, sizeof(text.text), "a size not known");
		return text;
	}
	if (json_is_null(bytes))
		return (struct number){"any size"};
	if (json_number_value(fails) > NARROW * json_number_value(bytes)) {
		strncat(text.text, ", below ", sizeof(text.text) - strlen(text.text) - 1);
		strncat(text.text, below.text, sizeof(text.text) - strlen(text.text) - 1);
	}
	return text;
}

/* How many messages wait for their receiver: "64 B 512", or "33 to 64" where looks differ. */
static void put_credits(FILE *out, const json_t *credits)
{
	const json_t *c;
	size_t i;

	fputs("  so many at once while the receiver computes, K(m):", out);
	json_array_foreach((json_t *)credits, i, c) {
		const json_t *n = json_object_get(c, "messages");
		const char *more = json_is_true(json_object_get(c, "at_least")) ? "at least " : "";

		fprintf(out, "%s%s ", i % 3 ? "   " : "\n    ",
			number_bytes(number(c, "bytes")).text);
		if (json_is_number(n))
			fprintf(out, "%s%.0f", more, json_number_value(n));
		else if (json_is_number(json_object_get(c, "least")))
			fprintf(out, "%.0f to %s%.0f", number(c, "least"), more, number(c, "most"));
		else
			fputs("not known", out);
	}
	fputc('\n', out);
}

static void put_thresholds(FILE *out, const json_t *way)
{
	const char *why = json_string_value(json_object_get(way, "why_not_known"));
	const char *why_no_progress = json_string_value(json_object_get(way, "progress_why_not"));

	fprintf(out,
		"  sends complete while a receiver computes up to %s (T1),\n"
		"    while it is in MPI, no receive posted, up to %s (T2)\n",
		threshold(way, "t1_bytes", "t1_fails_bytes").text,
		threshold(way, "t2_bytes", "t2_fails_bytes").text);
	if (why && (machine_notes_have(json_object_get(way, "not_known"), "t1_bytes") ||
		    machine_notes_have(json_object_get(way, "not_known"), "t2_bytes")))
		fprintf(out, "    not known: %s\n", why);
	put_credits(out, json_object_get(way, "credits"));
	if (json_is_null(json_object_get(way, "asynchronous_progress")))
		fprintf(out,
			"  whether large messages move while both sides compute: ?\n    ?: %s\n",
			why_no_progress ? why_no_progress : "the file does not say why");
	else
		fprintf(out, "  large messages %s while both sides compute\n",
			number(way, "asynchronous_progress") > 0.5 ? "move by themselves"
								   : "do not move");
}

/* The other way: what is different there. */
static void put_back(FILE *out, const json_t *class)
{
	const json_t *a = json_object_get(class, "asymmetry");
	const json_t *way = json_object_get(class, "back");

	fprintf(out, "  back             L ");
	put_estimate(out, json_object_get(way, "L"));
	if (json_is_true(json_object_get(a, "beyond_intervals")) &&
	    fabs(number(a, "ratio") - 1) > ALIKE)
		fprintf(out, ",\n                   not alike: g(%s) is %.2f times as long",
			number_bytes(number(a, "bytes")).text, number(a, "ratio"));
	fputc('\n', out);
	machine_notes_why(way, "L", out);
}

/* Words after a title, in lines of COLUMNS. Nothing for an empty list. */
static void put_words(FILE *out, const char *title, const json_t *words, const char *between)
{
	const json_t *word;
	int column;
	size_t i;

	if (!json_array_size(words))
		return;
	column = fprintf(out, "  %s:", title);
	json_array_foreach((json_t *)words, i, word) {
		if (i)
			column += fprintf(out, "%s", between);
		if (column + 1 + (int)json_string_length(word) + (int)strlen(between) > COLUMNS)
			column = fprintf(out, "\n   ") - 1;
		column += fprintf(out, " %s", json_string_value(word));
	}
	fputc('\n', out);
}

/* Of which parameter is this the name, "g" of "g(64)"? The length. */
static size_t parameter(const char *name)
{
	return strcspn(name, "(");
}

/* How many names are of the same parameter as the i-th from there on; 0: one before was. */
static size_t alike(const json_t *names, size_t i, const char **last)
{
	const char *one = json_string_value(json_array_get(names, i)), *name;
	size_t n = 0, k;

	for (k = 0; k < json_array_size(names); k++) {
		name = json_string_value(json_array_get(names, k));
		if (parameter(name) != parameter(one) || strncmp(name, one, parameter(one)) != 0)
			continue;
		if (k < i)
			return 0;
		*last = name;
		n++;
	}
	return n;
}

/* "g at 13 sizes up to 4.00 KiB" of n names, "g(4096)" the last. */
static json_t *sizes_up_to(const char *last, size_t n)
{
	return json_sprintf("%.*s at %zu sizes up to %s", (int)parameter(last), last, n,
			    number_bytes(strtod(last + parameter(last) + 1, NULL)).text);
}

/* Names of what is not identified; of many sizes of a parameter how many, and the last. */
static void put_names(FILE *out, const char *title, const json_t *names)
{
	json_t *words = json_array();
	const char *name, *last = "";
	size_t i, n;

	for (i = 0; i < json_array_size(names); i++) {
		name = json_string_value(json_array_get(names, i));
		n = alike(names, i, &last);
		if (n == 1)
			json_array_append_new(words, json_string(name));
		else if (n)
			json_array_append_new(words, sizes_up_to(last, n));
	}
	put_words(out, title, words, ",");
	json_decref(words);
}

/* The same gaps by saturation, and the time both ways took; nothing when they were not. */
static void put_check(FILE *out, const json_t *way)
{
	const json_t *p, *g;
	double most = 0, off, bytes = 0;
	size_t i, compared = 0;

	json_array_foreach(json_object_get(way, "points"), i, p) {
		g = json_object_get(p, "g");
		if (!json_is_true(json_object_get(g, "identifiable")))
			continue;
		off = number(json_object_get(p, "g_saturated"), "value") / number(g, "value") - 1;
		compared++;
		if (fabs(off) <= fabs(most))
			continue;
		most = off;
		bytes = number(p, "bytes");
	}
	if (number(way, "saturation_s") <= 0)
		return;
	fprintf(out, "  gaps by saturation took %.1f s; from round trips %.1f s, overheads too\n",
		number(way, "saturation_s"), number(way, "fast_s"));
	if (number(way, "fast_s") > 0)
		fprintf(out, "    %.1f times the time of round trips",
			number(way, "saturation_s") / number(way, "fast_s"));
	if (number(way, "saturation_cut") > 0)
		fprintf(out, ", cut for time at %.0f of %zu sizes", number(way, "saturation_cut"),
			i);
	fputc('\n', out);
	if (compared)
		fprintf(out, "    they differ by %s at most, of %s\n", number_change(most).text,
			number_bytes(bytes).text);
}

/* How far apart two ranks' cores are, where that was measured. */
static void put_cores(FILE *out, const json_t *way)
{
	const json_t *cores = json_object_get(way, "core_to_core");

	if (!cores)
		return;
	fputs("  core to core     ", out);
	put_estimate(out, cores);
	fputs(" there and back, without MPI\n", out);
}

/* The end of a line: "G 0.125 ns/B", with "?" when it was not told from 0, or alone for none. */
static void put_per_byte(FILE *out, const json_t *way, const char *name, const json_t *s)
{
	double value = json_number_value(s);

	if (json_is_number(s))
		fprintf(out, " %s %.3g ns/B%s\n", name, value * 1e9, mark(way, name, value));
	else
		fprintf(out, " %s ?\n", name);
	machine_notes_why(way, name, out);
}

/* What the simpler models' parameters come to; LogP's are LogGP's without G. */
static void put_models(FILE *out, const json_t *derived, const json_t *way)
{
	static const char *const names[] = {"LogGP L", "LogGP o", "LogGP g"};
	static const char *const keys[] = {"L_s", "o_s", "g_s"};
	const json_t *m = json_object_get(derived, "loggp"),
		     *h = json_object_get(derived, "hockney");
	size_t i;

	if (!m || !h)
		return;
	fputs("  LogP, LogGP     ", out);
	for (i = 0; i < 3; i++)
		fprintf(out, " %c %s%s,", *keys[i], number_seconds(number(m, keys[i])).text,
			mark(way, names[i], number(m, keys[i])));
	put_per_byte(out, way, "G", json_object_get(m, "G_s_per_byte"));
	for (i = 0; i < 3; i++)
		machine_notes_why(way, names[i], out);
	fprintf(out, "  Hockney          alpha %s%s,", number_seconds(number(h, "alpha_s")).text,
		mark(way, "alpha", number(h, "alpha_s")));
	put_per_byte(out, way, "beta", json_object_get(h, "beta_s_per_byte"));
	machine_notes_why(way, "alpha", out);
}

static void put_class(FILE *out, const char *name, const json_t *class)
{
	const json_t *way = json_object_get(class, "there");

	double pairs = number(class, "pairs");

	fprintf(out, "\n%s   rank %.0f to rank %.0f and back in %.1f s",
		!strcmp(name, "cache")    ? "WITHIN A CACHE"
		: !strcmp(name, "socket") ? "WITHIN A SOCKET"
		: !strcmp(name, "node")   ? "WITHIN A NODE"
					  : "BETWEEN NODES",
		number(way, "from"), number(way, "to"), number(class, "spent_s"));
	if (pairs > 1)
		fprintf(out, ", one of %.0f pairs", pairs);
	fprintf(out, "\n  latency L        ");
	put_estimate(out, json_object_get(way, "L"));
	fputc('\n', out);
	machine_notes_why(way, "L", out);
	fprintf(out, "  least gap g(0)   ");
	put_estimate(out, json_object_get(way, "g0"));
	fputc('\n', out);
	machine_notes_why(way, "g(0)", out);
	put_cores(out, way);
	put_back(out, class);
	put_models(out, json_object_get(class, "derived"), way);
	put_points(out, json_object_get(class, "points"));
	put_thresholds(out, way);
	put_check(out, way);
	put_names(out, "?: not identified, intervals reach 0 or below",
		  json_object_get(way, "unidentified"));
	put_names(out, "not identified on the way back",
		  json_object_get(json_object_get(class, "back"), "unidentified"));
	put_words(out, "cut short", json_object_get(way, "cut"), ",");
}

int machine_text(const json_t *machine, const char *path, FILE *out, struct err *err)
{
	const json_t *classes = json_object_get(machine, "classes"), *class;
	const char *title = json_string_value(json_object_get(machine, "name")), *name;

	if (!title || !json_object_size(classes))
		return err_set(err, "%s: no classes were measured", path);
	fprintf(out, "%s   measured in %.1f s\n", title, number(machine, "spent_s"));
	machine_notes_head(machine, out);
	json_object_foreach((json_t *)classes, name, class)
		put_class(out, name, class);
	machine_notes_key(machine, out);
	contention_text(machine, out);
	machine_notes_conditions(machine, out);
	machine_notes_next(machine, path, out);
	return 0;
}
