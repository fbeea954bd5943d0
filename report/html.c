/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/html.h"

void html_begin(FILE *out, const char *title, const char *whose, const char *style)
{
	fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>", out);
	html_text(out, title);
	html_text(out, whose);
	fputs("</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
	      "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:56em;"
	      "padding:0 1em;color:#222;background:#fff}\n"
	      "svg{width:100%}svg text{font-size:12px;fill:currentColor}\n"
	      ".key span{display:inline-block;margin-right:1.4em}.key svg{width:22px;height:8px}\n"
	      ".grid{stroke:#8884;fill:none}.interval{stroke-opacity:.45}h2{margin-top:1.6em}\n"
	      ".wide{overflow-x:auto}table{border-collapse:collapse}"
	      "td,th{padding:.15em .8em .15em 0;text-align:left;white-space:nowrap}"
	      ".words{white-space:normal}"
	      "tr+tr{border-top:1px solid #8884}\n"
	      "@media(max-width:640px){svg text{font-size:20px}}\n"
	      "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}}\n",
	      out);
	fputs(style, out);
	fputs("</style></head><body>\n<h1>", out);
	html_text(out, title);
	fputs("</h1>\n", out);
}

void html_end(FILE *out)
{
	fputs("</body></html>\n", out);
}

void html_text(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc((unsigned char)*text < ' ' && *text != '\n' ? '?' : *text, out);
		}
}
