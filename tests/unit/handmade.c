/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/handmade.h"

#include "tests/unit/suite.h"

#include <string.h>

static const struct rank ranks[2] = {
	{.host = "alpha", .node = 0, .end_ns = 1000000, .calls = 1},
	{.host = "b\xe9ta", .node = 1, .home = 1, .end_ns = 1000000, .calls = 1, .first_call = 1},
};
static const struct region regions[2] = {{.name = "MPI_Send", .kind = REGION_SEND},
					 {.name = "MPI_Recv", .kind = REGION_RECV}};
static struct site sites[2] = {
	{.path = "/bin/app:ab+0x10;/lib/c:-+0x20", .file = "app.c", .function = "go", .line = 7},
	{.path = "/bin/app:ab+0x30"},
};
static const struct call calls[2] = {
	{.enter_ns = 100000,
	 .leave_ns = 200000,
	 .rank = 0,
	 .region = 0,
	 .site = 0,
	 .collective = TRACE_NONE,
	 .flood = TRACE_NONE},
	{.enter_ns = 100000,
	 .leave_ns = 600000,
	 .rank = 1,
	 .region = 1,
	 .site = 1,
	 .collective = TRACE_NONE,
	 .flood = TRACE_NONE},
};
static struct message message = {
	.bytes = 4096,
	.src = 0,
	.dst = 1,
	.send_call = 0,
	.send_done = 0,
	.recv_call = 1,
	.recv_done = 1,
	.sent_ns = 100000,
	.done_ns = 600000,
	.send_done_ns = 1000000,
	.not_here_ns = INT64_MIN,
};
static uint32_t by_dst[3] = {0, 0, 1};
static struct plogp_point points[1] = {{4096, 1e-6, 1e-6, 2e-6}};
static struct view rank_budget[2];
static uint32_t first_slice[2] = {1, 2}, no_slice[1];
static struct slice slices[] = {
	{0},
	{.ns = 100000, .part = COST_send_overhead, .last = 1},
	{.ns = 100000, .part = COST_wire},
	{.ns = 400000, .part = COST_network_contention, .last = 1},
};
static struct slice *blocks[] = {slices};
static int64_t wait_caused_ns[2];

/* Rank 0 computes 0.9 ms and sends for 0.1; rank 1 computes 0.5 and waits for 0.5. */
static struct phase phase = {
	.begin_ns = 100000, .end_ns = 900000, .spent_ns = 500000, .rounds = 3, .ended_by = 1};
static struct found found = {
	.scope = PATTERN_PHASE,
	.phase = 1,
	.site = 0,
	.comm = TRACE_NONE,
	.active = 8,
	.messages = 40,
	.bytes = 50,
	.p = {.best = {.name = "hypercube 8", .explained = 0.75, .regular = 1, .permuted = 1},
	      .score = 0.7,
	      .margin = 0.3,
	      .n_equivalent = 1,
	      .equivalent = {"3-D grid 2x2x2"}}};

static void fill_attribution(struct attribution *a)
{
	memset(rank_budget, 0, sizeof(rank_budget));
	rank_budget[0].total_ns = rank_budget[1].total_ns = 1000000;
	rank_budget[0].parts[COST_compute] = exactly(900000);
	rank_budget[0].parts[COST_send_overhead] = exactly(100000);
	rank_budget[1].parts[COST_compute] = exactly(500000);
	rank_budget[1].parts[COST_wire] = exactly(100000);
	rank_budget[1].parts[COST_network_contention] = (struct part){400000, 300000, 450000};
	a->budget.total_ns = 2000000;
	a->budget.parts[COST_compute] = exactly(1400000);
	a->budget.parts[COST_send_overhead] = exactly(100000);
	a->budget.parts[COST_wire] = exactly(100000);
	a->budget.parts[COST_network_contention] = (struct part){400000, 300000, 450000};
	a->budget.contention = a->budget.parts[COST_network_contention];
	a->blame.total_ns = 500000;
	a->blame.parts[COST_wire] = exactly(100000);
	a->blame.parts[COST_network_contention] = (struct part){400000, 300000, 450000};
	a->blame.contention = a->blame.parts[COST_network_contention];
	wait_caused_ns[1] = 400000;
	a->rank_budget = rank_budget;
	a->call = (struct slices){.first = first_slice, .block = blocks, .parts = COST_COUNT};
	a->message = (struct slices){.first = no_slice, .block = blocks, .parts = COST_COUNT};
	a->wait_caused_ns = wait_caused_ns;
}

void handmade_fill(struct handmade *f)
{
	memset(f, 0, sizeof(*f));
	memcpy(f->ranks, ranks, sizeof(ranks));
	memcpy(f->regions, regions, sizeof(regions));
	memcpy(f->calls, calls, sizeof(calls));
	f->run.dir = "app.2.x.contend";
	f->run.meta = json_pack("{s:s, s:s}", "command", "./app", "ended", "finalize");
	f->trace = (struct trace){.anchor = "traces.otf2",
				  .wall_ns = 1000000,
				  .nodes = 2,
				  .n_ranks = 2,
				  .homes = 2,
				  .n_regions = 2,
				  .n_sites = 2,
				  .n_calls = 2,
				  .ranks = f->ranks,
				  .regions = f->regions,
				  .sites = sites,
				  .calls = f->calls};
	f->messages = (struct messages){.m = &message, .n = 1, .by_dst = by_dst};
	f->machine.classes[LOCALITY_NETWORK] = (struct machine_class){.L_s = 1e-5,
								      .n = 1,
								      .points = points,
								      .uncertainty = 0.1,
								      .eager_bytes = UINT64_MAX,
								      .samples = 3};
	fill_attribution(&f->attribution);
	f->hotspot = (struct hotspot){.kind = "order",
				      .severity = SEVERITY_HIGH,
				      .site = 0,
				      .region = 0,
				      .rank = TRACE_NONE,
				      .saves_low_s = 1e-4,
				      .saves_mid_s = 2e-4,
				      .saves_high_s = 4e-4,
				      .n_evidence = 2,
				      .evidence = {{"queue", 3.5}, {"undefined", 0.0 / 0.0}},
				      .title = "t",
				      .why = "w",
				      .advice = "a"};
	f->hotspots = (struct hotspots){&f->hotspot, 1};
	f->patterns = (struct patterns){.f = &found, .n = 1, .bytes = 200};
	f->phases = (struct phases){.p = &phase, .n = 1};
	f->analysis = (struct analysis){&f->run,         &f->trace,    &f->messages,
					&f->collectives, &f->clock,    &f->machine,
					&f->attribution, &f->hotspots, &f->phases,
					&f->patterns,    NULL,         NULL};
}

json_t *handmade_document(struct handmade *f)
{
	struct err err = {""};
	json_t *document = document_build(&f->analysis, &err);

	if (!document)
		CU_FAIL_FATAL("document_build failed");
	return document;
}

void handmade_release(struct handmade *f)
{
	json_decref(f->run.meta);
}

double handmade_number(const json_t *value, const char *path)
{
	char key[64];
	size_t n;

	while (value && *path) {
		n = strcspn(path, ".");
		snprintf(key, sizeof(key), "%.*s", (int)n, path);
		value = json_object_get(value, key);
		path += n + (path[n] == '.');
	}
	return json_is_number(value) ? json_number_value(value) : 0.0 / 0.0;
}

int handmade_says(const json_t *document, const char *section, const char *list, const char *words)
{
	const json_t *text;
	size_t i;

	json_array_foreach(json_object_get(json_object_get(document, section), list), i, text)
		if (strstr(json_string_value(text), words))
			return 1;
	return 0;
}
