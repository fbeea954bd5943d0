/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flows.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/version.h>
#include <string>
#include <unordered_map>
#include <vector>

#if SIMGRID_VERSION_MAJOR != 3 || SIMGRID_VERSION_MINOR != 32
#error "written for SimGrid 3.32"
#endif

namespace sg4 = simgrid::s4u;
using simgrid::kernel::resource::Action;

/* The headers of these classes are not installed; of the first the library has this signal. */
namespace simgrid::kernel
{
namespace activity
{
class XBT_PUBLIC CommImpl
{
      public:
	static xbt::signal<void(CommImpl const &)> on_start;
};
} // namespace activity
namespace resource
{
class NetworkAction : public Action
{
};
} // namespace resource
} // namespace simgrid::kernel

using simgrid::kernel::activity::CommImpl;

/* The flows on their way, and where they are written when they end. */
struct Flow {
	std::string hosts; /* "SRC,DST" */
	double bytes, free_s;
};

static FILE *out;
static Flow newest; /* the model was asked for its factor; its communication starts next */
static std::unordered_map<const void *, Flow> flows;

static double see_flow(double bytes, const sg4::Host *src, const sg4::Host *dst,
		       const std::vector<sg4::Link *> &links)
{
	double bandwidth = links.empty() ? 0 : links[0]->get_bandwidth(), latency_s = 0;

	for (const sg4::Link *l : links) {
		bandwidth = std::min(bandwidth, l->get_bandwidth());
		latency_s += l->get_latency();
	}
	newest.hosts = src->get_name().substr(4) + "," + dst->get_name().substr(4);
	newest.bytes = bytes;
	newest.free_s = latency_s + bytes / bandwidth;
	return 1.0;
}

static void see_end(const Action &action)
{
	auto flow = flows.find(action.get_activity());

	if (action.get_state() != Action::State::FINISHED || flow == flows.end())
		return;
	fprintf(out, "%s,%.17g,%.17g,%.17g,%.17g\n", flow->second.hosts.c_str(), flow->second.bytes,
		action.get_start_time(), sg4::Engine::get_clock(), flow->second.free_s);
	flows.erase(flow);
}

void flows_log(const sg4::Engine &engine, const char *path)
{
	out = fopen(path, "w");
	if (!out)
		fprintf(stderr, "machine: error: cannot write %s\n", path);
	if (!out)
		exit(2);
	fprintf(out, "src,dst,bytes,start_s,end_s,free_s\n");
	engine.get_netzone_root()->get_network_model()->set_bw_factor_cb(
		[](double bytes, const sg4::Host *src, const sg4::Host *dst,
		   const std::vector<sg4::Link *> &links,
		   const std::unordered_set<sg4::NetZone *> &) {
			return see_flow(bytes, src, dst, links);
		});
	CommImpl::on_start.connect([](CommImpl const &comm) { flows[&comm] = newest; });
	sg4::Link::on_communication_state_change_cb(
		[](simgrid::kernel::resource::NetworkAction &action, Action::State) {
			see_end(action);
		});
	sg4::Engine::on_simulation_end_cb([]() { fclose(out); });
}
