/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An MPI that nobody knows, of one rank and two functions; with -DPROGRAM, who uses it. */
#include <stdio.h>
#include <string.h>

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Get_library_version(char *text, int *n);

#ifdef LIBRARY
#define OFFERED(name, parameters, body) \
	int P##name parameters body int name parameters __attribute__((weak, alias("P" #name)))

OFFERED(MPI_Init, (int *argc, char ***argv), {
	(void)argc;
	(void)argv;
	puts("MPI begins");
	return 0;
});
OFFERED(MPI_Finalize, (void), {
	puts("MPI ends");
	return 0;
});
OFFERED(MPI_Get_library_version, (char *text, int *n), {
	strcpy(text, "Nobody's MPI 1.0, all rights reserved");
	*n = (int)strlen(text);
	return 0;
});
#endif

#ifdef PROGRAM
int main(int argc, char **argv)
{
	return MPI_Init(&argc, &argv) || MPI_Finalize();
}
#endif
