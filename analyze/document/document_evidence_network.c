/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the nodes' network counters mean for the numbers, in sentences. */
#include "analyze/document/document_parts.h"
#include "common/number.h"
#include "common/wording.h"

#include <stdio.h>

/* A node counts for all its programs. */
static const char *whose(const struct trace *t)
{
	return t->nodes > 1 ? "of this run's or of another program's there"
			    : "of another program's: all ranks of this run are on one node";
}

#define SEGMENT_BYTES 9000.0 /* no Ethernet's are longer */
#define WAITED_SHOWN  0.01   /* of the messages' time, in the network */

/* The bytes of all messages between hosts. */
static double network_bytes(const struct analysis *a)
{
	double bytes = 0;

	for (uint32_t i = 0; i < a->messages->n; i++) {
		const struct message *x = &a->messages->m[i];

		if (machine_locality(a->trace, x->src, x->dst) == LOCALITY_NETWORK)
			bytes += (double)x->bytes;
	}
	return bytes;
}

/* Can TCP have carried all of them? */
static int may_be_tcp(const json_t *nodes, const struct analysis *a)
{
	const json_t *most = NULL;

	return document_sum_of(nodes, "tcp_segments_sent", &most) * SEGMENT_BYTES >=
	       network_bytes(a);
}

/* What of the messages' waits that bears on, by the counters' readings. */
static void say_resent(struct wording *w, const json_t *nodes, const struct analysis *a)
{
	const struct resent *x = &a->attribution->resent;

	if (x->seen_ns <= 0) {
		if (a->trace->nodes > 1 && !a->trace->readings.n)
			wording_add(
				w, "; --counters when recording tells which messages that held up");
		return;
	}
	wording_add(w,
		    "; of %s that messages waited in the network %s lie between two readings in "
		    "which their sender's node did so",
		    number_seconds((double)x->seen_ns / NS_PER_S).text,
		    number_seconds((double)x->beside_ns / NS_PER_S).text);
	wording_add(w, ", %s would by chance", number_seconds(x->chance_ns / NS_PER_S).text);
	if (x->messages && may_be_tcp(nodes, a))
		wording_add(
			w,
			"; %u of them waited %s at least for such time-outs, if these were of this "
			"run's connections, while nothing that is known kept their ports busy",
			x->messages, number_seconds((double)x->lost_ns / NS_PER_S).text);
}

static void say_sent_again(json_t *sentences, const json_t *nodes, const struct analysis *a,
			   double again)
{
	const json_t *most = NULL, *other = NULL;
	double sent = document_sum_of(nodes, "tcp_segments_sent", &other);
	double timeouts = document_sum_of(nodes, "tcp_timeouts", &other), share;
	const char *host;
	char text[900];
	struct wording w = {.text = text, .room = sizeof(text)};

	document_sum_of(nodes, "tcp_retransmits", &most);
	host = json_string_value(json_object_get(most, "host"));
	share = sent > 0 ? 100 * again / sent : 0;
	wording_add(
		&w,
		"TCP sent %.0f segment%s again (%.*f %% of all; %.0f after a time-out), most on "
		"%s: packets were lost on the way, %s",
		again, again == 1 ? "" : "s", share < 0.1 ? 3 : 1, share, timeouts,
		host ? host : "?", whose(a->trace));
	say_resent(&w, nodes, a);
	json_array_append_new(sentences, document_text(text));
}

/* Messages that waited in the network, which TCP carried, waited for nothing that was lost. */
static void say_nothing_lost(json_t *sentences, const json_t *nodes, const struct analysis *a)
{
	const struct view *v = &a->attribution->blame;
	const json_t *row;
	size_t counted = 0, i;
	char text[200];

	json_array_foreach((json_t *)nodes, i, row)
		counted += json_is_number(json_object_get(row, "tcp_retransmits"));
	if (a->trace->nodes < 2 || counted < a->trace->nodes ||
	    document_share(v->parts[COST_network_contention].ns, v->total_ns) < WAITED_SHOWN ||
	    !may_be_tcp(nodes, a))
		return;
	snprintf(text, sizeof(text),
		 "TCP sent no segment again on any of the %u nodes: what messages waited in the "
		 "network was for nothing that was lost",
		 a->trace->nodes);
	json_array_append_new(sentences, document_text(text));
}

void document_say_network(json_t *sentences, const json_t *nodes, const struct analysis *a)
{
	const json_t *most = NULL;
	double again = document_sum_of(nodes, "tcp_retransmits", &most);
	const char *host;
	char text[320];

	if (again > 0)
		say_sent_again(sentences, nodes, a, again);
	else
		say_nothing_lost(sentences, nodes, a);
	most = NULL;
	if (document_sum_of(nodes, "ib_port_xmit_wait", &most) > 0) {
		host = json_string_value(json_object_get(most, "host"));
		snprintf(text, sizeof(text),
			 "InfiniBand ports had data to send and no credits (port_xmit_wait), most "
			 "on %s: the network was congested for messages %s",
			 host ? host : "?", whose(a->trace));
		json_array_append_new(sentences, document_text(text));
	}
}
