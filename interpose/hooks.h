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

#include "interpose/callsite.h"
#include "interpose/comms.h"
#include "interpose/hooks_coll.h"
#include "interpose/hooks_count.h"
#include "interpose/hooks_p2p.h"
#include "interpose/hooks_wait.h"
#include "interpose/left.h"
#include "interpose/meetings.h"
#include "interpose/recorder.h"
#include "interpose/requests.h"
#include "interpose/scope.h"
#include "interpose/sessions.h"
#include "interpose/sizes.h"
#include "interpose/skipped.h"

static inline void hook_none(void)
{
}

#endif
