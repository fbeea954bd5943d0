/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/opinion.h"

#include "analyze/opinion/opinion_facts.h"
#include "models/logpc_network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Main phases: with this share of all bytes, of which there are no more than so many. */
#define SHARE_MIN  0.1
#define PHASES_MAX 10

/* Messages between hosts from which on the network interfaces matter. */
#define FAR_MIN 0.5

/* From so many times the mean into one host on, its own port is the matter, not the links. */
#define HOT_MAX 2.0

struct row {
	const char *name;
	/* Fill in the opinion, or why there is none. */
	void (*ask)(const struct opinion_facts *f, struct opinion *o);
};

void opinion_put(struct opinion_values *values, const char *key, double value)
{
	if (values->n < OPINION_VALUES)
		values->v[values->n++] = (struct opinion_value){key, value};
}

double opinion_value(const struct opinion_values *of, const char *key)
{
	for (uint32_t i = 0; i < of->n; i++)
		if (!strcmp(of->v[i].key, key))
			return of->v[i].value;
	return NAN;
}

void opinion_refuse(struct opinion *o, const char *why)
{
	snprintf(o->why_not, sizeof(o->why_not), "%.200s", why);
}

static void do_not_compare(struct opinion *o, const char *why)
{
	snprintf(o->not_compared, sizeof(o->not_compared), "%.200s", why);
}

/* Its load, as the trace has it: of a rank, and of a message that it sends. */
static void put_load(const struct phase_load *x, struct opinion *o)
{
	opinion_put(&o->inputs, "P", x->found->active);
	opinion_put(&o->inputs, "n", x->messages / x->found->active);
	opinion_put(&o->inputs, "messages", x->messages);
	opinion_put(&o->inputs, "bytes", x->bytes);
	if (x->spent_s > 0)
		opinion_put(&o->inputs, "messages_per_s", x->messages / x->spent_s);
	opinion_put(&o->inputs, "W_s", fmax(x->spent_s - x->inside_s, 0) / x->messages);
	if (x->replies > 0) {
		opinion_put(&o->inputs, "S_o_s", x->handler_s);
		opinion_put(&o->inputs, "C2", fmax(x->handler_cv2, 0));
	}
}

/*
 * The baseline: a message on an idle machine. It stands beside what messages took less what the
 * machine is not known to have caused; if that may hold the wire's time, too, the rest is nothing
 * to compare.
 */
static void ask_loggp(const struct opinion_facts *f, struct opinion *o)
{
	const struct phase_load *x = &f->load;
	double clear_s = x->message_s - x->unclear_s;
	/* even the whole: idle_s is wrong */
	int is_short = x->message_s < MACHINE_FASTEST * x->idle_s;

	put_load(x, o);
	opinion_put(&o->measured, "message_s", x->message_s);
	opinion_put(&o->measured, "left_out_s", x->unclear_s);
	if (x->unknown >= x->messages) {
		opinion_refuse(o, "the machine's parameters are not known for its messages");
		return;
	}
	o->valid = 1;
	opinion_put(&o->inputs, "o_s_s", x->o_s_s);
	opinion_put(&o->inputs, "o_r_s", x->o_r_s);
	opinion_put(&o->inputs, "wire_s", x->wire_s);
	opinion_put(&o->predicted, "message_s", x->idle_s);
	if (x->unknown > 0)
		do_not_compare(o, "the machine's parameters are not known for all of its messages");
	else if (x->message_s <= 0)
		do_not_compare(o, "messages are recorded as received before they are sent");
	else if (!is_short && clear_s < MACHINE_FASTEST * x->idle_s)
		do_not_compare(o, "without inattention and what is not identifiable, less is left "
				  "of its messages' time than an idle machine takes");
	else if (x->idle_s > 0)
		opinion_put(&o->measured, "slowdown",
			    (is_short ? x->message_s : clear_s) / x->idle_s);
	if (is_short && !o->not_compared[0])
		opinion_put(&o->measured, "idle_too_slow", 1);
}

