/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No MPI: fifty threads that come and go, a fork and a program started, a plugin loaded. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *arg)
{
	*(char *)arg = 1;
	return NULL;
}

int main(void)
{
	static char done[50];
	pthread_t thread[50];
	int i, sum = 0, status;
	pid_t child;

	for (i = 0; i < 50; i++)
		if (pthread_create(&thread[i], NULL, work, &done[i]))
			return 1;
	for (i = 0; i < 50; i++) {
		pthread_join(thread[i], NULL);
		sum += done[i];
	}
	child = fork();
	if (child == 0)
		_exit(7);
	waitpid(child, &status, 0);
	return sum != 50 || WEXITSTATUS(status) != 7 || system("exit 0") ||
	       !dlopen("libm.so.6", RTLD_NOW);
}
