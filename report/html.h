/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all pages for a browser have: their head with one look, light and dark, and escaped text. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdio.h>

/*
 * Up to the page's first heading, which is its title, beside whose it is ("": nobody's); style:
 * rules of this page's own, or "".
 */
void html_begin(FILE *out, const char *title, const char *whose, const char *style);
void html_end(FILE *out);

/* Text with what HTML and XML reserve escaped, and '?' for control characters but \n. */
void html_text(FILE *out, const char *text);

#endif
