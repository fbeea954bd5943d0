/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of recording, inside MPI_Finalize: logs -> OTF2 by all ranks together over
 * the tool's own communicator. Where that is not possible (a rank is not recorded, a
 * disk is full) the logs stay, and `contend report` recovers from them.
 */
#ifndef INTERPOSE_FINISH_H
#define INTERPOSE_FINISH_H

void finish_job(void);

#endif
