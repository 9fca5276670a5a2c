/* SPDX-License-Identifier: MIT */
/* The back end of doc.h that writes JSON, all on one line. It puts the commas. */
#ifndef PQ_CLI_JSON_H
#define PQ_CLI_JSON_H

#include "cli/output/doc.h"
#include <stdio.h>

struct json {
	struct doc doc;
	FILE *to;
	bool wants_comma;
};

void json_init(struct json *json, FILE *to);
/* The next value stands for itself: no comma before it. */
void json_begin(struct json *json);

#endif
