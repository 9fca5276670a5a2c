/* SPDX-License-Identifier: MIT */
/*
 * The {words} that the texts of reasons.c and probe_table.c may contain. Plain texts and numbers
 * are rows of find_value(); every other word has a function in the table `words`.
 */
#include "core/event/modifier.h"
#include "open/diagnose/reasons.h"
#include <inttypes.h>

/* The attr after the change, or the refused one. */
static const struct pmuq_attr *changed_attr(const struct pq_refusal *refusal)
{
	return refusal->changed ? &refusal->changed->attr : &refusal->call.attr;
}

static void put_cstr(struct pq_buf *ret, const char *text)
{
	pq_buf_add(ret, str_of(text));
}

static void put_pmu(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	static const char *const fixed[] = {
		[PQ_TYPE_HARDWARE] = "the core PMU",
		[PQ_TYPE_SOFTWARE] = "PMU 'software'",
		[PQ_TYPE_TRACEPOINT] = "PMU 'tracepoint'",
		[PQ_TYPE_HW_CACHE] = "the core PMU",
		[PQ_TYPE_RAW] = "the core PMU",
		[PQ_TYPE_BREAKPOINT] = "PMU 'breakpoint'",
	};
	uint32_t type = refusal->call.attr.type;

	if (refusal->request->pmu)
		pq_buf_print(ret, "PMU '%s'", refusal->request->pmu);
	else if (type < COUNT(fixed))
		put_cstr(ret, fixed[type]);
	else
		pq_buf_print(ret, "the PMU of type %" PRIu32, type);
}

static void put_paranoid(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	pq_buf_print(ret, "perf_event_paranoid is %d", refusal->host->paranoid);
}

static bool needs_admin(const struct pq_refusal *refusal)
{
	return refusal->host->is_without_cap_perfmon || pq_refusal_is(refusal, PQ_IF_NEEDS_ADMIN);
}

/* These return a text that may contain {words}. */

/* A capability of the program file is the simplest way, unless it has no effect: in a user
 * namespace, outside the bounding set, with no_new_privs (capabilities(7)). */
static const char *text_of_grant(const struct pq_refusal *refusal)
{
	const struct pq_host_view *host = refusal->host;
	bool is_admin = needs_admin(refusal);
	unsigned cap = is_admin ? PQ_CAP_SYS_ADMIN : PQ_CAP_PERFMON;

	if (host->is_in_namespace)
		return "run it outside its user namespace with {capability}";
	if (host->has_bounding && !(host->bounding >> cap & 1))
		return "let what started it (a container, a service) keep {capability} "
		       "(docker: --cap-add; systemd: CapabilityBoundingSet=)";
	if (host->has_no_new_privs)
		return "start it with {capability} and without no_new_privs";
	return is_admin ? "give the program {capability} (setcap cap_sys_admin+ep PROGRAM)"
			: "give the program {capability} (setcap cap_perfmon+ep PROGRAM)";
}

static const char *text_of_elevate(const struct pq_refusal *refusal)
{
	return refusal->host->is_root ? "{grant}" : "run it as root, or {grant}";
}

static const char *text_of_add_user(const struct pq_refusal *refusal)
{
	if (!pq_refusal_is(refusal, PQ_IF_OPENS_USER_ONLY))
		return "";
	return refusal->call.attr.exclude_user
		       ? "write ':{letter user}' instead of ':{letter kernel}', "
		       : "add ':{letter user}', ";
}

static const char *text_of_user_only(const struct pq_refusal *refusal)
{
	return refusal->call.attr.exclude_user ? ":{letter user} instead of :{letter kernel}"
					       : ":{letter user}";
}

/* No letter excludes both: such an attr did not come from an event string. */
static const char *text_of_guest_change(const struct pq_refusal *refusal)
{
	const struct pmuq_attr *attr = &refusal->call.attr;

	return attr->exclude_host && attr->exclude_guest ? "exclude_host and exclude_guest"
							 : ":{guest_letter}";
}

/* These print a text. */

static void put_vm(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	put_cstr(ret, "a virtual machine");
	if (refusal->host->hypervisor)
		pq_buf_print(ret, " (%s)", refusal->host->hypervisor);
}

static void put_cpu(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	const struct pq_open_call *call = refusal->changed ? refusal->changed : &refusal->call;

	pq_buf_print(ret, "%d", call->cpu);
}

