/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as people write them, for the sentences of the document. By value: calls nest. */
#ifndef ANALYZE_WORDS_H
#define ANALYZE_WORDS_H

struct words {
	char text[24];
};

struct words words_seconds(double s); /* "12.4 s", "3.21 ms", "0 s" */
struct words words_count(double n);   /* "4.7", "93", "12000", "4.10 million"; never an exponent */

#endif
