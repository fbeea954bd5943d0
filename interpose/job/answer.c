/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/answer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/schema.h"
#include "common/steady.h"

static void mark_path(size_t n, char path[n], const char *dir, const char *mark)
{
	snprintf(path, n, "%s/" SCHEMA_LOG_DIR "/%s", dir, mark);
}

static int is_marked(const char *dir, const char *mark)
{
	char path[PATH_MAX];

	mark_path(sizeof(path), path, dir, mark);
	return !access(path, F_OK);
}

int answer_begin(const char *dir, struct err *err)
{
	char path[PATH_MAX];
	int fd;

	mark_path(sizeof(path), path, dir, SCHEMA_MARK_OPEN);
	fd = steady_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_set(err, "cannot make %s: %s", path, strerror(errno));
	close(fd);
	return 0;
}

void answer_cancel(const char *dir)
{
	char path[PATH_MAX];

	mark_path(sizeof(path), path, dir, SCHEMA_MARK_OPEN);
	unlink(path);
}

/* Renaming needs no room on the disk, and of several ranks at once one does it. */
enum answer answer_give(const char *dir, enum answer mine)
{
	char open[PATH_MAX], given[PATH_MAX];

	mark_path(sizeof(open), open, dir, SCHEMA_MARK_OPEN);
	mark_path(sizeof(given), given, dir,
		  mine == ANSWER_ALL ? SCHEMA_MARK_ALL : SCHEMA_MARK_PART);
	if (!rename(open, given))
		return mine;
	return errno == ENOENT ? answer_await(dir) : ANSWER_PART;
}

/*
 * What a network's file system remembers as missing it looks for again once the folder is opened.
 */
static void look_afresh(const char *dir)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR, dir);
	fd = steady_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	if (fd >= 0)
		close(fd);
}

int answer_is_given(const char *dir)
{
	look_afresh(dir);
	return is_marked(dir, SCHEMA_MARK_ALL) || is_marked(dir, SCHEMA_MARK_PART);
}

/* Soon at first, then as seldom as many ranks may ask one server: a minute in all. */
static unsigned pause_us(int tries)
{
	return tries < 100 ? 100 : tries < 600 ? 2000 : 20000;
}

#define TRIES 3550

enum answer answer_await(const char *dir)
{
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		look_afresh(dir);
		if (is_marked(dir, SCHEMA_MARK_ALL))
			return ANSWER_ALL;
		if (is_marked(dir, SCHEMA_MARK_PART))
			return ANSWER_PART;
		steady_sleep_us(pause_us(tries));
	}
	return ANSWER_PART;
}
