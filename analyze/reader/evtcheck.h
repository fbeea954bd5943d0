/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is an OTF2 archive whole, before OTF2 sees it? An event or definition a file is a chain of chunks
 * of one size; each starts with a header (0x03, byte order, first and last event number) and holds
 * records (type, length, data) up to an end-of-chunk mark, the last one up to an end-of-file mark.
 * OTF2 3.0.2 reads a file without its end mark for ever, so the chain is walked, every record of
 * it, before OTF2 sees the file. No OTF2 in here.
 */
#ifndef ANALYZE_EVTCHECK_H
#define ANALYZE_EVTCHECK_H

#include <stdint.h>

#include "common/err.h"

enum evtcheck_kind {
	EVTCHECK_EVENTS,      /* .evt: time stamps between the records */
	EVTCHECK_DEFINITIONS, /* .def, local or global */
};

enum evtcheck_end {
	EVTCHECK_OTHER, /* whole, or it cannot be read at all */
	EVTCHECK_MISSING,
	EVTCHECK_CUT,     /* it ends early: in nothing, in the middle of a record, or in zeros */
	EVTCHECK_DAMAGED, /* the file goes on, but what is there is not OTF2's */
};

struct evtcheck {
	uint64_t records; /* whole events or definitions, up to where it ends or is damaged */
	uint64_t chunks;
	enum evtcheck_end end;
};

/*
 * Walk the file at path, written with chunks of chunk_bytes. Returns 0, or -1 with *err set
 * (missing, empty, ends early, not OTF2's): how far it can be read *out tells, too. Where damage
 * begins cannot be known to the byte: the record before where it shows does not count.
 */
int evtcheck_file(const char *path, enum evtcheck_kind kind, uint64_t chunk_bytes,
		  struct evtcheck *out, struct err *err);

/*
 * Does the anchor file at path state numbers that can be true? OTF2 3.0.2 takes the
 * number of properties in it as it stands, and works through billions of them. Only
 * what is certain to be damaged, or kept in SION files, of which Debian's OTF2 knows nothing,
 * fails: returns -1 with *err set, else 0.
 */
int evtcheck_anchor(const char *path, struct err *err);

#endif
