-- SPDX-License-Identifier: MIT
-- What the kernel said when the events of a snapshot were opened; schema.sql says what each table is for.

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

CREATE TABLE snapshot_check (
	snapshot INTEGER PRIMARY KEY REFERENCES snapshot (id) ON DELETE CASCADE,
	answer_set INTEGER NOT NULL REFERENCES answer_set (id),
	checked INTEGER NOT NULL,
	total INTEGER NOT NULL CHECK (total >= 0)
) STRICT;

CREATE INDEX snapshot_check_by_answers ON snapshot_check (answer_set);

CREATE VIEW v_host_answer AS
	SELECT v_host.host, v_host.snapshot, v_host.kernel, snapshot_check.checked, answer.pmu,
		answer.event, answer.is_generic, reply.status, reply.errnum, reply.cpus, reply.name,
		reply.reason, reply.hint, reply.change
	FROM v_host
		JOIN snapshot_check ON snapshot_check.snapshot = v_host.snapshot
		JOIN answer ON answer.answer_set = snapshot_check.answer_set
		JOIN reply ON reply.id = answer.reply;
