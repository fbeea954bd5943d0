/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As many ranks as asked for serve, where some serve others now: by the models of servers. */
#include "analyze/changes/changes.h"

#include <stdio.h>
#include <string.h>

#include "analyze/opinion/server_saving.h"

static void refuse(struct change *x, const char *why)
{
	snprintf(x->why_not, sizeof(x->why_not), "%s", why);
}

static void name_it(struct change *x, uint32_t servers)
{
	snprintf(x->title, sizeof(x->title), "%u %s", servers, servers == 1 ? "server" : "servers");
}

static void judge(const struct evidence_base *b, const struct server_load *load, uint32_t servers,
		  struct change *x)
{
	struct server_saving s;
	struct err why;
	size_t used;

	x->site = b->t->calls[load->site_call].site;
	x->region = b->t->calls[load->site_call].region;
	name_it(x, servers);
	used = strlen(x->title);
	snprintf(x->title + used, sizeof(x->title) - used, " of %u ranks instead of %u",
		 load->servers + load->clients, load->servers);
	if (servers == load->servers)
		return; /* as it is */
	if (servers >= load->servers + load->clients)
		refuse(x, "nobody would be left to ask them");
	else if (server_saving_find(b, load, servers, &s, &why))
		refuse(x, why.text);
	else if (server_saving_is_another_matter(b, load, &s))
		refuse(x,
		       "clients wait for other things than servers: the model's cycle is far too "
		       "short");
	else if (server_saving_lacks_cores(b, load))
		refuse(x, "servers wait for a core: what another number does to that is in no "
			  "model");
	else
		x->saving = (struct what_if_saving){s.saves_low_s, s.saves_mid_s, s.saves_high_s};
}

int change_servers(const struct evidence_base *b, const struct changes_asked *asked,
		   struct changes *out, struct err *err)
{
	struct change x = {.kind = "servers", .site = TRACE_NONE, .region = TRACE_NONE};
	struct server_load load;
	int found;

	if (asked->servers == 0)
		return 0;
	name_it(&x, asked->servers);
	found = server_load_find(b, &load, err);
	if (found < 0)
		return -1;
	if (found)
		judge(b, &load, asked->servers, &x);
	else
		refuse(&x,
		       "no ranks, two at least, are seen that ask others and wait for the answers");
	return changes_add(out, &x, err);
}
