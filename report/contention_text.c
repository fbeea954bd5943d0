/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/contention_text.h"

#include "common/number.h"
#include "report/layout.h"
#include "report/style.h"

#define COLUMNS 80

static double number(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

/* What the file says could not be told, each with why. */
static void put_unidentified(FILE *out, const json_t *names)
{
	const struct style style = {.width = COLUMNS};
	struct layout l = {.out = out, .style = &style};
	const char *name;
	char text[256];
	json_t *why;

	if (json_object_size(names))
		fputs("  not identified:\n", out);
	json_object_foreach((json_t *)names, name, why) {
		snprintf(text, sizeof(text), "%s: %s", name, json_string_value(why));
		layout_line(&l, "", 6, text);
	}
}

static void put_rates(FILE *out, const json_t *rates, const char *why_not)
{
	const json_t *fit = json_object_get(rates, "max_rate"), *step;
	size_t i;

	if (why_not)
		fprintf(out, "  no rate of a node: %s\n", why_not);
	if (!json_object_size(rates))
		return;
	fprintf(out, "  pairs at once, %s each, %s, together:\n    ",
		number_bytes(number(rates, "bytes")).text,
		json_is_true(json_object_get(rates, "off_node")) ? "node to node" : "in a node");
	json_array_foreach(json_object_get(rates, "steps"), i, step) {
		double rate = number(json_object_get(step, "bytes_per_s"), "value");

		fprintf(out, "%s%.0f: %s", i ? "   " : "", number(step, "pairs"),
			rate > 0 ? number_rate(rate).text : "not told");
	}
	if (json_is_true(json_object_get(rates, "crowded"))) {
		fputs("\n    more ranks than cores: they wait for those, no limit of the way can "
		      "be seen\n",
		      out);
		return;
	}
	fprintf(out, "\n    %s %s\n",
		json_is_true(json_object_get(fit, "saturates"))
			? "more pairs do not get more than"
			: "the most that was seen, no limit reached,",
		number_rate(number(fit, "R_N")).text);
}

static void put_fan(FILE *out, const char *what, const json_t *fan)
{
	const json_t *error = json_object_get(fan, "slope_se_s");

	fprintf(out, "  %s%s: %s more for each %s\n    (", what,
		json_is_true(json_object_get(fan, "off_node")) ? ", other nodes" : "",
		number_seconds(number(fan, "slope_s")).text,
		number_bytes(number(fan, "bytes")).text);
	if (json_is_number(error))
		fprintf(out, "+- %s)", number_seconds(json_number_value(error)).text);
	else
		fputs("no standard error)", out);
	fputs(json_is_false(json_object_get(fan, "identifiable")) ? ", not identified\n" : "\n",
	      out);
}

/* Steffenel's figure 3: of one connection, and of all of them. */
static void put_connections(FILE *out, const json_t *s)
{
	const json_t *steps = json_object_get(s, "steps");
	const json_t *one = json_array_get(steps, 0);
	const json_t *all = json_array_get(steps, json_array_size(steps) - 1);

	if (one == all)
		return;
	fprintf(out, "    alone %s,",
		number_seconds(number(json_object_get(one, "time"), "value")).text);
	fprintf(out, " with %.0f at once %s,", number(all, "connections"),
		number_seconds(number(json_object_get(all, "time"), "value")).text);
	fprintf(out, " the slowest %s\n",
		number_seconds(number(json_object_get(all, "slowest"), "value")).text);
}

static void put_two_state(FILE *out, const json_t *s)
{
	if (!json_object_size(s))
		return;
	fprintf(out,
		"  %s send to one each, %s:\n    %s of %.0f messages delayed\n"
		"    %.3g ns/B when not",
		json_is_true(json_object_get(s, "one_a_host")) ? "one rank of each node, all"
							       : "all",
		number_bytes(number(s, "bytes")).text, number_share(number(s, "rho")).text,
		number(s, "messages"), number(s, "beta_F") * 1e9);
	if (number(s, "delayed") > 0)
		fprintf(out, ", %.3g ns/B when delayed, %.3g ns/B overall",
			number(s, "beta_C") * 1e9, number(s, "beta") * 1e9);
	fputc('\n', out);
	put_connections(out, s);
}

/* "from 4.00 KiB (above 1.00 KiB, at most 8.00 KiB)": M and its interval; no least: a bound. */
static void put_M(FILE *out, const json_t *r)
{
	double low = number(r, "M_low_bytes"), high = number(r, "M_high_bytes");

	fprintf(out, "\n      from %s", number_bytes(number(r, "M_bytes")).text);
	if (low > 0)
		fprintf(out, " (above %s, at most %s)", number_bytes(low).text,
			number_bytes(high).text);
	else if (high > number(r, "M_bytes"))
		fprintf(out, " (or from any size up to %s)", number_bytes(high).text);
	else if (high > 0)
		fputs(" or less", out);
}

static void put_regime(FILE *out, const char *which, const json_t *r)
{
	fprintf(out, "    %s%s to ", which, number_bytes(number(r, "from_bytes")).text);
	fprintf(out, "%s: gamma %.3g (+- %.2g)", number_bytes(number(r, "to_bytes")).text,
		number(r, "gamma"), number(r, "half_gamma"));
	if (number(r, "delta_s") > 0) {
		fprintf(out, ",\n      delta %s (+- %s)", number_seconds(number(r, "delta_s")).text,
			number_seconds(number(r, "half_delta_s")).text);
		put_M(out, r);
	}
	if (number(r, "n_low") < number(r, "n_high"))
		fprintf(out, "\n      holds for %.0f to %.0f ranks, within 10 %% at each size\n",
			number(r, "n_low"), number(r, "n_high"));
	else if (json_is_true(json_object_get(r, "fails_below")))
		fprintf(out,
			"\n      more than 10 %% off, at some size, for fewer than %.0f ranks\n",
			number(r, "n_high"));
	else
		fprintf(out, "\n      for %.0f ranks; no fewer were measured\n",
			number(r, "n_high"));
}

/*
 * The file's first regime is of all sizes, however badly it serves: it comes after those that do.
 */
static void put_signature(FILE *out, const json_t *s)
{
	const json_t *regimes = json_object_get(s, "regimes");
	const char *why = json_string_value(json_object_get(s, "why_not"));
	size_t i;

	if (why) {
		fprintf(out, "  no signature: %s\n", why);
		return;
	}
	fprintf(out,
		"  signature of %s among %.0f ranks,\n"
		"    (n-1)((alpha + m beta) gamma + delta):\n",
		json_string_value(json_object_get(s, "algorithm")), number(s, "ranks"));
	for (i = 1; i < json_array_size(regimes); i++)
		put_regime(out, "", json_array_get(regimes, i));
	put_regime(out, i > 1 ? "all sizes, " : "", json_array_get(regimes, 0));
}

void contention_text(const json_t *machine, FILE *out)
{
	const json_t *contention = json_object_get(machine, "contention");
	const char *why_not = json_string_value(json_object_get(machine, "contention_why_not"));

	if (why_not)
		fprintf(out, "\nCONTENTION   not measured: %s\n", why_not);
	if (!json_object_size(contention))
		return;
	fprintf(out, "\nCONTENTION   all ranks, %.1f s\n", number(contention, "spent_s"));
	put_rates(out, json_object_get(contention, "rates"),
		  json_string_value(json_object_get(contention, "rates_why_not")));
	put_fan(out, "several to one", json_object_get(contention, "fan_in"));
	put_fan(out, "one to several", json_object_get(contention, "fan_out"));
	put_two_state(out, json_object_get(contention, "two_state"));
	put_signature(out, json_object_get(contention, "signature"));
	put_unidentified(out, json_object_get(contention, "why_unidentified"));
}
