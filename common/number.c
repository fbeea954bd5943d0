/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Three significant digits, never an exponent for what people wait for. */
static struct number scaled(double x, const char *unit)
{
	struct number n;
	double size = fabs(x);
	int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;

	snprintf(n.text, sizeof(n.text), "%.*f%s%s", decimals, x, *unit ? " " : "", unit);
	return n;
}

struct number number_seconds(double s)
{
	double size = fabs(s);

	if (size < 0.5e-12)
		return (struct number){"0 s"};
	if (size < 0.9995e-6)
		return scaled(s * 1e9, "ns");
	if (size < 0.9995e-3)
		return scaled(s * 1e6, "us");
	if (size < 0.9995)
		return scaled(s * 1e3, "ms");
	return scaled(s, "s");
}

/* In percent, to one decimal: what is so little below 0 that it is shown as 0 has no sign. */
static double percent(double share)
{
	double p = share * 100.0;

	return p < 0.0 && p > -0.05 ? 0.0 : p;
}

struct number number_share(double share)
{
	struct number n;
	double p = percent(share);

	if (p > 0.0 && p < 0.05)
		return (struct number){"<0.1 %"};
	snprintf(n.text, sizeof(n.text), "%.1f %%", p);
	return n;
}

struct number number_bounds(double low, double high)
{
	struct number n;
	char a[12];
	char b[12];

	snprintf(a, sizeof(a), "%.1f", percent(low));
	snprintf(b, sizeof(b), "%.1f", percent(high));
	if (!strcmp(a, b))
		return (struct number){""};
	snprintf(n.text, sizeof(n.text), low < 0.0 ? "%s to %s" : "%s-%s", a, b);
	return n;
}

struct number number_change(double ratio)
{
	struct number n;

	if (!isfinite(ratio))
		return (struct number){"new"};
	if (ratio == 0.0)
		return (struct number){"0 %"};
	if (fabs(ratio) < 0.0005)
		return (struct number){"<0.1 %"};
	snprintf(n.text, sizeof(n.text), "%+.*f %%", fabs(ratio) < 0.0995 ? 1 : 0, ratio * 100.0);
	return n;
}

struct number number_count(double x)
{
	struct number n;

	if (x >= 999.5e6)
		return scaled(x / 1e9, "G");
	if (x >= 999.5e3)
		return scaled(x / 1e6, "M");
	if (x >= 99.5e3)
		return scaled(x / 1e3, "k");
	snprintf(n.text, sizeof(n.text), "%.0f", x);
	return n;
}

struct number number_bytes(double x)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
	struct number n;
	size_t i;

	if (x < 1023.5) {
		snprintf(n.text, sizeof(n.text), "%.0f B", x);
		return n;
	}
	for (i = 0, x /= 1024.0; i + 1 < sizeof(units) / sizeof(units[0]) && x >= 1023.5; i++)
		x /= 1024.0;
	return scaled(x, units[i]);
}

/* Bytes in powers of 1000, with what follows their unit. */
static struct number thousands(double bytes, const char *per)
{
	static const char *const units[] = {"kB", "MB", "GB"};
	struct number n;
	char unit[8];
	size_t i;

	if (bytes < 999.5) {
		snprintf(n.text, sizeof(n.text), "%.0f B%s", bytes, per);
		return n;
	}
	for (i = 0, bytes /= 1e3; i + 1 < sizeof(units) / sizeof(units[0]) && bytes >= 999.5; i++)
		bytes /= 1e3;
	snprintf(unit, sizeof(unit), "%s%s", units[i], per);
	return scaled(bytes, unit);
}

struct number number_room(double bytes)
{
	return thousands(bytes, "");
}

struct number number_rate(double bytes_per_s)
{
	return thousands(bytes_per_s, "/s");
}

struct number number_words(double x)
{
	struct number n;

	if (x >= 999.5e6)
		return scaled(x / 1e9, "billion");
	if (x >= 999.5e3)
		return scaled(x / 1e6, "million");
	snprintf(n.text, sizeof(n.text), "%.*f", x < 99.5 && x != (double)(long long)x ? 1 : 0, x);
	return n;
}
