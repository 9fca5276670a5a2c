/* SPDX-License-Identifier: MIT */
/* What a reader of YAML 1.1 or 1.2 takes a bare text for. */
#pragma once

#include "core/str.h"

/*
 * Whether every reader takes the bare text for a string: it begins with a letter, as no number or
 * date does, contains no indicator of YAML, and is not a word such as `no` or `y`.
 */
bool pq_yaml_is_plain(struct pmuq_str s);
/* Whether a reader takes the bare text for a number, a boolean, a date or null. */
bool pq_yaml_is_typed(struct pmuq_str s);
