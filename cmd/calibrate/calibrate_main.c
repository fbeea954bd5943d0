/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `contend calibrate` becomes: one program for each MPI. Options are in the environment
 * already (common/options.h). Rank 0 writes the machine file and prints the summary.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/calibrate/calibrate_drift.h"
#include "cmd/calibrate/calibrate_json.h"
#include "cmd/launcher_tty.h"
#include "cmd/verbs.h"
#include "common/mpi_name.h"
#include "common/options.h"
#include "report/machine_page.h"
#include "report/machine_text.h"

static int is_terminal;

static void tell(const char *text)
{
	if (is_terminal)
		fprintf(stderr, "\r\033[Kmeasuring %s", text);
	else if (option_is_on(OPTION_VERBOSE))
		fprintf(stderr, "contend: measuring %s\n", text);
}

static int write_json(const json_t *machine, FILE *f, struct err *err)
{
	return json_dumpf(machine, f, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) ||
			       fputc('\n', f) == EOF
		       ? err_set(err, "%s", strerror(errno))
		       : 0;
}

/* Can this file be written? Nothing that is there is changed, nothing new is left. */
static int can_write(const char *path, struct err *err)
{
	struct stat there;
	int fd;

	if (!stat(path, &there)) {
		errno = S_ISDIR(there.st_mode) ? EISDIR : 0;
		if (!errno && !access(path, W_OK))
			return 0;
		return err_set(err, "cannot write %s: %s", path, strerror(errno));
	}
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST) /* a link to what is not there yet, or another's file now */
		return 0;
	if (fd < 0)
		return err_set(err, "cannot write %s: %s", path, strerror(errno));
	close(fd);
	unlink(path);
	return 0;
}

/* Both files, before time is spent on measuring. Returns the same on all ranks. */
static int check_files(int rank, struct err *err)
{
	const char *page = option_text(OPTION_PLOT);
	int ret = 0;

	if (rank == 0)
		ret = can_write(option_text(OPTION_MACHINE_OUT), err) ||
				      (page && can_write(page, err))
			      ? -1
			      : 0;
	MPI_Bcast(&ret, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return ret;
}

/*
 * Write `machine` into a file in some form: where that can be, beside it at first, so that a full
 * disk does not cost the file that is there.
 */
static int write_file(const json_t *machine, const char *path,
		      int (*form)(const json_t *, FILE *, struct err *), struct err *err)
{
	struct err why = {""};
	char beside[PATH_MAX];
	struct stat there;
	FILE *f = NULL;
	int bad, is_file = lstat(path, &there) ? errno == ENOENT : S_ISREG(there.st_mode);

	if (is_file && snprintf(beside, sizeof(beside), "%s.new", path) < (int)sizeof(beside))
		f = fopen(beside, "w");
	is_file = !!f;
	if (!f)
		f = fopen(path, "w");
	if (!f)
		return err_set(err, "cannot write %s: %s", path, strerror(errno));
	bad = form(machine, f, &why);
	if (!fclose(f) && !bad && (!is_file || !rename(beside, path)))
		return 0;
	err_set(err, "cannot write %s: %s", path, *why.text ? why.text : strerror(errno));
	if (is_file)
		unlink(beside);
	return -1;
}

/* It took a while to measure, so it is not lost with the file that could not be written. */
static int rescue(const json_t *machine, struct err *err)
{
	struct err why = *err, unused;

	if (write_json(machine, stdout, &unused) || fflush(stdout))
		return err_set(err, "%s; nor can standard output be", why.text);
	return err_set(err, "%s; what was measured is on standard output", why.text);
}

/* Rank 0's end. Returns 0, or -1 with *err set. */
static int conclude(const struct calibration *c, struct err *err)
{
	const char *path = option_text(OPTION_MACHINE_OUT), *page = option_text(OPTION_PLOT);
	json_t *machine = calibrate_json(c);
	int ret;

	if (is_terminal)
		fputs("\r\033[K", stderr);
	if (!machine)
		return err_set(err, "out of memory for the machine file");
	ret = write_file(machine, path, write_json, err);
	if (ret)
		ret = rescue(machine, err);
	if (!ret && page)
		ret = write_file(machine, page, machine_page, err);
	if (!ret && option_is_on(OPTION_JSON))
		ret = write_json(machine, stdout, err);
	else if (!ret)
		ret = machine_text(machine, path, stdout, err);
	json_decref(machine);
	return ret;
}

static int make_plan(struct calibration_plan *plan, struct err *err)
{
	long contention_s;

	plan->quick = option_is_on(OPTION_QUICK);
	plan->check = option_is_on(OPTION_CHECK);
	plan->class_s = plan->quick ? 2.6 : 9.0; /* promised: below 3 s, 10 s */
	contention_s = plan->quick ? 0 : 12;
	if (option_number(OPTION_CONTENTION, 0, CALIBRATE_CONTENTION_S_MOST, &contention_s, err))
		return -1;
	plan->contention_s = (double)contention_s;
	return 0;
}

/* Measure all and write it. Returns the exit status on rank 0, or -1 with *err set. */
static int calibrate(int rank, struct err *err)
{
	char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", mpi[CALIBRATION_MPI] = "";
	struct calibration *c = calloc(1, sizeof(*c));
	struct calibration_plan plan = {.mpi = mpi};
	int ret, length;

	MPI_Get_library_version(library, &length);
	mpi_name(library, sizeof(mpi), mpi);
	ret = make_plan(&plan, err) || check_files(rank, err) ? -1
	      : c ? calibration_run(MPI_COMM_WORLD, &plan, tell, c, err)
		  : err_set(err, "out of memory");
	if (!ret && rank == 0)
		ret = conclude(c, err);
	if (c)
		calibration_release(c);
	free(c);
	return ret;
}

int main(int argc, char **argv)
{
	const char *drift = option_text(OPTION_DRIFT);
	struct err err = {""};
	int rank, status;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	is_terminal = rank == 0 && launcher_tty();
	status = drift ? calibrate_drift(drift, &err) : calibrate(rank, &err);
	if (status < 0 && *err.text && rank == 0)
		fprintf(stderr, "contend: error: %s\n", err.text);
	if (status < 0)
		status = STATUS_FAILED;
	MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return status;
}
