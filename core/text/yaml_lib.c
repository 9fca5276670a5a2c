/* SPDX-License-Identifier: MIT */
/* Loads libyaml at first use, for the writer (sink_yaml.c) and for document/, which reads YAML. */
#include "core/text/yaml_lib.h"
#include "core/library.h"

static const char *const names[] = { PQ_YAML_FUNCTIONS(PQ_LIBRARY_NAME) };

static const struct pq_library library = {
	.file = "libyaml-0.so.2",
	.need = "YAML needs libyaml",
	.hint = "install the package libyaml-0-2 (Debian's name); JSON needs no library",
	.prefix = "yaml_",
	.names = names,
	.n = COUNT(names),
};

int pq_yaml_load(struct pq_yaml *ret, struct pmuq_error **reterr)
{
	return pq_library_load(&library, ret, sizeof(*ret), reterr);
}

int pq_yaml_version(const char **ret)
{
	struct pq_yaml lib;
	int r = pq_yaml_load(&lib, NULL);

	if (r == 0)
		*ret = lib.get_version_string();
	return r;
}
