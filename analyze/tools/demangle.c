/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/demangle.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *(*demangler)(const char *name, char *buffer, size_t *length, int *status);

static demangler find_demangler(void)
{
	void *runtime = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

	return runtime ? (demangler)dlsym(runtime, "__cxa_demangle") : NULL;
}

#define NAMELESS "(anonymous namespace)"

/* Cut the parameter list: the first '(' at the outermost level that is no part of a name. */
static void cut_parameters(char *name)
{
	char *open = NULL, *p;
	int depth = 0;

	for (p = name; *p; p++) {
		if (*p == '<')
			depth++;
		else if (*p == '>' && depth)
			depth--;
		else if (!strncmp(p, NAMELESS, strlen(NAMELESS)))
			p += strlen(NAMELESS) - 1;
		else if (*p == '(' && !depth && p > name && p[1] != ')')
			open = open ? open : p;
		else if (*p == '(' && !depth && p > name && p[1] == ')' &&
			 (p - name < 8 || strncmp(p - 8, "operator", 8)))
			open = open ? open : p;
	}
	if (open)
		*open = '\0';
}

/* gfortran's __MODULE_MOD_PROCEDURE, as C++ would write it. NULL: it is not such a name. */
static char *of_module(const char *name)
{
	const char *procedure = strncmp(name, "__", 2) ? NULL : strstr(name + 2, "_MOD_");
	char *text = NULL;

	if (!procedure || procedure == name + 2 || !procedure[strlen("_MOD_")])
		return NULL;
	if (asprintf(&text, "%.*s::%s", (int)(procedure - name - 2), name + 2,
		     procedure + strlen("_MOD_")) < 0)
		return NULL;
	return text;
}

char *demangle(const char *name)
{
	demangler work;
	char *text = of_module(name);
	int status;

	if (text)
		return text;
	if (strncmp(name, "_Z", 2))
		return strdup(name);
	work = find_demangler();
	if (work)
		text = work(name, NULL, NULL, &status);
	if (!text)
		return strdup(name);
	cut_parameters(text);
	return text;
}
