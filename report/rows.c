/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/rows.h"

#include <stdio.h>

#include "report/pick.h"
#include "report/plain_name.h"
#include "report/style.h"
#include "report/text.h"

#define WORTH_SHARE 0.005 /* of rank time */

void cell_number(struct columns *c, struct number as(double), const json_t *row, const char *key)
{
	columns_put(c, INK_PLAIN, as(pick_number(row, key, 0.0)).text);
}

struct number seconds_or_dash(double s)
{
	return s == 0.0 ? (struct number){"-"} : number_seconds(s);
}

void cell_text(struct columns *c, const json_t *row, const char *key)
{
	columns_put(c, INK_PLAIN, pick_text(row, key, "?"));
}

void cell_place(struct columns *c, const json_t *callsite)
{
	const char *function = pick_text(callsite, "function", NULL);
	json_t *plain = json_copy((json_t *)callsite);
	char place[400], name[400];

	if (function)
		json_object_set_new(plain, "function",
				    json_string(plain_name(function, sizeof(name), name)));
	columns_put(c, INK_PLAIN, text_place(plain, sizeof(place), place));
	json_decref(plain);
}

size_t rows_worth(const json_t *list, unsigned top)
{
	size_t n = 0;

	while (n < json_array_size(list) && n < top &&
	       (top > STYLE_TOP ||
		pick_number(json_array_get(list, n), "share", 0.0) >= WORTH_SHARE))
		n++;
	return n;
}

static void put_heading(struct layout *l, const struct rows *t, size_t n, size_t all)
{
	char remark[100] = "";

	if (!t->heading)
		return;
	if (!t->remark && n < all)
		snprintf(remark, sizeof(remark), "%zu of %zu; --top=%zu shows all", n, all, all);
	layout_heading(l, t->heading, t->remark ? t->remark : remark);
}

int rows_print(struct layout *l, const struct rows *t, const json_t *list, size_t n,
	       struct err *err)
{
	struct columns *c;
	int ret;

	if (!n)
		return 0;
	c = columns_new(l->style, t->n_columns, t->columns);
	if (!c)
		return err_set(err, "out of memory for a table of %zu rows", n);
	for (size_t i = 0; i < n; i++)
		t->put(c, json_array_get(list, i));
	put_heading(l, t, n, json_array_size(list));
	ret = columns_print(c, l->out, err);
	columns_free(c);
	return ret;
}

int rows_print_top(struct layout *l, const struct rows *t, const json_t *list, struct err *err)
{
	size_t all = json_array_size(list);

	return rows_print(l, t, list, all < l->style->top ? all : l->style->top, err);
}
