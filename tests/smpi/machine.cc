/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulated machine: a platform of SimGrid 3.32 made by program (smpirun -platform
 * machine.so), and with flows.cc a log of every flow through its network.
 *
 * SIMULATED_MACHINE is its shape and its parameters:
 *
 *	mesh:AxB... | torus:AxB... | switch:N | tree:LEAVESxHOSTS [,KEY=VALUE]...
 *
 *	bandwidth=B/s   of each link (1e9)          port=B/s       of a host's own (bandwidth)
 *	latency=S       of each route (1e-6)        speed=FLOP/S   of a core (1e9)
 *	cores=N         of each host (1)            backplane=B/s  of a switch (no limit)
 *	over=F          oversubscription of a tree's leaves (1)
 *	memory=B/s      of each host, for what its ranks send each other and themselves (1e10)
 *	contention=all | ports | none   which links are shared, not merely narrow (all)
 *
 * Mesh and torus route dimension by dimension, the first one first; a torus goes the shorter
 * way around. Each direction of a link is one by itself. All routes have the same latency (it is
 * the sending port's), because the simulator shares a link by the inverse of the flows'
 * latencies: so they share evenly. Within a host it is a tenth; memory is never crowded.
 */
#include "flows.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;
using simgrid::kernel::routing::NetPoint;

static void refuse(const std::string &why)
{
	fprintf(stderr, "machine: error: %s\n", why.c_str());
	exit(2);
}

struct Machine {
	std::string shape;
	std::vector<int> extent;
	std::map<std::string, std::string> given;
	int hosts = 1;

	explicit Machine(const std::string &text);
	double number(const std::string &key, double otherwise) const;
	sg4::Link::SharingPolicy policy(bool is_port) const;
};

Machine::Machine(const std::string &text)
{
	static const std::string known =
		" bandwidth port latency speed cores backplane over memory contention ";
	std::istringstream parts(text);
	std::string part, extents;
	size_t at;

	std::getline(parts, part, ',');
	at = part.find(':');
	shape = part.substr(0, at);
	if (at == std::string::npos ||
	    (shape != "mesh" && shape != "torus" && shape != "switch" && shape != "tree"))
		refuse("no machine: " + text);
	std::istringstream sizes(part.substr(at + 1));
	while (std::getline(sizes, extents, 'x')) {
		extent.push_back(atoi(extents.c_str()));
		if (extent.back() < 1)
			refuse("not a size: " + part);
		hosts *= extent.back();
	}
	if ((shape == "switch" && extent.size() != 1) || (shape == "tree" && extent.size() != 2))
		refuse("not so many sizes: " + part);
	while (std::getline(parts, part, ',')) {
		at = part.find('=');
		if (at == std::string::npos ||
		    known.find(" " + part.substr(0, at) + " ") == std::string::npos)
			refuse("not a parameter of the machine: " + part);
		given[part.substr(0, at)] = part.substr(at + 1);
	}
}

double Machine::number(const std::string &key, double otherwise) const
{
	auto found = given.find(key);
	char *end;

	if (found == given.end())
		return otherwise;
	double value = strtod(found->second.c_str(), &end);
	if (*end || !(value >= 0))
		refuse(key + "=" + found->second + " is not a number");
	return value;
}

sg4::Link::SharingPolicy Machine::policy(bool is_port) const
{
	auto found = given.find("contention");
	std::string which = found == given.end() ? "all" : found->second;

	if (which != "all" && which != "ports" && which != "none")
		refuse("contention=" + which + " is none of all, ports, none");
	if (which == "all" || (which == "ports" && is_port))
		return sg4::Link::SharingPolicy::SHARED;
	return sg4::Link::SharingPolicy::FATPIPE;
}

/* All hosts and links, and the way from one host to another, found when it is asked for. */
class Fabric : public simgrid::kernel::routing::NetZoneImpl
{
	const Machine machine;
	std::vector<sg4::Link *> up, down, memory;
	std::vector<sg4::Link *>
		inner; /* by host, dimension and direction; or by leaf and direction */
	sg4::Link *backplane = nullptr;

	sg4::Link *link(const std::string &name, double bandwidth, bool is_port);
	void make_inner(double bandwidth);
	void walk_grid(int from, int to, std::vector<sg4::Link *> &links) const;
	std::vector<sg4::Link *> inner_route(int from, int to) const;

      public:
	explicit Fabric(const Machine &m);
	void get_local_route(const NetPoint *src, const NetPoint *dst,
			     simgrid::kernel::routing::Route *into, double *latency) override;
};

sg4::Link *Fabric::link(const std::string &name, double bandwidth, bool is_port)
{
	sg4::Link *l = get_iface()->create_link(name, bandwidth);

	l->set_latency(0)->set_sharing_policy(machine.policy(is_port))->seal();
	return l;
}

Fabric::Fabric(const Machine &m) : NetZoneImpl("machine"), machine(m)
{
	double bandwidth = m.number("bandwidth", 1e9), port = m.number("port", bandwidth);
	double latency = m.number("latency", 1e-6), copies = m.number("memory", 1e10);

	for (int h = 0; h < m.hosts; h++) {
		std::string number = std::to_string(h);

		get_iface()
			->create_host("node" + number, m.number("speed", 1e9))
			->set_core_count((int)m.number("cores", 1))
			->seal();
		up.push_back(get_iface()->create_link("up" + number, port));
		up[h]->set_latency(latency)->set_sharing_policy(m.policy(true))->seal();
		down.push_back(link("down" + number, port, true));
		memory.push_back(get_iface()->create_link("memory" + number, copies));
		memory[h]->set_latency(latency / 10);
		memory[h]->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE)->seal();
	}
	make_inner(bandwidth);
}

