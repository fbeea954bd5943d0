/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of `contend model`: the list, a model's help, its answer, a sweep. */
#ifndef CMD_MODEL_PRINT_H
#define CMD_MODEL_PRINT_H

#include "cmd/model/model_results.h"
#include "common/number.h"
#include "report/style.h"

enum model_detail { DETAIL_RESULTS, DETAIL_STEPS };

/* All to standard output. Each returns 0, or -1 with *err set. */
int model_print_list(const struct style *s, struct err *err);
int model_print_help(const struct model *m, const struct style *s, struct err *err);
int model_print_answer(const struct model_args *in, const struct model_results *r,
		       enum model_detail detail, const struct style *s, struct err *err);
int model_print_json(const struct model_args *in, const struct model_results *r,
		     enum model_detail detail, struct err *err);

/* The line above a model's text, and an empty one. */
void model_print_title(const struct model *m, const struct style *s);

/* "%.6g" of a JSON number, "-" for anything else. */
struct number model_print_number(const json_t *number);

#endif
