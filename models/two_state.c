/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/two_state.h"

#include "models/domain.h"

int two_state_gap(struct two_state t, double *beta, struct err *err)
{
	if (domain_not_negative("beta_F", t.beta_F, err) ||
	    domain_not_negative("beta_C", t.beta_C, err) || domain_between("rho", t.rho, 0, 1, err))
		return -1;
	*beta = (1 - t.rho) * t.beta_F + t.rho * t.beta_C;
	return 0;
}
