/* SPDX-License-Identifier: MIT */
/* diff/: a captured machine and the same machine with one change: diff finds exactly that change.
 */
#include "core/catalog/check.h"
#include "tests/harness/build.h"
#include "tests/unit/tree.h"
#include <pmuq/diff.h>

#define CPU DEVICES "cpu/"
#define IMC DEVICES "uncore_imc_"
#define SCHED "sys/kernel/tracing/events/sched/"

/* What is changed: "FILE=TEXT", "FILE" alone removes it, "OLD>NEW" moves it. */
#define EDITS_MAX 8

struct row {
	const char *name;
	const char *edits[EDITS_MAX];
	/* "WEIGHT TYPE PMU NAME", one line each; "*6" after the first PMU is their number. */
	const char *found;
};

static const struct row rows[] = {
	{ "nothing", { NULL }, "" },
	/* PMUs */
	{ "a PMU is gone", { DEVICES "msr>msr.gone" }, "breaking pmu-gone msr" },
	{ "a PMU is new",
	  { DEVICES "new/type=99", DEVICES "new/events/x=config=1" },
	  "addition pmu-new new" },
	{ "a type has another name",
	  { DEVICES "power>" DEVICES "energy" },
	  "breaking pmu-renamed power -> energy" },
	{ "a single instance gets a number",
	  { DEVICES "uncore_pcu>" DEVICES "uncore_pcu_0" },
	  "breaking instances-gone uncore_pcu\naddition instances-new uncore_pcu_0" },
	{ "a single instance gets a number, and its formats change",
	  { DEVICES "uncore_upi_0>u0", DEVICES "uncore_upi_1>u1",
	    DEVICES "uncore_upi_2>" DEVICES "uncore_upi",
	    DEVICES "uncore_upi/format/inv=config:22" },
	  "breaking instances-gone uncore_upi_0*3\nmeaning format-moved uncore_upi inv "
	  "{0:800000>400000}\naddition instances-new uncore_upi" },
	{ "instances are gone",
	  { IMC "4>imc4.gone", IMC "5>imc5.gone" },
	  "breaking instances-gone uncore_imc_4*2" },
	{ "instances are new",
	  { IMC "6/type=90", IMC "7/type=91" },
	  "addition instances-new uncore_imc_6*2" },
	{ "numbers of types are another boot's",
	  { IMC "0/type=117", IMC "1/type=118" },
	  "passing pmu-type uncore_imc_0*2 [17-18] [117-118]" },
	{ "a fixed type", { CPU "type=8" }, "meaning pmu-type cpu [4] [8]" },
	{ "no type any more", { DEVICES "msr/type" }, "breaking pmu-type msr [11] -" },
	{ "fewer CPUs",
	  { IMC "0/cpumask=0", IMC "1/cpumask=0" },
	  "breaking pmu-cpus uncore_imc_0*2 [0,8] [0]" },
	{ "more CPUs",
	  { IMC "0/cpumask=0,8,12" },
	  "addition pmu-cpus uncore_imc_0 [0,8] [0,8,12]" },
	{ "other CPUs", { IMC "0/cpumask=1,8" }, "meaning pmu-cpus uncore_imc_0 [0,8] [1,8]" },
	{ "the same CPUs",
	  { IMC "0/cpumask=0,8-8" },
	  "cosmetic pmu-cpus uncore_imc_0 [0,8] [0,8-8]" },
	{ "no list of CPUs", { IMC "0/cpumask" }, "meaning pmu-cpus uncore_imc_0 [0,8] -" },
	{ "a second name is gone",
	  { DEVICES "uncore_m2m_0/alias" },
	  "breaking pmu-alias uncore_m2m_0 [mesh] -" },
	{ "a second name is an empty line",
	  { DEVICES "uncore_m2m_0/alias=" },
	  "breaking pmu-alias uncore_m2m_0 [mesh] -" },
	/* formats */
	{ "a format is gone", { CPU "format/pc" }, "breaking format-gone cpu pc" },
	{ "a format is new", { CPU "format/x=config2:0-7" }, "addition format-new cpu x" },
	{ "a format moved: what uses it means something else",
	  { CPU "format/in_tx=config:40" },
	  "meaning format-moved cpu in_tx {0:100000000>10000000000}\n"
	  "meaning event-bits cpu cycles-ct {0:30000003c>1020000003c}\n"
	  "meaning event-bits cpu cycles-t {0:10000003c>1000000003c}" },
	{ "a format is narrower",
	  { CPU "format/offcore_rsp=config1:0-37" },
	  "breaking format-narrowed cpu offcore_rsp {1:ffffffffffffffff>3fffffffff}" },
	{ "a format is wider",
	  { CPU "format/frontend=config1:0-31" },
	  "addition format-widened cpu frontend {1:ffffff>ffffffff}" },
	{ "wider to below has moved",
	  { CPU "format/pc=config:17,19" },
	  "meaning format-moved cpu pc {0:80000>a0000}" },
	{ "a format has other words for its bits",
	  { CPU "format/umask=config:8-11,12-15" },
	  "cosmetic format-text cpu umask" },
	{ "a format that an event needs is gone",
	  { CPU "format/in_tx_cp" },
	  "breaking format-gone cpu in_tx_cp\nbreaking event-broken cpu cycles-ct" },
	{ "a format is of another word",
	  { CPU "format/ldlat=config2:0-15" },
	  "meaning format-moved cpu ldlat {1:ffff>0} {2:0>ffff}\n"
	  "meaning event-bits cpu mem-loads {1:3>0} {2:0>3}" },
	/* events */
	{ "an event is gone", { CPU "events/tx-abort" }, "breaking event-gone cpu tx-abort" },
	{ "an event is new", { CPU "events/fresh=event=0x77" }, "addition event-new cpu fresh" },
	{ "an event has another name",
	  { CPU "events/mem-stores>" CPU "events/stores" },
	  "breaking event-renamed cpu mem-stores [mem-stores] [stores]" },
	{ "two events of the same bits are not matched by a new name",
	  { CPU "events/tx-capacity", CPU "events/el-capacity",
	    CPU "events/capacity=event=0x54,umask=0x2" },
	  "breaking event-gone cpu el-capacity\nbreaking event-gone cpu tx-capacity\n"
	  "addition event-new cpu capacity" },
	{ "an event has other bits",
	  { CPU "events/mem-loads=event=0xcd,umask=0x2,ldlat=3" },
	  "meaning event-bits cpu mem-loads {0:1cd>2cd}" },
	{ "an event is written in another order",
	  { CPU "events/mem-loads=ldlat=0x3, umask=1,event=0xCD" },
	  "cosmetic event-text cpu mem-loads" },
	{ "a config word is the same bits",
	  { CPU "events/mem-loads=config=0x1cd,ldlat=3" },
	  "cosmetic event-text cpu mem-loads" },
	{ "a raw term is the same bits",
	  { CPU "events/mem-stores=r82d0" },
	  "cosmetic event-text cpu mem-stores" },
	{ "a term that sets nothing",
	  { CPU "events/mem-stores=event=0xd0,umask=0x82,edge=0" },
	  "cosmetic event-text cpu mem-stores" },
	{ "an event that nobody can encode any more",
	  { CPU "events/mem-stores=event=0xd0,umsk=0x82" },
	  "breaking event-broken cpu mem-stores" },
	{ "a value that does not fit",
	  { CPU "events/mem-stores=event=0x1d0,umask=0x82" },
	  "breaking event-broken cpu mem-stores" },
	{ "an event that could not be encoded before",
	  { CPU "events/broken=event=0x1" },
	  "addition event-fixed cpu broken" },
	{ "another parameter",
	  { CPU "events/needs=event=0x1,edge=?" },
	  "meaning event-bits cpu needs {0:ff01>40001}" },
	{ "a parameter is fixed",
	  { CPU "events/needs=event=0x1,umask=0xff" },
	  "meaning event-bits cpu needs" },
	{ "a setting is added",
	  { CPU "events/mem-stores=event=0xd0,umask=0x82,period=1000" },
	  "meaning event-settings cpu mem-stores" },
	{ "another unit of some instances",
	  { IMC "1/events/cas_count_read.unit=KiB", IMC "3/events/cas_count_read.unit=KiB" },
	  "meaning event-unit uncore_imc_1*2 cas_count_read [MiB] [KiB]" },
	{ "another scale",
	  { CPU "events/topdown-total-slots.scale=4" },
	  "meaning event-scale cpu topdown-total-slots [2] [4]" },
	{ "the same scale",
	  { CPU "events/topdown-total-slots.scale=2.0" },
	  "cosmetic event-scale cpu topdown-total-slots [2] [2.0]" },
	{ "a count of a package",
	  { DEVICES "power/events/energy-pkg.per-pkg=1" },
	  "meaning event-flags power energy-pkg [] [per-pkg]" },
	/* caps, files */
	{ "a cap is gone", { CPU "caps/branches" }, "breaking cap-gone cpu branches" },
	{ "a cap is new", { CPU "caps/x=1" }, "addition cap-new cpu x" },
	{ "less precise", { CPU "caps/max_precise=2" }, "breaking cap cpu max_precise [3] [2]" },
	{ "more branches", { CPU "caps/branches=64" }, "addition cap cpu branches [32] [64]" },
	{ "another name",
	  { CPU "caps/pmu_name=icelake" },
	  "meaning cap cpu pmu_name [skylake] [icelake]" },
	{ "rdpmc is off", { CPU "rdpmc=0" }, "breaking attribute cpu rdpmc [1] [0]" },
	{ "another interval",
	  { IMC "2/perf_event_mux_interval_ms=9" },
	  "cosmetic attribute uncore_imc_2 perf_event_mux_interval_ms [4] [9]" },
	{ "another value of a file",
	  { DEVICES "uncore_iio_2/die0=0000:77" },
	  "meaning attribute uncore_iio_2 die0 [0000:3a] [0000:77]" },
	{ "a file is gone", { CPU "freeze_on_smi" }, "breaking attribute-gone cpu freeze_on_smi" },
	{ "a file is new", { CPU "fresh=1" }, "addition attribute-new cpu fresh" },
	/* the host */
	{ "less is allowed",
	  { "proc/sys/kernel/perf_event_paranoid=4" },
	  "breaking fact perf_event_paranoid [2] [4]" },
	{ "more is allowed",
	  { "proc/sys/kernel/perf_event_paranoid=-1" },
	  "addition fact perf_event_paranoid [2] [-1]" },
	{ "less memory",
	  { "proc/sys/kernel/perf_event_mlock_kb=100" },
	  "breaking fact perf_event_mlock_kb [516] [100]" },
	{ "the kernel's own doing",
	  { "proc/sys/kernel/perf_event_max_sample_rate=1000" },
	  "passing fact perf_event_max_sample_rate [100000] [1000]" },
	{ "another kernel",
	  { "proc/sys/kernel/osrelease=6.12.0" },
	  "cosmetic fact kernel [6.1.192] [6.12.0]" },
	{ "another host",
	  { "proc/sys/kernel/hostname=other", "proc/sys/kernel/random/boot_id=1234" },
	  "passing fact-new hostname - [other]\npassing fact-new boot_id - [1234]" },
	/* tracepoints */
	{ "other ids of tracepoints", { SCHED "sched_switch/id=999" }, "" },
	{ "a tracepoint is gone",
	  { SCHED "sched_switch>switch.gone" },
	  "breaking tracepoint-gone sched:sched_switch" },
	{ "a tracepoint is new",
	  { SCHED "sched_fresh/id=1000" },
	  "addition tracepoint-new sched:sched_fresh" },
	{ "a subsystem is gone",
	  { "sys/kernel/tracing/events/irq>irq.gone" },
	  "breaking tracepoint-gone irq:*" },
	{ "the last subsystem is gone",
	  { "sys/kernel/tracing/events/sched>sched.gone" },
	  "breaking tracepoint-gone sched:*" },
	{ "subsystems are new, before the first of the other side, between two and after the last",
	  { "sys/kernel/tracing/events/block/block_plug/id=400",
	    "sys/kernel/tracing/events/kvm/kvm_exit/id=401",
	    "sys/kernel/tracing/events/xfs/xfs_a/id=402",
	    "sys/kernel/tracing/events/xfs/xfs_b/id=403",
	    "sys/kernel/tracing/events/xhci/xhci_a/id=404" },
	  "addition tracepoint-new block:*\naddition tracepoint-new kvm:*\n"
	  "addition tracepoint-new xfs:*\naddition tracepoint-new xhci:*" },
	{ "one subsystem is gone and another is new",
	  { "sys/kernel/tracing/events/sched>sys/kernel/tracing/events/zfs" },
	  "breaking tracepoint-gone sched:*\naddition tracepoint-new zfs:*" },
	{ "the tracepoints cannot be read",
	  { "sys/kernel/tracing>tracing.gone" },
	  "passing tracepoints-unknown" },
};

