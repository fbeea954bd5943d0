/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call paths that are hard to unwind: each MPI call comes from a function whose name says
 * what is special about it. -DMODULE=NAME builds a plugin with the function NAME in it;
 * the program loads each plugin it is given, calls the function of its name and unloads it.
 */
#include <mpi.h>

#define APART    __attribute__((noinline, noclone))
/* A call that comes last would be a jump. */
#define NOT_LAST __asm__ volatile("")

static MPI_Comm self(void)
{
	return MPI_COMM_SELF;
}

#ifdef MODULE

APART int MODULE(void)
{
	int code = 0;

#ifdef LATER /* so that modules differ */
	__asm__ volatile(".skip 64, 0x90");
#endif
	code = MPI_Barrier(self());
	NOT_LAST;
	return code;
}

#else

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

APART void plain(void)
{
	MPI_Barrier(self());
	NOT_LAST;
}

/* Ends in a jump to MPI_Barrier: the call returns to who called this. */
APART int jumps(void)
{
	return MPI_Barrier(self());
}

APART void before_jump(void)
{
	jumps();
	NOT_LAST;
}

/* A frame of a size that is not known before. */
APART void grows(int bytes)
{
	volatile char room[bytes];

	room[bytes - 1] = 0;
	MPI_Barrier(self());
	NOT_LAST;
}

APART void handler(int number)
{
	(void)number;
	MPI_Barrier(self());
	NOT_LAST;
}

APART void interrupted(int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	NOT_LAST;
}

APART void on_other_stack(void)
{
	static char aside[64 * 1024];
	stack_t stack = {.ss_sp = aside, .ss_size = sizeof(aside)};

	sigaltstack(&stack, NULL);
	interrupted(SA_ONSTACK);
	NOT_LAST;
}

APART void *in_thread(void *arg)
{
	MPI_Barrier(self());
	NOT_LAST;
	return arg;
}

APART void small_thread(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16 * 1024);
	pthread_create(&thread, &attr, in_thread, NULL);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
}

APART void shared(void)
{
	MPI_Barrier(self());
	NOT_LAST;
}

/* Their frames differ by 16 bytes, and nothing else tells them apart on a stack not known. */
#define WITH_ROOM(name, bytes)             \
	APART void name(void)              \
	{                                  \
		volatile char room[bytes]; \
                                           \
		room[0] = 0;               \
		shared();                  \
		NOT_LAST;                  \
	}
WITH_ROOM(room_16, 16)
WITH_ROOM(room_32, 32)
WITH_ROOM(room_48, 48)
WITH_ROOM(room_64, 64)

APART void coroutine(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		room_16();
		room_32();
		room_48();
		room_64();
	}
	NOT_LAST;
}

APART void on_coroutine(void)
{
	static char aside[64 * 1024];
	ucontext_t there, back;

	getcontext(&there);
	there.uc_stack.ss_sp = aside;
	there.uc_stack.ss_size = sizeof(aside);
	there.uc_link = &back;
	makecontext(&there, coroutine, 0);
	swapcontext(&back, &there);
}

APART int load(const char *path)
{
	char name[64] = "";
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*talk)(void);

	if (!module) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	strncat(name, strrchr(path, '/') + 1, sizeof(name) - 1);
	*strrchr(name, '.') = '\0';
	talk = (int (*)(void))dlsym(module, name);
	printf("%s %s\n", name, talk() ? "fails" : "talks");
	return dlclose(module);
}

int main(int argc, char **argv)
{
	int provided, i, bad = 0;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
	plain();
	before_jump();
	grows(100 * argc);
	interrupted(0);
	on_other_stack();
	small_thread();
	on_coroutine();
	for (i = 1; i < argc; i++)
		bad |= load(argv[i]);
	MPI_Finalize();
	return bad;
}

#endif
