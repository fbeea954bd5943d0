/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * others [SECONDS]: prints which percentage of the processors somebody else has while this program
 * wants all that it may use, for a second: other processes, whoever runs below this machine, a
 * quota. That is the time in which a thread that only reads the clock did not come to read it.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PROCESSORS_MOST 1024
#define UNSEEN_NS       20000 /* the kernel's own ticks are shorter */

struct watch {
	pthread_t thread;
	int processor;
	int64_t length_ns, missed_ns;
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *watch(void *data)
{
	struct watch *w = data;
	cpu_set_t only;
	int64_t begin, last, now;

	CPU_ZERO(&only);
	CPU_SET(w->processor, &only);
	sched_setaffinity(0, sizeof(only), &only);
	begin = last = now_ns();
	while (last < begin + w->length_ns) {
		now = now_ns();
		if (now - last > UNSEEN_NS)
			w->missed_ns += now - last;
		last = now;
	}
	w->length_ns = last - begin;
	return NULL;
}

int main(int argc, char **argv)
{
	int64_t length_ns = (int64_t)((argc > 1 ? atof(argv[1]) : 1) * 1e9);
	static struct watch w[PROCESSORS_MOST];
	double missed = 0;
	int n = 0, i;
	cpu_set_t may;

	if (sched_getaffinity(0, sizeof(may), &may))
		return 1;
	for (i = 0; i < PROCESSORS_MOST && i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &may))
			continue;
		w[n] = (struct watch){.processor = i, .length_ns = length_ns};
		if (pthread_create(&w[n].thread, NULL, watch, &w[n]))
			return 1;
		n++;
	}
	for (i = 0; i < n; i++) {
		pthread_join(w[i].thread, NULL);
		missed += (double)w[i].missed_ns / (double)w[i].length_ns;
	}
	printf("%.0f\n", 100 * missed / n);
	return 0;
}
