/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was counted beside the MPI calls, as far as it says something. */
#include "common/number.h"
#include "report/pick.h"
#include "report/text.h"

#include <string.h>

#define LABEL_COLUMN     13
#define AWAITED_SHOWN    0.02 /* of the run, by a rank: as much as the verdict minds */
#define SEARCHED_SHOWN   0.01 /* the same, by its MPI */
#define SWITCHES_SHOWN_S 20.0 /* of a rank, a second: as often as the verdict minds */

/* A counter over rows of nodes or processes. */
struct counter {
	double sum;
	double most;
	const json_t *row; /* that has most */
};

static struct counter count(const json_t *rows, const char *key)
{
	struct counter c = {0, 0, NULL};
	const json_t *row;
	size_t i;

	json_array_foreach((json_t *)rows, i, row) {
		double x = pick_number(row, key, 0.0);

		c.sum += x;
		if (x > c.most) {
			c.most = x;
			c.row = row;
		}
	}
	return c;
}

/* The heading comes with the first line, so that there is none without. */
static void put(struct layout *l, int *lines, const char *label, const char *text)
{
	char start[32];

	if (!(*lines)++)
		layout_heading(l, "EVIDENCE", "counted beside the MPI calls");
	snprintf(start, sizeof(start), "  %s", label);
	layout_line(l, start, LABEL_COLUMN, text);
}

static void put_network(struct layout *l, int *lines, const json_t *nodes)
{
	struct counter again = count(nodes, "tcp_retransmits");
	struct counter sent = count(nodes, "tcp_segments_sent");
	struct counter dropped = count(nodes, "net_packets_dropped");
	struct counter stalled = count(nodes, "ib_port_xmit_wait");
	char text[320];

	if (again.sum > 0.0) {
		snprintf(
			text, sizeof(text),
			"%s of %s segments sent again (%s), %s after a time-out; most on %.60s: %s",
			number_count(again.sum).text, number_count(sent.sum).text,
			number_share(sent.sum > 0.0 ? again.sum / sent.sum : 0.0).text,
			number_count(count(nodes, "tcp_timeouts").sum).text,
			pick_text(again.row, "host", "?"), number_count(again.most).text);
		put(l, lines, "TCP", text);
	}
	if (dropped.sum > 0.0) {
		snprintf(text, sizeof(text), "%s packets dropped; most on %.60s: %s",
			 number_count(dropped.sum).text, pick_text(dropped.row, "host", "?"),
			 number_count(dropped.most).text);
		put(l, lines, "ports", text);
	}
	if (stalled.sum > 0.0) {
		snprintf(text, sizeof(text),
			 "%s ticks with data and no credits (port_xmit_wait); most on %.60s: %s",
			 number_count(stalled.sum).text, pick_text(stalled.row, "host", "?"),
			 number_count(stalled.most).text);
		put(l, lines, "InfiniBand", text);
	}
}

/* How long ranks were without a core. Returns whether that is known: if not, switches are. */
static int put_cores(struct layout *l, int *lines, const json_t *processes, double wall_s)
{
	struct counter awaited = count(processes, "core_awaited_ns");
	double most_s = awaited.most / 1e9;
	char text[320];

	if (!awaited.row || wall_s <= 0.0 || most_s < AWAITED_SHOWN * wall_s)
		return awaited.row != NULL;
	snprintf(text, sizeof(text), "waited for: %s; most by %srank %.0f: %s, %s of the run",
		 number_seconds(awaited.sum / 1e9).text,
		 json_is_true(pick(awaited.row, "several_threads")) ? "the threads of " : "",
		 pick_number(awaited.row, "rank", 0.0), number_seconds(most_s).text,
		 number_share(most_s / wall_s).text);
	put(l, lines, "cores", text);
	return 1;
}

static void put_switches(struct layout *l, int *lines, const json_t *processes, double wall_s)
{
	struct counter forced = count(processes, "involuntary_switches");
	char text[320];

	if (wall_s <= 0.0 || forced.most < SWITCHES_SHOWN_S * wall_s)
		return;
	snprintf(text, sizeof(text),
		 "taken off its core or yielding it %s times; most by rank %.0f: %s, %s a second",
		 number_count(forced.sum).text, pick_number(forced.row, "rank", 0.0),
		 number_count(forced.most).text, number_count(forced.most / wall_s).text);
	put(l, lines, "switches", text);
}

static void put_searches(struct layout *l, int *lines, const json_t *processes, double wall_s)
{
	struct counter searched = count(processes, "match_time_ns");
	double most_s = searched.most / 1e9;
	char text[320];

	if (wall_s <= 0.0 || most_s < SEARCHED_SHOWN * wall_s)
		return;
	snprintf(text, sizeof(text),
		 "MPI searched its queues for %s; most in rank %.0f: %s, %s of the run",
		 number_seconds(searched.sum / 1e9).text, pick_number(searched.row, "rank", 0.0),
		 number_seconds(most_s).text, number_share(most_s / wall_s).text);
	put(l, lines, "matching", text);
}

/* The rank with the longest queue of each kind. */
static void put_queues(struct layout *l, int *lines, const json_t *queues)
{
	static const char *const names[] = {"unexpected_messages", "posted_receives"};
	static const char *const labels[] = {"unexpected", "posted"};
	char text[320];
	size_t k;

	for (k = 0; k < 2; k++) {
		const json_t *row, *worst = NULL;
		size_t i;

		json_array_foreach((json_t *)queues, i, row)
			if (!strcmp(pick_text(row, "queue", ""), names[k]) &&
			    (!worst ||
			     pick_number(row, "mean", 0.0) > pick_number(worst, "mean", 0.0)))
				worst = row;
		if (!worst || pick_number(worst, "most", 0.0) < 1.0)
			continue;
		snprintf(text, sizeof(text),
			 "the longest queue is rank %.0f's: %.1f on average, at most %.0f",
			 pick_number(worst, "rank", 0.0), pick_number(worst, "mean", 0.0),
			 pick_number(worst, "most", 0.0));
		put(l, lines, labels[k], text);
	}
}

void text_evidence(struct layout *l, const json_t *document)
{
	const json_t *evidence = pick(document, "evidence");
	double wall_s = pick_number(document, "run.wall_s", 0.0);
	int lines = 0;

	put_network(l, &lines, pick(evidence, "nodes"));
	if (!put_cores(l, &lines, pick(evidence, "processes"), wall_s))
		put_switches(l, &lines, pick(evidence, "processes"), wall_s);
	put_searches(l, &lines, pick(evidence, "processes"), wall_s);
	put_queues(l, &lines, pick(evidence, "queues"));
}
