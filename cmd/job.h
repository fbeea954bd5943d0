/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job of several programs (mpiexec a : b): each has something of its own to say. */
#ifndef CMD_JOB_H
#define CMD_JOB_H

/*
 * Does this process say what concerns all of its program? The program's first rank does, and
 * everybody where no launcher is. Of MPICH's launcher only the program's number can be had: all
 * ranks of its second program speak, and those of the next.
 */
int job_speaks(void);

#endif
