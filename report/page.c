/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page.h"

#include "common/number.h"
#include "report/cost_words.h"
#include "report/html.h"
#include "report/pick.h"
#include "report/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The text at the page's end. */
#define TEXT_WIDTH 100
#define TEXT_ROWS  20

static const char style[] =
	"body{max-width:68em}h1{font-size:1.35em;overflow-wrap:anywhere}h3{margin:.2em 0 .5em}\n"
	".facts,.remark{color:#777}.facts span{margin-right:1.6em;white-space:nowrap}\n"
	".verdict{font-size:1.12em;margin:1.2em 0;padding:.7em 1em;border-left:4px solid #4c78a8;"
	"background:#4c78a814}.verdict p{margin:.3em 0}\n"
	"svg.time{height:140px;display:block}.axis{display:flex;justify-content:space-between;"
	"color:#777;margin:.2em 0}\n"
	"svg.whole{height:34px;border-radius:4px}.verdict p{white-space:pre-line}\n"
	"table.chart{width:100%}table.chart tr+tr{border-top:0}table.chart th{font-weight:normal}\n"
	"td.bar,th.bar{width:45%;min-width:9em}td.bar svg{height:16px;display:block}\n"
	".maps{display:grid;grid-template-columns:repeat(auto-fit,minmax(18em,1fr));gap:1.5em}"
	".maps svg text{font-size:26px}figure{margin:0}figcaption{text-align:center;color:#777}\n"
	"table.ranks td.bar{width:92%}.ranks td,.ranks th{padding:1px .8em 1px 0}"
	".many th{font-size:.7em;line-height:1.1}.many td.bar svg{height:10px}\n"
	".number{text-align:right}i{display:inline-block;width:.8em;height:.8em;"
	"border-radius:2px;margin-right:.5em}\n"
	".whisker{fill:currentColor;opacity:.65}.track{fill:#8882}.phase{fill:#4c78a8}\n"
	".saving{height:12px;border-radius:3px}.saving .most{fill:#e1575944}"
	".saving .likely{fill:#e1575999}.saving .least{fill:#e15759}\n"
	".hotspot{border:1px solid #8885;border-left:5px solid #9aa5b1;border-radius:5px;"
	"padding:.5em 1em;margin:1em 0}.hotspot.high{border-left-color:#e15759}"
	".hotspot.medium{border-left-color:#edc948}\n"
	".hotspot em{font-style:normal;font-size:.75em;text-transform:uppercase;"
	"letter-spacing:.06em;color:#777;margin:0 .3em}\n"
	"dl{display:grid;grid-template-columns:auto 1fr;gap:.2em 1em;margin:.5em 0 0}"
	"dt{color:#777}dd{margin:0}\n"
	"pre{overflow-x:auto;font-size:12.5px;line-height:1.35}summary{cursor:pointer;"
	"margin-top:2em}\n"
	"@media(prefers-color-scheme:dark){.facts,.remark,dt,.hotspot em{color:#999}}\n";

double page_length(double share)
{
	return share > 0.0 ? PAGE_WIDTH * fmin(share, 1.0) : 0.0;
}

static void put_fact(FILE *out, const char *text)
{
	fputs("<span>", out);
	html_text(out, text);
	fputs("</span>\n", out);
}

/* A number of things: "8 ranks". */
static void put_count(FILE *out, double n, const char *thing)
{
	char text[64];

	snprintf(text, sizeof(text), "%.0f %s%s", n, thing, n == 1.0 ? "" : "s");
	put_fact(out, text);
}

static void put_facts(FILE *out, const json_t *document)
{
	const char *ended = pick_text(document, "run.ended", "unknown");
	const char *mpi = pick_text(document, "run.mpi", "unknown");
	char text[120];

	fputs("<p class=\"facts\">", out);
	snprintf(text, sizeof(text), "contend %s", pick_text(document, "generator.version", "?"));
	put_fact(out, text);
	put_count(out, pick_number(document, "run.ranks", 0.0), "rank");
	put_count(out, pick_number(document, "run.nodes", 0.0), "node");
	put_fact(out, number_seconds(pick_number(document, "run.wall_s", 0.0)).text);
	if (strcmp(mpi, "unknown"))
		put_fact(out, mpi);
	if (pick_text(document, "run.recorded_at", NULL))
		put_fact(out, pick_text(document, "run.recorded_at", ""));
	if (strcmp(ended, "finalize") && strcmp(ended, "unknown"))
		put_fact(out, ended);
	cost_words(document, sizeof(text), text);
	if (*text)
		put_fact(out, text);
	if (pick_number(document, "run.nodes", 0.0) > 1.0) {
		snprintf(text, sizeof(text), "clock error %s",
			 number_seconds(pick_number(document, "quality.clock_error_s", 0.0)).text);
		put_fact(out, text);
	}
	snprintf(text, sizeof(text), "confidence: %s",
		 pick_text(document, "quality.confidence", "unknown"));
	put_fact(out, text);
	fputs("</p>\n", out);
}

/* Sentences; what follows a \n is an item of a list. */
static void put_verdict(FILE *out, const json_t *document)
{
	const json_t *sentence;
	size_t i;

	fputs("<div class=\"verdict\">\n", out);
	json_array_foreach(pick(document, "summary.verdict"), i, sentence) {
		fputs("<p>", out);
		html_text(out, json_is_string(sentence) ? json_string_value(sentence) : "?");
		fputs("</p>\n", out);
	}
	fputs("</div>\n", out);
}

static void put_conditions(FILE *out, const json_t *document)
{
	const json_t *sentence;
	size_t i;

	json_array_foreach(pick(document, "quality.conditions"), i, sentence) {
		fputs(i ? "<li>" : "<h2>Conditions</h2>\n<ul>\n<li>", out);
		html_text(out, json_is_string(sentence) ? json_string_value(sentence) : "?");
		fputs("</li>\n", out);
	}
	fputs(i ? "</ul>\n" : "", out);
}

/* All that the report says, tables without a chart among it. */
static int put_text(FILE *out, const json_t *document, struct err *err)
{
	const struct style plain = {TEXT_WIDTH, TEXT_ROWS, CHARSET_UTF8, COLOURS_OFF};
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int ret;

	if (!to)
		return err_set(err, "out of memory for the report");
	ret = text_report(document, &plain, to, err);
	if (fclose(to) && !ret)
		ret = err_set(err, "out of memory for the report");
	if (!ret) {
		fputs("<details><summary>The whole report as text</summary><pre>\n", out);
		html_text(out, text);
		fputs("</pre></details>\n", out);
	}
	free(text);
	return ret;
}

int page_report(const json_t *document, FILE *out, struct err *err)
{
	if (pick_check(document, err))
		return -1;
	html_begin(out, pick_text(document, "run.command", "a run"), " - contend report", style);
	put_facts(out, document);
	put_verdict(out, document);
	page_hotspots(out, document);
	page_predictions(out, document);
	page_budget(out, document);
	page_timeline(out, document);
	page_ranks(out, document);
	page_traffic(out, document);
	page_phases(out, document);
	page_sites(out, document);
	put_conditions(out, document);
	if (put_text(out, document, err))
		return -1;
	html_end(out);
	return 0;
}
