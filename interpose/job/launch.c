/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "common/options.h"
#include "common/schema.h"
#include "common/steady.h"
#include "interpose/archive/tidy.h"
#include "interpose/job/answer.h"
#include "interpose/job/simulated.h"

void launch_log_path(char *path, size_t n, const char *dir, int rank, unsigned thread)
{
	snprintf(path, n, "%s/" SCHEMA_LOG_DIR "/%d.%u.log", dir, rank, thread);
}

/* The directory's name before any number against clashes, and without slashes at its end. */
static void base_name(const struct launch *l, size_t n, char base[n])
{
	const char *output = option_text(OPTION_OUTPUT);
	char cwd[PATH_MAX] = ".";
	size_t end;

	if (!getcwd(cwd, sizeof(cwd)))
		strcpy(cwd, ".");
	if (output && output[0] == '/')
		snprintf(base, n, "%s", output);
	else if (output)
		snprintf(base, n, "%s/%s", cwd, output);
	else if (l->ranks)
		snprintf(base, n, "%s/%s.%d.%s", cwd, program_invocation_short_name, l->ranks,
			 l->job);
	else
		snprintf(base, n, "%s/%s.%s", cwd, program_invocation_short_name, l->job);
	for (end = strlen(base); end > 1 && base[end - 1] == '/'; end--)
		base[end - 1] = '\0';
}

static int make_dir(const char *path, struct err *err)
{
	struct stat st;

	if (!mkdir(path, 0777) || (errno == EEXIST && !stat(path, &st) && S_ISDIR(st.st_mode)))
		return 0;
	return err_set(err, "cannot make %s: %s", path, strerror(errno));
}

/*
 * The link that leads the ranks of a job to their directory while they start: the first
 * to come makes both. Its name is known to all of them, that of the directory is not when
 * they run different programs.
 */
static void link_path(const struct launch *l, size_t n, char path[n])
{
	char *slash;

	base_name(l, n, path);
	slash = strrchr(path, '/');
	if (slash)
		snprintf(slash + 1, n - (size_t)(slash + 1 - path), ".contend.%s", l->job);
}

/* The directory that link leads to, beside it. Returns 0, or -1 when there is none. */
static int follow(const char *link, size_t n, char dir[n])
{
	char name[NAME_MAX + 1];
	ssize_t got = readlink(link, name, sizeof(name) - 1);

	if (got <= 0)
		return -1;
	snprintf(dir, n, "%.*s/%.*s", (int)(strrchr(link, '/') - link), link, (int)got, name);
	return 0;
}

/* Somebody has the folder. Is it a rank of this job that is about to make the link? */
static int is_ours(const struct launch *l, const char *folder)
{
	char link[PATH_MAX];
	struct stat st;
	int tries;

	if (!l->known || stat(folder, &st) || st.st_mtime < time(NULL) - 5)
		return 0;
	link_path(l, sizeof(link), link);
	for (tries = 0; tries < 100 && lstat(link, &st); tries++)
		steady_sleep_us(5000);
	return tries < 100;
}

/*
 * Make a run directory that nobody has; the one who makes its folder of logs owns it.
 * Returns 1, 0 when another rank of the job is at it, or -1 with *err set.
 */
static int make_run_dir(const struct launch *l, size_t n, char dir[n], struct err *err)
{
	const char *suffix = option_text(OPTION_OUTPUT) ? "" : SCHEMA_RUN_SUFFIX;
	char base[PATH_MAX], path[PATH_MAX + 64];
	int i;

	base_name(l, sizeof(base), base);
	for (i = 1; i < 1000; i++) {
		if (i == 1)
			snprintf(dir, n, "%s%s", base, suffix);
		else
			snprintf(dir, n, "%s.%d%s", base, i, suffix);
		if (make_dir(dir, err))
			return -1;
		snprintf(path, sizeof(path), "%s/" SCHEMA_RUN_JSON, dir);
		if (!access(path, F_OK))
			continue;
		snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR, dir);
		if (!mkdir(path, 0777)) {
			if (answer_begin(dir, err))
				return -1;
			if (i > 1 && option_text(OPTION_OUTPUT))
				dprintf(STDERR_FILENO, "contend: %s exists; recording into %s\n",
					base, dir);
			return 1;
		}
		if (errno == ENOENT)
			return 0;
		if (errno != EEXIST)
			return err_set(err, "cannot make %s: %s", path, strerror(errno));
		if (is_ours(l, path))
			return 0;
	}
	return err_set(err, "%s and 998 more like it exist already: move some away", base);
}

static void unmake_run_dir(const char *dir)
{
	char path[PATH_MAX + 64];

	answer_cancel(dir);
	snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR, dir);
	rmdir(path);
	rmdir(dir);
}

