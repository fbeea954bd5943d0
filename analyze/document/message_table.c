/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/document/message_table.h"

#include <inttypes.h>
#include <string.h>

static void put_text(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

/* file:line, or the recorded address where no line is known. */
static void put_place(FILE *out, const struct trace *t, uint32_t call)
{
	const struct site *s;
	char place[4096];

	if (call == TRACE_NONE || t->calls[call].site == TRACE_NONE)
		return;
	s = &t->sites[t->calls[call].site];
	if (s->file)
		snprintf(place, sizeof(place), "%s:%u", s->file, s->line);
	else
		snprintf(place, sizeof(place), "%.*s", (int)strcspn(s->path + s->frame, ";"),
			 s->path + s->frame);
	put_text(out, place);
}

static void put_call(FILE *out, const struct trace *t, uint32_t call)
{
	putc(',', out);
	if (call != TRACE_NONE)
		fputs(t->regions[t->calls[call].region].name, out);
	putc(',', out);
	put_place(out, t, call);
}

static void put_time(FILE *out, int known, int64_t ns)
{
	putc(',', out);
	if (known)
		fprintf(out, "%" PRId64, ns);
}

static void put_message(FILE *out, const struct trace *t, const struct attribution *a,
			const struct message *x, uint32_t i)
{
	int64_t ns[COST_COUNT] = {0};
	int posted = message_is_posted(t, x);

	fprintf(out, "%" PRIu32 ",%" PRIu32 ",", x->src, x->dst);
	if (t->comms[x->comm].name)
		put_text(out, t->comms[x->comm].name);
	fprintf(out, ",%" PRId32 ",%" PRIu64, x->tag, x->bytes);
	put_time(out, 1, x->sent_ns);
	put_time(out, x->send_done != TRACE_NONE, x->send_done_ns);
	put_time(out, posted, posted ? t->calls[x->recv_call].enter_ns : 0);
	put_time(out, 1, x->done_ns);
	put_call(out, t, x->send_call);
	put_call(out, t, posted ? x->recv_call : x->recv_done);
	putc(',', out);
	if (x->cut != MESSAGE_CUT_UNKNOWN)
		fprintf(out, "%" PRIu64, x->bytes - x->cut);
	fprintf(out, ",%" PRIu32, x->comm);
	slices_add(&a->message, i, ns);
	for (int c = 0; c < COST_COUNT; c++)
		put_time(out, 1, ns[c]);
	putc('\n', out);
}

int message_table_write(const struct trace *t, const struct messages *m,
			const struct attribution *a, FILE *out)
{
	static const char *const columns[] = {
#define COLUMN(name, meaning) #name,
#include "common/message_columns.def"
#undef COLUMN
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		fprintf(out, "%s%s", i ? "," : "", columns[i]);
	for (int c = 0; c < COST_COUNT; c++)
		fprintf(out, ",%s_ns", cost_rows[c].name);
	putc('\n', out);
	for (uint32_t i = 0; i < m->n && !ferror(out); i++)
		put_message(out, t, a, &m->m[i], i);
	return fflush(out) || ferror(out) ? -1 : 0;
}
