/* SPDX-License-Identifier: MIT */
/* The functions of libyaml, which only yaml_lib.c loads. Their names here are without "yaml_". */
#pragma once

#include "core/error.h"
#include <yaml.h>

// clang-format off
#define PQ_YAML_FUNCTIONS(X) \
	X(document_end_event_initialize) \
	X(document_start_event_initialize) \
	X(emitter_delete) \
	X(emitter_emit) \
	X(emitter_initialize) \
	X(emitter_set_output) \
	X(emitter_set_unicode) \
	X(emitter_set_width) \
	X(event_delete) \
	X(get_version_string) \
	X(mapping_end_event_initialize) \
	X(mapping_start_event_initialize) \
	X(parser_delete) \
	X(parser_initialize) \
	X(parser_parse) \
	X(parser_set_encoding) \
	X(parser_set_input_string) \
	X(scalar_event_initialize) \
	X(sequence_end_event_initialize) \
	X(sequence_start_event_initialize) \
	X(stream_end_event_initialize) \
	X(stream_start_event_initialize)
// clang-format on

struct pq_yaml {
#define X(name) __typeof__(yaml_##name) *name;
	PQ_YAML_FUNCTIONS(X)
#undef X
};

/* 0, -PMUQ_E_NO_LIBRARY, -PMUQ_E_MEMORY. */
int pq_yaml_load(struct pq_yaml *ret, struct pmuq_error **reterr);
/* "0.2.5", which is static. */
int pq_yaml_version(const char **ret);
