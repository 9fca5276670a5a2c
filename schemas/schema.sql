-- SPDX-License-Identifier: MIT
-- The store: what a new database contains, user_version 1. Released schemas do not change; a later version is a step in
-- schemas/steps/ (docs/DEVELOPING.md).
--
-- A content that hosts can share is stored once, under its SHA-256 hash: definitions, sets of attributes, layouts,
-- sets of facts, tracepoints and problems, open results, sets of checked events, host classes, vendors' texts and sets. Rows
-- under a hash never change.
--
-- A text is TEXT if its bytes are UTF-8 without NUL, else BLOB: a file of sysfs can contain any bytes, and pmuq returns
-- the same bytes. NULL means that the file does not exist. Times are seconds since 1970. Who reads a text refuses a value of
-- another type: a CHECK in each column would cost every process that opens the database a twentieth of its start.
-- (For a CHECK with IN and a list of three values SQLite builds a table for every row: hence IS NULL OR.)

-- What all instances of a PMU share: formats, events and caps.
CREATE TABLE definition (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE definition_format (
	definition INTEGER NOT NULL REFERENCES definition (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL,
	text ANY NOT NULL,
	PRIMARY KEY (definition, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE definition_event (
	definition INTEGER NOT NULL REFERENCES definition (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL,
	terms ANY NOT NULL,
	unit ANY NOT NULL,
	scale ANY NOT NULL,
	is_per_pkg INTEGER NOT NULL CHECK (is_per_pkg IN (0, 1)),
	is_snapshot INTEGER NOT NULL CHECK (is_snapshot IN (0, 1)),
	has_unit_file INTEGER NOT NULL CHECK (has_unit_file IN (0, 1)),
	has_scale_file INTEGER NOT NULL CHECK (has_scale_file IN (0, 1)),
	PRIMARY KEY (definition, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE definition_cap (
	definition INTEGER NOT NULL REFERENCES definition (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL,
	text ANY NOT NULL,
	PRIMARY KEY (definition, position)
) STRICT, WITHOUT ROWID;

-- Plain files of a PMU's directory (perf_event_mux_interval_ms, identifier, rdpmc): most PMUs have the same.
CREATE TABLE attribute_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE attribute (
	attribute_set INTEGER NOT NULL REFERENCES attribute_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL,
	text ANY NOT NULL,
	PRIMARY KEY (attribute_set, position)
) STRICT, WITHOUT ROWID;

-- The PMUs of a machine, in pmuq's order.
CREATE TABLE layout (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE layout_pmu (
	layout INTEGER NOT NULL REFERENCES layout (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL,
	type INTEGER CHECK (type BETWEEN 0 AND 4294967295),
	alias ANY,
	cpumask ANY,
	cpus ANY,
	definition INTEGER NOT NULL REFERENCES definition (id),
	attribute_set INTEGER NOT NULL REFERENCES attribute_set (id),
	PRIMARY KEY (layout, position)
) STRICT, WITHOUT ROWID;

-- Facts that hosts can share: kernel, arch, cpuid and others, in pmuq's order.
CREATE TABLE fact_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE fact (
	fact_set INTEGER NOT NULL REFERENCES fact_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL,
	text ANY NOT NULL,
	PRIMARY KEY (fact_set, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE tracepoint_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

-- The number is the kernel's, 64 bits, as SQLite's signed integer.
CREATE TABLE tracepoint (
	tracepoint_set INTEGER NOT NULL REFERENCES tracepoint_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	subsystem ANY NOT NULL,
	name ANY NOT NULL,
	number INTEGER NOT NULL,
	PRIMARY KEY (tracepoint_set, position)
) STRICT, WITHOUT ROWID;

-- What pmuq could not read or understand; the code is the NNN of PMUQ-NNN.
CREATE TABLE problem_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE problem (
	problem_set INTEGER NOT NULL REFERENCES problem_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	path ANY NOT NULL,
	message ANY NOT NULL,
	code INTEGER NOT NULL,
	errnum INTEGER NOT NULL,
	PRIMARY KEY (problem_set, position)
) STRICT, WITHOUT ROWID;

-- The machine_id (a hash) is that of the newest snapshot: it finds one machine under two names.
CREATE TABLE host (
	id INTEGER PRIMARY KEY,
	name ANY NOT NULL UNIQUE,
	machine_id ANY
) STRICT;

-- Event strings mean the same on all hosts of a class: their snapshots have the same layout and tracepoints, and the same
-- text of every fact that encodings depend on (core/catalog/fact.h). The first 8 digits of the hash are the name of the class.
CREATE TABLE host_class (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

-- A machine as it was from first_seen to last_seen. The newest snapshot of a host has the highest id; an id is never used
-- again. The hash covers everything except the texts of volatile facts.
CREATE TABLE snapshot (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	host INTEGER NOT NULL REFERENCES host (id) ON DELETE CASCADE,
	hash BLOB NOT NULL CHECK (length(hash) = 32),
	host_class INTEGER NOT NULL REFERENCES host_class (id),
	layout INTEGER NOT NULL REFERENCES layout (id),
	fact_set INTEGER NOT NULL REFERENCES fact_set (id),
	tracepoint_set INTEGER NOT NULL REFERENCES tracepoint_set (id),
	problem_set INTEGER NOT NULL REFERENCES problem_set (id),
	first_seen INTEGER NOT NULL,
	last_seen INTEGER NOT NULL,
	CHECK (last_seen >= first_seen)
) STRICT;

CREATE INDEX snapshot_by_host ON snapshot (host);
CREATE INDEX snapshot_by_class ON snapshot (host_class);

-- Facts of one host alone (hostname, machine_id). A volatile fact (boot_id) has its value of last_seen.
CREATE TABLE snapshot_fact (
	snapshot INTEGER NOT NULL REFERENCES snapshot (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL,
	text ANY NOT NULL,
	is_volatile INTEGER NOT NULL CHECK (is_volatile IN (0, 1)),
	PRIMARY KEY (snapshot, position)
) STRICT, WITHOUT ROWID;

-- What the kernel did when pmuq opened an event: few results for many events. The status is that of enum
-- pmuq_open_status: 0 opened, 1 refused, 2 skipped.
CREATE TABLE open_result (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
	status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 2),
	errnum INTEGER NOT NULL,
	cpus ANY,
	name ANY,
	reason ANY,
	hint ANY,
	change ANY
) STRICT;

-- The events of a machine, in the order in which pmuq opened them, with the result of each. The event is one of the PMU's,
-- or (is_generic) the kernel's own name for what it counts.
CREATE TABLE check_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE checked_event (
	check_set INTEGER NOT NULL REFERENCES check_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	pmu ANY NOT NULL,
	event ANY NOT NULL,
	is_generic INTEGER NOT NULL CHECK (is_generic IN (0, 1)),
	open_result INTEGER NOT NULL REFERENCES open_result (id),
	PRIMARY KEY (check_set, position)
) STRICT, WITHOUT ROWID;

-- When the events of a snapshot were opened, and how many events the machine has: an interrupted check has fewer rows. A
-- machine that changed has a new snapshot, which is not checked.
CREATE TABLE snapshot_check (
	snapshot INTEGER PRIMARY KEY REFERENCES snapshot (id) ON DELETE CASCADE,
	check_set INTEGER NOT NULL REFERENCES check_set (id),
	checked INTEGER NOT NULL,
	total INTEGER NOT NULL CHECK (total >= 0)
) STRICT;

CREATE INDEX snapshot_check_by_set ON snapshot_check (check_set);

-- The description of an event or a metric in vendors' tables, once for all CPUs that have it. vendor_words is the index for
-- searching: an FTS5 table over these texts, which an import creates if SQLite has FTS5. Its rowid is
-- (bytes of the names of event and PMU, at most 1023) * 2^40 + id, so that short names come first. The PMU of most events
-- (default_core, cpu_core) counts as nothing. Without FTS5 a deleted text can remain in the index: an id is never used again.
CREATE TABLE vendor_text (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
	pmu ANY NOT NULL,
	name ANY NOT NULL,
	topic ANY NOT NULL,
	description ANY NOT NULL,
	long_description ANY NOT NULL
) STRICT;

CREATE INDEX vendor_text_by_name ON vendor_text (name);

-- The events and metrics of a folder, which imports can share. event_hash covers all that an encoding takes from the events.
-- texts: the ids of its texts, for searches, as ../db/ids.h writes them; NULL without FTS5.
CREATE TABLE vendor_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
	event_hash BLOB NOT NULL CHECK (length(event_hash) = 32),
	texts ANY
) STRICT;

-- The files of a folder, with the versions that they give themselves, or ''. A path begins in the folder.
CREATE TABLE vendor_file (
	vendor_set INTEGER NOT NULL REFERENCES vendor_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	path ANY NOT NULL,
	version ANY NOT NULL,
	PRIMARY KEY (vendor_set, position)
) STRICT, WITHOUT ROWID;

-- An event: its name and PMU are in its text. Unit and scale are NULL if the table has none; `compat` is what the PMU's
-- file `identifier` must match, '' for any. `counters` are those that can count it, in the vendor's words;
-- `counters_smt_off` those of a core that is one CPU, '' if the table does not list them apart. `latency` is the mean number of cycles by which it delays the retirement of an instruction, a decimal number, or ''. `file` is the position of
-- its file.
-- row_hash covers what event_hash covers, of this event.
CREATE TABLE vendor_event (
	vendor_set INTEGER NOT NULL REFERENCES vendor_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	vendor_text INTEGER NOT NULL REFERENCES vendor_text (id),
	terms ANY NOT NULL,
	unit ANY,
	scale ANY,
	compat ANY NOT NULL,
	is_per_pkg INTEGER NOT NULL CHECK (is_per_pkg IN (0, 1)),
	is_deprecated INTEGER NOT NULL CHECK (is_deprecated IN (0, 1)),
	counters ANY NOT NULL,
	counters_smt_off ANY NOT NULL,
	is_taken_alone INTEGER NOT NULL CHECK (is_taken_alone IN (0, 1)),
	latency ANY NOT NULL,
	row_hash INTEGER NOT NULL,
	file INTEGER NOT NULL CHECK (file >= 0),
	PRIMARY KEY (vendor_set, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX vendor_event_by_text ON vendor_event (vendor_text);

-- A metric, in the words of its file: docs/metrics.md. `grouping` is its MetricConstraint, `no_group` its MetricgroupNoGroup.
CREATE TABLE vendor_metric (
	vendor_set INTEGER NOT NULL REFERENCES vendor_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	vendor_text INTEGER NOT NULL REFERENCES vendor_text (id),
	expression ANY NOT NULL,
	groups ANY NOT NULL,
	scale_unit ANY NOT NULL,
	threshold ANY NOT NULL,
	grouping ANY NOT NULL,
	no_group ANY NOT NULL,
	default_group ANY NOT NULL,
	aggregation ANY NOT NULL,
	shows_events INTEGER NOT NULL CHECK (shows_events IN (0, 1)),
	compat ANY NOT NULL,
	file INTEGER NOT NULL CHECK (file >= 0),
	PRIMARY KEY (vendor_set, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX vendor_metric_by_text ON vendor_metric (vendor_text);

-- What a metric group is for, in the vendor's words. Groups without a description are only in the rows of their metrics.
CREATE TABLE vendor_group (
	vendor_set INTEGER NOT NULL REFERENCES vendor_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL,
	description ANY NOT NULL,
	PRIMARY KEY (vendor_set, position)
) STRICT, WITHOUT ROWID;

-- How many counters a PMU of a table has: for any event, and for one event each.
CREATE TABLE vendor_counter (
	vendor_set INTEGER NOT NULL REFERENCES vendor_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	pmu ANY NOT NULL,
	generic INTEGER NOT NULL CHECK (generic BETWEEN 0 AND 64),
	fixed INTEGER NOT NULL CHECK (fixed BETWEEN 0 AND 64),
	PRIMARY KEY (vendor_set, position)
) STRICT, WITHOUT ROWID;

-- What `pmuq vendor import` imported; if two imports have a CPU, the later one counts. Layouts: the
-- kernel's pmu-events, Intel's perfmon, Arm's telemetry-solution, or libpfm4's names, which are for searching only (a folder for each PMU, no CPUs, no
-- terms; `directory` is the library, and `library` describes its file: bytes, time of its last change, path).
-- is_indexed: all of its texts are in the index.
CREATE TABLE vendor (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	name ANY NOT NULL UNIQUE,
	directory ANY NOT NULL,
	layout TEXT NOT NULL CHECK (layout IN ('kernel', 'perfmon', 'telemetry', 'libpfm4')),
	library ANY,
	imported INTEGER NOT NULL,
	is_indexed INTEGER NOT NULL DEFAULT 0 CHECK (is_indexed IN (0, 1))
) STRICT;

-- The folders of an import. A folder of a system (is_system) is for every CPU of its architecture that has the PMU. Of a
-- folder of libpfm4, `sysfs` is the kernel's name of its PMU, or of the first instance; NULL if it has none.
CREATE TABLE vendor_folder (
	vendor INTEGER NOT NULL REFERENCES vendor (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	arch ANY NOT NULL,
	path ANY NOT NULL,
	is_system INTEGER NOT NULL CHECK (is_system IN (0, 1)),
	sysfs ANY,
	vendor_set INTEGER NOT NULL REFERENCES vendor_set (id),
	PRIMARY KEY (vendor, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX vendor_folder_by_set ON vendor_folder (vendor_set);

-- Which CPUs a folder is for, in the order of the mapfile: the first pattern that matches counts.
CREATE TABLE vendor_cpu (
	vendor INTEGER NOT NULL REFERENCES vendor (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	arch ANY NOT NULL,
	pattern ANY NOT NULL,
	version ANY NOT NULL,
	type ANY NOT NULL,
	folder INTEGER NOT NULL,
	PRIMARY KEY (vendor, position),
	FOREIGN KEY (vendor, folder) REFERENCES vendor_folder (vendor, position)
) STRICT, WITHOUT ROWID;

-- Events that cannot be encoded and metrics that cannot be expressed, which the import left out.
CREATE TABLE vendor_problem (
	vendor INTEGER NOT NULL REFERENCES vendor (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	path ANY NOT NULL,
	line INTEGER NOT NULL CHECK (line >= 1),
	message ANY NOT NULL,
	code INTEGER NOT NULL,
	PRIMARY KEY (vendor, position)
) STRICT, WITHOUT ROWID;

-- A snapshot without its host, with the facts that queries need most: for the next two views.
CREATE VIEW v_state AS
	SELECT id AS snapshot, host AS host_id, first_seen, last_seen,
		(SELECT text FROM fact WHERE fact.fact_set = snapshot.fact_set AND name = 'kernel') AS kernel,
		(SELECT text FROM fact WHERE fact.fact_set = snapshot.fact_set AND name = 'arch') AS arch,
		(SELECT text FROM fact WHERE fact.fact_set = snapshot.fact_set AND name = 'cpuid') AS cpuid,
		(SELECT lower(hex(substr(hash, 1, 4))) FROM host_class WHERE id = host_class) AS class,
		host_class,
		(SELECT checked FROM snapshot_check WHERE snapshot = snapshot.id) AS checked,
		layout, fact_set, tracepoint_set, problem_set
	FROM snapshot;

-- Every snapshot. `is_newest`: the present state of its host.
CREATE VIEW v_snapshot AS
	SELECT name AS host, snapshot,
		snapshot = (SELECT max(id) FROM snapshot WHERE host = host_id) AS is_newest,
		class, kernel, arch, cpuid, first_seen, last_seen, checked,
		layout, fact_set, tracepoint_set, problem_set
	FROM host JOIN v_state ON host_id = id;

-- The newest snapshot of each host.
CREATE VIEW v_host AS
	SELECT name AS host, snapshot, first_seen, last_seen, kernel, arch, cpuid, class, host_class,
		(SELECT count(*) FROM snapshot WHERE host = host.id) AS snapshots, machine_id, checked,
		layout, fact_set, tracepoint_set, problem_set
	FROM host JOIN v_state ON snapshot = (SELECT max(id) FROM snapshot WHERE host = host.id);

CREATE VIEW v_host_pmu AS
	SELECT host, snapshot, name AS pmu, type, alias, cpumask, cpus, definition
	FROM v_host JOIN layout_pmu USING (layout);

CREATE VIEW v_host_event AS
	SELECT host, snapshot, pmu, name AS event, terms, unit, scale, is_per_pkg, is_snapshot
	FROM v_host_pmu JOIN definition_event USING (definition);

-- The results of the last check of the newest snapshot.
CREATE VIEW v_host_check AS
	SELECT host, snapshot, kernel, checked, pmu, event, is_generic, status, errnum, cpus, name,
		reason, hint, change
	FROM v_host JOIN snapshot_check USING (snapshot, checked) JOIN checked_event USING (check_set)
		JOIN open_result ON id = open_result;

-- The classes of the hosts' newest snapshots: query these, not every host, for what all hosts of a class have in common.
-- `example` is one of the hosts; kernels can differ.
CREATE VIEW v_class AS
	SELECT class, hosts, example, first_seen, last_seen, layout, tracepoint_set,
		(SELECT text FROM fact WHERE fact.fact_set = alike.fact_set AND name = 'arch') AS arch,
		(SELECT text FROM fact WHERE fact.fact_set = alike.fact_set AND name = 'cpuid') AS cpuid
	FROM (SELECT min(class) AS class, count(*) AS hosts, min(host) AS example, min(first_seen) AS first_seen,
			max(last_seen) AS last_seen, min(layout) AS layout,
			min(tracepoint_set) AS tracepoint_set, min(fact_set) AS fact_set
		FROM v_host GROUP BY host_class) AS alike;

CREATE VIEW v_class_pmu AS
	SELECT class, hosts, name AS pmu, type, alias, cpumask, cpus, definition
	FROM v_class JOIN layout_pmu USING (layout);

CREATE VIEW v_class_format AS
	SELECT class, hosts, pmu, name AS format, text
	FROM v_class_pmu JOIN definition_format USING (definition);

CREATE VIEW v_class_event AS
	SELECT class, hosts, pmu, name AS event, terms, unit, scale, is_per_pkg, is_snapshot
	FROM v_class_pmu JOIN definition_event USING (definition);
