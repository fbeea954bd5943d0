/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log/ticks.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/steady.h"
#include "interpose/log/log_seal.h"

int ticks_are_cycles;

void ticks_init(void)
{
#if defined(__x86_64__)
	char name[16] = "";
	int fd;

	if (SIMULATED)
		return;
	fd = steady_open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
			 O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	if (steady_read(fd, name, sizeof(name) - 1) > 0)
		ticks_are_cycles = !strncmp(name, "tsc\n", 4);
	close(fd);
#endif
}

struct log_anchor ticks_anchor(void)
{
	struct log_anchor best = {0, 0};
	uint64_t width = UINT64_MAX;
	int i;

	for (i = 0; i < 8; i++) {
		uint64_t before = ticks_now();
		int64_t ns = ticks_clock_ns(CLOCK_MONOTONIC);
		uint64_t after = ticks_now();

		if (after - before < width) {
			width = after - before;
			best.tick = before + width / 2;
			best.mono_ns = ns;
		}
	}
	if (!ticks_are_cycles)
		best.tick = (uint64_t)best.mono_ns;
	return best;
}

struct ticks_scale ticks_scale_of(const struct log_header *h)
{
	struct ticks_scale s = {h->anchor[0].tick, h->anchor[0].mono_ns, 1.0};
	const struct log_anchor *end = log_sealed_end(h), *last = end ? end : &h->anchor[1];
	double ticks = (double)(last->tick - h->anchor[0].tick);

	if (h->has_ticks && ticks > 0)
		s.ns_per_tick = (double)(last->mono_ns - h->anchor[0].mono_ns) / ticks;
	return s;
}
