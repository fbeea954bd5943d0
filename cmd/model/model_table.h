/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table whose last column is prose that wraps, as `contend model` prints them. Want of
 * memory is remembered and said by model_table_print(), so that rows can be added without
 * looking. Life cycle: model_table_new(), any number of model_table_add(),
 * model_table_print(), model_table_free().
 */
#ifndef CMD_MODEL_TABLE_H
#define CMD_MODEL_TABLE_H

#include <stddef.h>

#include "common/err.h"
#include "report/columns.h"

struct model_table;

/* NULL when there is no memory. heads and style must live as long as the table. */
struct model_table *model_table_new(const struct style *style, size_t n,
				    const struct column heads[n]);
void model_table_free(struct model_table *t);

/* A row of as many cells as heads; copied. t may be NULL. */
void model_table_add(struct model_table *t, const char *const cells[]);

/* To standard output. Returns 0, or -1 with *err set. */
int model_table_print(const struct model_table *t, struct err *err);

#endif
