/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare TRUTH.csv REPORT.json: the shares of all messages' time, by the simulator and by the
 * analyzer (contend report --json), as a table. What one of the two does not tell apart is
 * told apart by neither: ports are places where the network is crowded.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/err.h"

/* A row of the table: the sum of these parts, in either. */
static const struct {
	const char *label;
	const char *parts[4];
} rows[] = {
	{"send overhead", {"send_overhead"}},
	{"late partner", {"late_partner"}},
	{"wire", {"wire"}},
	{"network contention", {"network_contention", "sender_port", "receiver_port"}},
	{"  of it: sender port", {"sender_port"}},
	{"  of it: receiver port", {"receiver_port"}},
	{"back-pressure", {"back_pressure"}},
	{"message handlers", {"handler_contention"}},
	{"inattention", {"inattention"}},
	{"not yet collected", {"uncollected"}},
	{"receive overhead", {"receive_overhead"}},
	{"not identifiable", {"not_identifiable"}},
};

/* The sums of a truth by the names of its columns, without _s. */
static json_t *read_truth(const char *path, struct err *err)
{
	char *head = NULL, *line = NULL, *name, *value, *names, *values;
	size_t head_room = 0, line_room = 0;
	json_t *sums = json_object();
	FILE *f = fopen(path, "r");
	int is_truth = 0;

	if (f && getline(&head, &head_room, f) > 0)
		while (!is_truth && getline(&line, &line_room, f) > 0)
			is_truth = !strncmp(line, "total,", 6);
	names = head;
	values = line;
	while (is_truth && (name = strsep(&names, ",\n")) && (value = strsep(&values, ",\n"))) {
		if (strlen(name) > 2)
			name[strlen(name) - 2] = '\0';
		json_object_set_new(sums, name, json_real(strtod(value, NULL)));
	}
	if (f)
		fclose(f);
	free(head);
	free(line);
	if (!is_truth) {
		err_set(err, "%s is no truth: no line of sums", path);
		json_decref(sums);
		return NULL;
	}
	return sums;
}

/* Of key ("s", "low_s", "high_s") of a report's part; 0 when it has no such part. */
static double reported_s(const json_t *parts, const char *part, const char *key)
{
	return json_number_value(json_object_get(json_object_get(parts, part), key));
}

struct sums {
	double truth_s, said_s, low_s, high_s;
};

static struct sums sum_row(size_t r, const json_t *truth, const json_t *parts)
{
	struct sums s = {0};
	int i;

	for (i = 0; i < 4 && rows[r].parts[i]; i++) {
		const char *part = rows[r].parts[i];

		s.truth_s += json_number_value(json_object_get(truth, part));
		s.said_s += reported_s(parts, part, "s");
		s.low_s += reported_s(parts, part, "low_s");
		s.high_s += reported_s(parts, part, "high_s");
	}
	return s;
}

/* No more than what the least of all other parts leaves of the total, no less than the most. */
static void bound(struct sums *s, const json_t *parts, double total_s)
{
	double others_least_s = -s->low_s, others_most_s = -s->high_s;
	const char *name;
	json_t *part;

	json_object_foreach((json_t *)parts, name, part) {
		others_least_s += reported_s(parts, name, "low_s");
		others_most_s += reported_s(parts, name, "high_s");
	}
	s->high_s = fmin(s->high_s, total_s - others_least_s);
	s->low_s = fmax(s->low_s, total_s - others_most_s);
}

static void print_table(const json_t *truth, const json_t *report)
{
	const json_t *blame = json_object_get(report, "blame");
	const json_t *parts = json_object_get(blame, "parts");
	double total_s = json_number_value(json_object_get(blame, "total_s")) / 100, all_s = 0;
	size_t r;

	printf("%-24s %8s %8s %8s   %s\n", "% of the messages' time", "truth", "report", "error",
	       "report's interval");
	for (r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		struct sums s = sum_row(r, truth, parts);

		bound(&s, parts, 100 * total_s);
		printf("%-24s %8.1f %8.1f %+8.1f   %.1f-%.1f\n", rows[r].label, s.truth_s / total_s,
		       s.said_s / total_s, (s.said_s - s.truth_s) / total_s, s.low_s / total_s,
		       s.high_s / total_s);
		all_s += *rows[r].label == ' ' ? 0 : s.truth_s;
	}
	printf("all: truth %.6f s, report %.6f s\n", all_s, 100 * total_s);
}

int main(int argc, char **argv)
{
	json_t *truth = NULL, *report = NULL;
	json_error_t why;
	struct err err = {""};

	if (argc != 3) {
		fputs("usage: compare TRUTH.csv REPORT.json\n", stderr);
		return 2;
	}
	truth = read_truth(argv[1], &err);
	report = json_load_file(argv[2], 0, &why);
	if (!report)
		err_set(&err, "%s: %s", argv[2], why.text);
	if (truth && report)
		print_table(truth, report);
	else
		fprintf(stderr, "compare: error: %s\n", err.text);
	json_decref(report);
	json_decref(truth);
	return !truth || !report;
}
