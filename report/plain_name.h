/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function's name for a table, in which what is long is cut. */
#ifndef REPORT_PLAIN_NAME_H
#define REPORT_PLAIN_NAME_H

#include <stddef.h>

/*
 * "gmx::exchange" of "void gmx::exchange<gmx::BasicVector<float> >", into buffer; returned. A name
 * without such things, or of which nothing would be left, as it is.
 */
const char *plain_name(const char *function, size_t size, char buffer[size]);

#endif
