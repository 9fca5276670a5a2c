/* SPDX-License-Identifier: MIT */
/* The parameters of a call → the command line that they stand for. */
#pragma once

#include "core/text/json_read.h"
#include "core/vec.h"
#include "service/method.h"

struct words {
	PQ_VEC(char *); /* up to NULL, which is not counted; owned by the arena, as the array */
};

/* False: *ret_parameter is the name of a parameter that is not known, missing or of a wrong type.
 */
bool words_read(struct pq_arena *arena, const struct method *method,
		const struct pq_json_value *parameters, struct words *ret,
		struct pmuq_str *ret_parameter);

/* The name of an option as a parameter: "as-written" is "as_written". */
struct pmuq_str words_option_name(struct pq_arena *arena, enum option option);
