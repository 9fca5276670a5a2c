/* SPDX-License-Identifier: MIT */
/* The table of methods: which command each runs, with which parameters. */
#include "service/method.h"
#include "cli/events/encode_output.h"
#include "cli/tables/list.h"
#include "core/limits.h"

static const enum option event_options[] = { OPTION_DIALECT, OPTION_STRICT, OPTION_AS_WRITTEN,
					     OPTION_FROM,    OPTION_PRESET, OPTION_PRIVILEGE,
					     OPTION_ANY_CPU, OPTION_VENDOR, OPTION_END };

static bool is_list_type(const char *text)
{
	return list_type_find(text);
}

/* Of the operands of `pmuq list` the first is the type if it is a type, and else a glob. */
static const struct method_word list_words[] = {
	{ .name = "type",
	  .prefix = "",
	  .help = "pmus (the default), events, tracepoints, formats, facts, metrics, "
		  "metricgroups or problems",
	  .fallback = "pmus",
	  .is_known = is_list_type },
	{ 0 },
};

static const struct method_word diff_words[] = {
	{ .name = "generation",
	  .prefix = "generation:",
	  .help = "an earlier one; the daemon keeps the last 16",
	  .is_number = true },
	{ .name = "host", .prefix = "host:", .help = "NAME or NAME@SNAPSHOT" },
	{ 0 },
};

const struct method methods[] = {
	{
		.name = "GetInfo",
		.help = "What the daemon is, what it may do, and the state of the machine.",
		.task = METHOD_GET_INFO,
		.refreshes = true,
	},
	{
		.name = "List",
		.help = "PMUs, events, tracepoints, formats, facts or problems. Globs "
			"select some, as in `pmuq list`.",
		.command = &cmd_list,
		.words = list_words,
		.operands = "globs",
		.operands_max = PQ_SERVICE_NAMES_MAX,
		.options = OPTION_LIST(OPTION_FOLD, OPTION_FROM, OPTION_VENDOR),
		.refreshes = true,
	},
	{
		.name = "Show",
		.help = "PMUs or events in full.",
		.command = &cmd_show,
		.operands = "names",
		.needs_operands = true,
		.operands_max = PQ_SERVICE_NAMES_MAX,
		.options = OPTION_LIST(OPTION_VENDOR),
		.refreshes = true,
	},
	{
		.name = "Encode",
		.help = "Turns event strings into attrs. Opens nothing. A string that is "
			"not valid has an error of its own.",
		.command = &cmd_encode,
		.operands = "events",
		.needs_operands = true,
		.options = event_options,
		.fixed = { "--no-open" },
	},
	{
		.name = "EncodeCompact",
		.help = "The same with less in the reply, for lists of many strings: attrs in hex "
			"only, and nothing that has no value.",
		.command = &cmd_encode,
		.operands = "events",
		.needs_operands = true,
		.options = event_options,
		.fixed = { "--no-open", "--compact" },
		.document = &encode_compact_document,
	},
	{
		.name = "Explain",
		.help = "Which term of an event string sets which bits.",
		.command = &cmd_explain,
		.operands = "events",
		.needs_operands = true,
		.options = event_options,
	},
	{
		.name = "Decode",
		.help = "Turns attrs back into event strings. An attr is its bytes in hex, "
			"its fields (type=4 config=0x3c), or JSON of Encode.",
		.command = &cmd_decode,
		.operands = "attrs",
		.needs_operands = true,
		.options = OPTION_LIST(OPTION_DIALECT, OPTION_FROM, OPTION_VENDOR),
	},
	{
		.name = "Search",
		.help = "Finds events of all sources by words, the best first.",
		.command = &cmd_search,
		.operands = "words",
		.needs_operands = true,
		.operands_max = PQ_SERVICE_NAMES_MAX,
		.options = OPTION_LIST(OPTION_LIMIT, OPTION_FROM),
		.refreshes = true,
	},
	{
		.name = "Check",
		.help = "Opens events and closes them at once, with the rights of the "
			"daemon, which may differ from those of the caller: see rights of "
			"GetInfo.",
		.command = &cmd_check,
		.operands = "events",
		.needs_operands = true,
		.operands_max = PQ_SERVICE_CHECKS_MAX,
		.options = OPTION_LIST(OPTION_CPU, OPTION_DIALECT, OPTION_STRICT, OPTION_AS_WRITTEN,
				       OPTION_FROM, OPTION_PRESET, OPTION_PRIVILEGE, OPTION_ANY_CPU,
				       OPTION_VENDOR),
		.refreshes = true,
	},
	{
		.name = "Diff",
		.help = "What changed between an earlier state of the machine, or a host of "
			"the daemon's database, and now.",
		.command = &cmd_diff,
		.needs_operands = true,
		.words = diff_words,
		.options = OPTION_LIST(OPTION_ALL, OPTION_WEIGHT),
		.refreshes = true,
	},
	{
		.name = "Export",
		.help = "The whole machine, as a document that `pmuq import` reads: see "
			"pmuq-inventory(5).",
		.command = &cmd_export,
		.before = "{\"document\": ",
		.refreshes = true,
	},
	{
		.name = "Subscribe",
		.help = "The state of the machine, and each change as it happens. Call it "
			"with `more`.",
		.task = METHOD_SUBSCRIBE,
	},
	{ 0 },
};

const struct method *method_find(struct pmuq_str name)
{
	for (const struct method *method = methods; method->name; method++)
		if (str_eq(str_of(method->name), name))
			return method;
	return NULL;
}
