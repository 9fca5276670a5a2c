-- SPDX-License-Identifier: MIT
-- The store as it stands after every migration: the truth. To change it, write the next file in migrations/
-- and change this one alike; tests/unit/test_migrate.c proves that both give the same.
--
-- What equal machines share is kept once, under the SHA-256 of its content: definitions, sets of attributes,
-- layouts, facts, tracepoints, problems, replies, sets of answers, texts and sets of vendors. What is there under a
-- hash never changes.
--
-- A text is TEXT where its bytes are UTF-8 without NUL, else BLOB: sysfs may hold any bytes, and every one of
-- them comes back. NULL is a file that is not there. Times are seconds since 1970.
-- (A CHECK with IN a list of three would have SQLite build a table of the list for every row: hence IS NULL OR.)

-- What PMUs of one kind share: formats, events and caps.
CREATE TABLE definition (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE definition_format (
	definition INTEGER NOT NULL REFERENCES definition (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	text ANY NOT NULL CHECK (typeof(text) IN ('text', 'blob')),
	PRIMARY KEY (definition, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE definition_event (
	definition INTEGER NOT NULL REFERENCES definition (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	terms ANY NOT NULL CHECK (typeof(terms) IN ('text', 'blob')),
	unit ANY NOT NULL CHECK (typeof(unit) IN ('text', 'blob')),
	scale ANY NOT NULL CHECK (typeof(scale) IN ('text', 'blob')),
	is_per_pkg INTEGER NOT NULL CHECK (is_per_pkg IN (0, 1)),
	is_snapshot INTEGER NOT NULL CHECK (is_snapshot IN (0, 1)),
	has_unit_file INTEGER NOT NULL CHECK (has_unit_file IN (0, 1)),
	has_scale_file INTEGER NOT NULL CHECK (has_scale_file IN (0, 1)),
	PRIMARY KEY (definition, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE definition_cap (
	definition INTEGER NOT NULL REFERENCES definition (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	text ANY NOT NULL CHECK (typeof(text) IN ('text', 'blob')),
	PRIMARY KEY (definition, position)
) STRICT, WITHOUT ROWID;

-- Plain files of a PMU's directory (perf_event_mux_interval_ms, identifier, rdpmc …): most PMUs have the same.
CREATE TABLE attribute_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE attribute (
	attribute_set INTEGER NOT NULL REFERENCES attribute_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	text ANY NOT NULL CHECK (typeof(text) IN ('text', 'blob')),
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
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	type INTEGER CHECK (type BETWEEN 0 AND 4294967295),
	alias ANY CHECK (alias IS NULL OR typeof(alias) IN ('text', 'blob')),
	cpumask ANY CHECK (cpumask IS NULL OR typeof(cpumask) IN ('text', 'blob')),
	cpus ANY CHECK (cpus IS NULL OR typeof(cpus) IN ('text', 'blob')),
	definition INTEGER NOT NULL REFERENCES definition (id),
	attribute_set INTEGER NOT NULL REFERENCES attribute_set (id),
	PRIMARY KEY (layout, position)
) STRICT, WITHOUT ROWID;

-- Facts that machines may share: kernel, arch, cpuid … Positions are those of the whole list of a
-- snapshot's facts; the ones missing here are in snapshot_fact.
CREATE TABLE fact_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE fact (
	fact_set INTEGER NOT NULL REFERENCES fact_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	text ANY NOT NULL CHECK (typeof(text) IN ('text', 'blob')),
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
	subsystem ANY NOT NULL CHECK (typeof(subsystem) IN ('text', 'blob')),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	number INTEGER NOT NULL,
	PRIMARY KEY (tracepoint_set, position)
) STRICT, WITHOUT ROWID;

-- What could not be read or understood; the code is that of PMUQ-NNN.
CREATE TABLE problem_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE problem (
	problem_set INTEGER NOT NULL REFERENCES problem_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	path ANY NOT NULL CHECK (typeof(path) IN ('text', 'blob')),
	message ANY NOT NULL CHECK (typeof(message) IN ('text', 'blob')),
	code INTEGER NOT NULL,
	errnum INTEGER NOT NULL,
	PRIMARY KEY (problem_set, position)
) STRICT, WITHOUT ROWID;

-- The machine_id (a hash) is the newest snapshot's: it finds one machine under two names.
CREATE TABLE host (
	id INTEGER PRIMARY KEY,
	name ANY NOT NULL UNIQUE CHECK (typeof(name) IN ('text', 'blob')),
	machine_id ANY CHECK (machine_id IS NULL OR typeof(machine_id) IN ('text', 'blob'))
) STRICT;

-- Snapshots of one kind give the same answers to every event string: they have the same layout and tracepoints, and the
-- same texts of the facts that an answer may depend on (arch, cpuid, cpus_online, cpus_present, extended_type, partial).
-- The first 8 digits of the hash are the kind's name.
CREATE TABLE kind (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

-- A machine as it was from first_seen to last_seen. The newest of a host has the highest id; ids are never
-- used again. The hash is of everything but passing facts.
CREATE TABLE snapshot (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	host INTEGER NOT NULL REFERENCES host (id) ON DELETE CASCADE,
	hash BLOB NOT NULL CHECK (length(hash) = 32),
	layout INTEGER NOT NULL REFERENCES layout (id),
	fact_set INTEGER NOT NULL REFERENCES fact_set (id),
	tracepoint_set INTEGER NOT NULL REFERENCES tracepoint_set (id),
	problem_set INTEGER NOT NULL REFERENCES problem_set (id),
	first_seen INTEGER NOT NULL,
	last_seen INTEGER NOT NULL, kind INTEGER REFERENCES kind (id),
	CHECK (last_seen >= first_seen)
) STRICT;

CREATE INDEX snapshot_by_host ON snapshot (host);
CREATE INDEX snapshot_by_kind ON snapshot (kind);

-- Facts of one host alone (hostname, machine_id), and passing ones (boot_id …), which are those of last_seen.
CREATE TABLE snapshot_fact (
	snapshot INTEGER NOT NULL REFERENCES snapshot (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	text ANY NOT NULL CHECK (typeof(text) IN ('text', 'blob')),
	is_passing INTEGER NOT NULL CHECK (is_passing IN (0, 1)),
	PRIMARY KEY (snapshot, position)
) STRICT, WITHOUT ROWID;

-- What the kernel said when an event was opened: mostly one of a few things. The status is pmuq_open_status's:
-- 0 opened, 1 refused, 2 not tried.
CREATE TABLE reply (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
	status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 2),
	errnum INTEGER NOT NULL,
	cpus ANY CHECK (cpus IS NULL OR typeof(cpus) IN ('text', 'blob')),
	name ANY CHECK (name IS NULL OR typeof(name) IN ('text', 'blob')),
	reason ANY CHECK (reason IS NULL OR typeof(reason) IN ('text', 'blob')),
	hint ANY CHECK (hint IS NULL OR typeof(hint) IN ('text', 'blob')),
	change ANY CHECK (change IS NULL OR typeof(change) IN ('text', 'blob'))
) STRICT;

-- The events of a machine, in the order in which they were opened, and what was said of each. The event is one
-- of the PMU's, or (is_generic) the kernel's own name for what it counts.
CREATE TABLE answer_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE answer (
	answer_set INTEGER NOT NULL REFERENCES answer_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	pmu ANY NOT NULL CHECK (typeof(pmu) IN ('text', 'blob')),
	event ANY NOT NULL CHECK (typeof(event) IN ('text', 'blob')),
	is_generic INTEGER NOT NULL CHECK (is_generic IN (0, 1)),
	reply INTEGER NOT NULL REFERENCES reply (id),
	PRIMARY KEY (answer_set, position)
) STRICT, WITHOUT ROWID;

-- When the events of a snapshot were opened, by the kernel that is one of its facts, and how many there are: a
-- check that was stopped has fewer answers. A changed machine is another snapshot, and was not checked.
CREATE TABLE snapshot_check (
	snapshot INTEGER PRIMARY KEY REFERENCES snapshot (id) ON DELETE CASCADE,
	answer_set INTEGER NOT NULL REFERENCES answer_set (id),
	checked INTEGER NOT NULL,
	total INTEGER NOT NULL CHECK (total >= 0)
) STRICT;

CREATE INDEX snapshot_check_by_answers ON snapshot_check (answer_set);

-- What vendors' tables say of an event in words, once for all CPUs that have it so. The index to search in,
-- vendor_words, is a table of FTS5 over these texts, which the import makes where SQLite has FTS5. Its rows are
-- numbered (bytes of the name, 1023 at most) * 2^40 + id, so that short names come first where not all can be ranked.
-- Where there is no FTS5, a text that is gone may stand in the index still: ids are never used again.
CREATE TABLE vendor_text (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
	pmu ANY NOT NULL CHECK (typeof(pmu) IN ('text', 'blob')),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	topic ANY NOT NULL CHECK (typeof(topic) IN ('text', 'blob')),
	description ANY NOT NULL CHECK (typeof(description) IN ('text', 'blob')),
	long_description ANY NOT NULL CHECK (typeof(long_description) IN ('text', 'blob'))
) STRICT;

-- The events and metrics of a folder, which imports may share. `hash` is that of what the files said, `kept` that of
-- all that an encoding takes from the events as they stand here; NULL: they were imported before that was kept.
CREATE TABLE vendor_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
, kept BLOB CHECK (length(kept) = 32)) STRICT;

-- An event: its name and PMU are its text's. Unit and scale are NULL where the table says nothing; `compat` is what
-- the PMU's file `identifier` must match, '' for any.
CREATE TABLE vendor_event (
	vendor_set INTEGER NOT NULL REFERENCES vendor_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	text INTEGER NOT NULL REFERENCES vendor_text (id),
	terms ANY NOT NULL CHECK (typeof(terms) IN ('text', 'blob')),
	unit ANY CHECK (unit IS NULL OR typeof(unit) IN ('text', 'blob')),
	scale ANY CHECK (scale IS NULL OR typeof(scale) IN ('text', 'blob')),
	compat ANY NOT NULL CHECK (typeof(compat) IN ('text', 'blob')),
	is_per_pkg INTEGER NOT NULL CHECK (is_per_pkg IN (0, 1)),
	is_deprecated INTEGER NOT NULL CHECK (is_deprecated IN (0, 1)),
	PRIMARY KEY (vendor_set, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX vendor_event_by_text ON vendor_event (text);

-- A metric, as text: pmuq works none out.
CREATE TABLE vendor_metric (
	vendor_set INTEGER NOT NULL REFERENCES vendor_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	pmu ANY NOT NULL CHECK (typeof(pmu) IN ('text', 'blob')),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	expression ANY NOT NULL CHECK (typeof(expression) IN ('text', 'blob')),
	groups ANY NOT NULL CHECK (typeof(groups) IN ('text', 'blob')),
	scale_unit ANY NOT NULL CHECK (typeof(scale_unit) IN ('text', 'blob')),
	threshold ANY NOT NULL CHECK (typeof(threshold) IN ('text', 'blob')),
	description ANY NOT NULL CHECK (typeof(description) IN ('text', 'blob')),
	long_description ANY NOT NULL CHECK (typeof(long_description) IN ('text', 'blob')),
	PRIMARY KEY (vendor_set, position)
) STRICT, WITHOUT ROWID;

-- What `pmuq vendor import` brought; of two that know a CPU the later one counts. Layouts: 0 the kernel's
-- pmu-events, 1 Intel's perfmon. With is_libpfm4 it is libpfm4's names, for searching alone (layout 0, a folder a PMU, no
-- CPUs, no terms); `directory` is the library then. is_indexed: all of its texts are in the index.
CREATE TABLE vendor (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	name ANY NOT NULL UNIQUE CHECK (typeof(name) IN ('text', 'blob')),
	directory ANY NOT NULL CHECK (typeof(directory) IN ('text', 'blob')),
	layout INTEGER NOT NULL CHECK (layout IN (0, 1)),
	imported INTEGER NOT NULL
, is_libpfm4 INTEGER NOT NULL DEFAULT 0 CHECK (is_libpfm4 IN (0, 1)), is_indexed INTEGER NOT NULL DEFAULT 0 CHECK (is_indexed IN (0, 1))) STRICT;

-- The folders of an import. Those of a system (is_system) are for every CPU of their architecture that has the PMU.
CREATE TABLE vendor_folder (
	vendor INTEGER NOT NULL REFERENCES vendor (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	arch ANY NOT NULL CHECK (typeof(arch) IN ('text', 'blob')),
	path ANY NOT NULL CHECK (typeof(path) IN ('text', 'blob')),
	is_system INTEGER NOT NULL CHECK (is_system IN (0, 1)),
	vendor_set INTEGER NOT NULL REFERENCES vendor_set (id),
	PRIMARY KEY (vendor, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX vendor_folder_by_set ON vendor_folder (vendor_set);

-- Which CPUs a folder is for, in the order of the mapfile: the first pattern that matches counts.
CREATE TABLE vendor_cpu (
	vendor INTEGER NOT NULL REFERENCES vendor (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	arch ANY NOT NULL CHECK (typeof(arch) IN ('text', 'blob')),
	pattern ANY NOT NULL CHECK (typeof(pattern) IN ('text', 'blob')),
	version ANY NOT NULL CHECK (typeof(version) IN ('text', 'blob')),
	type ANY NOT NULL CHECK (typeof(type) IN ('text', 'blob')),
	folder INTEGER NOT NULL,
	PRIMARY KEY (vendor, position),
	FOREIGN KEY (vendor, folder) REFERENCES vendor_folder (vendor, position)
) STRICT, WITHOUT ROWID;

-- Events that could not be encoded, and were left out.
CREATE TABLE vendor_problem (
	vendor INTEGER NOT NULL REFERENCES vendor (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	path ANY NOT NULL CHECK (typeof(path) IN ('text', 'blob')),
	line INTEGER NOT NULL CHECK (line >= 1),
	message ANY NOT NULL CHECK (typeof(message) IN ('text', 'blob')),
	code INTEGER NOT NULL,
	PRIMARY KEY (vendor, position)
) STRICT, WITHOUT ROWID;

-- Every snapshot, with the facts that are asked for most. `is_newest`: how its host is now.
CREATE VIEW v_snapshot AS
	SELECT host.name AS host, snapshot.id AS snapshot,
		snapshot.id = (SELECT max(id) FROM snapshot AS other WHERE other.host = host.id)
			AS is_newest,
		(SELECT lower(hex(substr(hash, 1, 4))) FROM kind WHERE kind.id = snapshot.kind) AS kind,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'kernel') AS kernel,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'arch') AS arch,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'cpuid') AS cpuid,
		snapshot.first_seen, snapshot.last_seen,
		(SELECT checked FROM snapshot_check WHERE snapshot_check.snapshot = snapshot.id)
			AS checked,
		snapshot.layout, snapshot.fact_set, snapshot.tracepoint_set, snapshot.problem_set
	FROM host JOIN snapshot ON snapshot.host = host.id;

-- The newest snapshot of each host, and what it has.
CREATE VIEW v_host AS
	SELECT host.name AS host, snapshot.id AS snapshot, snapshot.first_seen, snapshot.last_seen,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'kernel') AS kernel,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'arch') AS arch,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'cpuid') AS cpuid,
		(SELECT lower(hex(substr(hash, 1, 4))) FROM kind WHERE kind.id = snapshot.kind) AS kind,
		(SELECT count(*) FROM snapshot AS other WHERE other.host = host.id) AS snapshots,
		host.machine_id,
		(SELECT checked FROM snapshot_check WHERE snapshot_check.snapshot = snapshot.id)
			AS checked,
		snapshot.layout, snapshot.fact_set, snapshot.tracepoint_set, snapshot.problem_set
	FROM host JOIN snapshot
		ON snapshot.id = (SELECT max(id) FROM snapshot WHERE snapshot.host = host.id);

CREATE VIEW v_host_pmu AS
	SELECT v_host.host, v_host.snapshot, layout_pmu.name AS pmu, layout_pmu.type, layout_pmu.alias,
		layout_pmu.cpumask, layout_pmu.cpus, layout_pmu.definition
	FROM v_host JOIN layout_pmu ON layout_pmu.layout = v_host.layout;

CREATE VIEW v_host_event AS
	SELECT v_host_pmu.host, v_host_pmu.snapshot, v_host_pmu.pmu, definition_event.name AS event,
		definition_event.terms, definition_event.unit, definition_event.scale,
		definition_event.is_per_pkg, definition_event.is_snapshot
	FROM v_host_pmu JOIN definition_event
		ON definition_event.definition = v_host_pmu.definition;

-- What the last check of the newest snapshot found.
CREATE VIEW v_host_answer AS
	SELECT v_host.host, v_host.snapshot, v_host.kernel, snapshot_check.checked, answer.pmu,
		answer.event, answer.is_generic, reply.status, reply.errnum, reply.cpus, reply.name,
		reply.reason, reply.hint, reply.change
	FROM v_host
		JOIN snapshot_check ON snapshot_check.snapshot = v_host.snapshot
		JOIN answer ON answer.answer_set = snapshot_check.answer_set
		JOIN reply ON reply.id = answer.reply;

-- The kinds that hosts are of now: ask of these, and not of every host, what all of a kind have alike. `example` is
-- one of the hosts; kernels may differ.
CREATE VIEW v_kind AS
	SELECT kind, hosts, example, first_seen, last_seen, layout, tracepoint_set,
		(SELECT text FROM fact
			WHERE fact.fact_set = alike.fact_set AND fact.name = 'arch') AS arch,
		(SELECT text FROM fact
			WHERE fact.fact_set = alike.fact_set AND fact.name = 'cpuid') AS cpuid
	FROM (SELECT lower(hex(substr(kind.hash, 1, 4))) AS kind, count(*) AS hosts,
			min(host.name) AS example, min(first_seen) AS first_seen,
			max(last_seen) AS last_seen, min(layout) AS layout,
			min(tracepoint_set) AS tracepoint_set, min(fact_set) AS fact_set
		FROM host
			JOIN snapshot ON snapshot.id =
				(SELECT max(id) FROM snapshot WHERE snapshot.host = host.id)
			JOIN kind ON kind.id = snapshot.kind
		GROUP BY kind.id) AS alike;

CREATE VIEW v_kind_pmu AS
	SELECT v_kind.kind, v_kind.hosts, layout_pmu.name AS pmu, layout_pmu.type, layout_pmu.alias,
		layout_pmu.cpumask, layout_pmu.cpus, layout_pmu.definition
	FROM v_kind JOIN layout_pmu ON layout_pmu.layout = v_kind.layout;

CREATE VIEW v_kind_format AS
	SELECT v_kind_pmu.kind, v_kind_pmu.hosts, v_kind_pmu.pmu, definition_format.name AS format,
		definition_format.text
	FROM v_kind_pmu JOIN definition_format
		ON definition_format.definition = v_kind_pmu.definition;

CREATE VIEW v_kind_event AS
	SELECT v_kind_pmu.kind, v_kind_pmu.hosts, v_kind_pmu.pmu, definition_event.name AS event,
		definition_event.terms, definition_event.unit, definition_event.scale,
		definition_event.is_per_pkg, definition_event.is_snapshot
	FROM v_kind_pmu JOIN definition_event
		ON definition_event.definition = v_kind_pmu.definition;
