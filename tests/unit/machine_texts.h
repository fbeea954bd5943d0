/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine files given as text. For the tests of machine_load(). */
#ifndef TESTS_UNIT_MACHINE_TEXTS_H
#define TESTS_UNIT_MACHINE_TEXTS_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/machine/machine.h"
#include "tests/unit/suite.h"

/* Without a name when it was refused. */
static inline struct machine try_load(const char *text, struct err *err)
{
	char path[] = "/tmp/test_machine.XXXXXX";
	struct machine m = {0};
	int fd = mkstemp(path), ret;

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_FATAL(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	ret = machine_load(path, &m, err);
	unlink(path);
	CU_ASSERT_EQUAL(ret, m.name ? 0 : -1);
	return m;
}

static inline struct machine load(const char *text, int expected, struct err *err)
{
	struct machine m = try_load(text, err);

	CU_ASSERT_EQUAL(m.name ? 0 : -1, expected);
	return m;
}

#define START    "{\"schema\":\"contend-machine/1\","
#define HEAD     "{\"schema\":\"contend-machine/1\",\"name\":\"toy\",\"classes\":{\"node\":{"
#define POINT(b) "{\"bytes\":" #b ",\"o_s_s\":1e-6,\"o_r_s\":2e-6,\"g_s\":3e-6}"
#define TAIL     "}}}"

#endif