int opinion_is_named(const struct opinion_facts *f, const char *name)
{
	return !strncmp(f->load.found->p.best.name, name, strlen(name));
}

/*
 * The time that a byte holds a link: the file's, or what a longer message takes more in its port.
 */
static double channel_s_per_byte(const struct machine *m, double bytes)
{
	const struct machine_class *c = &m->classes[LOCALITY_NETWORK];
	struct plogp known = {c->L_s, c->n, c->points};

	if (m->topology.channel_s_per_byte > 0 || !c->n || bytes <= 0)
		return m->topology.channel_s_per_byte;
	return c->L_s_per_byte +
	       fmax(plogp_at(known, bytes).g_s - plogp_at(known, 0).g_s, 0) / bytes;
}

/* Links between hosts that messages share by chance, as often as they came. */
static void ask_logpc(const struct opinion_facts *f, struct opinion *o)
{
	const struct network_load *x = &f->network;
	double C_n_s, message_s;
	struct logpc_network net = {x->dimensions, x->k_d,
				    channel_s_per_byte(f->machine, x->bytes)};
	struct logpc_contention c;
	struct err err;

	opinion_put(&o->inputs, "hosts", f->t->nodes);
	opinion_put(&o->inputs, "bytes", f->load.bytes);
	if (x->why_not[0]) {
		opinion_refuse(o, x->why_not);
		return;
	}
	opinion_put(&o->inputs, "n", net.n);
	opinion_put(&o->inputs, "k_d", net.k_d);
	opinion_put(&o->inputs, "channel_s_per_byte", net.channel_per_byte);
	opinion_put(&o->inputs, "messages_per_s", x->per_s);
	opinion_put(&o->inputs, "hot", x->hot);
	if (f->load.unknown > 0) {
		opinion_refuse(o, "the machine's parameters are not known for all of its messages");
	} else if (x->hot > HOT_MAX) {
		opinion_refuse(
			o, "it asks that messages go to all hosts evenly; one gets more than twice "
			   "the mean");
	} else if (logpc_open(&net, x->bytes, x->per_s, &c, &err)) {
		opinion_refuse(o, err.text);
	} else {
		C_n_s = c.C_n * x->messages / f->load.messages;
		message_s = f->load.idle_s + C_n_s;
		opinion_put(&o->predicted, "message_s", message_s);
		opinion_put(&o->predicted, "C_n_s", c.C_n);
		opinion_put(&o->predicted, "rho", c.rho);
		opinion_put(&o->measured, "message_s", f->load.message_s);
		opinion_put(&o->measured, "C_n_s", x->contention_s);
		if (message_s > 0)
			opinion_put(&o->measured, "interference", f->load.message_s / message_s);
		o->valid = 1;
	}
}

static void ask_signature(const struct opinion_facts *f, struct opinion *o)
{
	const struct phase_load *x = &f->load;
	const struct machine_signature *s = machine_signature(f->machine, x->bytes);
	double rounds = x->found->time.rounds;
	double n = x->found->active;
	struct err err;
	double time_s;

	opinion_put(&o->inputs, "n", n);
	opinion_put(&o->inputs, "bytes", x->bytes);
	if (!opinion_is_named(f, "total exchange")) {
		opinion_refuse(o, "the pattern is not a total exchange");
	} else if (!s) {
		opinion_refuse(o,
			       "the machine's contention signature is not known: contend calibrate "
			       "measures it");
	} else if (n < s->n_low || n > s->n_high) {
		snprintf(o->why_not, sizeof(o->why_not),
			 "the machine's signature was seen to hold among %.0f to %.0f ranks",
			 s->n_low, s->n_high);
	} else if (signature_time(&s->signature, n, x->bytes, &time_s, &err)) {
		opinion_refuse(o, err.text);
	} else {
		opinion_put(&o->predicted, "exchange_s", time_s);
		opinion_put(&o->measured, "exchange_s", x->inside_s / n / fmax(rounds, 1));
		o->valid = 1;
	}
}

