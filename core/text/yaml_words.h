/* SPDX-License-Identifier: MIT */
/* How a reader of YAML 1.1 or 1.2 interprets a bare text. */
#pragma once

#include "core/str.h"

/*
 * Whether every reader interprets the bare text as a string: it begins with a letter, unlike
 * numbers and dates, contains no indicator of YAML, and is not a word such as `no` or `y`.
 */
bool pq_yaml_is_plain(struct pmuq_str s);
/* Whether a reader interprets the bare text as a number, a boolean, a date or null. */
bool pq_yaml_is_typed(struct pmuq_str s);
