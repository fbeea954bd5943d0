/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of a run directory that have served: logs whose trace is there, archives that were not
 * finished.
 */
#ifndef INTERPOSE_TIDY_H
#define INTERPOSE_TIDY_H

/* Remove the log of a rank's thread. Returns whether it is gone by this. */
int tidy_log(const char *dir, unsigned rank, unsigned thread);

/* The folder of the logs, empty by now but for the recorder's marks. */
void tidy_log_dir(const char *dir);

/* An archive that an earlier attempt left unfinished would be in the way. */
void tidy_archive(const char *dir);

#endif
