/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace contract: every name that the recorder writes and the analyzer
 * reads. A run directory holds
 *
 *   run.json            what was recorded, how and how it ended
 *   traces.otf2, .def   the OTF2 archive (standard MPI records)
 *   traces/             its event files, one per location
 *   log/                the recorder's own logs; gone once the archive is complete
 *
 * Location ids: rank + thread * 2^32, so the first thread of a rank has the
 * rank as its id, as other OTF2 readers expect. Times are CLOCK_MONOTONIC of
 * the machine's node 0, in ns.
 */
#ifndef COMMON_SCHEMA_H
#define COMMON_SCHEMA_H

#define SCHEMA_RUN_SUFFIX  ".contend"
#define SCHEMA_LATEST      "contend.latest"
#define SCHEMA_RUN_JSON    "run.json"
#define SCHEMA_RUN_VERSION "contend-run/1"
#define SCHEMA_ARCHIVE     "traces"
#define SCHEMA_LOG_DIR     "log"

/*
 * How the archive's creator begins: completions then have times of their own, before the end
 * of the call that completed them, where the recorder watched each of its requests.
 */
#define SCHEMA_CREATOR "contend"

/*
 * Marks of the recorder among its logs: it stopped early; whether all ranks record is not decided;
 * they do; not all do.
 */
#define SCHEMA_MARK_INERT "inert"
#define SCHEMA_MARK_OPEN  "open"
#define SCHEMA_MARK_ALL   "all"
#define SCHEMA_MARK_PART  "part"

/*
 * Attribute of Enter events, type STRING: the call path, innermost frame of the
 * user's program first, frames joined by ';', each
 *     PATH:BUILDID+0xOFFSET
 * where OFFSET is the address of the call instruction's return minus the load
 * address of the object, and BUILDID is in hex ("-" when the object has none).
 */
#define SCHEMA_ATTR_SITE "CONTEND::CALL_SITE"

/*
 * The same, but written only where it changes: it is the call path of this Enter and of the
 * next ones of the same region at the same location, until one of them has another. Empty: not
 * known from here on. Before the first one it is not known either. The recorder writes this
 * one; an archive without it says nothing of Enters without SCHEMA_ATTR_SITE.
 */
#define SCHEMA_ATTR_NEW_SITE "CONTEND::NEW_CALL_SITE"

/*
 * Failing polls with nothing between them (Test and its kind, Iprobe, Request_get_status) are one
 * call of the first one's function and call site. Attributes, type UINT64: of its Enter, how
 * many polls it stands for and the ns inside of them (the rest was the program's own); of
 * an MpiRequestTest in it, how many tests of this request failed, and then the event's
 * time is when the last of them began.
 * An MpiRequestTest in MPI_Wait, Waitall, Waitany or Waitsome is of a call that never returned: it
 * was given this request, complete or not.
 */
#define SCHEMA_ATTR_POLLS     "CONTEND::POLLS"
#define SCHEMA_ATTR_POLLED_NS "CONTEND::POLLED_NS"

/*
 * A recording may pause (MPI_Pcontrol, options): MeasurementOnOff events of a rank's location
 * say when. Attributes, type UINT64, tell what must be known beyond a pause:
 *   SKIPPED  of a send or a collective: how many on its channel are not recorded between it
 *            and the one before. Of a further MeasurementOnOff(ON): how many receives of the
 *            channel COMM (its id), PEER, TAG were posted in the pause and are not recorded.
 *            SCHEMA_SKIPPED_UNKNOWN: any number; without a channel: of any.
 *   UNSEEN   of an MpiIrecvRequest or MpiIrecv: 1: it happened in a pause and stands here for
 *            the order's sake.
 */
#define SCHEMA_ATTR_SKIPPED    "CONTEND::SKIPPED"
#define SCHEMA_ATTR_COMM       "CONTEND::COMM"
#define SCHEMA_ATTR_PEER       "CONTEND::PEER"
#define SCHEMA_ATTR_TAG        "CONTEND::TAG"
#define SCHEMA_ATTR_UNSEEN     "CONTEND::UNSEEN"
#define SCHEMA_SKIPPED_UNKNOWN UINT32_MAX

/*
 * A matched probe (Mprobe, Improbe) takes its message off the channel, whenever that is received.
 * Attribute, type UINT64, of the Leave of a probe whose message the location's next call does
 * not receive, or if other threads can: MATCHED, a number of its own among those of the rank's
 * requests, with COMM, PEER, TAG as above. Of an MpiRecv: it received that message; MPI_Imrecv's
 * request has the number for its id. A probe in a pause is noted at its end, if its message was not
 * received by then: by a further MeasurementOnOff(ON), which is UNSEEN. Of an MpiRequestCancelled:
 * the receive's request was freed, but it takes a message; MATCHED is its id, and PEER and TAG are
 * SCHEMA_ANY if it is from anybody, with any tag. So they are of an MpiIrecvRequest that has them
 * too, without MATCHED: nothing completes it, in a job that did not finish its trace.
 */
#define SCHEMA_ATTR_MATCHED "CONTEND::MATCHED"
#define SCHEMA_ANY          UINT32_MAX

/* System tree: class names, and the property that tells nodes with one clock apart. */
#define SCHEMA_CLASS_MACHINE "machine"
#define SCHEMA_CLASS_NODE    "node"
#define SCHEMA_PROP_BOOT_ID  "CONTEND::BOOT_ID"

/* Of a node, type INT64: how far its times may be off those of the first rank's node, ns. */
#define SCHEMA_PROP_CLOCK_BOUND "CONTEND::CLOCK_BOUND_NS"

/*
 * Of a process, type DOUBLE: what recording took of its time, ns. CALL: each call; POLL: each poll
 * of SCHEMA_ATTR_POLLS instead; REQUEST: each request, beside its calls; WRITING: all writing of
 * the log; SITES: all finding of call sites that were not known; ASIDE: all comparing of clocks
 * between calls. The first three are measured by the process, the others timed as they happen.
 */
#define SCHEMA_PROP_COST_CALL    "CONTEND::COST_CALL_NS"
#define SCHEMA_PROP_COST_REQUEST "CONTEND::COST_REQUEST_NS"
#define SCHEMA_PROP_COST_POLL    "CONTEND::COST_POLL_NS"
#define SCHEMA_PROP_COST_SITES   "CONTEND::COST_SITES_NS"
#define SCHEMA_PROP_COST_WRITING "CONTEND::COST_WRITING_NS"
#define SCHEMA_PROP_COST_ASIDE   "CONTEND::COST_ASIDE_NS"

#define SCHEMA_LOCATION(rank, thread) ((uint64_t)(rank) | (uint64_t)(thread) << 32)

#endif
