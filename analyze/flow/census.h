/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many messages of a locality there are, of those kinds that steps ask for. */
#ifndef ANALYZE_CENSUS_H
#define ANALYZE_CENSUS_H

#include <stdint.h>

struct census {
	uint32_t messages;
	uint32_t rendezvous;      /* by default: they make a handshake before their data */
	uint32_t open;            /* whether they do is not known; */
	uint32_t open_rendezvous; /* those of them that do by default; */
	uint32_t open_late;       /* those that were sent before their receive was posted */
};

#endif
