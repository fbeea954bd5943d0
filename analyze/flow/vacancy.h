/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Was there room at its receiver when a message was sent? By a machine file's K(m), and how many
 * messages had been sent and not received by then. A receiver's room may be for each of its senders
 * or for all of them together: it is surely free if all that were under way to it fit, and surely
 * full only by its sender's own. For attribution*.c only.
 */
#ifndef ANALYZE_VACANCY_H
#define ANALYZE_VACANCY_H

#include "analyze/flow/scene.h"

/* Of a piece of one receiver's messages. */
struct vacancy {
	const struct scene *s;
	const struct machine *machine;
	uint32_t first, n; /* its messages */
	uint64_t largest;  /* bytes, of those that leave without their receive */
	int64_t *sent_ns;  /* ascending; NULL: the machine's K(m) is not known */
};

enum vacancy_says { VACANCY_UNKNOWN, VACANCY_FREE, VACANCY_FULL };

/*
 * Make ready for any receiver of s. Returns 0, or -1 with *err set (out of memory). Caller:
 * vacancy_release.
 */
int vacancy_init(struct vacancy *r, const struct scene *s, const struct machine *machine,
		 struct err *err);
void vacancy_release(struct vacancy *r);

/* That of this piece. */
void vacancy_run(struct vacancy *r, uint32_t first, uint32_t n);

/* When message i was sent, which is one of the piece's. */
enum vacancy_says vacancy_for(const struct vacancy *r, uint32_t i);

#endif