/* The most ranks on one node. */
static uint32_t fullest_node(const struct trace *t)
{
	uint32_t most = 0;

	for (uint32_t r = 0; r < t->n_ranks; r++) {
		uint32_t ranks = 0;

		for (uint32_t k = 0; k < t->n_ranks; k++)
			ranks += t->ranks[k].node == t->ranks[r].node;
		most = ranks > most ? ranks : most;
	}
	return most;
}

/* All ranks of a node send at the same time: what its messages to other nodes take then. */
static void ask_max_rate(const struct opinion_facts *f, struct opinion *o)
{
	uint32_t ranks = fullest_node(f->t);
	struct max_rate_result r;
	struct err err;

	opinion_put(&o->inputs, "ranks", f->t->n_ranks);
	opinion_put(&o->inputs, "nodes", f->t->nodes);
	opinion_put(&o->inputs, "ranks_of_a_node", ranks);
	opinion_put(&o->inputs, "bytes", f->load.far_bytes);
	if (f->t->nodes < 2)
		opinion_refuse(o, "all ranks are on one node: none shares a network interface");
	else if (ranks < 2)
		opinion_refuse(o,
			       "every rank has a node of its own: none shares a network interface");
	else if (f->load.far < FAR_MIN * f->load.messages)
		opinion_refuse(o, "most of its messages stay on a node");
	else if (!f->machine->has_rate)
		opinion_refuse(
			o, "the rate of a node's network interface is not known: contend calibrate "
			   "measures it with two or more ranks on each of two nodes");
	else if (f->machine->has_rate < 0)
		opinion_refuse(o, "the rate of a node was measured with more ranks than cores, "
				  "which wait for "
				  "those");
	else if (max_rate_time(f->machine->rate, ranks, f->load.far_bytes, &r, &err))
		opinion_refuse(o, err.text);
	else {
		opinion_put(&o->predicted, "message_s", r.time);
		opinion_put(&o->predicted, "node_bytes_per_s", r.rate);
		opinion_put(&o->measured, "message_s", f->load.far_message_s);
		o->valid = 1;
	}
}

static const struct row rows[] = {
	{"LogGP", ask_loggp},         {"LoPC", opinion_lopc},     {"LoGPC", ask_logpc},
	{"signature", ask_signature}, {"max-rate", ask_max_rate}, {"Diamond DAG", opinion_diamond},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int is_main(const struct patterns *p, const struct found *f)
{
	return f->scope == PATTERN_PHASE && f->phase && f->messages >= PATTERN_MESSAGES_MIN &&
	       f->bytes >= SHARE_MIN * p->bytes;
}

/* The phase's messages, as a pattern was looked for in them; NULL: it has none. */
static const struct found *found_of(const struct patterns *p, uint32_t phase)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (p->f[i].scope == PATTERN_PHASE && p->f[i].phase == phase)
			return &p->f[i];
	return NULL;
}

static int is_judged(const struct opinions *all, uint32_t phase)
{
	for (uint32_t i = 0; i < all->n; i++)
		if (all->o[i].phase == phase)
			return 1;
	return 0;
}

/* How many messages each phase sends, received or not. NULL: out of memory. */
static uint32_t *count_messages(const struct messages *m, const struct phases *phases)
{
	uint32_t *sent = calloc((size_t)phases->n + 1, sizeof(*sent));
	uint32_t phase, i;

	for (i = 0; sent && i < m->n; i++)
		if (phases->of_message[i] < phases->n)
			sent[phases->of_message[i]]++;
	for (i = 0; sent && i < m->n_unanswered; i++) {
		phase = phases->of_call[m->unanswered[i].send_call];
		if (phase < phases->n)
			sent[phase]++;
	}
	return sent;
}

