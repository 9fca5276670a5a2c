/* SPDX-License-Identifier: MIT */
/* Reads numbers and strings of a range. Every length comes from the file, so it is compared with
 * the rest of the range before it is used. */
#include "perfdata/cursor.h"
#include <inttypes.h>

uint32_t pq_load32(const struct pq_input *input, const unsigned char *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return input->is_other_order ? __builtin_bswap32(value) : value;
}

uint64_t pq_load64(const struct pq_input *input, const unsigned char *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return input->is_other_order ? __builtin_bswap64(value) : value;
}

void pq_file_cursor_fail(struct pq_file_cursor *cursor, size_t back, const char *format, ...)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	va_list args;

	va_start(args, format);
	pq_buf_print_args(&text, format, args);
	va_end(args);
	pq_input_fail(cursor->input, PMUQ_E_BAD_RECORDING, cursor->offset + cursor->at - back,
		      "%s: %.*s", cursor->what, STR_ARG(pq_buf_str(&text)));
}

const unsigned char *pq_file_cursor_bytes(struct pq_file_cursor *cursor, uint64_t n,
					  const char *name)
{
	const unsigned char *bytes = cursor->bytes + cursor->at;

	if (cursor->input->r < 0)
		return NULL;
	if (n > cursor->n - cursor->at) {
		pq_file_cursor_fail(cursor, 0, "%s should take %" PRIu64 " bytes, but %zu are left",
				    name, n, cursor->n - cursor->at);
		return NULL;
	}
	cursor->at += n;
	return bytes;
}

uint32_t pq_file_cursor_u32(struct pq_file_cursor *cursor, const char *name)
{
	const unsigned char *bytes = pq_file_cursor_bytes(cursor, sizeof(uint32_t), name);

	return bytes ? pq_load32(cursor->input, bytes) : 0;
}

uint64_t pq_file_cursor_u64(struct pq_file_cursor *cursor, const char *name)
{
	const unsigned char *bytes = pq_file_cursor_bytes(cursor, sizeof(uint64_t), name);

	return bytes ? pq_load64(cursor->input, bytes) : 0;
}

struct pmuq_str pq_file_cursor_str(struct pq_file_cursor *cursor, const char *name)
{
	uint32_t n = pq_file_cursor_u32(cursor, name);
	const unsigned char *bytes = pq_file_cursor_bytes(cursor, n, name);
	const unsigned char *end = bytes && n ? memchr(bytes, 0, n) : bytes;

	if (bytes && !end)
		pq_file_cursor_fail(cursor, n, "%s of %" PRIu32 " bytes does not end within them",
				    name, n);
	if (!bytes || !end)
		return STR("");
	return (struct pmuq_str){ .p = (const char *)bytes, .n = (size_t)(end - bytes) };
}

uint32_t pq_file_cursor_count(struct pq_file_cursor *cursor, size_t each_bytes, const char *name)
{
	uint32_t n = pq_file_cursor_u32(cursor, name);

	if (cursor->input->r < 0 || n <= (cursor->n - cursor->at) / each_bytes)
		return n;
	pq_file_cursor_fail(cursor, sizeof(n),
			    "it should contain %" PRIu32 " %s, but only %zu bytes are left", n,
			    name, cursor->n - cursor->at);
	return 0;
}