static void put_target(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	if (refusal->call.is_cgroup)
		pq_buf_print(ret, "cgroup '%s'", refusal->scope->cgroup);
	else if (refusal->call.pid > 0)
		pq_buf_print(ret, "process %d", refusal->call.pid);
	else
		put_cstr(ret, "this process");
}

static void put_new_fields(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	const struct pmuq_field *field;
	size_t start = ret->n;

	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		if (field->end_bytes > refusal->kernel_size &&
		    pmuq_attr_get(&refusal->call.attr, i))
			pq_buf_list(ret, start, field->name);
}

/* The fields that the change touched. */
static void put_fields(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	const struct pmuq_attr *before = &refusal->call.attr, *after = changed_attr(refusal);
	const struct pmuq_field *field;
	size_t start = ret->n;

	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		if (!str_eq(field->name, STR("size")) &&
		    pmuq_attr_get(before, i) != pmuq_attr_get(after, i))
			pq_buf_list(ret, start, field->name);
}

/* The bits that the change removed from the config words: "0x100 of config1". */
static void put_bits(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	struct pmuq_attr before = refusal->call.attr, after = *changed_attr(refusal);
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

/* The modifiers of the set that exclude what the attr excludes. */
static void put_set(const struct pq_refusal *refusal, enum pq_modifier_set set, struct pq_buf *ret)
{
	const struct pq_modifier *m;

	for (size_t i = 0; (m = pq_modifier_at(i)); i++)
		if (m->set == set)
			pq_buf_char(ret, m->letter, !pmuq_attr_get(&refusal->call.attr, m->field));
}

static void put_letters(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	put_set(refusal, PQ_SET_LEVELS, ret);
}

static void put_guest_letter(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	put_set(refusal, PQ_SET_GUESTS, ret);
}

static void put_less_precise(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	unsigned before = refusal->call.attr.precise_ip, after = changed_attr(refusal)->precise_ip;
	char letter = pq_modifier_letter(STR("precise"));

	if (after) {
		pq_buf_char(ret, ':', 1);
		pq_buf_char(ret, letter, after);
	}
	put_cstr(ret, after ? " instead of :" : "without :");
	pq_buf_char(ret, letter, before);
}

static void put_errno(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	const char *name = pmuq_errno_name(refusal->errnum);

	put_cstr(ret, name);
	if (strcmp(name, "errno") == 0)
		pq_buf_print(ret, " %d", refusal->errnum);
}

/* It has `text` or `put`. */
struct reason_word {
	struct pmuq_str name;
	const char *(*text)(const struct pq_refusal *refusal);
	void (*put)(const struct pq_refusal *refusal, struct pq_buf *ret);
};

// clang-format off
static const struct reason_word words[] = {
	{ STR("pmu"),          .put = put_pmu },
	{ STR("paranoid"),     .put = put_paranoid },
	{ STR("grant"),        .text = text_of_grant },
	{ STR("elevate"),      .text = text_of_elevate },
	{ STR("add_user"),     .text = text_of_add_user },
	{ STR("vm"),           .put = put_vm },
	{ STR("cpu"),          .put = put_cpu },
	{ STR("target"),       .put = put_target },
	{ STR("new_fields"),   .put = put_new_fields },
	{ STR("fields"),       .put = put_fields },
	{ STR("bits"),         .put = put_bits },
	{ STR("letters"),      .put = put_letters },
	{ STR("guest_letter"), .put = put_guest_letter },
	{ STR("guest_change"), .text = text_of_guest_change },
	{ STR("user_only"),    .text = text_of_user_only },
	{ STR("less_precise"), .put = put_less_precise },
	{ STR("errno"),        .put = put_errno },
};
// clang-format on

/* A text, or a number. */
struct reason_value {
	struct pmuq_str name;
	enum { TEXT, DECIMAL, HEX } type;
	struct pmuq_str text;
	uint64_t number;
};

static void put_value(const struct reason_value *value, struct pq_buf *ret)
{
	if (value->type == TEXT)
		pq_buf_add(ret, value->text);
	else if (value->type == HEX)
		pq_buf_print(ret, "0x%" PRIx64, value->number);
	else
		pq_buf_print(ret, "%" PRIu64, value->number);
}

/* False: no value has this name. */
static bool find_value(struct pmuq_str name, const struct pq_refusal *refusal, struct pq_buf *ret)
{
	const struct pmuq_attr *attr = &refusal->call.attr, *after = changed_attr(refusal);
	const struct pq_host_view *host = refusal->host;
	bool can_lower = !pq_refusal_is(refusal, PQ_IF_NEEDS_ADMIN) &&
			 !pq_refusal_is(refusal, PQ_IF_CODE_PROBE);
	const char *vpmu = "give the guest a virtual PMU on the hypervisor";
	const struct reason_value values[] = {
		{ STR("capability"), TEXT,
		  str_of(needs_admin(refusal) ? "CAP_SYS_ADMIN" : "CAP_PERFMON") },
		{ STR("or_lower"), TEXT,
		  str_of(can_lower ? ", or lower kernel.perf_event_paranoid on the host" : "") },
		{ STR("vpmu"), TEXT, str_of(host->vpmu_remedy ? host->vpmu_remedy : vpmu) },
		{ STR("sampling"), TEXT, str_of(attr->freq ? "freq" : "period") },
		{ STR("cpus"), TEXT, refusal->findings.cpus },
		{ STR("own_cpus"), TEXT, str_of(refusal->request->cpus) },
		{ STR("online"), TEXT, host->cpus_online },
		{ STR("cgroup"), TEXT, str_of(refusal->scope->cgroup) },
		{ STR("text"), TEXT, str_of(refusal->request->text) },
		{ STR("type"), DECIMAL, .number = attr->type },
		{ STR("config"), HEX, .number = attr->config },
		{ STR("offset"), HEX, .number = attr->config2 },
		{ STR("size"), DECIMAL, .number = attr->size },
		{ STR("frames"), DECIMAL, .number = attr->sample_max_stack },
		{ STR("new_size"), DECIMAL, .number = after->size },
		{ STR("freq"), DECIMAL, .number = after->sample_period },
		{ STR("address"), HEX, .number = after->config1 },
		{ STR("length"), DECIMAL, .number = after->config2 },
		{ STR("max_rate"), DECIMAL, .number = host->max_sample_rate },
		{ STR("max_stack"), DECIMAL, .number = host->max_stack },
		{ STR("max_files"), DECIMAL, .number = host->max_files },
		{ STR("kernel_size"), DECIMAL, .number = refusal->kernel_size },
		{ STR("user"), DECIMAL, .number = refusal->task.user },
		{ STR("tries"), DECIMAL, .number = PQ_KERNEL_TRIES },
		{ STR("sample_bits"), HEX, .number = attr->sample_type ^ after->sample_type },
		{ STR("read_bits"), HEX, .number = attr->read_format ^ after->read_format },
	};

	for (size_t i = 0; i < COUNT(values); i++)
		if (str_eq(values[i].name, name)) {
			put_value(&values[i], ret);
			return true;
		}
	return false;
}

/* "letter user": the modifier with that meaning. */
static bool put_letter(struct pmuq_str name, struct pq_buf *ret)
{
	const struct pmuq_str head = STR("letter ");
	char letter =
		str_starts(name, head) ? pq_modifier_letter(str_part(name, head.n, name.n)) : 0;

	pq_buf_char(ret, letter, letter != 0);
	return letter;
}

static bool put_word(struct pmuq_str name, const struct pq_refusal *refusal, struct pq_buf *ret)
{
	for (size_t i = 0; i < COUNT(words); i++)
		if (str_eq(words[i].name, name)) {
			if (words[i].text)
				pq_reason_text_fill(words[i].text(refusal), refusal, ret);
			else
				words[i].put(refusal, ret);
			return true;
		}
	return find_value(name, refusal, ret) || put_letter(name, ret);
}

void pq_reason_text_fill(const char *text, const struct pq_refusal *refusal, struct pq_buf *ret)
{
	struct pmuq_str rest = str_of(text), plain, name, after;

	while (str_cut(rest, '{', &plain, &after)) {
		pq_buf_add(ret, plain);
		if (str_cut(after, '}', &name, &rest) && put_word(name, refusal, ret))
			continue;
		pq_buf_char(ret, '{', 1);
		rest = after;
	}
	pq_buf_add(ret, rest);
}
