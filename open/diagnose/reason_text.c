/* SPDX-License-Identifier: MIT */
/* The words that the tables' sentences may use, and nothing about which sentence is said. */
#include "open/diagnose/reason_text.h"
#include "core/attr/attr.h"
#include <inttypes.h>

struct word {
	struct pmuq_str name;
	void (*put)(const struct pq_case *c, struct pq_buf *ret);
};

/* The attr after the change, or the one that was refused. */
static const struct pmuq_attr *changed_attr(const struct pq_case *c)
{
	return c->varied ? &c->varied->attr : &c->trial.attr;
}

static void put_cstr(struct pq_buf *ret, const char *text)
{
	pq_buf_add(ret, str_of(text));
}

static void put_hex(struct pq_buf *ret, uint64_t value)
{
	pq_buf_print(ret, "0x%" PRIx64, value);
}

static void put_number(struct pq_buf *ret, uint64_t value)
{
	pq_buf_print(ret, "%" PRIu64, value);
}

static void put_pmu(const struct pq_case *c, struct pq_buf *ret)
{
	static const char *const fixed[] = {
		[PQ_TYPE_HARDWARE] = "the core PMU",
		[PQ_TYPE_SOFTWARE] = "PMU 'software'",
		[PQ_TYPE_TRACEPOINT] = "PMU 'tracepoint'",
		[PQ_TYPE_HW_CACHE] = "the core PMU",
		[PQ_TYPE_RAW] = "the core PMU",
		[PQ_TYPE_BREAKPOINT] = "PMU 'breakpoint'",
	};
	uint32_t type = c->trial.attr.type;

	if (c->request->pmu)
		pq_buf_print(ret, "PMU '%s'", c->request->pmu);
	else if (type < COUNT(fixed))
		put_cstr(ret, fixed[type]);
	else
		pq_buf_print(ret, "the PMU of type %" PRIu32, type);
}

static void put_type(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, c->trial.attr.type);
}

static void put_config(const struct pq_case *c, struct pq_buf *ret)
{
	put_hex(ret, c->trial.attr.config);
}

static void put_paranoid(const struct pq_case *c, struct pq_buf *ret)
{
	pq_buf_print(ret, "perf_event_paranoid is %d", c->host->paranoid);
}

static bool takes_admin(const struct pq_case *c)
{
	return c->host->lacks_perfmon || pq_case_is(c, PQ_TAKES_ADMIN);
}

static void put_capability(const struct pq_case *c, struct pq_buf *ret)
{
	put_cstr(ret, takes_admin(c) ? "CAP_SYS_ADMIN" : "CAP_PERFMON");
}

/* File capabilities are the plainest way, where they have an effect. */
static void put_grant(const struct pq_case *c, struct pq_buf *ret)
{
	const struct pq_host_view *host = c->host;
	unsigned cap = takes_admin(c) ? PQ_CAP_SYS_ADMIN : PQ_CAP_PERFMON;
	const char *name = takes_admin(c) ? "sys_admin" : "perfmon";

	if (host->is_in_namespace)
		put_cstr(ret, "run it outside of its user namespace with ");
	else if (host->has_bounding && !(host->bounding >> cap & 1))
		put_cstr(ret, "have what started it (a container, a service) leave it ");
	else if (host->has_no_new_privs)
		put_cstr(ret, "start it, without no_new_privs, with ");
	else
		put_cstr(ret, "give the program ");
	put_capability(c, ret);
	if (host->is_in_namespace || host->has_no_new_privs)
		return;
	if (host->has_bounding && !(host->bounding >> cap & 1))
		put_cstr(ret, " (docker: --cap-add; systemd: CapabilityBoundingSet=)");
	else
		pq_buf_print(ret, " (setcap cap_%s+ep PROGRAM)", name);
}

static void put_elevate(const struct pq_case *c, struct pq_buf *ret)
{
	if (!c->host->is_root)
		put_cstr(ret, "run it as root, or ");
	put_grant(c, ret);
}

/* Only if that has opened. */
static void put_add_user(const struct pq_case *c, struct pq_buf *ret)
{
	if (!pq_case_is(c, PQ_OPENS_USER_ONLY))
		return;
	put_cstr(ret, c->trial.attr.exclude_user ? "write ':u' in place of ':k', " : "add ':u', ");
}

static void put_or_lower(const struct pq_case *c, struct pq_buf *ret)
{
	if (!pq_case_is(c, PQ_TAKES_ADMIN) && !pq_case_is(c, PQ_IS_PROBE))
		put_cstr(ret, ", or lower kernel.perf_event_paranoid on the host");
}

