/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/domain.h"

#include <math.h>

#define WHOLE_MAX 9007199254740992.0 /* whole numbers above are not exact */

static int domain_finite(const char *name, double x, struct err *err)
{
	return isfinite(x) ? 0 : err_set(err, "%s is not a finite number", name);
}

int domain_not_negative(const char *name, double x, struct err *err)
{
	if (domain_finite(name, x, err))
		return -1;
	return x >= 0 ? 0 : err_set(err, "%s is %g, must not be negative", name, x);
}

int domain_positive(const char *name, double x, struct err *err)
{
	if (domain_finite(name, x, err))
		return -1;
	return x > 0 ? 0 : err_set(err, "%s is %g, must be above 0", name, x);
}

int domain_at_least(const char *name, double x, double low, struct err *err)
{
	if (domain_finite(name, x, err))
		return -1;
	return x >= low ? 0 : err_set(err, "%s is %g, must be at least %g", name, x, low);
}

int domain_between(const char *name, double x, double low, double high, struct err *err)
{
	if (domain_finite(name, x, err))
		return -1;
	if (x < low || x > high)
		return err_set(err, "%s is %g, must be from %g to %g", name, x, low, high);
	return 0;
}

int domain_whole(const char *name, double x, double low, struct err *err)
{
	if (domain_at_least(name, x, low, err))
		return -1;
	if (x != floor(x) || x > WHOLE_MAX)
		return err_set(err, "%s is %g, must be a whole number", name, x);
	return 0;
}

int domain_all_not_negative(size_t n, const struct domain_value values[n], struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (domain_not_negative(values[i].name, values[i].x, err))
			return -1;
	return 0;
}
