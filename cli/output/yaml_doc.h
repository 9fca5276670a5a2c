/* SPDX-License-Identifier: MIT */
/*
 * The back end of doc.h that writes YAML: one document. The only part of the command that knows
 * libyaml, which is loaded when the first document is begun. A string that any reader of YAML 1.1
 * or 1.2 could take for something else is quoted.
 */
#ifndef PQ_CLI_YAML_DOC_H
#define PQ_CLI_YAML_DOC_H

#include "cli/output/doc.h"
#include <stdio.h>

struct yaml;

/* NULL when the library is missing or memory is out, which it reports. */
struct yaml *yaml_new(FILE *to);
struct doc *yaml_doc(struct yaml *yaml);
/* Ends the document; false, and reported, when not all of it could be written. */
bool yaml_end(struct yaml *yaml);
void yaml_free(struct yaml *yaml);

/* "libyaml: 0.2.5", or that it is not there. Static. */
const char *yaml_library_info(void);

#endif
