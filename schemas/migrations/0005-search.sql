-- SPDX-License-Identifier: MIT
-- Names of libpfm4 among the tables, what a table's events must still be, and whether all is in the index;
-- schema.sql says what each column is for.

ALTER TABLE vendor_set ADD COLUMN kept BLOB CHECK (length(kept) = 32);
ALTER TABLE vendor ADD COLUMN is_libpfm4 INTEGER NOT NULL DEFAULT 0 CHECK (is_libpfm4 IN (0, 1));
ALTER TABLE vendor ADD COLUMN is_indexed INTEGER NOT NULL DEFAULT 0 CHECK (is_indexed IN (0, 1));
