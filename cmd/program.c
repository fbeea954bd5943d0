/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/program.h"

#include "common/options.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

static int is_there(const char *path)
{
	return !access(path, F_OK);
}

/* As execvp(): names with a slash are paths, others are looked for along PATH. */
static enum program_kind look_up(const char *name, size_t size, char path[size])
{
	const char *dirs = option_outside("PATH");
	enum program_kind kind = PROGRAM_NOT_FOUND;

	snprintf(path, size, "%s", name);
	if (strchr(name, '/') || !*name)
		return is_program(name) ? PROGRAM_FINE
		       : is_there(name) ? PROGRAM_NOT_EXECUTABLE
					: PROGRAM_NOT_FOUND;
	for (dirs = dirs ? dirs : "/bin:/usr/bin"; dirs; dirs = strchr(dirs, ':')) {
		int n;

		dirs += *dirs == ':';
		n = (int)strcspn(dirs, ":");
		snprintf(path, size, "%.*s%s%s", n, dirs, n ? "/" : "./", name);
		if (is_program(path))
			return PROGRAM_FINE;
		if (is_there(path))
			kind = PROGRAM_NOT_EXECUTABLE;
	}
	snprintf(path, size, "%s", name);
	return kind;
}

/* Has an executable a dynamic loader? file is at its start. */
static enum program_kind inspect_elf(FILE *file)
{
	ElfW(Ehdr) own;
	ElfW(Ehdr) head;
	ElfW(Phdr) segment;
	FILE *self;
	int i;

	if (fread(&head, sizeof(head), 1, file) != 1 || memcmp(head.e_ident, ELFMAG, SELFMAG))
		return PROGRAM_FINE;
	self = fopen("/proc/self/exe", "rb");
	if (self && fread(&own, sizeof(own), 1, self) == 1 &&
	    (own.e_ident[EI_CLASS] != head.e_ident[EI_CLASS] || own.e_machine != head.e_machine)) {
		fclose(self);
		return PROGRAM_OTHER_MACHINE;
	}
	if (self)
		fclose(self);
	for (i = 0; i < head.e_phnum; i++) {
		if (fseek(file, (long)(head.e_phoff + (size_t)i * head.e_phentsize), SEEK_SET) ||
		    fread(&segment, sizeof(segment), 1, file) != 1)
			return PROGRAM_FINE;
		if (segment.p_type == PT_INTERP)
			return PROGRAM_FINE;
	}
	return PROGRAM_STATIC;
}

enum program_kind program_inspect(const char *name, size_t size, char path[size])
{
	enum program_kind kind = look_up(name, size, path);
	struct stat st;
	FILE *file;

	if (kind != PROGRAM_FINE || stat(path, &st))
		return kind;
	if ((st.st_mode & S_ISUID && st.st_uid != getuid()) ||
	    (st.st_mode & S_ISGID && st.st_gid != getgid()))
		return PROGRAM_SETUID;
	file = fopen(path, "rb");
	if (!file)
		return PROGRAM_FINE;
	kind = inspect_elf(file);
	fclose(file);
	return kind;
}
