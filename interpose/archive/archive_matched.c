/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matched probes: where a message was taken, unless its receive is the very next call and so says
 * it as well. With threads others may have received in between. And receives whose requests were
 * freed: each takes its message all the same.
 */
#include "interpose/archive/archive_defs.h"
#include "interpose/archive/archive_writer.h"

/* Is the message that r took received by the call that follows? */
static int is_next(const struct log_view *v, const struct record *r, size_t i)
{
	const struct record *n = log_view_next(v, &i);

	while (n && (RECORD_IS_DEF(n->kind) || n->kind == RECORD_METRIC))
		n = log_view_next(v, &i);
	return n && (n->kind == RECORD_RECV || n->kind == RECORD_IRECV) && !r->aux &&
	       !(n->flags & RECORD_FLAG_PART) && n->request == r->request;
}

static void add_message(struct writer *w, const struct record *r)
{
	OTF2_CommRef comm = def_global(w->rank, DEF_COMM, r->comm);

	if (comm == OTF2_UNDEFINED_COMM)
		return;
	writer_number(w, ARCHIVE_ATTR_MATCHED, r->request);
	writer_number(w, ARCHIVE_ATTR_COMM, comm);
	writer_number(w, ARCHIVE_ATTR_PEER, (uint32_t)r->peer);
	writer_number(w, ARCHIVE_ATTR_TAG, (uint32_t)r->tag);
}

OTF2_AttributeList *matched_probe(struct writer *w, const struct log_view *v,
				  const struct record *r, size_t next)
{
	if (r->kind != RECORD_MATCHED)
		return NULL;
	if (is_next(v, r, next)) {
		w->received_next = r->request;
		return NULL;
	}
	add_message(w, r);
	return w->attributes;
}

OTF2_AttributeList *matched_receive(struct writer *w, const struct record *r)
{
	OTF2_AttributeList *list = around_pause(w, r);

	if (!r->request || r->request == w->received_next)
		return list;
	writer_number(w, ARCHIVE_ATTR_MATCHED, r->request);
	return w->attributes;
}

OTF2_AttributeList *matched_unseen(struct writer *w, const struct record *r)
{
	if (!r->aux)
		return NULL;
	add_message(w, r);
	return w->attributes;
}

void write_matched(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	add_message(w, r);
	writer_number(w, ARCHIVE_ATTR_UNSEEN, 1);
	WRITER_PUT(w,
		   OTF2_EvtWriter_MeasurementOnOff(w->evt, w->attributes, t, OTF2_MEASUREMENT_ON));
}
