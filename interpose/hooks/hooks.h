/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the rows of calls.def say of a call: hooks run between its entry and the
 * real function ("before") and after that has returned ("after"). They fill the
 * call's record, follow requests and communicators, and never touch what the
 * application sees; a hook that returns a status replaces an ignored one by the
 * lane's own so that source, tag and size can be read.
 */
#ifndef INTERPOSE_HOOKS_H
#define INTERPOSE_HOOKS_H

#include "interpose/hooks/callsite.h"
#include "interpose/hooks/hooks_coll.h"
#include "interpose/hooks/hooks_count.h"
#include "interpose/hooks/hooks_p2p.h"
#include "interpose/hooks/hooks_wait.h"
#include "interpose/hooks/left.h"
#include "interpose/hooks/scope.h"
#include "interpose/job/meetings.h"
#include "interpose/job/recorder.h"
#include "interpose/job/sessions.h"
#include "interpose/objects/comms.h"
#include "interpose/objects/requests.h"
#include "interpose/objects/sizes.h"
#include "interpose/objects/skipped.h"

static inline void hook_none(void)
{
}

#endif
