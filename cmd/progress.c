/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/progress.h"

#include "common/number.h"
#include "common/options.h"
#include "common/spill.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Shows the step, and again whenever something has changed, from a second after the start. Ends
 * when step is NULL.
 */
static void *show(void *argument)
{
	struct progress *p = argument;
	struct timespec when;

	clock_gettime(CLOCK_MONOTONIC, &when);
	when.tv_sec++;
	pthread_mutex_lock(&p->lock);
	while (p->step && !pthread_cond_timedwait(&p->changed, &p->lock, &when))
		;
	while (p->step) {
		fprintf(stderr, "\r\033[Kcontend: %s ...", p->step);
		if (p->percent >= 0)
			fprintf(stderr, " %d %%", p->percent);
		p->shown = 1;
		pthread_cond_wait(&p->changed, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

void progress_start(struct progress *p)
{
	pthread_condattr_t attributes;

	memset(p, 0, sizeof(*p));
	p->step = "starting";
	p->percent = -1;
	p->verbose = option_is_on(OPTION_VERBOSE);
	clock_gettime(CLOCK_MONOTONIC, &p->since);
	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&p->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (!p->verbose && isatty(STDERR_FILENO))
		p->running = !pthread_create(&p->thread, NULL, show, p);
}

/* With --verbose: the step that ends now and how long it took. */
static void tell(struct progress *p)
{
	struct timespec now;
	double s;

	clock_gettime(CLOCK_MONOTONIC, &now);
	s = (double)(now.tv_sec - p->since.tv_sec) + (double)(now.tv_nsec - p->since.tv_nsec) / 1e9;
	fprintf(stderr, "contend: %-28s %8.3f s\n", p->step, s);
	p->since = now;
}

void progress_step(struct progress *p, const char *step)
{
	if (p->verbose)
		tell(p);
	pthread_mutex_lock(&p->lock);
	p->step = step;
	p->percent = -1;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

void progress_share(void *user, double done)
{
	struct progress *p = user;
	int percent = (int)(100.0 * done);

	pthread_mutex_lock(&p->lock);
	if (percent != p->percent) {
		p->percent = percent;
		pthread_cond_signal(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
}

void progress_say(struct progress *p, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	pthread_mutex_lock(&p->lock);
	if (p->shown)
		fputs("\r\033[K", stderr);
	vfprintf(stderr, format, list);
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
	va_end(list);
}

void progress_stop(struct progress *p)
{
	const char *folder;
	size_t bytes = spill_most(&folder);

	progress_step(p, NULL);
	if (p->running)
		pthread_join(p->thread, NULL);
	if (p->shown)
		fputs("\r\033[K", stderr);
	if (p->verbose && bytes)
		fprintf(stderr, "contend: up to %s of tables were in a file in %s\n",
			number_room((double)bytes).text, folder);
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
}
