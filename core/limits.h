/* SPDX-License-Identifier: MIT */
/*
 * The limits of all untrusted input: THE table, from which scripts/limits.py makes the one in
 * docs/security.md. A limit has one line: its name, its value, and what it limits. An item beyond
 * its limit is an error, and the rest is read.
 */
#pragma once

// clang-format off

/* == Event strings == */
#define PQ_INPUT_MAX_BYTES             ((size_t)1 << 20)        /* an event string */
#define PQ_TERMS_MAX                   256u                     /* terms of one event, those of its file in sysfs included */
#define PQ_ENCODINGS_MAX               65536u                   /* encodings of one event string */
#define PQ_GLOB_MAX_BYTES              1024u                    /* a pattern of PMU names: its cost grows with its length and the number of PMUs */
#define PQ_ENCODE_MAX_BYTES            ((size_t)256 << 20)      /* memory to encode one event string, the result included */
#define PQ_ATTR_TEXT_MAX_BYTES         4096u                    /* an attr in hex or in a file: bytes after attr.size must be zero */
#define PQ_LINE_MAX_BYTES              ((size_t)2 * 1024 * 1024) /* a line of a file of event strings */
#define PQ_DECODE_INPUT_MAX_BYTES      ((size_t)32 << 20)       /* a line of a file of attrs, and a JSON document of attrs */
#define PQ_DECODE_TREE_MAX_BYTES       ((size_t)256 << 20)      /* memory for a JSON document of attrs */

/* == Formulas of metrics == */
#define PQ_FORMULA_MAX_BYTES           ((size_t)128 << 10)      /* a formula; the longest of a kernel's tables has 6 KiB, of perfmon 77 KiB */
#define PQ_FORMULA_DEPTH_MAX           100u                     /* brackets, functions and `else` inside of each other */
#define PQ_FORMULA_VALUES_MAX          512u                     /* values that one evaluation keeps at a time */
#define PQ_FORMULA_LINE_MAX_BYTES      ((size_t)64 << 20)       /* memory for a line of a file of formulas, which is JSON */
#define PQ_FORMULA_MEMORY_MAX_BYTES    ((size_t)16 << 20)       /* memory of a formula */

/* == Events and counters == */
#define PQ_FIT_EVENTS_MAX              256u                     /* events of one PMU that are matched with its counters; of more it is not known whether they fit */
#define PQ_FIT_STEPS_MAX               2000000u                 /* steps of the search for the smallest split; after them, the smallest that was found is used */
#define PQ_FIT_MAX_BYTES               ((size_t)64 << 20)       /* memory to match the events of one string with counters */

/* == Sysfs and captured trees == */
#define PQ_FILE_MAX_BYTES              ((size_t)64 << 10)       /* a file of sysfs or procfs; a longer one is a problem of that file */
#define PQ_CPUINFO_MAX_BYTES           ((size_t)32 << 20)       /* /proc/cpuinfo: 8,192 CPUs of x86, and more of any other architecture */
#define PQ_CATALOG_MAX_BYTES           ((size_t)256 << 20)      /* memory of a catalog; 10,000 PMUs need a tenth of it */
#define PQ_SOURCE_MAX_BYTES            ((size_t)256 << 20)      /* memory of a source that reads on demand */
#define PQ_PMU_LOAD_MAX_BYTES          ((size_t)256 << 20)      /* memory to read one PMU */
#define PQ_PMU_NAMES_MAX_BYTES         ((size_t)32 << 20)       /* memory for the names of a PMU's events */
#define PQ_DIR_FILES_MAX               65536u                   /* files of a directory; a larger one is a problem of its PMU */
#define PQ_TRACEPOINT_LIST_MAX_BYTES   ((size_t)8 << 20)        /* the list of tracepoints of the kernel, if they are only counted: 70 KiB have 2,300 */
#define PQ_LISTS_MAX_BYTES             ((uint64_t)48 << 20)     /* formats, events and caps of all PMUs, when each PMU has its own */
#define PQ_LEFT_OUT_MAX                64u                      /* PMUs that are read and left out because of that limit; others are not read */
#define PQ_LINKS_MAX                   40u                      /* symbolic links that one path follows, as in the kernel */
#define PQ_MANIFEST_MAX_BYTES          ((size_t)4 << 20)        /* the manifest of a capture */
#define PQ_MANIFEST_ENTRIES_MAX        ((size_t)500000)         /* entries of a manifest */
#define PQ_MANIFEST_MEMORY_MAX_BYTES   ((size_t)256 << 20)      /* memory for the entries of a manifest */
#define PQ_CAPTURE_MAX_BYTES           ((size_t)512 << 20)      /* memory of a new capture */
#define PQ_CAPTURE_FILES_MAX           ((size_t)500000)         /* files of a new capture */

