/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A look at messages that are sent while their receiver is absent. */
#ifndef CALIBRATE_LOOK_H
#define CALIBRATE_LOOK_H

struct look {
	int completed; /* messages, at least; -1: the other side may have been there */
	int whole;     /* 1: both sides were running all the time, so no more do */
};

#endif