/*
 * Why models were not asked about a phase: f is what was found in it, or NULL; it sends so many
 * messages; of the list's first this many they were asked.
 */
static void refuse(const struct patterns *list, const struct found *f, double sent, uint32_t asked,
		   struct opinion *o)
{
	double messages = f ? f->messages : sent;

	if (messages <= 0)
		opinion_refuse(o, "no messages are sent from rank to rank here");
	else if (messages < PATTERN_MESSAGES_MIN)
		snprintf(o->why_not, sizeof(o->why_not),
			 "%.0f messages are sent here; models need %d", messages,
			 PATTERN_MESSAGES_MIN);
	else if (f && !is_main(list, f))
		snprintf(o->why_not, sizeof(o->why_not),
			 "less than %.0f %% of all messages' bytes are sent here", 100 * SHARE_MIN);
	else if (f && f < list->f + asked)
		opinion_refuse(o, "too few of its messages are seen to be received");
	else
		opinion_refuse(o, "not looked at: other phases send as many bytes or more");
}

/* Every phase that models were not asked about says why: LogGP, the baseline, is refused. */
static int refuse_others(const struct opinion_facts *of, const struct patterns *patterns,
			 uint32_t asked, struct opinions *all, struct err *err)
{
	uint32_t *sent = count_messages(of->b->m, of->phases);

	if (!sent)
		return err_set(err, "out of memory for the messages of %u phases", of->phases->n);
	for (uint32_t phase = 1; phase <= of->phases->n; phase++) {
		struct opinion o = {.name = "LogGP", .phase = phase};

		if (is_judged(all, phase))
			continue;
		refuse(patterns, found_of(patterns, phase), sent[phase - 1], asked, &o);
		all->o[all->n++] = o;
	}
	free(sent);
	return 0;
}

/* Ask all models about the phase that was found. Returns 1: asked; 0: nothing of it is known. */
static int ask_all(struct opinion_facts *f, const struct found *found, struct opinions *all,
		   struct err *err)
{
	if (phase_load_find(f->b, f->phases, found, &f->load, err) ||
	    network_load_find(f->b, f->phases, found->phase, &f->network, err))
		return -1;
	if (f->load.messages < PATTERN_MESSAGES_MIN) /* of sends alone nothing is known */
		return 0;
	for (size_t k = 0; k < ROWS; k++) {
		all->o[all->n] = (struct opinion){.name = rows[k].name, .phase = found->phase};
		rows[k].ask(f, &all->o[all->n++]);
	}
	return 1;
}

int opinions_find(const struct evidence_base *b, const struct phases *phases,
		  const struct patterns *patterns, struct opinions *out, struct err *err)
{
	struct opinions all = {0};
	struct opinion_facts f = {.b = b, .t = b->t, .machine = b->machine, .phases = phases};
	uint32_t found = 0, i;
	int ret = 0;

	all.o = calloc(PHASES_MAX * ROWS + (size_t)phases->n, sizeof(*all.o));
	if (!all.o)
		return err_set(err, "out of memory for the models' opinions");
	f.serves = server_load_find(b, &f.server, err);
	if (f.serves < 0)
		ret = -1;
	for (i = 0; ret >= 0 && i < patterns->n && found < PHASES_MAX; i++) {
		if (!is_main(patterns, &patterns->f[i]))
			continue;
		ret = ask_all(&f, &patterns->f[i], &all, err);
		found += ret > 0;
	}
	if (ret < 0 || refuse_others(&f, patterns, i, &all, err)) {
		opinions_release(&all);
		return -1;
	}
	*out = all;
	return 0;
}

void opinions_release(struct opinions *o)
{
	for (uint32_t k = 0; k < o->n; k++)
		free(o->o[k].V);
	free(o->o);
	*o = (struct opinions){0};
}
