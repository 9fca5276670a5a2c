/* SPDX-License-Identifier: MIT */
/*
 * The list of all options, in the order of the help. Each row defines an enumerator (OPTION_HEX,
 * cmd.h) and the properties of the option for the reader, the help and the completion (struct
 * option_row).
 */
#pragma once

/* Name, letter or 0, long name, argument or NULL ("[=X]": optional), help, members. */
// clang-format off
#define OPTIONS(ROW) \
	/* The machine and the help: of every command. */ \
	ROW(SYSROOT,      0,   "sysroot",      "DIR|FILE",    "use a captured tree or tar, a document or a recording") \
	ROW(HOST,         0,   "host",         "MACHINE",     "use a host of the database: NAME or NAME@SNAPSHOT") \
	ROW(VIA,          0,   "via",          "SOCKET",      "use the machine of the daemon that listens at SOCKET") \
	ROW(DB,           0,   "db",           "FILE",        "use the database FILE, or one on a server: postgresql://…") \
	ROW(COLOR,        0,   "color",        "WHEN",        "color stdout and stderr: auto (on terminals), always, never") \
	ROW(HELP,         'h', "help",         NULL,          "print help") \
	ROW(VERSION,      'V', "version",      NULL,          "print the version") \
	ROW(VERBOSE,      'v', "verbose",      NULL,          "with --version: also print build options and libraries") \
	/* The output. */ \
	ROW(JSON,         'J', "json",         NULL,          "print JSON", .is_form = true) \
	ROW(JSONL,        0,   "jsonl",        NULL,          "print JSON lines, each as soon as it is known", .is_form = true) \
	ROW(YAML,         0,   "yaml",         NULL,          "print YAML", .is_form = true) \
	ROW(COMPACT,      0,   "compact",      NULL,          "in documents: leave out the attr in words, and what has no value") \
	ROW(COLUMNS,      'o', "columns",      "COLUMNS",     "print these columns: A,B,C; +A,B adds to the default ones") \
	ROW(LIST_COLUMNS, 0,   "list-columns", NULL,          "list the columns") \
	ROW(RAW,          'r', "raw",          NULL,          "print one blank between columns, blanks in texts as \\x20", .is_form = true) \
	ROW(NOHEADINGS,   'n', "noheadings",   NULL,          "print no line of headings") \
	ROW(NO_PAGER,     0,   "no-pager",     NULL,          "never start a pager") \
	ROW(ALL,          'a', "all",          NULL,          "print everything: nothing folded, nothing left out") \
	ROW(FOLD,         0,   "fold",         NULL,          "print sibling instances as one row, not on terminals only") \
	ROW(C,            0,   "c",            NULL,          "print C: a struct perf_event_attr for each encoding", .is_form = true) \
	ROW(HEX,          0,   "hex",          NULL,          "print the bytes of each attr in hex, a line each", .is_form = true) \
	ROW(BYTES,        0,   "bytes",        NULL,          "write the bytes of the attrs, one after the other", .is_form = true) \
	ROW(OUTPUT,       'o', "output",       "FILE",        "write to FILE, which keeps its content if that fails; -: stdout") \
	ROW(BRIEF,        'q', "brief",        NULL,          "print only whether they differ", .is_form = true) \
	ROW(STAT,         0,   "stat",         NULL,          "print the number of changes of each weight, for each PMU", .is_form = true) \
	ROW(DRY_RUN,      0,   "dry-run",      NULL,          "change nothing; print what would be done") \
	/* Event strings and attrs. */ \
	ROW(FILE,         'f', "file",         "FILE",        "read FILE, one event string or attr per line; -: stdin") \
	ROW(DIALECT,      0,   "dialect",      "pmuq|perf",   "parse like pmuq (default) or like perf", .is_choice = true) \
	ROW(STRICT,       0,   "strict",       NULL,          "treat warnings as errors") \
	ROW(AS_WRITTEN,   0,   "as-written",   NULL,          "keep groups as they are written, and add no event") \
	ROW(FROM,         0,   "from",         "LIST",        "use names of these sources only: sysfs,generic,...") \
	ROW(PRESET,       0,   "preset",       "stat|record|sample", "add what perf stat, perf record or a sampler of running tasks sets", .is_choice = true) \
	ROW(PRIVILEGE,    0,   "privilege",    "user|kernel|both", "count user code, the kernel or both; :u, :k, :h take precedence", .is_choice = true) \
	ROW(VENDOR,       0,   "vendor",       "CPUID|auto",  "use the imported events of that CPU; auto: of the machine's") \
	ROW(ANY_CPU,      0,   "any-cpu",      NULL,          "accept libpfm4's names of another CPU than the machine's") \
	ROW(NO_OPEN,      0,   "no-open",      NULL,          "do not open the events") \
	ROW(ALL_HOSTS,    0,   "all-hosts",    "[=GLOB]",     "use every host of the database, or those that match GLOB") \
	ROW(CHECKED,      0,   "checked",      NULL,          "with --all-hosts: a host without a check (scan --check) fails") \
	ROW(LIMIT,        0,   "limit",        "N",           "print at most N events (20)", .most = 10000) \
	ROW(METRIC,       'M', "metric",       "NAMES",       "events of metrics: names, groups, patterns; with commas") \
	ROW(SYSTEM_WIDE,  0,   "system-wide",  NULL,          "of metrics and perf stat: all CPUs are counted") \
	ROW(NO_THRESHOLDS, 0,  "no-thresholds", NULL,         "of metrics: without the events that only thresholds need") \
	ROW(NO_GROUPS,    0,   "no-groups",    NULL,          "of metrics: each event alone") \
	ROW(NO_SHARING,   0,   "no-sharing",   NULL,          "of metrics: each one's events for it alone") \
	ROW(FORMULA,      0,   "formula",      NULL,          "evaluate a formula: the first operand, or one a line of -f") \
	/* The kernel. */ \
	ROW(PID,          'p', "pid",          "PID",         "open for that process or thread instead of this one", .most = INT32_MAX) \
	ROW(CPU,          'C', "cpu",          "CPUS",        "open on these CPUs (0-3,8), for all processes or that of -p") \
	ROW(CGROUP,       'G', "cgroup",       "PATH",        "open for that cgroup: a path of /proc/PID/cgroup, or a directory") \
	ROW(COUNT,        0,   "count",        "[=MS]",       "let each event count for MS milliseconds (100)", .most = INT32_MAX) \
	ROW(FOR,          0,   "for",          "SECONDS",     "end after SECONDS", .most = INT32_MAX) \
	ROW(RDPMC,        0,   "rdpmc",        NULL,          "count, and read the counter in user space if permitted") \
	ROW(CHECK,        0,   "check",        NULL,          "open every event, and store the results") \
	/* The daemon. */ \
	ROW(SOCKET,       0,   "socket",       "PATH",        "listen at PATH instead of the socket of the service manager") \
	ROW(IDLE,         0,   "idle",         "SECONDS",     "end after SECONDS without a call (30 with a service manager)", .most = INT32_MAX) \
	ROW(LOG_LEVEL,    0,   "log-level",    "error|warning|info|debug", "print lines of this level and above (info)", .is_choice = true) \
	ROW(INTERFACE,    0,   "interface",    NULL,          "print the interface file and end") \
	/* The database. */ \
	ROW(WATCH,        0,   "watch",        NULL,          "go on, and store a snapshot after each change") \
	ROW(NAME,         0,   "name",         "NAME",        "store under NAME") \
	ROW(WITH,         0,   "with",         "EVENT",       "print only hosts on which the event string is valid") \
	ROW(HISTORY,      0,   "history",      NULL,          "print a row for each snapshot, oldest first") \
	ROW(RENAME,       0,   "rename",       "OLD",         "rename the host OLD: --rename OLD NEW") \
	ROW(BEFORE,       0,   "before",       "DATE",        "remove what was last seen before DATE; 90d: 90 days ago") \
	ROW(KEEP,         0,   "keep",         "N",           "keep the N newest snapshots of each host", .most = 999999999) \
	ROW(WEIGHT,       0,   "weight",       "WEIGHT",      "print changes of WEIGHT or above: breaking, meaning, addition, ...") \
	ROW(LIBPFM4,      0,   "libpfm4",      NULL,          "import the names of libpfm4 alone") \
	ROW(NO_LIBPFM4,   0,   "no-libpfm4",   NULL,          "do not import the names of libpfm4, too") \
	ROW(PREFIX,       0,   "prefix",       "NAME",        "begin the names of the roles with NAME (pmuq)") \
	ROW(TO,           0,   "to",           "SERVER",      "push to the inbox of that database: postgresql://…") \
	ROW(SPOOL,        0,   "spool",        "DIR",         "keep the machine in DIR while the server is away") \
	ROW(HOSTNAME,     0,   "hostname",     "[=NAME]",     "keep the hostname, or replace it by NAME")
// clang-format on
