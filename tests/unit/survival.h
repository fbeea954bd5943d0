/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Something that may crash or loop, in a child of its own. */
#ifndef TESTS_UNIT_SURVIVAL_H
#define TESTS_UNIT_SURVIVAL_H

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SURVIVAL_S 100 /* it ends by then, or never */

/*
 * Returns 1 if attempt(dir) returned; else says on stderr how it ended. Its core is not worth a
 * file.
 */
static inline int survival_of(void (*attempt)(const char *dir), const char *dir)
{
	struct rlimit no_core = {0, 0};
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		setrlimit(RLIMIT_CORE, &no_core);
		alarm(SURVIVAL_S);
		attempt(dir);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		fprintf(stderr, "no child\n");
	else if (WIFSIGNALED(status))
		fprintf(stderr, "signal %d\n", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		fprintf(stderr, "status %d\n", WEXITSTATUS(status));
	else
		return 1;
	return 0;
}

#endif