int launch_claim(const struct launch *l, struct log *log, size_t n, char dir[n], struct err *err)
{
	char link[PATH_MAX], path[PATH_MAX + 64];
	int tries, made;

	link_path(l, sizeof(link), link);
	for (tries = 0; tries < 100; tries++) {
		if (!l->known || follow(link, n, dir)) {
			made = make_run_dir(l, n, dir, err);
			if (made < 0)
				return -1;
			if (!made)
				continue;
			if (l->known && symlink(strrchr(dir, '/') + 1, link)) {
				int why = errno;

				unmake_run_dir(dir);
				if (why == EEXIST)
					continue; /* another rank was faster */
				return err_set(err, "cannot make %s: %s", link, strerror(why));
			}
		}
		launch_log_path(path, sizeof(path), dir, l->rank, 0);
		errno = 0;
		if (!log_create(log, path, err))
			return 0;
		if (errno != EEXIST && errno != ENOENT)
			return -1;
		unlink(link); /* left behind by a job of the same name */
	}
	return err_set(err, "cannot agree on a run directory: %s", dir);
}

/* Of file systems on which each file is seen as soon as it is there. */
static int is_local(const char *dir)
{
	static const unsigned long magics[] = {0xef53,     0x58465342, 0x9123683e, 0x01021994,
					       0x794c7630, 0xf2f52010, 0x2fc12fc1, 0x858458f6};
	struct statfs fs;
	size_t i;

	for (i = 0; !statfs(dir, &fs) && i < sizeof(magics) / sizeof(magics[0]); i++)
		if ((unsigned long)fs.f_type == magics[i])
			return 1;
	return 0;
}

/*
 * For how many ms a rank looks for other ranks' logs after MPI_Init. They were claimed before: a
 * moment is enough, and where files are seen late, who waits too short answers no for all.
 */
static int patience_ms(const char *dir)
{
	return SIMULATED ? 0 : is_local(dir) ? 20 : 200;
}

static int has_log(const char *dir, int rank)
{
	char path[PATH_MAX];

	launch_log_path(path, sizeof(path), dir, rank, 0);
	return !access(path, F_OK);
}

/* Is there a log of every rank? */
static int see_all(const char *dir, int ranks)
{
	int r, left = -1;

	for (r = ranks - 1; r >= 0; r--)
		while (!has_log(dir, r)) {
			left = left < 0 ? patience_ms(dir) : left;
			if (!left--)
				return 0;
			steady_sleep_us(1000);
		}
	return 1;
}

/* The answer of rank 0, who looks for all; this rank's, if that one is not recorded. */
static enum answer follow_first(const char *dir)
{
	int left = -1;

	while (!has_log(dir, 0) && !answer_is_given(dir)) {
		left = left < 0 ? patience_ms(dir) : left;
		if (!left--)
			return answer_give(dir, ANSWER_PART);
		steady_sleep_us(1000);
	}
	return answer_await(dir);
}

void launch_leave_part(const char *dir)
{
	answer_give(dir, ANSWER_PART);
}

void launch_forget(const struct launch *l, const char *dir, int ranks)
{
	char link[PATH_MAX];

	if (l->rank || !l->known || !see_all(dir, ranks))
		return;
	link_path(l, sizeof(link), link);
	unlink(link);
}

void launch_forget_without_first(const struct launch *l, const char *dir)
{
	char path[PATH_MAX];

	if (!l->rank || !l->known)
		return;
	launch_log_path(path, sizeof(path), dir, 0, 0);
	if (!access(path, F_OK))
		return;
	link_path(l, sizeof(path), path);
	unlink(path);
}

void launch_withdraw(const struct launch *l, const char *dir)
{
	char path[PATH_MAX];
	int r;

	launch_log_path(path, sizeof(path), dir, l->rank, 0);
	unlink(path);
	for (r = 0; r < l->ranks; r++) {
		launch_log_path(path, sizeof(path), dir, r, 0);
		if (!access(path, F_OK))
			return;
	}
	if (l->known) {
		link_path(l, sizeof(path), path);
		unlink(path);
	}
	tidy_log_dir(dir);
	rmdir(dir);
}

int launch_all_claimed(const struct launch *l, const char *dir, int ranks)
{
	char link[PATH_MAX];
	enum answer answer;

	link_path(l, sizeof(link), link);
	if (SIMULATED) { /* nobody can be waited for, and a message would take its time */
		if (see_all(dir, ranks))
			unlink(link);
		return 0;
	}
	if (l->rank)
		return follow_first(dir) == ANSWER_ALL;
	answer = answer_give(dir, see_all(dir, ranks) ? ANSWER_ALL : ANSWER_PART);
	if (l->known)
		unlink(link);
	return answer == ANSWER_ALL;
}

void launch_link_latest(const char *dir)
{
	char link[PATH_MAX + 64], fresh[PATH_MAX + 96];
	const char *slash = strrchr(dir, '/');
	struct stat st;

	if (!slash)
		return;
	snprintf(link, sizeof(link), "%.*s/" SCHEMA_LATEST, (int)(slash - dir), dir);
	if (!lstat(link, &st) && !S_ISLNK(st.st_mode))
		return;
	snprintf(fresh, sizeof(fresh), "%s.%d", link, (int)getpid());
	if (!symlink(slash + 1, fresh) && rename(fresh, link))
		unlink(fresh);
}
