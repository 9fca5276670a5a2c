/* SPDX-License-Identifier: MIT */
/*
 * Blocks of memory that are freed together. Single allocations are never freed: if a caller grows
 * an array in an arena, the smaller copies stay in it (core/vec.h).
 *
 * With PQ_SEPARATE_BLOCKS each allocation is a malloc of its own: a sanitizer then detects a write
 * beyond it, and a test can let it fail.
 */
#include "core/arena.h"
#include "core/populate.h"
#include <sys/mman.h>

#define BLOCK_BYTES 4096u
#define BLOCK_MAX_BYTES (1u << 17)
/* Two huge pages: at least one is whole. */
#define HUGE_BYTES (1u << 22)
#define PAGE_BYTES ((uintptr_t)4096)

#ifdef PQ_SEPARATE_BLOCKS
#define HAS_SEPARATE_BLOCKS true
#else
#define HAS_SEPARATE_BLOCKS false
#endif

struct pq_arena_block {
	struct pq_arena_block *next;
	size_t total_bytes; /* with those before it */
	char mem[];	    /* aligned, as the members before it are */
};

void pq_arena_init(struct pq_arena *arena, void *first, size_t first_bytes, size_t cap_bytes)
{
	uintptr_t skew = -(uintptr_t)first & (PQ_ARENA_ALIGNMENT - 1);

	*arena = (struct pq_arena){ .left_bytes = cap_bytes };
	if (HAS_SEPARATE_BLOCKS && cap_bytes)
		return;
	if (first_bytes > skew) {
		arena->at = (char *)first + skew;
		arena->end = (char *)first + first_bytes;
	}
}

void pq_arena_clear(struct pq_arena *arena)
{
	struct pq_arena_block *block = arena->blocks, *next;

	for (; block; block = next) {
		next = block->next;
		free(block);
	}
	arena->blocks = NULL;
	arena->at = arena->end = NULL;
}

/* A sixteenth of what there is: a malloc costs little for each allocation, and the last block
 * leaves little unused. */
static size_t next_block_bytes(const struct pq_arena *arena, size_t need)
{
	size_t bytes = arena->blocks ? arena->blocks->total_bytes / 16 : 0;

	if (bytes < BLOCK_BYTES)
		bytes = BLOCK_BYTES;
	if (bytes > BLOCK_MAX_BYTES)
		bytes = BLOCK_MAX_BYTES;
	if (HAS_SEPARATE_BLOCKS)
		return need;
	return bytes < need ? need : bytes;
}

/* The list of 100,000 hosts is filled once. The first access to each small page of it costs more
 * than reading the rows. Where the kernel has no such pages, or larger small ones, nothing is
 * changed. */
static void prefer_huge_pages(struct pq_arena_block *block, size_t bytes)
{
	uintptr_t from = ((uintptr_t)block + PAGE_BYTES - 1) & -PAGE_BYTES;

	if (bytes >= HUGE_BYTES)
		(void)madvise((void *)from, bytes - PAGE_BYTES, MADV_HUGEPAGE);
}

void *pq_arena_slow(struct pq_arena *arena, size_t bytes)
{
	size_t need = (bytes + PQ_ARENA_ALIGNMENT - 1 + !bytes) & ~(PQ_ARENA_ALIGNMENT - 1);
	struct pq_arena_block *block;
	size_t size;

	if (need < bytes || need > arena->left_bytes)
		return NULL;
	size = next_block_bytes(arena, need);
	if (size > arena->left_bytes)
		size = need;
	block = malloc(sizeof(*block) + size);
	arena->is_refused |= !block;
	if (!block)
		return NULL;
	prefer_huge_pages(block, size);
	arena->left_bytes -= size;
	*block = (struct pq_arena_block){
		.next = arena->blocks,
		.total_bytes = size + (arena->blocks ? arena->blocks->total_bytes : 0),
	};
	arena->blocks = block;
	/* Something large has a block of its own, and the one before it goes on. */
	if (size > need || !arena->at) {
		arena->at = block->mem + need;
		arena->end = block->mem + size;
	}
	return block->mem;
}

void pq_arena_expect(struct pq_arena *arena, size_t bytes)
{
	char *p = NULL;

	if (!HAS_SEPARATE_BLOCKS && bytes >= PQ_POPULATE_MIN_BYTES)
		p = pq_arena_slow(arena, bytes);
	if (!p)
		return;
	pq_populate(p, bytes);
	arena->at = p;
	arena->end = p + bytes;
}

void *pq_arena_zero(struct pq_arena *arena, size_t bytes)
{
	void *p = pq_arena_take(arena, bytes);

	return p ? memset(p, 0, bytes) : NULL;
}

void *pq_arena_array(struct pq_arena *arena, size_t n, size_t each)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, each, &bytes))
		return NULL;
	return pq_arena_zero(arena, bytes);
}

/* Memory for n bytes and a NUL, which is already set. Texts are not aligned: they are taken from
 * the end of the block. */
static char *take_text(struct pq_arena *arena, size_t n)
{
	char *p;

	if (n < (size_t)(arena->end - arena->at))
		p = arena->end -= n + 1;
	else
		p = n == SIZE_MAX ? NULL : pq_arena_slow(arena, n + 1);
	if (p)
		p[n] = '\0';
	return p;
}

struct pmuq_str pq_arena_str(struct pq_arena *arena, struct pmuq_str s)
{
	char *p = take_text(arena, s.n);

	if (p && s.n)
		memcpy(p, s.p, s.n);
	return (struct pmuq_str){ .p = p, .n = p ? s.n : 0 };
}

bool pq_arena_keep(struct pq_arena *arena, struct pmuq_str *text)
{
	*text = pq_arena_str(arena, *text);
	return text->p != NULL;
}

struct pmuq_str pq_arena_lower(struct pq_arena *arena, struct pmuq_str s)
{
	char *p = take_text(arena, s.n);

	return p ? str_lower(s, p) : (struct pmuq_str){ 0 };
}