static void put_vm(const struct pq_case *c, struct pq_buf *ret)
{
	put_cstr(ret, "a virtual machine");
	if (c->host->hypervisor)
		pq_buf_print(ret, " (%s)", c->host->hypervisor);
}

static void put_vpmu(const struct pq_case *c, struct pq_buf *ret)
{
	put_cstr(ret, c->host->vpmu_remedy ? c->host->vpmu_remedy
					   : "have the hypervisor give the guest a virtual PMU");
}

static void put_cpu(const struct pq_case *c, struct pq_buf *ret)
{
	pq_buf_print(ret, "%d", c->varied ? c->varied->cpu : c->trial.cpu);
}

static void put_cpus(const struct pq_case *c, struct pq_buf *ret)
{
	pq_buf_add(ret, c->finding.cpus);
}

static void put_own_cpus(const struct pq_case *c, struct pq_buf *ret)
{
	put_cstr(ret, c->request->cpus);
}

static void put_target(const struct pq_case *c, struct pq_buf *ret)
{
	if (c->trial.is_cgroup)
		pq_buf_print(ret, "cgroup '%s'", c->target->cgroup);
	else if (c->trial.pid > 0)
		pq_buf_print(ret, "process %d", c->trial.pid);
	else
		put_cstr(ret, "this process");
}

static void put_cgroup(const struct pq_case *c, struct pq_buf *ret)
{
	put_cstr(ret, c->target->cgroup);
}

static void put_user(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, c->task.user);
}

static void put_text(const struct pq_case *c, struct pq_buf *ret)
{
	put_cstr(ret, c->request->text ? c->request->text : "");
}

static void put_offset(const struct pq_case *c, struct pq_buf *ret)
{
	put_hex(ret, c->trial.attr.config2);
}

static void put_online(const struct pq_case *c, struct pq_buf *ret)
{
	pq_buf_add(ret, c->host->cpus_online);
}

static void put_size(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, c->trial.attr.size);
}

static void put_new_size(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, changed_attr(c)->size);
}

static void put_kernel_size(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, c->kernel_size);
}

static void put_new_fields(const struct pq_case *c, struct pq_buf *ret)
{
	const char *name;
	size_t start = ret->n;

	for (unsigned i = 0; (name = pmuq_attr_field_name(i)); i++)
		if (pmuq_attr_field_end(i) > c->kernel_size &&
		    pmuq_attr_field_get(&c->trial.attr, i))
			pq_buf_list(ret, start, str_of(name));
}

/* The fields that a change touched. */
static void put_fields(const struct pq_case *c, struct pq_buf *ret)
{
	size_t start = ret->n;
	const char *name;

	for (unsigned i = 0; (name = pmuq_attr_field_name(i)); i++)
		if (strcmp(name, "size") != 0 && pmuq_attr_field_get(&c->trial.attr, i) !=
							 pmuq_attr_field_get(changed_attr(c), i))
			pq_buf_list(ret, start, str_of(name));
}

/* What a change took from the config words: "0x100 of config1". */
static void put_bits(const struct pq_case *c, struct pq_buf *ret)
{
	struct pmuq_attr before = c->trial.attr, after = *changed_attr(c);
	size_t start = ret->n;

	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++) {
		uint64_t bits = *pq_attr_config(&before, word) ^ *pq_attr_config(&after, word);
		struct pmuq_str name = pq_attr_config_name(word);

		if (!bits)
			continue;
		pq_buf_list(ret, start, (struct pmuq_str){ 0 });
		pq_buf_print(ret, "0x%" PRIx64 " of %.*s", bits, STR_ARG(name));
	}
}

static void put_sample_bits(const struct pq_case *c, struct pq_buf *ret)
{
	put_hex(ret, c->trial.attr.sample_type ^ changed_attr(c)->sample_type);
}

static void put_read_bits(const struct pq_case *c, struct pq_buf *ret)
{
	put_hex(ret, c->trial.attr.read_format ^ changed_attr(c)->read_format);
}

static void put_sampling(const struct pq_case *c, struct pq_buf *ret)
{
	put_cstr(ret, c->trial.attr.freq ? "freq" : "period");
}

/* The modifiers that say what exclude_user, exclude_kernel and exclude_hv do. */
static void put_letters(const struct pq_case *c, struct pq_buf *ret)
{
	const struct pmuq_attr *attr = &c->trial.attr;

	pq_buf_char(ret, 'u', !attr->exclude_user);
	pq_buf_char(ret, 'k', !attr->exclude_kernel);
	pq_buf_char(ret, 'h', !attr->exclude_hv);
}

static void put_guest_letter(const struct pq_case *c, struct pq_buf *ret)
{
	pq_buf_char(ret, 'G', c->trial.attr.exclude_host);
	pq_buf_char(ret, 'H', c->trial.attr.exclude_guest);
}

