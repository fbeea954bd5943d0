/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages that share links between hosts, and nothing else, in the replay. */
#include "tests/fixtures/handmade.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#include "analyze/flow/flow.h"

#define US 1000
#define MS 1000000

/* Of 1000 bytes: o_s 1 us, then 11 us on the way, the last 3 of which keep a port busy. */
#define MACHINE tables_machine(10e-6, 1e-6, 1e-9, 4096)

struct replayed {
	struct tables x;
	struct presence presence;
	struct sizes sizes;
	struct scene scene;
	struct flow flow;
};

static void send(struct tables *x, uint32_t from, uint32_t to)
{
	uint32_t s = tables_call(x, from, REGION_SEND, 0, US, 0);
	uint32_t r = tables_call(x, to, REGION_RECV, US, MS, 1);

	tables_message(x, 1000, s, s, r, r);
}

/* A line of hosts, 0 to 3 and within that 1 to 2: the link from 1 to 2 has both. */
static void make_pair(struct replayed *p)
{
	tables_init(&p->x, 4, 1);
	send(&p->x, 0, 3);
	send(&p->x, 1, 2);
}

static const struct machine_topology line = {
	.shape = {.kind = TOPOLOGY_MESH, .dimensions = 1, .size = {4}},
	.width = 1,
};

static void replay(struct replayed *p, const struct machine *m)
{
	struct err err;

	tables_finish(&p->x);
	CU_ASSERT_FATAL(!presence_init(&p->presence, &p->x.trace, &err));
	CU_ASSERT_FATAL(!sizes_number(&p->sizes, &p->x.trace, &p->x.messages, &err));
	CU_ASSERT_FATAL(!scene_init(&p->scene, &p->x.trace, &p->x.messages, &p->sizes, m, &err));
	p->scene.presence = &p->presence;
	CU_ASSERT_FATAL(!flow_init(&p->flow, &p->scene, m, &err));
	CU_ASSERT_FATAL(!flow_run(&p->flow, SCENARIO_MID, &err));
}

static void release(struct replayed *p)
{
	flow_release(&p->flow);
	scene_release(&p->scene);
	sizes_release(&p->sizes);
	presence_release(&p->presence);
	tables_release(&p->x);
}

/* The one message of that rank. */
static uint32_t sent_by(const struct replayed *p, uint32_t src)
{
	uint32_t i = 0;

	while (i < p->scene.m->n && p->scene.facts[i].src != src)
		i++;
	CU_ASSERT_FATAL(i < p->scene.m->n);
	return i;
}

/* When that rank's message has arrived. */
static int64_t arrival(const struct replayed *p, uint32_t src)
{
	return flow_at(&p->flow, sent_by(p, src))->arrive_ns;
}

/* When both of the pair have: they are alike in all. Releases the machine. */
static int64_t pair_arrival(struct machine m, const struct machine_topology *network)
{
	struct replayed p;
	int64_t ns;

	m.topology = *network;
	make_pair(&p);
	replay(&p, &m);
	ns = arrival(&p, 0);
	CU_ASSERT_EQUAL(arrival(&p, 1), ns);
	release(&p);
	m.topology = (struct machine_topology){.n_hosts = 0};
	machine_release(&m);
	return ns;
}

static void test_crossings_two_share_a_link(void)
{
	struct machine m = MACHINE;
	struct replayed p;

	m.topology = line;
	make_pair(&p);
	replay(&p, &m);
	for (uint32_t src = 0; src < 2; src++) {
		CU_ASSERT_EQUAL(arrival(&p, src), 15 * US);
		CU_ASSERT_EQUAL(flow_ported_ns(&p.flow, sent_by(&p, src)), 12 * US);
	}
	release(&p);
	machine_release(&m);
	CU_ASSERT_EQUAL(pair_arrival(MACHINE, &(struct machine_topology){.width = 1}), 12 * US);
}

static void test_crossings_width_and_channel(void)
{
	struct machine_topology network = line;

	network.width = 2;
	CU_ASSERT_EQUAL(pair_arrival(MACHINE, &network), 12 * US);
	network.channel_s_per_byte = 6e-9;
	CU_ASSERT_EQUAL(pair_arrival(MACHINE, &network), 15 * US);
	network.width = 1;
	CU_ASSERT_EQUAL(pair_arrival(MACHINE, &network), 21 * US);
}

