/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/evidence/evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "common/schema.h"
#include "common/steady.h"
#include "interpose/job/recorder.h"

/* Totals are brought up to date this often without --counters. */
#define PERIOD_MS 1000

/* Does this process read for its node? The first to make the node's mark does. */
static int claim_node(void)
{
	const struct log_header *h = recorder.header;
	char path[sizeof(recorder.dir) + 160];
	int fd;

	snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR "/node.%s.%s", recorder.dir, h->host,
		 h->boot_id);
	fd = steady_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return 0;
	close(fd);
	return 1;
}

void evidence_start(void)
{
	struct evidence *e = &recorder.evidence;
	struct log_header *h = recorder.header;
	long period_ms = PERIOD_MS;
	struct err err;

	if (SIMULATED) /* the counters of this machine say nothing of that one */
		return;
	confines_mine(&h->confines);
	if (option_text(OPTION_COUNTERS) &&
	    option_number(OPTION_COUNTERS, 0, 3600000, &period_ms, &err)) {
		recorder_inert(err.text);
		return;
	}
	e->series = option_text(OPTION_COUNTERS) && period_ms > 0;
	e->node_reader = claim_node();
	if (e->node_reader)
		counters_find(&e->files);
	counters_read(e->node_reader ? &e->files : NULL, &h->counters[0]);
	h->counters[1] = h->counters[0];
	h->metrics = (uint32_t)e->series;
	e->period_ticks = ticks_about_ms((uint64_t)(period_ms > 0 ? period_ms : PERIOD_MS));
	evidence_read(lane_self, ticks_now());
}

void evidence_record(struct lane *l, enum counter counter, uint64_t value, uint64_t tick)
{
	struct record *r = lane_room(l, 1);

	if (!r)
		return;
	l->log.next = r + 1;
	r->enter = r->leave = tick;
	r->bytes = value;
	r->aux = counter;
	r->kind = RECORD_METRIC;
}

/* What this thread had of cores since it was last looked at, to what its log has. */
static void add_thread(struct lane *l, struct counters *c)
{
	struct counters *first = &l->log.header->counters[0], now, since;
	const struct counters *had = &l->log.header->counters[1];
	uint32_t present;
	int i;

	counters_read_thread(&now);
	since = counters_since(&now, &l->looked_at);
	if (now.present)
		l->looked_at = now;
	present = had->present | now.present;
	for (i = 0; i < COUNTERS; i++)
		if (counter_rows[i].of == COUNTER_OF_THREAD && present >> i & 1) {
			c->value[i] = had->value[i] + since.value[i];
			c->present |= 1u << i;
			first->present |= 1u << i; /* where it is 0 */
		}
}

void evidence_read(struct lane *l, uint64_t now)
{
	const struct evidence *e = &recorder.evidence;
	struct counters *kept = l->log.header->counters, c = {.present = 0}, since;
	int i;

	if (now < l->evidence_due || !e->period_ticks)
		return;
	l->evidence_due = now + e->period_ticks;
	if (!l->thread) {
		counters_read(e->node_reader ? &e->files : NULL, &c);
		queues_count(&c);
		kept[0].present |= c.present & 1u << COUNTER_MATCH_TIME; /* then it was 0 */
	}
	add_thread(l, &c);
	kept[1] = c;
	if (!e->series || recorder.paused == RECORDER_FULL)
		return;
	since = counters_since(&kept[1], &kept[0]);
	for (i = 0; i < COUNTERS; i++)
		if (since.present >> i & 1)
			evidence_record(l, (enum counter)i, since.value[i], now);
}

void evidence_read_last(struct lane *l)
{
	l->evidence_due = 0;
	if (recorder.on)
		evidence_read(l, ticks_now());
	l->looked_at.present = 0; /* the next thread has other counters */
	l->evidence_due = 0;
}

void evidence_stop(void)
{
	if (lane_self)
		evidence_read_last(lane_self);
}
