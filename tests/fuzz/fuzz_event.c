/* SPDX-License-Identifier: MIT */
/*
 * An event string. The first byte selects: its three lowest bits the machine, the next one whether
 * warnings are errors; '0' to '7' are the machines without strictness. The rest is the string.
 */
#include "tests/fuzz/fuzz.h"

#define MACHINE_BITS 7
#define STRICT_BIT 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_encode_options options = { .size = sizeof(options) };
	struct pmuq_encodings *encodings;
	struct pmuq_error *error;
	auto_free char *event = NULL;

	if (!size)
		return -1;
	event = fuzz_cstr(data + 1, size - 1);
	options.is_strict = data[0] & STRICT_BIT;
	fuzz_encode(fuzz_machine_listed(data[0] & MACHINE_BITS), event, &options, &encodings,
		    &error);
	pmuq_encodings_free(encodings);
	pmuq_error_free(error);
	return 0;
}
