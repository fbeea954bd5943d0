/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/jsontext.h"

/* Bytes of the UTF-8 sequence at p; 0 when it is none. */
static int utf8_length(const char *p)
{
	unsigned char c = (unsigned char)*p;
	int i, n = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;

	for (i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

void json_put_text(FILE *f, const char *text)
{
	int n;

	fputc('"', f);
	for (; *text; text += n ? n : 1) {
		n = utf8_length(text);
		if (*text == '"' || *text == '\\')
			fputc('\\', f);
		if (!n)
			fputc('?', f);
		else if ((unsigned char)*text < ' ')
			fprintf(f, "\\u%04x", *text);
		else
			fwrite(text, 1, (size_t)n, f);
	}
	fputc('"', f);
}
