/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In words, where ranks stood: "2 of 3 ranks were in MPI_Recv at solver.c:120, rank 0 in ...". */
#ifndef ANALYZE_STAND_PLACES_H
#define ANALYZE_STAND_PLACES_H

#include <stddef.h>

#include "analyze/standing/stands.h"
#include "common/wording.h"

#define STAND_PLACE_ROOM 240

/* "MPI_Recv at solver.c:120", or an address where the line is not known. Returns text. */
const char *stand_place(const struct stands *s, uint32_t rank, size_t n, char text[n]);

/*
 * The ranks that are seen, of them those that is_meant(), NULL: all, by where they were, the most
 * first. had: "were", or how else the first ones are told to have been there.
 */
void stand_places_add(struct wording *w, const struct stands *s, const char *had,
		      int (*is_meant)(const struct stands *, uint32_t rank));

#endif
