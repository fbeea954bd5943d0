/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every wrapper of a CALL row. They differ in nothing but types and hooks: enter, the
 * hook before, the real function, its end, the hook after.
 */
#include "interpose/wrap.h"

#include "interpose/hooks.h"

#define CALL(name, class, params, args, before, after)                         \
	int wrap_##name params                                                 \
	{                                                                      \
		struct scope s;                                                \
		int ret;                                                       \
                                                                               \
		if (!scope_enter(&s, CALL_##name, __builtin_return_address(0), \
				 __builtin_frame_address(0)))                  \
			return real.name args;                                 \
		before;                                                        \
		ret = real.name args;                                          \
		scope_returned(&s);                                            \
		after;                                                         \
		scope_leave(&s);                                               \
		return ret;                                                    \
	}
#define SPECIAL(name, class)
#include "interpose/calls.def"
