/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/total_exchange.h"

#include "models/domain.h"

#include <math.h>

/* What passes one port of a process. */
struct port {
	size_t messages;
	double bytes;
};

static int check(struct hockney link, size_t n, const double w[], struct err *err)
{
	if (domain_not_negative("alpha", link.alpha_s, err) ||
	    domain_not_negative("beta", link.beta_s_per_byte, err))
		return -1;
	if (n < 2)
		return err_set(err, "n is %zu, must be at least 2", n);
	for (size_t k = 0; k < n * n; k++)
		if (!isfinite(w[k]) || w[k] < 0)
			return err_set(err, "the weight from %zu to %zu is %g, must be 0 or more",
				       k / n, k % n, w[k]);
	return 0;
}

static void count(struct port *p, double weight)
{
	if (weight > 0) {
		p->messages++;
		p->bytes += weight;
	}
}

/* Take a port into the maxima. */
static void join(struct total_exchange *e, struct hockney link, struct port p)
{
	double transfer = p.bytes * link.beta_s_per_byte;
	double messages = (double)p.messages;

	if (messages >= e->startups && transfer >= e->transfer)
		e->one_port = 1;
	else if (messages > e->startups || transfer > e->transfer)
		e->one_port = 0;
	e->startups = fmax(e->startups, messages);
	e->transfer = fmax(e->transfer, transfer);
	e->port = fmax(e->port, messages * link.alpha_s + transfer);
}

int total_exchange_bounds(struct hockney link, size_t n, const double w[],
			  struct total_exchange *out, struct err *err)
{
	struct total_exchange e = {0};

	if (check(link, n, w, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct port sends = {0}, receives = {0};

		for (size_t j = 0; j < n; j++) {
			if (j == i)
				continue;
			count(&sends, w[i * n + j]);
			count(&receives, w[j * n + i]);
		}
		join(&e, link, sends);
		join(&e, link, receives);
		e.sends = sends.messages > e.sends ? sends.messages : e.sends;
		e.receives = receives.messages > e.receives ? receives.messages : e.receives;
		e.t_s = fmax(e.t_s, sends.bytes * link.beta_s_per_byte);
		e.t_r = fmax(e.t_r, receives.bytes * link.beta_s_per_byte);
	}
	e.lower = e.startups * link.alpha_s + e.transfer;
	*out = e;
	return 0;
}

int total_exchange_equal(struct hockney link, double n, double bytes, double *time, struct err *err)
{
	double one;

	if (domain_whole("n", n, 2, err) || hockney_time(link, HOCKNEY_AFFINE, bytes, &one, err))
		return -1;
	*time = (n - 1) * one;
	return 0;
}