/* ---------------------------------------------------------------------------------- the machine */

static struct tree tree;
static struct pmuq_catalog *before;

static struct pmuq_catalog *read_tree(void)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;

	assert_int_equal(pmuq_source_open_tree(tree.dir, &source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	pmuq_source_free(source);
	return catalog;
}

static int setup(void **state)
{
	char *command = NULL;

	(void)state;
	tree_make(&tree);
	assert_true(asprintf(&command, "cp -r '%s/skylake-sp/proc' '%s/skylake-sp/sys' '%s'",
			     getenv("PMUQ_TEST_MACHINES"), getenv("PMUQ_TEST_MACHINES"),
			     tree.dir) > 0);
	assert_int_equal(system(command), 0);
	free(command);
	tree_file(&tree, DEVICES "uncore_m2m_0/alias", "mesh\n");
	tree_file(&tree, CPU "events/needs", "event=0x1,umask=?\n");
	tree_file(&tree, CPU "events/broken", "evnt=0x1\n");
	tree_file(&tree, SCHED "sched_switch/id", "300\n");
	tree_file(&tree, SCHED "sched_wakeup/id", "301\n");
	tree_file(&tree, "sys/kernel/tracing/events/irq/irq_handler_entry/id", "17\n");
	before = read_tree();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	pmuq_catalog_free(before);
	tree_remove(&tree);
	return 0;
}

/* ------------------------------------------------------------------------------------- editing */

static void move_file(const char *from, const char *to)
{
	char *old = tree_path(&tree, from), *new = tree_path(&tree, to);

	assert_int_equal(rename(old, new), 0);
	free(old);
	free(new);
}

static bool exists(const char *path)
{
	char *full = tree_path(&tree, path);
	bool is_there = access(full, F_OK) == 0;

	free(full);
	return is_there;
}

/* The path of the file while another one replaces it. */
static char *saved_path(size_t index)
{
	char *path = NULL;

	assert_true(asprintf(&path, "saved-%zu", index) > 0);
	return path;
}

static void apply(const char *edit, size_t index)
{
	auto_free char *path = strdup(edit), *saved = saved_path(index);
	char *sign = strpbrk(path, "=>");
	char type = sign ? *sign : '\0';

	if (sign)
		*sign++ = '\0';
	if (type == '>') {
		move_file(path, sign);
		return;
	}
	if (exists(path))
		move_file(path, saved);
	if (type == '=')
		tree_file(&tree, path, sign);
}

/* A new file is removed, with its directory if that is empty then. */
static void take_away(const char *path)
{
	char *full = tree_path(&tree, path);

	assert_int_equal(unlink(full), 0);
	for (size_t n = strlen(full); n-- > 0;) {
		if (full[n] != '/')
			continue;
		full[n] = '\0';
		if (rmdir(full) < 0)
			break;
	}
	free(full);
}

static void undo(const char *edit, size_t index)
{
	auto_free char *path = strdup(edit), *saved = saved_path(index);
	char *sign = strpbrk(path, "=>");
	char type = sign ? *sign : '\0';

	if (sign)
		*sign++ = '\0';
	if (type == '>') {
		move_file(sign, path);
		return;
	}
	if (type == '=')
		take_away(path);
	if (exists(saved)) {
		char *full = tree_path(&tree, path);

		tree_parents(full);
		free(full);
		move_file(saved, path);
	}
}

/* ------------------------------------------------------------------------------------ printing */

static void print_pmus(const struct pmuq_change *change, struct pq_buf *ret)
{
	size_t n = change->n_pmus;

	if (n)
		pq_buf_print(ret, " %s", change->pmus[0].p);
	if (n > 1)
		pq_buf_print(ret, "*%zu", n);
	if (change->n_new_pmus)
		pq_buf_print(ret, " -> %s", change->new_pmus[0].p);
}

static void print_text(const char *text, struct pq_buf *ret)
{
	if (text)
		pq_buf_print(ret, " [%s]", text);
	else
		pq_buf_add(ret, STR(" -"));
}

/* Terms and formats are printed by their bits; if one side has none, by the name. */
static bool has_texts(const struct pmuq_change *change)
{
	enum pmuq_change_type type = change->type;

	if (type == PMUQ_CHANGE_FACT_NEW)
		return true;
	if (type == PMUQ_CHANGE_EVENT_RENAMED || type == PMUQ_CHANGE_EVENT_UNIT ||
	    type == PMUQ_CHANGE_EVENT_SCALE || type == PMUQ_CHANGE_EVENT_FLAGS)
		return true;
	return type == PMUQ_CHANGE_PMU_TYPE || type == PMUQ_CHANGE_PMU_CPUS ||
	       type == PMUQ_CHANGE_PMU_ALIAS || type == PMUQ_CHANGE_CAP ||
	       type == PMUQ_CHANGE_ATTRIBUTE || type == PMUQ_CHANGE_FACT;
}

static bool has_bits(const struct pmuq_change *change)
{
	enum pmuq_change_type type = change->type;

	return type == PMUQ_CHANGE_EVENT_BITS || type == PMUQ_CHANGE_FORMAT_MOVED ||
	       type == PMUQ_CHANGE_FORMAT_NARROWED || type == PMUQ_CHANGE_FORMAT_WIDENED;
}

static void print(const struct pmuq_change *change, struct pq_buf *ret)
{

	pq_buf_print(ret, "%s%s %s", ret->n ? "\n" : "", pmuq_weight_name(change->weight),
		     pmuq_change_type_name(change->type));
	print_pmus(change, ret);
	if (change->name.p)
		pq_buf_print(ret, " %s", change->name.p);
	if (has_texts(change)) {
		print_text(change->before.p, ret);
		print_text(change->after.p, ret);
	}
	for (unsigned word = 0; has_bits(change) && word < 5; word++)
		if (change->words_before[word] != change->words_after[word])
			pq_buf_print(ret, " {%u:%llx>%llx}", word,
				     (unsigned long long)change->words_before[word],
				     (unsigned long long)change->words_after[word]);
	assert_non_null(change->text.p);
	assert_true(strlen(change->text.p) > 8);
}

static char *printed(const struct pmuq_diff *diff)
{
	struct pq_buf text = PQ_BUF_NULL;

	for (size_t i = 0; i < pmuq_diff_count(diff); i++)
		print(pmuq_diff_get(diff, i), &text);
	return text.n ? pq_buf_take(&text) : strdup("");
}

static void finds(void **state)
{
	const struct row *row = *state;
	struct pmuq_catalog *after;
	struct pmuq_diff *diff = NULL;
	size_t n = 0;
	char *found;

	for (; n < EDITS_MAX && row->edits[n]; n++)
		apply(row->edits[n], n);
	after = read_tree();
	while (n-- > 0)
		undo(row->edits[n], n);
	assert_int_equal(pmuq_catalog_diff(before, after, NULL, &diff, NULL), 0);
	/* A diff does not need its machines. */
	pmuq_catalog_free(after);
	found = printed(diff);
	assert_string_equal(found, row->found);
	free(found);
	pmuq_diff_free(diff);
}

/* ------------------------------------------------------------------------------------- weights */

struct opened {
	const char *pmu, *event, *name; /* name: of the reason; NULL: it opened */
	bool is_generic, is_skipped;
};

static struct pmuq_check *check_of(const struct opened *v, size_t n)
{
	struct pmuq_check *check = NULL;

	assert_int_equal(pq_check_new(STR("6.1"), 1, &check, NULL), 0);
	for (size_t i = 0; i < n; i++)
		pq_check_expect(check, str_of(v[i].pmu), str_of(v[i].event), v[i].is_generic, NULL);
	pq_check_index(check, NULL);
	for (size_t i = 0; i < n; i++) {
		struct pmuq_open_result open_result = {
			.status = v[i].is_skipped ? PMUQ_SKIPPED
				  : v[i].name	  ? PMUQ_REFUSED
						  : PMUQ_OPENED,
			.errnum = v[i].name ? EACCES : 0,
			.name = str_of(v[i].name),
			.reason = v[i].name ? STR("for a reason") : (struct pmuq_str){ 0 },
		};

		assert_int_equal(pq_check_add(check, &open_result, NULL), 0);
	}
	return check;
}

static char *printed_of(const struct opened *a, size_t n_a, const struct opened *b, size_t n_b)
{
	struct pmuq_diff_options options = {
		.size = sizeof(options),
		.check_before = a ? check_of(a, n_a) : NULL,
		.check_after = b ? check_of(b, n_b) : NULL,
	};
	struct pmuq_diff *diff = NULL;
	char *found;

	assert_int_equal(pmuq_catalog_diff(before, before, &options, &diff, NULL), 0);
	found = printed(diff);
	pmuq_diff_free(diff);
	pmuq_check_free((struct pmuq_check *)(uintptr_t)options.check_before);
	pmuq_check_free((struct pmuq_check *)(uintptr_t)options.check_after);
	return found;
}

static const struct opened was[] = {
	{ "cpu", "mem-loads", NULL, false, false },
	{ "cpu", "mem-stores", "no-device", false, false },
	{ "cpu", "tx-abort", "no-device", false, false },
	{ "cpu", "tx-start", NULL, false, false },
	{ "uncore_imc_0", "clockticks", NULL, false, false },
	{ "uncore_imc_1", "clockticks", NULL, false, false },
	{ "uncore_imc_2", "clockticks", NULL, false, false },
	{ "cpu", "cycles", NULL, true, false },
};

static const struct opened is[] = {
	{ "cpu", "mem-loads", "paranoid", false, false },
	{ "cpu", "mem-stores", NULL, false, false },
	{ "cpu", "tx-abort", "paranoid", false, false },
	{ "cpu", "tx-start", NULL, false, true },
	{ "uncore_imc_0", "clockticks", "paranoid", false, false },
	{ "uncore_imc_1", "clockticks", NULL, false, false },
	{ "uncore_imc_2", "clockticks", "paranoid", false, false },
	{ "cpu", "cycles", "paranoid", true, false },
};

static void finds_what_opens(void **state)
{
	char *found = printed_of(was, COUNT(was), is, COUNT(is));

	(void)state;
	assert_string_equal(found, "breaking opens-no-more cpu cycles\n"
				   "breaking opens-no-more cpu mem-loads\n"
				   "breaking opens-no-more uncore_imc_0*2 clockticks\n"
				   "addition opens-now cpu mem-stores\n"
				   "cosmetic refused-otherwise cpu tx-abort");
	free(found);
	found = printed_of(was, COUNT(was), was, COUNT(was));
	assert_string_equal(found, "");
	free(found);
	/* A machine without a check has no open results. */
	found = printed_of(was, COUNT(was), NULL, 0);
	assert_string_equal(found, "");
	free(found);
}

/* -------------------------------------------------------------------------- parts of a machine */

static struct pmuq_catalog *incomplete(void)
{
	struct pq_builder *builder = NULL;
	struct pq_pmu_draft draft = { .name = STR("cpu"), .type = 4, .has_type = true };
	struct pq_pmu_draft other = { .name = STR("fresh"), .type = 70, .has_type = true };
	struct pmuq_catalog *catalog = NULL;

	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	pq_builder_fact(builder, STR("kernel"), STR("6.12"), NULL);
	pq_builder_fact(builder, STR("incomplete"), STR("perf.data"), NULL);
	pq_builder_pmu(builder, &draft, NULL);
	pq_builder_pmu(builder, &other, NULL);
	assert_int_equal(pq_builder_finish(builder, &catalog, NULL), 0);
	return catalog;
}

static void an_incomplete_machine_misses_nothing(void **state)
{
	struct pmuq_catalog *part = incomplete();
	struct pmuq_diff *diff = NULL;
	char *found;

	(void)state;
	assert_int_equal(pmuq_catalog_diff(before, part, NULL, &diff, NULL), 0);
	found = printed(diff);
	assert_string_equal(found, "addition pmu-new fresh\n"
				   "cosmetic fact kernel [6.1.192] [6.12]\n"
				   "passing fact-new incomplete - [perf.data]\n"
				   "passing tracepoints-unknown");
	free(found);
	pmuq_diff_free(diff);
	diff = NULL;
	assert_int_equal(pmuq_catalog_diff(part, before, NULL, &diff, NULL), 0);
	assert_int_equal(pmuq_diff_weight_count(diff, PMUQ_WEIGHT_ADDITION), 0);
	assert_int_equal(pmuq_diff_weight_count(diff, PMUQ_WEIGHT_BREAKING), 1);
	pmuq_diff_free(diff);
	pmuq_catalog_free(part);
}

static void options_of_a_later_version_are_refused(void **state)
{
	struct {
		struct pmuq_diff_options known;
		int more;
	} options = { .known.size = sizeof(options), .more = 1 };
	struct pmuq_diff *diff = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_diff(before, before, &options.known, &diff, &error),
			 -PMUQ_E_BAD_CALL);
	assert_null(diff);
	pmuq_error_free(error);
	options.more = 0;
	assert_int_equal(pmuq_catalog_diff(before, before, &options.known, &diff, NULL), 0);
	assert_int_equal(pmuq_diff_count(diff), 0);
	assert_null(pmuq_diff_get(diff, 0));
	pmuq_diff_free(diff);
}

int main(void)
{
	static struct CMUnitTest tests[COUNT(rows) + 3];
	size_t n = 0;

	n += ADD_ROWS(tests, finds, rows, name);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(finds_what_opens);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(an_incomplete_machine_misses_nothing);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(options_of_a_later_version_are_refused);
	return _cmocka_run_group_tests("diff", tests, n, setup, teardown);
}
