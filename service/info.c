/* SPDX-License-Identifier: MIT */
#include "service/info.h"
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#define INFO ((const struct info *)of)

/* Those that perf_event_open(2) checks. Headers of older kernels do not have CAP_PERFMON. */
static const struct {
	unsigned bit;
	const char *name;
} capabilities[] = {
	{ CAP_SYS_PTRACE, "CAP_SYS_PTRACE" },
	{ CAP_SYS_ADMIN, "CAP_SYS_ADMIN" },
	{ 38, "CAP_PERFMON" },
};

static uint64_t own_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &header, data) != 0)
		return 0;
	return data[0].effective | (uint64_t)data[1].effective << 32;
}

static bool get_capability(const void *of, struct cell *cell)
{
	while (cell->cursor < COUNT(capabilities) &&
	       !(INFO->capabilities >> capabilities[cell->cursor].bit & 1))
		cell->cursor++;
	return cell->cursor < COUNT(capabilities) &&
	       cell_set_text(cell, capabilities[cell->cursor++].name);
}

#define OF_MACHINE(name) MEMBER_OF(struct info, content, struct pmuq_machine, name)
#define OF_CLIENTS(name) MEMBER_OF(struct info, clients, struct counts_of_clients, name)

// clang-format off
static const struct field rights_fields[] = {
	{ .name = STR("user"),                .type = FIELD_COUNT, MEMBER(struct info, user), .help = "user id of the daemon" },
	{ .name = STR("capabilities"),        .type = FIELD_TEXT, .flags = FIELD_LIST, .get = get_capability,
	  .help = "those that opening events may need" },
	{ .name = STR("perf_event_paranoid"), .type = FIELD_TEXT, .flags = FIELD_NULLABLE, MEMBER(struct info, paranoid),
	  .help = "what users without capabilities may open; see perf_event_open(2)" },
};
static const struct record_type rights_record = { .name = "rights", FIELDS(rights_fields) };

static bool get_rights(const void *of, struct cell *cell)
{
	cell->record = of;
	return true;
}

static const struct field info_fields[] = {
	{ .name = STR("version"),     .type = FIELD_TEXT,  MEMBER(struct info, version), .help = "of pmuq" },
	{ .name = STR("live"),        .type = FIELD_BOOL,  MEMBER(struct info, is_live),
	  .help = "the machine is the one that the daemon runs on" },
	{ .name = STR("announced"),   .type = FIELD_BOOL,  MEMBER_OF(struct info, states, struct states, follower.is_announced),
	  .help = "the kernel announces changes; otherwise a timer finds them" },
	{ .name = STR("oldest"),      .type = FIELD_COUNT, MEMBER(struct info, oldest), .help = "generation that Diff still has" },
	{ .name = STR("pmus"),        .type = FIELD_COUNT, OF_MACHINE(n_pmus), .help = "number of PMUs" },
	{ .name = STR("tracepoints"), .type = FIELD_COUNT, OF_MACHINE(n_tracepoints),
	  .help = "number of tracepoints; 0: the daemon may not read them" },
	{ .name = STR("problems"),    .type = FIELD_COUNT, OF_MACHINE(n_problems),
	  .help = "files that could not be read or understood: List has them" },
	{ .name = STR("rights"),      .type = FIELD_RECORD, .get = get_rights, .record = &rights_record,
	  .help = "with which Check opens events" },
	{ .name = STR("clients"),     .type = FIELD_COUNT, OF_CLIENTS(clients), .help = "open connections" },
	{ .name = STR("subscribers"), .type = FIELD_COUNT, OF_CLIENTS(subscribers), .help = "of them" },
};
// clang-format on

const struct record_type info_record = { .name = "info", FIELDS(info_fields) };

struct info info_of(const struct states *states, const struct counts_of_clients *clients)
{
	const struct pmuq_catalog *catalog = states->follower.catalog;

	return (struct info){
		.states = states,
		.content = pmuq_catalog_machine(catalog),
		.clients = clients,
		.version = pmuq_version(),
		.oldest = states_oldest(states),
		.is_live = pmuq_source_is_live(states->follower.source),
		.user = geteuid(),
		.capabilities = own_capabilities(),
		.paranoid = pmuq_catalog_find_fact(catalog, "perf_event_paranoid"),
	};
}
