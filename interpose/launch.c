/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/launch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/options.h"
#include "common/schema.h"
#include "interpose/simulated.h"

/* The first of the variables that is set, as a number; otherwise -1. */
static int first_number(size_t n, const char *const names[n])
{
	size_t i;

	for (i = 0; i < n; i++) {
		const char *text = option_outside(names[i]);

		if (text && isdigit((unsigned char)*text))
			return atoi(text);
	}
	return -1;
}

/* Append text to job with what does not belong into a file name left out. */
static void append_job(struct launch *l, const char *text)
{
	size_t n = strlen(l->job);

	for (; *text && n + 1 < sizeof(l->job); text++)
		if (isalnum((unsigned char)*text) || *text == '-' || *text == '_')
			l->job[n++] = *text;
		else if (*text == '.' || *text == '@' || *text == ':')
			l->job[n++] = '-';
	l->job[n] = '\0';
}

/* Parent of a process, 0 at the end of the line. */
static int parent_of(int pid)
{
	char path[64], line[512], *p;
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fgets(line, sizeof(line), f) && (p = strrchr(line, ')')))
		sscanf(p + 1, " %*c %d", &parent);
	fclose(f);
	return parent;
}

/*
 * MPICH's Hydra says nothing of the job in the environment, but each of its proxies was
 * started with the mpiexec's own address: --control-port HOST:PORT.
 */
static void job_of_hydra(struct launch *l)
{
	int pid = getpid(), hops;

	for (hops = 0; hops < 32 && (pid = parent_of(pid)) > 1; hops++) {
		char path[64], args[4096];
		size_t n, i;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
		f = fopen(path, "re");
		if (!f)
			return;
		n = fread(args, 1, sizeof(args) - 1, f);
		fclose(f);
		args[n] = '\0';
		for (i = 0; i < n; i += strlen(args + i) + 1)
			if (!strcmp(args + i, "--control-port") && i + 15 < n) {
				append_job(l, args + i + 15);
				return;
			}
	}
}

static void append_variables(struct launch *l, const char *first, const char *second)
{
	const char *a = option_outside(first), *b = second ? option_outside(second) : NULL;

	if (!a)
		return;
	append_job(l, a);
	if (b) {
		append_job(l, "-");
		append_job(l, b);
	}
}

void launch_read(struct launch *l)
{
	static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
					    "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS",
					    "SLURM_NTASKS"};
	time_t now = time(NULL);
	struct tm tm;

	memset(l, 0, sizeof(*l));
	if (SIMULATED) {
		l->rank = simulated_rank();
		l->ranks = simulated_ranks();
		l->known = 1;
		snprintf(l->job, sizeof(l->job), "smpi-%d", (int)getpid());
		return;
	}
	l->rank = option_job_rank();
	l->ranks = first_number(sizeof(sizes) / sizeof(sizes[0]), sizes);
	l->known = l->rank >= 0;
	if (l->known) {
		append_variables(l, "PMIX_NAMESPACE", NULL);
		if (!l->job[0])
			job_of_hydra(l);
		if (!l->job[0])
			append_variables(l, "SLURM_JOB_ID", "SLURM_STEP_ID");
		if (!l->job[0])
			append_variables(l, "PBS_JOBID", NULL);
		if (!l->job[0])
			append_variables(l, "LSB_JOBID", NULL);
	}
	if (!l->known) {
		l->rank = 0;
		l->ranks = 1;
	} else if (l->ranks < 1) {
		l->ranks = 0;
	}
	if (!l->job[0] && localtime_r(&now, &tm))
		strftime(l->job, sizeof(l->job), "%Y%m%d-%H%M%S", &tm);
}

void launch_log_path(char *path, size_t n, const char *dir, int rank, unsigned thread)
{
	snprintf(path, n, "%s/" SCHEMA_LOG_DIR "/%d.%u.log", dir, rank, thread);
}

/* The directory's name before any number against clashes. */
static void base_name(const struct launch *l, size_t n, char base[n])
{
	const char *output = option_text(OPTION_OUTPUT);
	char cwd[PATH_MAX] = ".";

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
		usleep(5000);
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

/* Is there a log of every rank? They were claimed before MPI_Init: a moment is enough. */
static int see_all(const char *dir, int ranks)
{
	char path[PATH_MAX];
	int r, tries;

	for (r = ranks - 1, tries = 0; r >= 0; r--) {
		launch_log_path(path, sizeof(path), dir, r, 0);
		while (access(path, F_OK)) {
			if (SIMULATED || ++tries > 20)
				return 0;
			usleep(10000);
		}
	}
	return 1;
}

static void mark_path(char *path, size_t n, const char *dir, int all)
{
	snprintf(path, n, "%s/" SCHEMA_LOG_DIR "/%s", dir,
		 all ? SCHEMA_MARK_ALL : SCHEMA_MARK_PART);
}

/* Rank 0's answer for the others. Without the mark they will say no: so does rank 0. */
static int leave_mark(const char *dir, int all)
{
	char path[PATH_MAX];
	int fd;

	mark_path(path, sizeof(path), dir, all);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return 0;
	close(fd);
	return all;
}

/* The answer of rank 0, if that is recorded; a file system may take a minute to show it. */
static int await_mark(const char *dir)
{
	char all[PATH_MAX], part[PATH_MAX], first[PATH_MAX];
	int tries;

	mark_path(all, sizeof(all), dir, 1);
	mark_path(part, sizeof(part), dir, 0);
	launch_log_path(first, sizeof(first), dir, 0, 0);
	for (tries = 0; tries < 30000; tries++) {
		if (!access(all, F_OK))
			return 1;
		if (!access(part, F_OK) || (tries > 100 && access(first, F_OK)))
			return 0;
		usleep(tries < 100 ? 100 : 2000);
	}
	return 0;
}

int launch_all_claimed(const struct launch *l, const char *dir, int ranks)
{
	char link[PATH_MAX];

	link_path(l, sizeof(link), link);
	if (SIMULATED) { /* nobody can be waited for, and a message would take its time */
		if (see_all(dir, ranks))
			unlink(link);
		return 0;
	}
	if (l->rank)
		return await_mark(dir);
	if (l->known) {
		int all = see_all(dir, ranks);

		unlink(link);
		return leave_mark(dir, all);
	}
	return leave_mark(dir, see_all(dir, ranks));
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
