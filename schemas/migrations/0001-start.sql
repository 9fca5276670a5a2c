-- SPDX-License-Identifier: MIT
-- The first schema; schema.sql says what each table is for.

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

CREATE TABLE tracepoint (
	tracepoint_set INTEGER NOT NULL REFERENCES tracepoint_set (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	subsystem ANY NOT NULL CHECK (typeof(subsystem) IN ('text', 'blob')),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	number INTEGER NOT NULL,
	PRIMARY KEY (tracepoint_set, position)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE host (
	id INTEGER PRIMARY KEY,
	name ANY NOT NULL UNIQUE CHECK (typeof(name) IN ('text', 'blob')),
	machine_id ANY CHECK (machine_id IS NULL OR typeof(machine_id) IN ('text', 'blob'))
) STRICT;

CREATE TABLE snapshot (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	host INTEGER NOT NULL REFERENCES host (id) ON DELETE CASCADE,
	hash BLOB NOT NULL CHECK (length(hash) = 32),
	layout INTEGER NOT NULL REFERENCES layout (id),
	fact_set INTEGER NOT NULL REFERENCES fact_set (id),
	tracepoint_set INTEGER NOT NULL REFERENCES tracepoint_set (id),
	problem_set INTEGER NOT NULL REFERENCES problem_set (id),
	first_seen INTEGER NOT NULL,
	last_seen INTEGER NOT NULL,
	CHECK (last_seen >= first_seen)
) STRICT;

CREATE INDEX snapshot_by_host ON snapshot (host);

CREATE TABLE snapshot_fact (
	snapshot INTEGER NOT NULL REFERENCES snapshot (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	text ANY NOT NULL CHECK (typeof(text) IN ('text', 'blob')),
	is_passing INTEGER NOT NULL CHECK (is_passing IN (0, 1)),
	PRIMARY KEY (snapshot, position)
) STRICT, WITHOUT ROWID;

CREATE VIEW v_host AS
	SELECT host.name AS host, snapshot.id AS snapshot, snapshot.first_seen, snapshot.last_seen,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'kernel') AS kernel,
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
