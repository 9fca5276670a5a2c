/* SPDX-License-Identifier: MIT */
/* Valid and invalid tars that a test makes byte by byte, without the library that reads them. */
#pragma once

#include "core/buf.h"
#include "tests/unit/tree.h"

#define TAR_BLOCK 512u

struct tar_entry {
	const char *name;
	char type; /* '0' file, '1' hard link, '2' symbolic link, '3' device, '5' directory, '6'
		      FIFO */
	const char *text; /* of a file; the target of a link */
	uint64_t size;	  /* in the header, if it differs from the text's */
	bool has_size;
};

static inline void tar_number(char *to, size_t digits, uint64_t value)
{
	for (size_t i = digits; i-- > 0; value >>= 3)
		to[i] = (char)('0' + (value & 7));
}

/* Names of up to 100 bytes, or 255 if they can be split at a slash. */
static inline void tar_name(char *header, const char *name)
{
	size_t n = strlen(name);
	const char *slash = n > 100 ? strchr(name + n - 101, '/') : NULL;

	assert_true(n <= 100 || slash);
	if (!slash) {
		memcpy(header, name, n);
		return;
	}
	memcpy(header, slash + 1, n - (size_t)(slash + 1 - name));
	memcpy(header + 345, name, (size_t)(slash - name));
}

static inline void tar_header(struct pq_buf *tar, const struct tar_entry *entry, uint64_t size)
{
	char header[TAR_BLOCK] = { 0 };
	unsigned sum = 0;

	tar_name(header, entry->name);
	tar_number(header + 100, 7, 0644);
	tar_number(header + 108, 7, 0);
	tar_number(header + 116, 7, 0);
	tar_number(header + 124, 11, size);
	tar_number(header + 136, 11, 0);
	memset(header + 148, ' ', 8);
	header[156] = entry->type;
	if (entry->type == '1' || entry->type == '2')
		memcpy(header + 157, entry->text, strlen(entry->text));
	memcpy(header + 257, "ustar\00000", 8);
	for (size_t i = 0; i < sizeof(header); i++)
		sum += (unsigned char)header[i];
	tar_number(header + 148, 6, sum);
	header[154] = '\0';
	pq_buf_add(tar, (struct pmuq_str){ .p = header, .n = sizeof(header) });
}

static inline void tar_add_bytes(struct pq_buf *tar, const struct tar_entry *entry,
				 struct pmuq_str text)
{
	bool is_file = entry->type == '0';
	size_t n = is_file ? text.n : 0;

	tar_header(tar, entry, entry->has_size ? entry->size : n);
	if (!n)
		return;
	pq_buf_add(tar, text);
	pq_buf_char(tar, '\0', (TAR_BLOCK - n % TAR_BLOCK) % TAR_BLOCK);
}

static inline void tar_add(struct pq_buf *tar, const struct tar_entry *entry)
{
	tar_add_bytes(tar, entry, str_of(entry->text ? entry->text : ""));
}

static inline void tar_end(struct pq_buf *tar)
{
	pq_buf_char(tar, '\0', 2 * TAR_BLOCK);
	assert_false(tar->failed);
}

/* The entry of one file of a tree; links and FIFOs are not followed. */
static inline void tar_add_path(struct pq_buf *tar, const char *path, const char *name)
{
	struct tar_entry entry = { .name = name, .type = '0' };
	char target[256] = "";
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	if (S_ISLNK(st.st_mode)) {
		entry.type = '2';
		entry.text = target;
		assert_true(readlink(path, target, sizeof(target) - 1) > 0);
	} else if (S_ISDIR(st.st_mode)) {
		entry.type = '5';
	} else if (!S_ISREG(st.st_mode)) {
		entry.type = '6';
	}
	if (entry.type == '0') {
		struct pq_buf text = PQ_BUF_NULL;
		char bytes[4096];
		FILE *file = fopen(path, "r");
		size_t n;

		assert_non_null(file);
		while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
			pq_buf_add(&text, (struct pmuq_str){ .p = bytes, .n = n });
		fclose(file);
		tar_add_bytes(tar, &entry, pq_buf_str(&text));
		pq_buf_free(&text);
	} else {
		tar_add(tar, &entry);
	}
}