static void put_user_only(const struct pq_case *c, struct pq_buf *ret)
{
	put_cstr(ret, c->trial.attr.exclude_user ? ":u in place of :k" : ":u");
}

static void put_less_precise(const struct pq_case *c, struct pq_buf *ret)
{
	unsigned before = c->trial.attr.precise_ip, after = changed_attr(c)->precise_ip;

	put_cstr(ret, after ? ":" : "without :");
	pq_buf_char(ret, 'p', after ? after : before);
	if (!after)
		return;
	put_cstr(ret, " in place of :");
	pq_buf_char(ret, 'p', before);
}

static void put_freq(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, changed_attr(c)->sample_period);
}

static void put_max_rate(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, c->host->max_sample_rate);
}

static void put_frames(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, c->trial.attr.sample_max_stack);
}

static void put_max_stack(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, c->host->max_stack);
}

static void put_max_files(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, c->host->max_files);
}

static void put_address(const struct pq_case *c, struct pq_buf *ret)
{
	put_hex(ret, changed_attr(c)->config1);
}

static void put_length(const struct pq_case *c, struct pq_buf *ret)
{
	put_number(ret, changed_attr(c)->config2);
}

static void put_tries(const struct pq_case *c, struct pq_buf *ret)
{
	(void)c;
	put_number(ret, PQ_KERNEL_TRIES);
}

static void put_errno(const struct pq_case *c, struct pq_buf *ret)
{
	const char *name = pmuq_errno_name(c->errnum);

	put_cstr(ret, name);
	if (strcmp(name, "errno") == 0)
		pq_buf_print(ret, " %d", c->errnum);
}

// clang-format off
static const struct word words[] = {
	{ STR("pmu"),          put_pmu },
	{ STR("type"),         put_type },
	{ STR("config"),       put_config },
	{ STR("paranoid"),     put_paranoid },
	{ STR("capability"),   put_capability },
	{ STR("grant"),        put_grant },
	{ STR("elevate"),      put_elevate },
	{ STR("add_user"),     put_add_user },
	{ STR("or_lower"),     put_or_lower },
	{ STR("vm"),           put_vm },
	{ STR("vpmu"),         put_vpmu },
	{ STR("cpu"),          put_cpu },
	{ STR("cpus"),         put_cpus },
	{ STR("online"),       put_online },
	{ STR("own_cpus"),     put_own_cpus },
	{ STR("target"),       put_target },
	{ STR("cgroup"),       put_cgroup },
	{ STR("user"),         put_user },
	{ STR("text"),         put_text },
	{ STR("offset"),       put_offset },
	{ STR("size"),         put_size },
	{ STR("new_size"),     put_new_size },
	{ STR("kernel_size"),  put_kernel_size },
	{ STR("new_fields"),   put_new_fields },
	{ STR("fields"),       put_fields },
	{ STR("bits"),         put_bits },
	{ STR("sample_bits"),  put_sample_bits },
	{ STR("read_bits"),    put_read_bits },
	{ STR("sampling"),     put_sampling },
	{ STR("letters"),      put_letters },
	{ STR("guest_letter"), put_guest_letter },
	{ STR("user_only"),    put_user_only },
	{ STR("less_precise"), put_less_precise },
	{ STR("freq"),         put_freq },
	{ STR("max_rate"),     put_max_rate },
	{ STR("frames"),       put_frames },
	{ STR("max_stack"),    put_max_stack },
	{ STR("max_files"),    put_max_files },
	{ STR("address"),      put_address },
	{ STR("length"),       put_length },
	{ STR("tries"),        put_tries },
	{ STR("errno"),        put_errno },
};
// clang-format on

static const struct word *find_word(struct pmuq_str name)
{
	for (size_t i = 0; i < COUNT(words); i++)
		if (str_eq(words[i].name, name))
			return &words[i];
	return NULL;
}

void pq_text_fill(const char *text, const struct pq_case *c, struct pq_buf *ret)
{
	struct pmuq_str rest = str_of(text), plain, name, behind;
	const struct word *word;

	while (str_cut(rest, '{', &plain, &behind)) {
		pq_buf_add(ret, plain);
		word = str_cut(behind, '}', &name, &rest) ? find_word(name) : NULL;
		if (word) {
			word->put(c, ret);
			continue;
		}
		pq_buf_char(ret, '{', 1);
		rest = behind;
	}
	pq_buf_add(ret, rest);
}

bool pq_text_is_sound(const char *text)
{
	struct pmuq_str rest = str_of(text), plain, name;

	while (str_cut(rest, '{', &plain, &rest))
		if (!str_cut(rest, '}', &name, &rest) || !find_word(name))
			return false;
	return true;
}
