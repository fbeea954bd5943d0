/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is there somebody to watch? A rank's own standard error goes to its launcher. */
#ifndef CMD_LAUNCHER_TTY_H
#define CMD_LAUNCHER_TTY_H

/*
 * Does what this process writes to standard error end on a terminal: its own, or that of the
 * launcher that started it on this host?
 */
int launcher_tty(void);

#endif
