/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What contend calibrate asks the machine and not MPI, of a simulated one: which host a rank is on,
 * and that it has its core all the time, whatever else the real machine does.
 */
#include "calibrate/core.h"
#include "calibrate/pair.h"

#include <string.h>

/* In gethostname()'s place. */
int simulated_hostname(char *name, size_t size);

int simulated_hostname(char *name, size_t size)
{
	char text[MPI_MAX_PROCESSOR_NAME + 1] = "";
	int length = 0;

	MPI_Get_processor_name(text, &length);
	strncpy(name, text, size);
	return 0;
}

struct core_use core_used(void)
{
	return (struct core_use){.wall_s = MPI_Wtime(), .awaited_s = -1};
}

double core_share(struct core_use then)
{
	(void)then;
	return 1;
}
