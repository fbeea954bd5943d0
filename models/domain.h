/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks that models share: is a value one the model can take? The messages name the
 * value as the papers do ("alpha is -1, must not be negative"). NaN and infinity fail all.
 * Each returns 0, or -1 with *err set.
 */
#ifndef MODELS_DOMAIN_H
#define MODELS_DOMAIN_H

#include <stddef.h>

#include "common/err.h"

int domain_not_negative(const char *name, double x, struct err *err);
int domain_positive(const char *name, double x, struct err *err);
int domain_at_least(const char *name, double x, double low, struct err *err);
int domain_between(const char *name, double x, double low, double high, struct err *err);

/* A whole number of at least low. */
int domain_whole(const char *name, double x, double low, struct err *err);

/* Several values of at least 0 at once. */
struct domain_value {
	const char *name;
	double x;
};
int domain_all_not_negative(size_t n, const struct domain_value values[n], struct err *err);

#endif
