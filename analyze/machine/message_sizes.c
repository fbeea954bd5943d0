/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/message_sizes.h"

#include "analyze/tools/growing.h"
#include "analyze/tools/idmap.h"

#include <string.h>

#define TO_SELF LOCALITY_COUNT /* a way of its own, beside the localities */

int sizes_number(struct sizes *s, const struct trace *t, const struct messages *m, struct err *err)
{
	struct idmap known = {0};
	size_t room = 0;
	int ret = -1;

	memset(s, 0, sizeof(*s));
	s->of = table_calloc((size_t)m->n + 1, sizeof(*s->of));
	for (uint32_t i = 0; s->of && i < m->n; i++) {
		const struct message *x = &m->m[i];
		enum locality class = machine_locality(t, x->src, x->dst);
		unsigned way = x->src == x->dst ? TO_SELF : (unsigned)class;
		uint64_t id = x->bytes << 2 | way;

		s->of[i] = idmap_find(&known, id);
		if (s->of[i] != IDMAP_NONE)
			continue;
		if (GROW(s->size, s->n, room) || idmap_set(&known, id, s->n))
			goto out;
		s->size[s->n] = (struct size){x->bytes, class, way == TO_SELF};
		s->of[i] = s->n++;
	}
	ret = s->of ? 0 : -1;
out:
	idmap_release(&known);
	if (!ret)
		return 0;
	sizes_release(s);
	return err_set(err, "out of memory for the sizes of %u messages", m->n);
}

void sizes_release(struct sizes *s)
{
	table_free(s->of);
	table_free(s->size);
	memset(s, 0, sizeof(*s));
}
