/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/simulated.h"

#include <fcntl.h>
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "interpose/log/log.h"

#define EPOCH_NS INT64_C(1000000000)

int64_t simulated_ns(void)
{
	return EPOCH_NS + llround(simgrid_get_clock() * 1e9);
}

int simulated_rank(void)
{
	const char *rank = sg_actor_get_property_value(sg_actor_self(), "rank");

	return rank ? atoi(rank) : 0;
}

int simulated_ranks(void)
{
	const char *ranks = option_outside("SMPI_GLOBAL_SIZE"); /* smpirun says so */

	return ranks ? atoi(ranks) : 0;
}

int simulated_lacks(const char *name)
{
	static const char *const names[] = {
		"MPI_Comm_get_parent",  "MPI_Comm_remote_group",
		"MPI_Comm_remote_size", "MPI_Dist_graph_neighbors_count",
		"MPI_Get_elements_x",   "MPI_Graph_neighbors_count",
		"MPI_Topo_test",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return 1;
	return 0;
}

/* The simulator's arguments: NAME PROGRAM [--OPTION...] PLATFORM [ARGUMENT...]. */
static size_t read_arguments(size_t n, char text[n])
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, n - 1);

	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got > 0 ? (size_t)got : 0;
}

/* The program as the simulator was asked to run it, or an empty name. */
static const char *program_in(const char *arguments, size_t n)
{
	size_t name = strlen(arguments) + 1;

	return name < n ? arguments + name : "";
}

static int is_simulators(const char *argument)
{
	return !strncmp(argument, "--cfg=", 6) || !strncmp(argument, "--log=", 6);
}

void simulated_describe(struct log_header *h)
{
	char text[sizeof(h->command) * 2];
	size_t n = read_arguments(sizeof(text), text), at, used;
	const char *program = program_in(text, n);
	int platform = 0;

	snprintf(h->host, sizeof(h->host), "%s", sg_host_self_get_name());
	snprintf(h->boot_id, sizeof(h->boot_id), "simulated");
	snprintf(h->cpu, sizeof(h->cpu), "simulated");
	h->cores = (uint32_t)sg_host_core_count(sg_host_self());
	used = (size_t)snprintf(h->command, sizeof(h->command), "%s", program);
	for (at = (size_t)(program - text) + strlen(program) + 1; *program && at < n;
	     at += strlen(text + at) + 1) {
		if (is_simulators(text + at))
			continue;
		if (platform++ && used < sizeof(h->command))
			used += (size_t)snprintf(h->command + used, sizeof(h->command) - used,
						 " %s", text + at);
	}
}

void simulated_object(size_t n, char path[n])
{
	char text[1024], *resolved;
	size_t got = read_arguments(sizeof(text), text);
	const char *program = program_in(text, got), *name, *copy = strrchr(path, '/');

	name = strrchr(program, '/');
	name = name ? name + 1 : program;
	copy = copy ? copy + 1 : path;
	/* PROGRAM_..._RANK.so in the simulator's own folder, removed when it is loaded */
	if (!*name || strncmp(copy, name, strlen(name)) || copy[strlen(name)] != '_')
		return;
	resolved = realpath(program, NULL);
	if (resolved)
		snprintf(path, n, "%s", resolved);
	free(resolved);
}
