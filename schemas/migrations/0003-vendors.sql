-- SPDX-License-Identifier: MIT
-- Events of vendors' tables; schema.sql says what each table is for.

CREATE TABLE vendor_text (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
	pmu ANY NOT NULL CHECK (typeof(pmu) IN ('text', 'blob')),
	name ANY NOT NULL CHECK (typeof(name) IN ('text', 'blob')),
	topic ANY NOT NULL CHECK (typeof(topic) IN ('text', 'blob')),
	description ANY NOT NULL CHECK (typeof(description) IN ('text', 'blob')),
	long_description ANY NOT NULL CHECK (typeof(long_description) IN ('text', 'blob'))
) STRICT;

CREATE TABLE vendor_set (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

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

CREATE TABLE vendor (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	name ANY NOT NULL UNIQUE CHECK (typeof(name) IN ('text', 'blob')),
	directory ANY NOT NULL CHECK (typeof(directory) IN ('text', 'blob')),
	layout INTEGER NOT NULL CHECK (layout IN (0, 1)),
	imported INTEGER NOT NULL
) STRICT;

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

CREATE TABLE vendor_problem (
	vendor INTEGER NOT NULL REFERENCES vendor (id) ON DELETE CASCADE,
	position INTEGER NOT NULL CHECK (position >= 0),
	path ANY NOT NULL CHECK (typeof(path) IN ('text', 'blob')),
	line INTEGER NOT NULL CHECK (line >= 1),
	message ANY NOT NULL CHECK (typeof(message) IN ('text', 'blob')),
	code INTEGER NOT NULL,
	PRIMARY KEY (vendor, position)
) STRICT, WITHOUT ROWID;