void Fabric::make_inner(double bandwidth)
{
	int wires = 0;

	if (machine.shape == "mesh" || machine.shape == "torus") {
		wires = machine.hosts * (int)machine.extent.size() * 2;
	} else if (machine.shape == "tree") {
		wires = machine.extent[0] * 2;
		bandwidth *= machine.extent[1] / machine.number("over", 1);
	} else if (machine.number("backplane", 0) > 0) {
		backplane = link("backplane", machine.number("backplane", 0), false);
	}
	for (int i = 0; i < wires; i++)
		inner.push_back(link("wire" + std::to_string(i), bandwidth, false));
}

/* Dimension by dimension; the last one of the extents varies fastest, as in MPI_Cart_create. */
void Fabric::walk_grid(int from, int to, std::vector<sg4::Link *> &links) const
{
	int dimensions = (int)machine.extent.size(), stride = machine.hosts, here = from;

	for (int d = 0; d < dimensions; d++) {
		int n = machine.extent[d];

		stride /= n;
		int at = here / stride % n, target = to / stride % n, distance = target - at;
		bool is_far = machine.shape == "torus" && 2 * abs(distance) > n;
		int step = (distance > 0) != is_far ? 1 : -1;

		for (; at != target; here += (at - here / stride % n) * stride) {
			links.push_back(inner[(here * dimensions + d) * 2 + (step > 0)]);
			at = (at + step + n) % n;
		}
	}
}

std::vector<sg4::Link *> Fabric::inner_route(int from, int to) const
{
	std::vector<sg4::Link *> links;

	if (machine.shape == "tree") {
		int leaf = from / machine.extent[1], other = to / machine.extent[1];

		if (leaf != other)
			links = {inner[2 * leaf], inner[2 * other + 1]};
	} else if (machine.shape == "switch") {
		if (backplane)
			links = {backplane};
	} else {
		walk_grid(from, to, links);
	}
	return links;
}

void Fabric::get_local_route(const NetPoint *src, const NetPoint *dst,
			     simgrid::kernel::routing::Route *into, double *latency)
{
	int from = (int)src->id(), to = (int)dst->id();
	std::vector<sg4::Link *> links = {memory[from]};

	if (from != to) {
		links = inner_route(from, to);
		links.insert(links.begin(), up[from]);
		links.push_back(down[to]);
	}
	for (sg4::Link *l : links)
		into->link_list_.push_back(l->get_impl());
	if (latency)
		*latency += links[0]->get_latency();
}

extern "C" void load_platform(const sg4::Engine &engine);
void load_platform(const sg4::Engine &engine)
{
	const char *text = getenv("SIMULATED_MACHINE"), *path = getenv("SIMULATED_FLOWS");

	if (!text)
		refuse("SIMULATED_MACHINE is not set");
	(new Fabric(Machine(text)))->get_iface()->seal();
	if (path && *path)
		flows_log(engine, path);
}
