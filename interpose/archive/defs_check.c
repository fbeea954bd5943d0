/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/defs_add.h"

#include <string.h>

/* A damaged number must not make a table of gigabytes. */
#define LOCAL_IDS_MOST (1u << 20)

/* n texts, each with its end, in the payload. */
static int has_texts(const struct record *r, size_t from, int n)
{
	const char *p = (const char *)(r + 1) + from, *end = (const char *)(r + 1 + r->aux);

	for (; n > 0 && p < end; n--) {
		p = memchr(p, '\0', (size_t)(end - p));
		if (!p)
			return 0;
		p++;
	}
	return n == 0;
}

int defs_is_sound(const struct record *r)
{
	size_t bytes = r->aux * sizeof(*r);
	const struct log_comm *comm = (const void *)(r + 1);
	const struct log_window *window = (const void *)(r + 1);

	switch (r->kind) {
	case RECORD_DEF_OBJECT:
		return r->site < LOCAL_IDS_MOST && has_texts(r, 0, 2);
	case RECORD_DEF_SITE:
		return r->site < LOCAL_IDS_MOST;
	case RECORD_DEF_COMM:
		return r->comm < LOCAL_IDS_MOST && bytes >= sizeof(*comm) &&
		       memchr(comm->name, '\0', sizeof(comm->name));
	case RECORD_DEF_GROUP:
		return r->comm < LOCAL_IDS_MOST && bytes >= sizeof(struct log_group);
	case RECORD_DEF_WINDOW:
		return r->comm < LOCAL_IDS_MOST && bytes >= sizeof(*window) &&
		       memchr(window->name, '\0', sizeof(window->name));
	case RECORD_DEF_PATH:
		return r->comm < LOCAL_IDS_MOST && bytes >= sizeof(struct log_path);
	case RECORD_DEF_FILE:
		return r->comm < LOCAL_IDS_MOST && bytes >= sizeof(struct log_file);
	case RECORD_DEF_TOTAL:
		return bytes >= sizeof(struct log_total);
	default:
		return 1;
	}
}

void defs_end_texts(struct log_header *h)
{
	h->host[sizeof(h->host) - 1] = '\0';
	h->boot_id[sizeof(h->boot_id) - 1] = '\0';
	h->mpi[sizeof(h->mpi) - 1] = '\0';
	h->version[sizeof(h->version) - 1] = '\0';
	h->exe[sizeof(h->exe) - 1] = '\0';
	h->command[sizeof(h->command) - 1] = '\0';
}
