/* SPDX-License-Identifier: MIT */
/* What a preset sets for the callers of sampled code (call-graph=, max-stack=, stack-size=), and
 * for a trace next to the samples (aux-…). */
#include "core/flags.h"
#include "encode/attr/preset.h"

/* User code, the hardware's call stack, without flags and cycles, with the hardware's index. */
#define BRANCH_CALL_STACK                                                                          \
	(PQ_BRANCH_USER | PQ_BRANCH_CALL_STACK | PQ_BRANCH_NO_FLAGS | PQ_BRANCH_NO_CYCLES |        \
	 PQ_BRANCH_HW_INDEX)
#define DEFAULT_STACK_BYTES 8192u
/* The kernel takes less than 16 bits, and multiples of 8. */
#define STACK_BYTES_MAX 65528u

/* aux_action consists of bitfields in the kernel: their order depends on the byte order. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define AUX_ACTION(n) (UINT32_C(0x80000000) >> (n))
#else
#define AUX_ACTION(n) (UINT32_C(1) << (n))
#endif

/* All registers that unwinding by DWARF may need: asm/perf_regs.h of each architecture; without the
 * segment registers of x86-64, which the kernel does not sample. */
static uint64_t unwinding_registers(struct pmuq_str arch)
{
	static const struct {
		struct pmuq_str arch;
		uint64_t mask;
	} masks[] = {
		{ .arch = STR("x86_64"), .mask = 0xff0fff },
		{ .arch = STR("i686"), .mask = 0xfff },
		{ .arch = STR("aarch64"), .mask = 0x1ffffffff },
		{ .arch = STR("ppc64le"), .mask = 0x1fffffffffff },
		{ .arch = STR("ppc64"), .mask = 0x1fffffffffff },
		{ .arch = STR("riscv64"), .mask = 0xffffffff },
		{ .arch = STR("s390x"), .mask = 0x3ffffffff },
		{ .arch = STR("loongarch64"), .mask = 0x1ffffffff },
	};

	for (size_t i = 0; i < COUNT(masks); i++)
		if (str_eq(masks[i].arch, arch))
			return masks[i].mask;
	return 0;
}

/* perf reads 32 bits, 0 is its default, and it rounds up. */
static uint64_t stack_bytes(struct pq_preset *p, const struct pq_tool_term *size)
{
	uint64_t bytes = pq_preset_number_of(size, 0);

	if (bytes > STACK_BYTES_MAX && !pq_is_perf(p->e) && p->r == 0)
		p->r = pq_fail_at(p->e, size->at, PMUQ_E_BAD_VALUE,
				  "'stack-size' takes at most %u bytes", STACK_BYTES_MAX);
	bytes &= UINT32_MAX;
	return bytes ? (bytes + 7) / 8 * 8 & UINT32_MAX : DEFAULT_STACK_BYTES;
}

/* The tool unwinds user code itself, from a copy of the stack and the registers; the kernel only
 * collects the callers in the kernel. */
static void unwind_by_dwarf(struct pq_preset *p, struct pq_encoding *encoding,
			    const struct pq_tool_term *by)
{
	const struct pq_tool_term *size = pq_preset_find(encoding, PQ_TERM_STACK_SIZE);
	uint64_t stack = stack_bytes(p, size);

	pq_preset_add(p, encoding, PQ_FIELD_sample_type,
		      PQ_SAMPLE_CALLCHAIN | PQ_SAMPLE_ADDR | PQ_SAMPLE_REGS_USER |
			      PQ_SAMPLE_STACK_USER | PQ_SAMPLE_DATA_SRC,
		      by);
	pq_preset_set(p, encoding, PQ_FIELD_sample_regs_user, unwinding_registers(p->arch), by);
	pq_preset_set(p, encoding, PQ_FIELD_sample_stack_user, stack, size ? size : by);
	pq_preset_set(p, encoding, PQ_FIELD_mmap_data, encoding == p->tracker, by);
	pq_preset_set(p, encoding, PQ_FIELD_exclude_callchain_user, 1, by);
}

static void fail_word(struct pq_preset *p, const struct pq_tool_term *term, const char *words)
{
	if (p->r < 0)
		return;
	p->r = pq_fail_at(p->e, term->at, PMUQ_E_BAD_VALUE, "'%s' is not a value of '%s'",
			  term->record.text.p, term->record.name.p);
	pq_error_hint(p->e->reterr, "values: %s", words);
}

/* max-stack= alone means a call graph by frame pointers, unless it is 0. */
void pq_preset_set_call_graph(struct pq_preset *p, struct pq_encoding *encoding)
{
	const struct pq_tool_term *graph = pq_preset_find(encoding, PQ_TERM_CALL_GRAPH);
	const struct pq_tool_term *depth = pq_preset_find(encoding, PQ_TERM_MAX_STACK);

	if (graph ? strcmp(graph->record.text.p, "no") == 0 : !pq_preset_number_of(depth, 0))
		return;
	pq_preset_set(p, encoding, PQ_FIELD_sample_max_stack,
		      (uint16_t)pq_preset_number_of(depth, 0), depth);
	if (graph && strcmp(graph->record.text.p, "dwarf") == 0) {
		unwind_by_dwarf(p, encoding, graph);
		return;
	}
	pq_preset_add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_CALLCHAIN,
		      graph ? graph : depth);
	if (!graph || strcmp(graph->record.text.p, "fp") == 0)
		return;
	if (strcmp(graph->record.text.p, "lbr") != 0)
		fail_word(p, graph, "fp, dwarf, lbr, no");
	else
		pq_preset_set(p, encoding, PQ_FIELD_branch_sample_type, BRANCH_CALL_STACK, graph);
}

/* Sampling of an AUX area trace, next to the event's own samples. */
void pq_preset_set_aux(struct pq_preset *p, struct pq_encoding *encoding)
{
	static const struct {
		const char *name;
		uint32_t bit;
	} actions[] = {
		{ .name = "start-paused", .bit = AUX_ACTION(0) },
		{ .name = "pause", .bit = AUX_ACTION(1) },
		{ .name = "resume", .bit = AUX_ACTION(2) },
	};
	const struct pq_tool_term *output = pq_preset_find(encoding, PQ_TERM_AUX_OUTPUT);
	const struct pq_tool_term *size = pq_preset_find(encoding, PQ_TERM_AUX_SAMPLE_SIZE);
	const struct pq_tool_term *action = pq_preset_find(encoding, PQ_TERM_AUX_ACTION);
	uint32_t bytes = (uint32_t)pq_preset_number_of(size, 0);

	pq_preset_set(p, encoding, PQ_FIELD_aux_output, pq_preset_number_of(output, 0) != 0,
		      output);
	pq_preset_set(p, encoding, PQ_FIELD_aux_sample_size, bytes, size);
	if (bytes)
		pq_preset_add(p, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_AUX, size);
	for (size_t i = 0; action && i < COUNT(actions); i++)
		if (strcmp(actions[i].name, action->record.text.p) == 0) {
			pq_preset_add(p, encoding, PQ_FIELD_aux_action, actions[i].bit, action);
			return;
		}
	if (action)
		fail_word(p, action, "start-paused, pause, resume");
}
