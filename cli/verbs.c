/* SPDX-License-Identifier: MIT */
#include "cli/verbs.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include <string.h>

struct verb_list {
	const struct verb *v;
	size_t n;
};

static const char *next_verb(const void *of, size_t index)
{
	const struct verb_list *list = of;

	return index < list->n ? list->v[index].name : NULL;
}

static bool takes(const struct verb *verb, enum option option)
{
	for (size_t i = 0; i < COUNT(verb->own); i++)
		if (verb->own[i] == option)
			return true;
	return false;
}

/* The name of an option that is another verb's, or NULL. */
static const char *foreign_option(const struct verb_list *list, const struct verb *verb,
				  const struct options *options)
{
	if (options->output.form != DOCUMENT_NONE && !verb->prints)
		return "json";
	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < COUNT(list->v[i].own); k++) {
			enum option own = list->v[i].own[k];

			if (own != OPTION_END && option_is_set(options, own) && !takes(verb, own))
				return option_row(own)->name;
		}
	return NULL;
}

static enum status refuse(const struct verb_list *list, const struct options *options)
{
	const char *command = options->command->name, *name = options->operands[0];
	const char *near = nearest(name, next_verb, list);
	cleanup(pq_buf_free) struct pq_buf names = PQ_BUF_NULL;

	if (near)
		return usage_error("there is no `%s %s`; did you mean '%s'?", command, name, near);
	for (size_t i = 0; i < list->n; i++)
		pq_buf_print(&names, "%s%s",
			     !i		       ? ""
			     : i + 1 < list->n ? ", "
					       : " and ",
			     list->v[i].name);
	return usage_error("there is no `%s %s`, only %s", command, name, text_or_die(&names));
}

enum status verbs_run(const struct verb *verbs, size_t n, const struct options *options)
{
	const struct verb_list list = { .v = verbs, .n = n };

	for (size_t i = 0; i < n; i++) {
		const char *option;

		if (strcmp(verbs[i].name, options->operands[0]) != 0)
			continue;
		option = foreign_option(&list, &verbs[i], options);
		return option ? usage_error("%s %s takes no --%s", options->command->name,
					    verbs[i].name, option)
			      : verbs[i].run(options);
	}
	return refuse(&list, options);
}
