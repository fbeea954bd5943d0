/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/model/model.h"

#include <assert.h>
#include <strings.h>

static const struct model models[] = {
#define MODEL(id, name, title, source) {name, title, source, &model_##id},
#include "cmd/model/models.def"
#undef MODEL
};

size_t model_count(void)
{
	return sizeof(models) / sizeof(models[0]);
}

const struct model *model_at(size_t i)
{
	assert(i < model_count());
	return &models[i];
}

const struct model *model_find(const char *name)
{
	for (size_t i = 0; i < model_count(); i++)
		if (!strcasecmp(models[i].name, name))
			return &models[i];
	return NULL;
}
