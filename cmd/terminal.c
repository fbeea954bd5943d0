/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/terminal.h"

#include "common/options.h"
#include "report/layout.h"

#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TOP_MAX 1000000

enum when { WHEN_ALWAYS, WHEN_NEVER, WHEN_AUTO };

static int use_colours(enum colours *out, struct err *err)
{
	static const char *const words[] = {"always", "never", "auto"};
	size_t when = WHEN_AUTO;
	int on;

	if (option_word(OPTION_COLOUR, 3, words, &when, err))
		return -1;
	on = when == WHEN_ALWAYS ||
	     (when == WHEN_AUTO && isatty(STDOUT_FILENO) && !option_outside("NO_COLOR") &&
	      option_job_rank() < 0); /* a launcher's terminal may end in a file */
	*out = on ? COLOURS_ON : COLOURS_OFF;
	return 0;
}

static long width_of(int terminal)
{
	struct winsize size;

	if (ioctl(terminal, TIOCGWINSZ, &size) || !size.ws_col)
		return 80;
	if (size.ws_col < STYLE_WIDTH_MIN)
		return STYLE_WIDTH_MIN;
	return size.ws_col < STYLE_WIDTH_MAX ? size.ws_col : STYLE_WIDTH_MAX;
}

int terminal_style(struct style *out, struct err *err)
{
	struct style style = {.charset = CHARSET_ASCII};
	long width = width_of(STDOUT_FILENO);
	long top = 0;

	if (use_colours(&style.colours, err) ||
	    option_number(OPTION_WIDTH, STYLE_WIDTH_MIN, STYLE_WIDTH_MAX, &width, err) ||
	    option_number(OPTION_TOP, 1, TOP_MAX, &top, err))
		return -1;
	if (!strcmp(nl_langinfo(CODESET), "UTF-8"))
		style.charset = CHARSET_UTF8;
	style.width = (unsigned)width;
	style.top = (unsigned)top;
	*out = style;
	return 0;
}

int terminal_json(const json_t *document, const char *what, struct err *err)
{
	if (json_dumpf(document, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15)))
		return err_set(err, "cannot write the %s", what);
	putchar('\n');
	return 0;
}

int terminal_page_check(const char *verb, struct err *err)
{
	if (!option_is_on(OPTION_HTML))
		return 0;
	if (option_is_on(OPTION_JSON))
		return err_set(err, "--html and --json: standard output has room for one");
	if (isatty(STDOUT_FILENO))
		return err_set(err,
			       "--html prints a page for a browser: contend %s --html RUN "
			       ">%s.html",
			       verb, verb);
	return 0;
}

void terminal_error(const char *text)
{
	static const char label[] = "contend: error:";
	const struct style style = {.width = (unsigned)width_of(STDERR_FILENO)};
	struct layout l = {.out = stderr, .style = &style};

	if (!isatty(STDERR_FILENO)) {
		fprintf(stderr, "%s %s\n", label, text);
		return;
	}
	layout_begin(&l, label, sizeof(label));
	layout_words(&l, text);
	layout_end(&l);
}
