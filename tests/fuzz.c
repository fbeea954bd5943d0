/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz ROUNDS SEED FILE... -- COMMAND...: in each round one of the files is damaged, the command
 * is run, and the file is as before. The command has to end by itself, with status 0 to 3; where
 * that is 1 or 2 with one line that says why. What it did not survive is named, and the file kept
 * as fuzzed.N. Status 1 then.
 */
#include "tests/fixtures/scratch.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_S  60
#define SAID     "fuzz.said"
#define MORE     64 /* bytes that a change may add */
#define SAID_MAX 65536

static unsigned seed;

static size_t draw(size_t below)
{
	return below ? (size_t)rand_r(&seed) % below : 0;
}

static void change_bytes(unsigned char *bytes, size_t n)
{
	for (size_t k = 1 + draw(5), at; n && k; k--) {
		/* More often at the begin, where the headers are. */
		at = draw(draw(2) && n > 4096 ? 4096 : n);
		bytes[at] = draw(3) ? bytes[at] ^ (unsigned char)(1U << draw(8))
				    : (unsigned char)-draw(2);
	}
}

/* A number of a text, from somewhere on, is another one. */
static size_t change_number(unsigned char *bytes, size_t n)
{
	static const char *const others[] = {
		"0",      "-1",   "1e308", "-1e308", "9223372036854775807",
		"1e-320", "null", "\"x\"", "[]",     "18446744073709551616"};
	const char *other = others[draw(sizeof(others) / sizeof(others[0]))];
	size_t at = draw(n), end;

	while (at < n && !isdigit(bytes[at]))
		at++;
	for (end = at; end < n && (isalnum(bytes[end]) || memchr(".+-", bytes[end], 3));)
		end++;
	if (at == n)
		return n;
	memmove(bytes + at + strlen(other), bytes + end, n - end);
	memcpy(bytes + at, other, strlen(other));
	return n - (end - at) + strlen(other);
}

/* Room for MORE bytes; returns how many there are. */
static size_t change(unsigned char *bytes, size_t n)
{
	size_t at;

	switch (draw(6)) {
	case 0:
		return draw(n + 1);
	case 1:
		at = draw(n);
		memmove(bytes + at, bytes + at + (n - at) / 8, n - at - (n - at) / 8);
		return n - (n - at) / 8;
	case 2:
	case 3:
		return change_number(bytes, n);
	default:
		change_bytes(bytes, n);
		return n;
	}
}

/* Its status, or -1: it did not end by itself. */
static int run(char **command)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		int said = open(SAID, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		dup2(said, STDERR_FILENO);
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		alarm(LIMIT_S);
		execv(command[0], command);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static int says_why(void)
{
	size_t n;
	unsigned char *said = scratch_load(SAID, &n);
	int errors = 0;

	for (size_t at = 0; at < n; at++)
		errors += (!at || said[at - 1] == '\n') && n - at > 15 &&
			  !memcmp(said + at, "contend: error:", 15);
	free(said);
	return errors == 1;
}

/* Returns 1 if the command did not survive it. */
static int round_of(const char *path, char **command, long number)
{
	size_t n, changed;
	unsigned char *whole = scratch_load(path, &n), *bytes = malloc(n + MORE);
	char kept[32];
	int status, failed;

	memcpy(bytes, whole, n);
	changed = change(bytes, n);
	scratch_store(path, bytes, changed);
	status = run(command);
	failed = status < 0 || status > 3 || ((status == 1 || status == 2) && !says_why());
	if (failed) {
		snprintf(kept, sizeof(kept), "fuzzed.%ld", number);
		scratch_store(kept, bytes, changed);
		printf("round %ld: %s, kept as %s: status %d\n", number, path, kept, status);
	}
	scratch_store(path, whole, n);
	free(whole);
	free(bytes);
	return failed;
}

int main(int argc, char **argv)
{
	int files = 0, failed = 0;
	long rounds;

	while (files + 3 < argc && strcmp(argv[files + 3], "--"))
		files++;
	if (!files || files + 4 >= argc)
		return 2;
	rounds = atol(argv[1]);
	seed = (unsigned)atol(argv[2]);
	if (run(argv + files + 4)) {
		printf("%s: fails undamaged\n", argv[files + 5]);
		return 1;
	}
	for (long k = 0; k < rounds; k++)
		failed += round_of(argv[3 + draw((size_t)files)], argv + files + 4, k);
	return failed != 0;
}
