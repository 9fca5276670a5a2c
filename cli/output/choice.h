/* SPDX-License-Identifier: MIT */
/* The values of the options of the output. */
#pragma once

#include "cli/output/document.h"

struct output_choice {
	enum document_form form;
	const char *columns; /* of -o, or NULL */
	bool is_raw, has_no_headings, has_no_pager;
};
