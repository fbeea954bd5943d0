/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/words.h"

#include <math.h>
#include <stdio.h>

/* Three digits of x, which is below 10000. */
static struct words three(double x, const char *unit)
{
	struct words w;
	double size = fabs(x);

	snprintf(w.text, sizeof(w.text), "%.*f %s",
		 size >= 99.95   ? 0
		 : size >= 9.995 ? 1
				 : 2,
		 x, unit);
	return w;
}

struct words words_seconds(double s)
{
	double size = fabs(s);

	if (size < 0.5e-9)
		return (struct words){"0 s"};
	if (size < 0.9995e-6)
		return three(s * 1e9, "ns");
	if (size < 0.9995e-3)
		return three(s * 1e6, "us");
	if (size < 0.9995)
		return three(s * 1e3, "ms");
	return three(s, "s");
}

struct words words_count(double n)
{
	struct words w;

	if (n >= 999.5e6)
		return three(n / 1e9, "billion");
	if (n >= 999.5e3)
		return three(n / 1e6, "million");
	snprintf(w.text, sizeof(w.text), "%.*f", n < 99.5 && n != floor(n) ? 1 : 0, n);
	return w;
}