/* The ports take no time, as where all of it is latency, but the links do. */
static void test_crossings_of_links_without_ports(void)
{
	struct machine_topology network = line;

	CU_ASSERT_EQUAL(pair_arrival(tables_machine(12e-6, 0, 0, 4096), &network), 12 * US);
	network.channel_s_per_byte = 3e-9;
	CU_ASSERT_EQUAL(pair_arrival(tables_machine(12e-6, 0, 0, 4096), &network), 18 * US);
}

/* With 1 and 2 at the line's one end, 0 and 3 at the other, no link has both. */
static void test_crossings_hosts_in_another_order(void)
{
	char *hosts[] = {"host1", "host2", "host0", "host3"};
	struct machine_topology network = line;

	network.hosts = hosts;
	network.n_hosts = 4;
	CU_ASSERT_EQUAL(pair_arrival(MACHINE, &network), 12 * US);
	hosts[3] = "host4"; /* host3 has no place: then nobody has */
	CU_ASSERT_EQUAL(pair_arrival(MACHINE, &network), 12 * US);
}

/* Without a place for all hosts nothing is known of the links, and that is said. */
static void test_crossings_say_why_not(void)
{
	char *hosts[] = {"alpha", "beta", "gamma", "delta"};
	struct handmade f;
	json_t *document;

	for (int k = 0; k < 3; k++) {
		handmade_fill(&f);
		f.machine.path = "m.json";
		f.machine.topology = line;
		if (k > 0) {
			f.machine.topology.hosts = hosts;
			f.machine.topology.n_hosts = 4;
			f.ranks[1].host = k == 1 ? "gamma" : "gamma.site";
		}
		document = handmade_document(&f);
		CU_ASSERT_EQUAL(handmade_says(document, "quality", "conditions",
					      "the network's shape in m.json is left aside"),
				k == 2);
		CU_ASSERT_EQUAL(handmade_says(document, "quality", "conditions",
					      "host gamma.site is not in the machine file's"),
				k == 2);
		json_decref(document);
		handmade_release(&f);
	}
}

/*
 * Two ranks of each of six hosts: from host 2 to 3 there are three at once, so rank 0's message
 * takes 9 us there, and on the link before that a third of it, and not half.
 */
static void test_crossings_held_up_elsewhere(void)
{
	struct machine m = MACHINE;
	struct replayed p;

	m.topology = line;
	m.topology.shape.size[0] = 6;
	tables_init(&p.x, 12, 2);
	send(&p.x, 0, 6);
	send(&p.x, 2, 4);
	send(&p.x, 4, 8);
	send(&p.x, 5, 10);
	replay(&p, &m);
	CU_ASSERT_EQUAL(arrival(&p, 0), 18 * US);
	CU_ASSERT_EQUAL(arrival(&p, 4), 18 * US);
	CU_ASSERT_EQUAL(arrival(&p, 5), 18 * US);
	CU_ASSERT_EQUAL(arrival(&p, 2), 13500);
	release(&p);
	machine_release(&m);
}

/*
 * Two at once from one rank to another: the second follows the first through ports and links, so
 * that both are there after 12 and 15 us; side by side they share them, and both take 15.
 */
static void test_crossings_of_one_connection(void)
{
	for (int k = 0; k < 4; k++) {
		struct machine m = MACHINE;
		struct replayed p;

		m.classes[LOCALITY_NETWORK].side_by_side = k % 2;
		if (k / 2)
			m.topology = line;
		tables_init(&p.x, 4, 1);
		for (int n = 0; n < 2; n++) {
			uint32_t s = tables_call(&p.x, 0, REGION_ISEND, 0, US, 0);
			uint32_t r = tables_call(&p.x, 3, REGION_RECV, US, (1 + n) * MS, 1);

			tables_message(&p.x, 1000, s, s, r, r);
		}
		replay(&p, &m);
		CU_ASSERT_EQUAL(flow_at(&p.flow, 0)->arrive_ns + flow_at(&p.flow, 1)->arrive_ns,
				(k % 2 ? 15 + 15 : 12 + 15) * US);
		release(&p);
		machine_release(&m);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_crossings_two_share_a_link),
		SUITE_CASE(test_crossings_width_and_channel),
		SUITE_CASE(test_crossings_of_links_without_ports),
		SUITE_CASE(test_crossings_hosts_in_another_order),
		SUITE_CASE(test_crossings_say_why_not),
		SUITE_CASE(test_crossings_held_up_elsewhere),
		SUITE_CASE(test_crossings_of_one_connection),
		CU_TEST_INFO_NULL,
	};

	return suite_run("crossings", tests);
}
