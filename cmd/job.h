/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job of several programs (mpiexec a : b): each has something of its own to say. */
#ifndef CMD_JOB_H
#define CMD_JOB_H

/*
 * Does this process say what concerns all of its program? The program's first rank does, and
 * everybody where no launcher is; of MPICH's launcher only the job's first rank is known.
 */
int job_speaks(void);

/*
 * The same of a process that ends now, and asks that launcher for its program's number: all ranks
 * of its second program speak, and those of the next. The launcher takes no word of it after that,
 * so that no program may follow.
 */
int job_speaks_last(void);

#endif
