/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare TRUTH.csv REPORT.json: the shares of all messages' time, by the simulator and by the
 * analyzer (contend report --json), as a table. What one of the two does not tell apart is
 * told apart by neither: ports are places where the network is crowded. compare --ranks
 * RANKS.csv REPORT.json: those of all ranks' time, and how far each rank by itself is off.
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
	{"computation", {"compute", "start_end"}}, /* from here on of ranks only */
	{"collectives", {"collectives", "collective_wait", "collective_transfer"}},
};

#define ROWS         (sizeof(rows) / sizeof(rows[0]))
#define MESSAGE_ROWS (ROWS - 2)

/* The numbers of a line by the names of their columns, without _s. */
static json_t *parse(const char *head, char *values)
{
	char *copy = strdup(head), *names = copy, *name, *value;
	json_t *line = json_object();

	while ((name = strsep(&names, ",\n")) && (value = strsep(&values, ",\n"))) {
		if (strlen(name) > 2)
			name[strlen(name) - 2] = '\0';
		json_object_set_new(line, name, json_real(strtod(value, NULL)));
	}
	free(copy);
	return line;
}

/* The sums of a truth, and all lines before them. lines: an array, or NULL. */
static json_t *read_truth(const char *path, json_t *lines, struct err *err)
{
	char *head = NULL, *line = NULL;
	size_t head_room = 0, line_room = 0;
	json_t *sums = NULL;
	FILE *f = fopen(path, "r");

	if (f && getline(&head, &head_room, f) > 0) {
		while (!sums && getline(&line, &line_room, f) > 0) {
			if (!strncmp(line, "total,", 6))
				sums = parse(head, line);
			else if (lines)
				json_array_append_new(lines, parse(head, line));
		}
	}
	if (f)
		fclose(f);
	free(head);
	free(line);
	if (!sums)
		err_set(err, "%s is no truth: no line of sums", path);
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

static void print_table(const json_t *truth, const json_t *view, const char *whose, size_t n)
{
	const json_t *parts = json_object_get(view, "parts");
	double said_s = json_number_value(json_object_get(view, "total_s")), all_s = 0;
	double total_s = said_s > 0 ? said_s / 100 : 1; /* of no messages all parts are 0 */
	size_t r;

	printf("%% of the %-17s %8s %8s %8s   %s\n", whose, "truth", "report", "error",
	       "report's interval");
	for (r = 0; r < n; r++) {
		struct sums s = sum_row(r, truth, parts);

		bound(&s, parts, said_s);
		printf("%-24s %8.1f %8.1f %+8.1f   %.1f-%.1f\n", rows[r].label, s.truth_s / total_s,
		       s.said_s / total_s, (s.said_s - s.truth_s) / total_s, s.low_s / total_s,
		       s.high_s / total_s);
		all_s += *rows[r].label == ' ' ? 0 : s.truth_s;
	}
	printf("all: truth %.6f s, report %.6f s\n", all_s, said_s);
}

/* What a rank's parts have too much, s. */
static double wrong_s(const json_t *truth, const json_t *said)
{
	double sum_s = 0;

	for (size_t r = 0; r < ROWS; r++) {
		double more_s = 0;

		if (*rows[r].label == ' ' || !strcmp(rows[r].label, "not identifiable"))
			continue;
		for (int i = 0; i < 4 && rows[r].parts[i]; i++)
			more_s += json_number_value(json_object_get(said, rows[r].parts[i])) -
				  json_number_value(json_object_get(truth, rows[r].parts[i]));
		sum_s += fmax(0, more_s);
	}
	return sum_s;
}

static void print_ranks(const json_t *lines, const json_t *ranks)
{
	double all_s = 0, wrong_all_s = 0, worst = 0;
	size_t i;
	json_t *rank;

	json_array_foreach((json_t *)ranks, i, rank) {
		double recorded_s = json_number_value(json_object_get(rank, "recorded_s"));
		double off_s = wrong_s(json_array_get(lines, i), json_object_get(rank, "parts"));

		all_s += recorded_s;
		wrong_all_s += off_s;
		if (recorded_s > 0)
			worst = fmax(worst, off_s / recorded_s);
	}
	printf("each: %zu ranks, misattributed of each one's time %.2f on average, at most %.2f\n",
	       json_array_size(lines), 100 * wrong_all_s / all_s, 100 * worst);
}

int main(int argc, char **argv)
{
	int of_ranks = argc > 1 && !strcmp(argv[1], "--ranks");
	json_t *truth = NULL, *report = NULL, *lines = json_array();
	json_error_t why;
	struct err err = {""};

	argv += of_ranks;
	if (argc != 3 + of_ranks) {
		fputs("usage: compare [--ranks] TRUTH.csv REPORT.json\n", stderr);
		return 2;
	}
	truth = read_truth(argv[1], of_ranks ? lines : NULL, &err);
	report = json_load_file(argv[2], 0, &why);
	if (!report)
		err_set(&err, "%s: %s", argv[2], why.text);
	if (!truth || !report) {
		fprintf(stderr, "compare: error: %s\n", err.text);
	} else if (of_ranks) {
		print_table(truth, json_object_get(report, "budget"), "ranks' time", ROWS);
		print_ranks(lines, json_object_get(report, "ranks"));
	} else {
		print_table(truth, json_object_get(report, "blame"), "messages' time",
			    MESSAGE_ROWS);
	}
	json_decref(lines);
	json_decref(report);
	json_decref(truth);
	return !truth || !report;
}
