/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void need(int fine, const char *what)
{
	if (fine)
		return;
	perror(what);
	exit(1);
}

char *scratch_new(void)
{
	const char *base = getenv("TMPDIR");
	char *dir = NULL;

	need(asprintf(&dir, "%s/contend-test.XXXXXX", base && *base ? base : "/tmp") > 0, "memory");
	need(mkdtemp(dir) != NULL, dir);
	return dir;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st, (void)type, (void)walk;
	return remove(path);
}

void scratch_free(char *dir)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(dir);
}

const char *scratch_path(const char *dir, const char *name)
{
	static char paths[4][4096];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", dir, name);
	return path;
}

unsigned char *scratch_load(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	unsigned char *bytes = NULL;
	long size;

	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	bytes = malloc((size_t)size + 1);
	need(bytes && fread(bytes, 1, (size_t)size, f) == (size_t)size, path);
	fclose(f);
	*n = (size_t)size;
	return bytes;
}

void scratch_store(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	need(f != NULL, path);
	need(fwrite(bytes, 1, n, f) == n, path);
	need(!fclose(f), path);
}