/* == Tars == */
#define PQ_TAR_MAX_BYTES               ((uint64_t)256 << 20)    /* the file itself: unpacking takes time even if it contains nothing */
#define PQ_TAR_FILES_MAX               ((size_t)500000)         /* files, directories and links in it */
#define PQ_TAR_CONTENT_MAX_BYTES       ((uint64_t)128 << 20)    /* content of all entries together, unpacked, also of those that are not read */
#define PQ_TAR_UNPACKED_MAX_BYTES      ((size_t)512 << 20)      /* the unpacked tar, with the headers and names of its entries */
#define PQ_TAR_MEMORY_MAX_BYTES        ((size_t)512 << 20)      /* memory for files, names and directories */
#define PQ_TAR_NAME_MAX_BYTES          4096u                    /* a name in it */

/* == Documents (YAML and JSON) == */
#define PQ_DOCUMENT_MAX_BYTES          ((size_t)32 << 20)       /* one document of a file */
#define PQ_DEPTH_MAX                   8u                       /* levels of nesting; the format needs seven */
#define PQ_NODES_MAX                   1000000u                 /* values in a document */
#define PQ_SCALAR_MAX_BYTES            ((size_t)88 << 10)       /* a text in a document: the largest file of sysfs, in base64 */
#define PQ_DOCUMENT_MEMORY_MAX_BYTES   ((size_t)256 << 20)      /* memory for a document with all its texts */
#define PQ_HOST_NAME_MAX_BYTES         1024u                    /* the name of a host, also in a database: an index of PostgreSQL has twice as many at most */
#define PQ_DOCUMENT_FACTS_MAX          256u                     /* facts of a host; pmuq writes about twenty */
#define PQ_DOCUMENT_RESULTS_MAX        1000000u                 /* open results of a document */
#define PQ_KEPT_DOCUMENTS              32                       /* documents that a reader remembers for files that differ in their hosts only */
#define PQ_KEPT_DOCUMENT_MAX_BYTES     ((size_t)256 << 10)      /* the text of such a document */
#define PQ_PMUS_MAX                    65536u                   /* PMUs, and numbers in a list of names */
#define PQ_CPUS_MAX                    65536u                   /* CPUs of a machine */
#define PQ_JSON_DEPTH_MAX              64u                      /* levels of nesting in JSON */

/* == Recordings (perf.data) == */
#define PQ_FEATURE_MAX_BYTES           ((uint64_t)64 << 20)     /* the header, or a feature */
#define PQ_EVENTS_MAX                  65536                    /* events of a recording */
#define PQ_RECORDED_PMUS_MAX           16384u                   /* PMUs of a recording; the largest machines have a thousand */
#define PQ_RECORDING_MAX_BYTES         ((size_t)128 << 20)      /* memory of a recording; 2,000 events on 1,000 CPUs take a third of it */

