/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/hockney.h"

#include "models/domain.h"

int hockney_time(struct hockney h, enum hockney_form form, double bytes, double *time_s,
		 struct err *err)
{
	if (domain_not_negative("m", bytes, err) || domain_not_negative("alpha", h.alpha_s, err) ||
	    domain_not_negative("beta", h.beta_s_per_byte, err))
		return -1;
	switch (form) {
	case HOCKNEY_FIXED:
		*time_s = h.alpha_s;
		break;
	case HOCKNEY_LINEAR:
		*time_s = bytes * h.beta_s_per_byte;
		break;
	case HOCKNEY_AFFINE:
		*time_s = h.alpha_s + bytes * h.beta_s_per_byte;
		break;
	}
	return 0;
}

int hockney_half_size(struct hockney h, double *bytes, struct err *err)
{
	if (domain_not_negative("alpha", h.alpha_s, err) ||
	    domain_positive("beta", h.beta_s_per_byte, err))
		return -1;
	*bytes = h.alpha_s / h.beta_s_per_byte;
	return 0;
}
