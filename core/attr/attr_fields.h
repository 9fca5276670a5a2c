/* SPDX-License-Identifier: MIT */
/*
 * THE table of the attr's fields: X(name, format, number of bytes of the smallest attr with this
 * field), or FLAG(…) with the same arguments for the flags, whose word has 64 bits. All code that
 * prints, reads, compares or sizes an attr uses this list.
 *
 * The index of a row is its number in enum pmuq_attr_field, which never changes. The rows are in
 * the order of the layout, but a field that a kernel adds after 0.1 is the last row.
 */
#pragma once

// clang-format off
#define PQ_ATTR_FIELDS(X, FLAG) \
	X(type,                        NUMBER,   4) \
	X(size,                        NUMBER,   8) \
	X(config,                      WORD,    16) \
	X(sample_period,               WORD,    24) \
	X(sample_type,                 WORD,    32) \
	X(read_format,                 WORD,    40) \
	FLAG(disabled,                 NUMBER,  48) \
	FLAG(inherit,                  NUMBER,  48) \
	FLAG(pinned,                   NUMBER,  48) \
	FLAG(exclusive,                NUMBER,  48) \
	FLAG(exclude_user,             NUMBER,  48) \
	FLAG(exclude_kernel,           NUMBER,  48) \
	FLAG(exclude_hv,               NUMBER,  48) \
	FLAG(exclude_idle,             NUMBER,  48) \
	FLAG(mmap,                     NUMBER,  48) \
	FLAG(comm,                     NUMBER,  48) \
	FLAG(freq,                     NUMBER,  48) \
	FLAG(inherit_stat,             NUMBER,  48) \
	FLAG(enable_on_exec,           NUMBER,  48) \
	FLAG(task,                     NUMBER,  48) \
	FLAG(watermark,                NUMBER,  48) \
	FLAG(precise_ip,               NUMBER,  48) \
	FLAG(mmap_data,                NUMBER,  48) \
	FLAG(sample_id_all,            NUMBER,  48) \
	FLAG(exclude_host,             NUMBER,  48) \
	FLAG(exclude_guest,            NUMBER,  48) \
	FLAG(exclude_callchain_kernel, NUMBER,  48) \
	FLAG(exclude_callchain_user,   NUMBER,  48) \
	FLAG(mmap2,                    NUMBER,  48) \
	FLAG(comm_exec,                NUMBER,  48) \
	FLAG(use_clockid,              NUMBER,  48) \
	FLAG(context_switch,           NUMBER,  48) \
	FLAG(write_backward,           NUMBER,  48) \
	FLAG(namespaces,               NUMBER,  48) \
	FLAG(ksymbol,                  NUMBER,  48) \
	FLAG(bpf_event,                NUMBER,  48) \
	FLAG(aux_output,               NUMBER,  48) \
	FLAG(cgroup,                   NUMBER,  48) \
	FLAG(text_poke,                NUMBER,  48) \
	FLAG(build_id,                 NUMBER,  48) \
	FLAG(inherit_thread,           NUMBER,  48) \
	FLAG(remove_on_exec,           NUMBER,  48) \
	FLAG(sigtrap,                  NUMBER,  48) \
	FLAG(defer_callchain,          NUMBER,  48) \
	FLAG(defer_output,             NUMBER,  48) \
	X(wakeup_events,               NUMBER,  52) \
	X(bp_type,                     NUMBER,  56) \
	X(config1,                     WORD,    64) \
	X(config2,                     WORD,    72) \
	X(branch_sample_type,          WORD,    80) \
	X(sample_regs_user,            WORD,    88) \
	X(sample_stack_user,           NUMBER,  92) \
	X(clockid,                     NUMBER,  96) \
	X(sample_regs_intr,            WORD,   104) \
	X(aux_watermark,               NUMBER, 108) \
	X(sample_max_stack,            NUMBER, 110) \
	X(aux_sample_size,             NUMBER, 116) \
	X(aux_action,                  NUMBER, 120) \
	X(sig_data,                    WORD,   128) \
	X(config3,                     WORD,   136) \
	X(config4,                     WORD,   144)
// clang-format on