/* == Databases == */
#define PQ_STORE_VALUE_MAX_BYTES       (1 << 20)                /* a text or blob; the longest that pmuq writes is of a vendor's table */
#define PQ_STORE_SQL_MAX_BYTES         (16 << 10)               /* an SQL statement, also of the schema: four times the longest of pmuq's own */
#define PQ_STORE_COLUMNS_MAX           64                       /* columns of a table or result; pmuq's own have 16 */
#define PQ_STORE_ROWS_MAX              500000                   /* rows that one content has */
#define PQ_STORE_SCHEMA_STEPS_MAX      200000                   /* steps of SQLite until the schema is known to be pmuq's, which takes 2,000 */
#define PQ_STORE_STEPS_MAX             20000000                 /* steps of SQLite for a query; a step takes about 20 ns */
#define PQ_STORE_STEPS_PER_BYTE_MAX    8                        /* further steps for each byte of the file */
#define PQ_STORE_MEMORY_MAX_BYTES      (256 << 20)              /* memory of SQLite for a query; SQLite counts that of all connections of the process */
#define PQ_SNAPSHOT_MAX_BYTES          ((size_t)64 << 20)       /* memory to store a snapshot */
#define PQ_CONTENTS_MAX_BYTES          ((size_t)256 << 20)      /* memory for content that snapshots share */
#define PQ_HOSTS_MAX_BYTES             ((size_t)256 << 20)      /* memory for a list of hosts */
#define PQ_KEPT_MACHINES               32                       /* machines that an open store remembers for hosts that share them */
#define PQ_KEPT_MACHINE_MAX_BYTES      ((size_t)2 << 20)        /* the content of such a machine; 1,034 PMUs take half of it */

#define PQ_DELIVERY_MAX_BYTES          1000000                  /* a document that a host pushes; a server may have a lower limit */
#define PQ_INGEST_DELIVERIES           1000                     /* deliveries of hosts that one transaction stores */
#define PQ_INGEST_MAX_BYTES            ((size_t)8 << 20)        /* documents among them; the others wait for the next one */
#define PQ_INGEST_HEARTBEATS           5000                     /* hosts whose time one transaction updates */
#define PQ_INGEST_ROWS_MAX_BYTES       ((size_t)896 << 10)      /* rows of hosts in one statement */

/* == Vendors' tables == */
#define PQ_VENDOR_FILE_MAX_BYTES       ((size_t)16 << 20)       /* a file */
#define PQ_VENDOR_TREE_MAX_FILES       100000u                  /* files of an import */
#define PQ_VENDOR_TREE_MAX_BYTES       ((size_t)1 << 30)        /* bytes of all files of an import */
#define PQ_VENDOR_ENTRIES_MAX          65536u                   /* entries of a directory */
#define PQ_VENDOR_DEPTH_MAX            4u                       /* directories below each other */
#define PQ_MAPFILE_ROWS_MAX            16384u                   /* rows of a mapfile */
#define PQ_VENDOR_EVENT_MAX_BYTES      ((size_t)1 << 20)        /* an event in JSON */
#define PQ_VENDOR_EVENTS_MAX           ((size_t)1 << 20)        /* events of one CPU */
#define PQ_VENDOR_INHERITED_MAX_BYTES  ((uint64_t)16 << 20)     /* texts that events of an import take from standard events */
#define PQ_VENDOR_FOLDER_MAX_BYTES     ((size_t)256 << 20)      /* memory for the events of one CPU */
#define PQ_VENDOR_PROBLEMS_MAX         10000u                   /* problems that an import stores */
#define PQ_COUNTERS_MAX                64u                      /* counters of a PMU */
#define PQ_REGEX_MAX_BYTES             256u                     /* a pattern */
#define PQ_REGEX_MAX_STATES            1024u                    /* states of a pattern: the steps for each byte of a CPU ID */
#define PQ_CPUID_MAX_BYTES             128u                     /* a CPU ID that patterns are matched with; real ones have at most some 40 bytes */

