/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/answering.h"

#define SHARE_MIN 0.9 /* of the turns, and of what a server sends and computes */
#define SENDS_MIN 10  /* of a server */
#define FIRST     32  /* sends that tell of most ranks that they do not only answer */

/* The next message to dst from src, at or after place i of the table. */
static const struct message *next_from(const struct messages *m, uint32_t dst, uint32_t src,
				       uint32_t i)
{
	while (i < m->by_dst[dst + 1] && m->m[i].src != src)
		i++;
	return i < m->by_dst[dst + 1] ? &m->m[i] : NULL;
}

uint32_t answering_turns(const struct messages *m, uint32_t a, uint32_t b)
{
	const struct message *question = next_from(m, b, a, m->by_dst[b]);
	const struct message *answer = next_from(m, a, b, m->by_dst[a]);
	uint32_t n = 0, turns = 0;

	if (question && answer && answer->sent_ns < question->sent_ns)
		return answering_turns(m, b, a);
	for (; question && answer; n++) {
		int told = question->done_ns <= answer->sent_ns;

		question = next_from(m, b, a, (uint32_t)(question - m->m) + 1);
		turns += told && (!question || answer->done_ns <= question->sent_ns);
		answer = next_from(m, a, b, (uint32_t)(answer - m->m) + 1);
	}
	return turns >= SHARE_MIN * n ? n : 0;
}

int answering_asks_first(const struct evidence_base *b, uint32_t rank)
{
	const struct messages *m = b->m;
	uint32_t first = b->senders.of_rank[rank], end = b->senders.of_rank[rank + 1];
	const struct message *question, *answer = &m->m[m->by_dst[rank]];

	if (first == end || m->by_dst[rank] == m->by_dst[rank + 1])
		return 0;
	question = &m->m[b->senders.by_call[first]];
	return question->sent_ns < answer->done_ns && answer->src == question->dst &&
	       (first + 1 == end || m->m[b->senders.by_call[first + 1]].sent_ns >= answer->done_ns);
}

/* What one rank computes between the first message it receives and the last it sends, s. */
static double own_s(const struct trace *t, uint32_t first_call, uint32_t last_call)
{
	int64_t own_ns = 0;

	for (uint32_t c = first_call; c < last_call; c++)
		own_ns += evidence_own_after_ns(t, c);
	return own_ns * 1e-9;
}

/*
 * The message that an answer's sender had from where it goes: the last before place got of the
 * table; or of those that the same call took, if it takes several. NULL: there is none.
 */
static const struct message *question_of(const struct messages *m, uint32_t got, int several,
					 const struct message *answer)
{
	for (uint32_t i = got; i-- > m->by_dst[answer->src];) {
		if (m->m[i].src == answer->dst)
			return &m->m[i];
		if (!several || m->m[i].recv_done != m->m[got - 1].recv_done)
			break;
	}
	return NULL;
}

static int only_answers(const struct evidence_base *b, uint32_t rank)
{
	const struct messages *m = b->m;
	uint32_t first = b->senders.of_rank[rank], end = b->senders.of_rank[rank + 1];
	uint32_t got = m->by_dst[rank], answers = 0;
	int64_t before_ns = INT64_MIN;
	double thought_s = 0;
	int several; /* neighbours that swap take several, too, but first they send */

	if (end - first < SENDS_MIN || got == m->by_dst[rank + 1])
		return 0;
	several = m->m[got].done_ns <= m->m[b->senders.by_call[first]].sent_ns;
	for (uint32_t k = first; k < end; k++) {
		const struct message *answer = &m->m[b->senders.by_call[k]], *question;

		while (got < m->by_dst[rank + 1] && m->m[got].done_ns <= answer->sent_ns)
			got++;
		question = question_of(m, got, several, answer);
		if (question) {
			int64_t since_ns =
				question->done_ns > before_ns ? question->done_ns : before_ns;

			answers++;
			thought_s += (answer->sent_ns - since_ns) * 1e-9;
		}
		before_ns = answer->sent_ns;
		if (k - first >= FIRST && answers < SHARE_MIN / 2 * (k - first))
			return 0;
	}
	return answers >= SHARE_MIN * (end - first) &&
	       thought_s >= SHARE_MIN * own_s(b->t, m->m[m->by_dst[rank]].recv_done,
					      m->m[b->senders.by_call[end - 1]].send_call);
}

uint32_t answering_find(const struct evidence_base *b, uint8_t *is_server)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		n += is_server[r] = (uint8_t)only_answers(b, r);
	return n;
}
