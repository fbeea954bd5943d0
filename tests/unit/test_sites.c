/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiles small programs that print their own call sites, in the form the recorder
 * writes, and the line they are on; then asks for those lines back.
 */
#include "analyze/reader/sites.h"

#include "tests/fixtures/in_scratch.h"
#include "tests/fixtures/sites_source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct err err;

static int sh(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int sh(const char *format, ...)
{
	char command[4096];
	va_list args;
	int n;

	n = snprintf(command, sizeof(command), "cd %s && ", dir);
	va_start(args, format);
	vsnprintf(command + n, sizeof(command) - (size_t)n, format, args);
	va_end(args);
	return system(command);
}

/* Run the program built last; its two sites as a trace, to be released. */
static struct trace sites_of_program(void)
{
	struct trace t = {.anchor = strdup("test")};
	size_t n, i = 0;
	char *text, *line, *rest;

	CU_ASSERT_EQUAL(sh("LD_LIBRARY_PATH=. ./prog > sites"), 0);
	text = (char *)scratch_load(scratch_path(dir, "sites"), &n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	text[n] = 0;
	t.sites = calloc(2, sizeof(*t.sites));
	for (rest = text; (line = strsep(&rest, "\n")) && *line && i < 2; i++)
		t.sites[i].path = strdup(line);
	t.n_sites = (uint32_t)i;
	CU_ASSERT_EQUAL_FATAL(i, 2);
	free(text);
	return t;
}

static const char *base(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "(null)";
}

/* Does a site have these callers? Of where they called only the file's name. */
static int is_called_by(const struct site *s, const char *expected)
{
	char text[400];
	size_t n = 0;

	for (const char *at = s->callers; *at; at += strcspn(at, "\n") + 1) {
		const char *tab = at + strcspn(at, "\t\n");

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%.*s", (int)(tab - at), at);
		if (*tab == '\t')
			n += (size_t)snprintf(text + n, sizeof(text) - n, " %.*s",
					      (int)strcspn(base(tab), "\n"), base(tab));
		n += (size_t)snprintf(text + n, sizeof(text) - n, ";");
	}
	text[n] = '\0';
	return !strcmp(text, expected) || (fprintf(stderr, "called by %s\n", text), 0);
}

static void check_lines(struct trace *t)
{
	CU_ASSERT_EQUAL_FATAL(sites_resolve(t, &err), 0);
	CU_ASSERT_STRING_EQUAL(base(t->sites[0].file), "user.c");
	CU_ASSERT_EQUAL(t->sites[0].line, 5);
	CU_ASSERT_STRING_EQUAL(base(t->sites[0].function), "exchange");
	CU_ASSERT_STRING_EQUAL(base(t->sites[1].file), "user.c");
	CU_ASSERT_EQUAL(t->sites[1].line, 2);
	CU_ASSERT_STRING_EQUAL(base(t->sites[1].function), "inner");
	CU_ASSERT_EQUAL(t->sites[1].rebuilt, 0);
}

static void check_program(const char *flags)
{
	struct trace t;

	CU_ASSERT_EQUAL(sh("cc -g %s -o prog here.c user.c main.c", flags), 0);
	t = sites_of_program();
	check_lines(&t);
	trace_release(&t);
}

static void test_sites_of_pie(void)
{
	check_program("-O2 -pie -fPIE -Wl,--build-id");
}

static void test_sites_of_fixed_address_program(void)
{
	check_program("-O1 -no-pie -fno-pie -Wl,--build-id");
}

static void test_sites_of_program_without_build_id(void)
{
	check_program("-O1 -Wl,--build-id=none");
}

static void test_sites_of_program_without_address_table(void)
{
	struct trace t;

	if (sh("command -v clang >/dev/null"))
		return;
	CU_ASSERT_EQUAL(sh("clang -g -O1 -Wl,--build-id -o prog here.c user.c main.c"), 0);
	t = sites_of_program();

	check_lines(&t);
	trace_release(&t);
}

static void test_sites_of_shared_library(void)
{
	struct trace t;

	CU_ASSERT_EQUAL(sh("cc -g -O1 -fPIC -shared -Wl,--build-id -o libuser.so here.c user.c"),
			0);
	CU_ASSERT_EQUAL(sh("cc -o prog main.c $PWD/libuser.so"), 0);
	t = sites_of_program();
	check_lines(&t);
	trace_release(&t);
}

static void test_sites_without_debug_information_have_a_function(void)
{
	struct trace t;

	CU_ASSERT_EQUAL(sh("cc -O1 -Wl,--build-id -o prog here.c user.c main.c"), 0);
	t = sites_of_program();
	CU_ASSERT_EQUAL_FATAL(sites_resolve(&t, &err), 0);
	CU_ASSERT_PTR_NULL(t.sites[0].file);
	CU_ASSERT_STRING_EQUAL(base(t.sites[0].function), "exchange");
	CU_ASSERT_EQUAL(t.sites[0].line, 0);
	trace_release(&t);
}

static void test_sites_of_another_build_stay_unknown(void)
{
	struct trace t;

	CU_ASSERT_EQUAL(sh("cc -g -O1 -Wl,--build-id -o prog here.c user.c main.c"), 0);
	t = sites_of_program();
	CU_ASSERT_EQUAL(sh("cc -g -O2 -DX -Wl,--build-id -o prog here.c user.c main.c"), 0);
	CU_ASSERT_EQUAL_FATAL(sites_resolve(&t, &err), 0);
	CU_ASSERT_PTR_NULL(t.sites[0].file);
	CU_ASSERT_PTR_NULL(t.sites[0].function);
	CU_ASSERT_EQUAL(t.sites[0].rebuilt, 1);
	trace_release(&t);
}

/* These frames were called by those of the site. */
static void prepend(struct site *s, const char *frames)
{
	char *path;

	CU_ASSERT_FATAL(asprintf(&path, "%s;%s", frames, s->path) > 0);
	free(s->path);
	s->path = path;
}

static void test_sites_first_known_frame_of_a_path(void)
{
	struct trace t;
	char *first;

	CU_ASSERT_EQUAL(sh("cc -g -O1 -Wl,--build-id -o prog here.c user.c main.c"), 0);
	t = sites_of_program();
	first = t.sites[0].path;
	t.sites[0].path = strdup(t.sites[1].path);
	prepend(&t.sites[0], first);
	prepend(&t.sites[0], "/usr/lib/libmpi.so.40:00+0x10;/gone/lib.so:aabb+0x10");
	free(first);
	check_lines(&t);
	CU_ASSERT_EQUAL_FATAL(sites_name(&t, &err), 0);
	CU_ASSERT(is_called_by(&t.sites[0], "inner user.c:2;exchange;"));
	CU_ASSERT(is_called_by(&t.sites[1], "exchange;"));
	trace_release(&t);
}

/*
 * A function without a line says where an unknown frame of its own object is, and nothing of one of
 * another: that may be called by whatever calls others' functions.
 */
static void test_sites_are_not_named_after_other_objects(void)
{
	struct trace t;
	char *own;

	CU_ASSERT_EQUAL(sh("cc -O1 -Wl,--build-id -o prog here.c user.c main.c"), 0);
	t = sites_of_program();
	own = strdup(t.sites[1].path);
	strcpy(own + strcspn(own, "+"), "+1");
	prepend(&t.sites[0], "/gone/lib.so:aabb+0x10");
	prepend(&t.sites[1], own);
	CU_ASSERT_EQUAL_FATAL(sites_name(&t, &err), 0);
	CU_ASSERT_PTR_NULL(t.sites[0].function);
	CU_ASSERT_EQUAL(t.sites[0].frame, 0);
	CU_ASSERT(is_called_by(&t.sites[0], "exchange;"));
	CU_ASSERT_STRING_EQUAL(base(t.sites[1].function), "exchange");
	free(own);
	trace_release(&t);
}

/* A tool's own MPI_Send() is not where the program sends; alone it is better than nothing. */
static void test_sites_are_not_in_other_tools(void)
{
	struct region regions[] = {{.name = "MPI_Barrier"}, {.name = "MPI_Isend"}};
	struct trace t;
	char *path;

	CU_ASSERT_EQUAL(
		sh("printf 'void here(void);\\nvoid exchange(void);\\n"
		   "void mpi_isend_(void); void MPI_Isend_all(void);\\n"
		   "void mpi_isend_(void) { here(); __asm__(\"\"); }\\n"
		   "void MPI_Isend_all(void) { here(); __asm__(\"\"); }\\n"
		   "void exchange(void) { mpi_isend_(); MPI_Isend_all(); __asm__(\"\"); }\\n'"
		   "> tool.c"),
		0);
	CU_ASSERT_EQUAL(sh("cc -g -O1 -fno-inline -Wl,--build-id -o prog here.c tool.c main.c"), 0);
	t = sites_of_program();
	t.regions = regions;
	t.n_regions = 2;
	CU_ASSERT(asprintf(&path, "%s;/gone/lib.so:aabb+0x10;%s", t.sites[0].path,
			   t.sites[1].path) > 0);
	free(t.sites[1].path);
	t.sites[1].path = path;
	CU_ASSERT_EQUAL_FATAL(sites_resolve(&t, &err), 0);
	CU_ASSERT_STRING_EQUAL(base(t.sites[0].function), "mpi_isend_");
	CU_ASSERT_EQUAL(t.sites[0].frame, 0);
	CU_ASSERT_STRING_EQUAL(base(t.sites[1].function), "MPI_Isend_all");
	CU_ASSERT_EQUAL(t.sites[1].line, 5);
	CU_ASSERT_STRING_EQUAL(t.sites[1].path + t.sites[1].frame,
			       strrchr(t.sites[1].path, ';') + 1);
	t.regions = NULL;
	t.n_regions = 0;
	trace_release(&t);
}

/* A coarray's library is not where the program communicates, whatever calls what in there. */
static void test_sites_are_not_in_the_coarrays_library(void)
{
	struct trace t;
	char *second;

	CU_ASSERT_EQUAL(
		sh("printf 'void here(void);\\nvoid exchange(void);\\n"
		   "void _gfortran_caf_send(void) { here(); __asm__(\"\"); }\\n"
		   "void ring(void) { here(); __asm__(\"\"); }\\n"
		   "void exchange(void) { _gfortran_caf_send(); ring(); __asm__(\"\"); }\\n'"
		   "> caf.c"),
		0);
	CU_ASSERT_EQUAL(sh("cc -g -O1 -fno-inline -Wl,--build-id -o prog here.c caf.c main.c"), 0);
	t = sites_of_program();
	second = strdup(t.sites[1].path);
	prepend(&t.sites[1], t.sites[0].path);
	prepend(&t.sites[1], second);
	free(second);
	CU_ASSERT_EQUAL_FATAL(sites_resolve(&t, &err), 0);
	CU_ASSERT_STRING_EQUAL(base(t.sites[0].function), "_gfortran_caf_send");
	CU_ASSERT_STRING_EQUAL(base(t.sites[1].function), "ring");
	CU_ASSERT_STRING_EQUAL(t.sites[1].path + t.sites[1].frame,
			       strrchr(t.sites[1].path, ';') + 1);
	trace_release(&t);
}

/* Functions that are inlined have callers all the same, and what starts main() is none. */
static void test_sites_callers_of_inlined_functions_end_with_main(void)
{
	static const char path_format[] = "%s;/gone/crt1.o:aabb+0x10;%s";
	char *path[2];
	struct trace t;

	CU_ASSERT_EQUAL(sh("printf 'void here(void);\\n"
			   "static inline __attribute__((always_inline)) void deep(void)"
			   " { here(); __asm__(\"\"); }\\n"
			   "static inline __attribute__((always_inline)) void high(void)"
			   " { deep(); __asm__(\"\"); }\\n"
			   "int main(void) { high(); here(); __asm__(\"\"); return 0; }\\n'"
			   "> flat.c"),
			0);
	CU_ASSERT_EQUAL(sh("cc -g -O2 -Wl,--build-id -o prog here.c flat.c"), 0);
	t = sites_of_program();
	for (int i = 0; i < 2; i++)
		CU_ASSERT(asprintf(&path[i], path_format, t.sites[i].path, t.sites[0].path) > 0);
	for (int i = 0; i < 2; i++) {
		free(t.sites[i].path);
		t.sites[i].path = path[i];
	}
	CU_ASSERT_EQUAL_FATAL(sites_name(&t, &err), 0);
	CU_ASSERT_STRING_EQUAL(t.sites[0].function, "deep");
	CU_ASSERT(is_called_by(&t.sites[0], "high;main;"));
	CU_ASSERT_STRING_EQUAL(t.sites[1].function, "main");
	CU_ASSERT(is_called_by(&t.sites[1], ""));
	trace_release(&t);
}

static void test_sites_that_are_not_well_formed(void)
{
	static const char *const texts[] = {
		"",
		";;;",
		"nothing",
		"/a:b+0x",
		"/a+0x10",
		"+0x10",
		":",
		"/tmp:-+0x10",
		"/a:-+0xzz",
		"/dev/zero:-+0x10",
		"/a:-+0xffffffffffffffffff",
	};
	struct trace t = {.anchor = strdup("test")};
	size_t n = sizeof(texts) / sizeof(texts[0]), i;

	t.n_sites = (uint32_t)n;
	t.sites = calloc(n, sizeof(*t.sites));
	for (i = 0; i < n; i++)
		t.sites[i].path = strdup(texts[i]);
	CU_ASSERT_EQUAL(sites_resolve(&t, &err), 0);
	for (i = 0; i < n; i++) {
		CU_ASSERT_PTR_NULL(t.sites[i].file);
		CU_ASSERT_PTR_NULL(t.sites[i].function);
	}
	CU_ASSERT_EQUAL(sites_name(&t, &err), 0);
	trace_release(&t);
}

static int make_dir(void)
{
	in_scratch_begin();
	scratch_store(scratch_path(dir, "here.c"), here_source, strlen(here_source));
	scratch_store(scratch_path(dir, "user.c"), user_source, strlen(user_source));
	scratch_store(scratch_path(dir, "main.c"), main_source, strlen(main_source));
	return 0;
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_sites_of_pie),
	SUITE_CASE(test_sites_of_fixed_address_program),
	SUITE_CASE(test_sites_of_program_without_build_id),
	SUITE_CASE(test_sites_of_program_without_address_table),
	SUITE_CASE(test_sites_of_shared_library),
	SUITE_CASE(test_sites_without_debug_information_have_a_function),
	SUITE_CASE(test_sites_of_another_build_stay_unknown),
	SUITE_CASE(test_sites_first_known_frame_of_a_path),
	SUITE_CASE(test_sites_are_not_named_after_other_objects),
	SUITE_CASE(test_sites_are_not_in_other_tools),
	SUITE_CASE(test_sites_are_not_in_the_coarrays_library),
	SUITE_CASE(test_sites_callers_of_inlined_functions_end_with_main),
	SUITE_CASE(test_sites_that_are_not_well_formed),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run_between("sites", make_dir, in_scratch_end, tests);
}