/* == Memory of one call == */
#define PQ_REFRESH_MAX_BYTES           ((size_t)64 << 20)       /* to see what changed in a source */
#define PQ_WALK_MAX_BYTES              ((size_t)256 << 20)      /* to read a whole machine, without the catalog */
#define PQ_RECORDED_MACHINE_MAX_BYTES  ((size_t)256 << 20)      /* to make a machine of a recording */
#define PQ_FACTS_MAX_BYTES             ((size_t)16 << 20)       /* facts of a host that shares its catalog */
#define PQ_CHECK_MAX_BYTES             ((size_t)256 << 20)      /* open results; those of 100,000 events fit */
#define PQ_VENDOR_TABLE_MAX_BYTES      ((size_t)512 << 20)      /* the table of one CPU */
#define PQ_VENDOR_NAME_MAX_BYTES       ((size_t)4 << 20)        /* events of one name in it */
#define PQ_METRICS_MAX_BYTES           ((size_t)128 << 20)      /* the metrics of one CPU */
#define PQ_METRIC_PLAN_MAX_BYTES       ((size_t)64 << 20)       /* the events of metrics */
#define PQ_VENDOR_LIST_MAX_BYTES       ((size_t)256 << 20)      /* the list of imports */
#define PQ_SEARCH_MAX_BYTES            ((size_t)256 << 20)      /* what a search finds */
#define PQ_VENDOR_NAMES_MAX_BYTES      ((size_t)256 << 20)      /* names of an import */
#define PQ_VENDOR_ARCH_MAX_BYTES       ((size_t)128 << 20)      /* standard events of an architecture */
#define PQ_VENDOR_CPUS_MAX_BYTES       ((size_t)64 << 20)       /* patterns of all CPUs */
#define PQ_WRITER_MAX_BYTES            ((size_t)512 << 20)      /* hosts of a document that is written */
#define PQ_DIFF_MAX_BYTES              ((size_t)512 << 20)      /* changes between two machines */
#define PQ_HOST_NAMES_MAX_BYTES        ((size_t)64 << 20)       /* names of hosts, for hints */
#define PQ_DECODE_MAX_BYTES            ((size_t)64 << 20)       /* candidates of one attr */
#define PQ_OPEN_MAX_BYTES              ((size_t)64 << 20)       /* to open events and to explain refusals */
#define PQ_OPEN_HOST_MAX_BYTES         ((size_t)4 << 20)        /* facts about this process and its machine */
#define PQ_OPENED_MAX_BYTES            ((size_t)256 << 20)      /* events that stay open */
#define PQ_OPEN_RESULTS_MAX_BYTES      ((size_t)256 << 20)      /* texts of open results */
#define PQ_PFM_TABLES_MAX_BYTES        ((size_t)256 << 20)      /* libpfm4's tables, in the helper */

/* == The helper of libpfm4 == */
#define PQ_PFM_FRAME_MAX_BYTES         (1u << 20)               /* a message */
#define PQ_PFM_NAME_MAX_BYTES          1024u                    /* a name */
#define PQ_PFM_LIST_MAX_BYTES          ((size_t)64 << 20)       /* memory for its list of events */
#define PQ_PFM_ATTRIBUTES_MAX          4096u                    /* attributes of an event */
/* == The service (pmuqd) == */
#define PQ_SERVICE_REQUEST_MAX_BYTES   ((size_t)1 << 20)        /* a request; a longer one ends the connection */
#define PQ_SERVICE_SMALL_MAX_BYTES     ((size_t)16 << 10)       /* a request that needs no turn */
#define PQ_SERVICE_LARGE_MAX           4u                       /* larger requests that are received at once, half of them of one user; others wait */
#define PQ_SERVICE_TREE_MAX_BYTES      ((size_t)8 << 20)        /* memory for the values of a request */
#define PQ_SERVICE_REPLY_MAX_BYTES     ((size_t)16 << 20)       /* a reply */
#define PQ_SERVICE_QUEUE_MAX_BYTES     ((size_t)3 << 20)        /* replies that are not sent yet, of all connections; further requests wait */
#define PQ_SERVICE_CHANGES_MAX_BYTES   ((size_t)1 << 20)        /* changes that a subscriber has not read; then it is dropped. A client takes no larger message of a change */
#define PQ_SERVICE_CAUSES_MAX_BYTES    ((size_t)256 << 10)      /* memory of a client for the causes of one change */
#define PQ_SERVICE_CHECKS_MAX          1024u                    /* events that one Check opens */
#define PQ_SERVICE_NAMES_MAX           256u                     /* globs of one List, names of one Show, words of one Search */
#define PQ_SERVICE_SEARCHES_MAX        1000u                    /* strings of one call that are not valid; attrs of one Decode */
#define PQ_SERVICE_CLIENTS_MAX         256u                     /* connections */
#define PQ_SERVICE_USER_CLIENTS_MAX    64u                      /* connections of one user */
#define PQ_SERVICE_SILENCE_MAX_MS      10000u                   /* how long a client may leave its replies unread, or a large request incomplete */
#define PQ_SERVICE_GENERATIONS_MAX     16u                      /* states of the machine that Diff can compare with */

// clang-format on
