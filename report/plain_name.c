/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plain_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define OPERATOR "operator"

static int is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* How long an operator's name is that begins at at, as that of "operator<<"; 0: none does. */
static size_t operator_length(const char *name, const char *at)
{
	size_t n = strlen(OPERATOR);

	if (strncmp(at, OPERATOR, n) != 0 || is_of_word(at[n]) || (at > name && is_of_word(at[-1])))
		return 0;
	if (at[n] == ' ') /* a conversion, new or delete: to the end */
		return strlen(at);
	if (!strncmp(at + n, "()", 2))
		return n + 2;
	return n + strspn(at + n, "<>=-+*/%^&|~!,[]");
}

/* The name without template arguments and a type before it. Returns its length; 0: it is none. */
static size_t leave_out(const char *name, size_t size, char buffer[size])
{
	int angles = 0, rounds = 0, is_after_round = 0;
	size_t n = 0;

	for (const char *at = name; *at; at++) {
		size_t whole = angles ? 0 : operator_length(name, at);

		if (whole) {
			n += (size_t)snprintf(buffer + n, size - n, "%.*s", (int)whole, at);
			if (n >= size)
				return 0;
			at += whole - 1;
			continue;
		}
		angles += *at == '<';
		rounds += !angles && *at == '(';
		if (!angles && !rounds && !is_after_round && *at == ' ')
			n = at[1] == '<' ? n : 0; /* operator< <int> */
		else if (!angles && n + 1 < size)
			buffer[n++] = *at;
		rounds -= !angles && *at == ')';
		is_after_round |= !angles && *at == ')' && strncmp(at, ")::", 3) != 0;
		angles -= angles && *at == '>' && at[-1] != '-';
	}
	buffer[n] = '\0';
	return angles ? 0 : n;
}

const char *plain_name(const char *function, size_t size, char buffer[size])
{
	if (!leave_out(function, size, buffer) || !strncmp(buffer, "::", 2))
		snprintf(buffer, size, "%s", function);
	return buffer;
}
