# SPDX-License-Identifier: MIT
"""The schema of the store for PostgreSQL, made from the statements for SQLite: schema.py prints both. A statement that has
no translation here stops the build."""
import hashlib
import re

# Texts are ordered by their bytes, as in SQLite.
TYPES = {"INTEGER": "bigint", "BLOB": "bytea", "ANY": 'text COLLATE "C"', "TEXT": 'text COLLATE "C"'}
NAMES = {"bigint": "bigint", "bytea": "bytea", 'text COLLATE "C"': "text", "smallint": "smallint"}
# Heartbeats update a snapshot and its volatile facts: the new version of a row fits into the page of the old one, so the
# indexes need no change and the tables do not grow.
STORAGE = {"snapshot": "fillfactor = 50", "snapshot_fact": "fillfactor = 80"}
# Unlike one of SQLite, an index does not contain the id of its rows: without it, the newest snapshot of a host would be
# searched in all of them.
INDEXES = {"snapshot_by_host ON snapshot (host)": "snapshot_by_host ON snapshot (host, id)"}
# Words are stemmed, and none is left out: an event can be called ALL. Punctuation separates words, so that the name
# L1D.REPLACEMENT has two.
BEFORE = """CREATE TABLE store_version (version integer NOT NULL);
CREATE TEXT SEARCH DICTIONARY stems (TEMPLATE = snowball, Language = english);
CREATE TEXT SEARCH CONFIGURATION words (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION words
	ALTER MAPPING FOR asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
	WITH stems;
"""
PUNCTUATION = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"
# The parts of a text by weight: a match in the name counts most. A PMU that most events have is not indexed.
WEIGHTS = {"A": "name", "B": "CASE WHEN pmu IN ('default_core', 'cpu_core') THEN '' ELSE pmu END", "C": "description",
           "D": "long_description"}


def words_of(text):
    return f"to_tsvector('pmuq.words', translate({text}, '{PUNCTUATION}', '{' ' * (len(PUNCTUATION) - 1)}'))"


WORDS = " || ".join(f"setweight({words_of(text)}, '{weight}')" for weight, text in WEIGHTS.items())
# Columns that only PostgreSQL has.
MORE_COLUMNS = {"vendor_text": [("words", "tsvector", f"GENERATED ALWAYS AS ({WORDS}) STORED")]}
AFTER = "CREATE INDEX vendor_text_words ON vendor_text USING gin (words);\n"
# Foreign keys that the server would check row by row, which took half of the time of `pmuq ingest`: a thousand snapshots refer to
# a dozen contents. Triggers check them once for each statement, with the locks of a foreign key. No statement changes
# these columns, so only INSERT and DELETE are checked. The value is whether rows are deleted with what they refer to.
SETWISE = {("snapshot", "layout"): False, ("snapshot", "fact_set"): False, ("snapshot", "tracepoint_set"): False,
           ("snapshot", "problem_set"): False, ("snapshot_fact", "snapshot"): True}
# One row of the parent is one look-up in its primary key, whatever the size of the table was when the statement was planned.
INSERT_CHECK = """	IF EXISTS (SELECT 1 FROM (SELECT DISTINCT {column} AS id FROM new_rows) AS child LEFT JOIN LATERAL
		(SELECT id FROM pmuq.{column} AS parent WHERE parent.id = child.id LIMIT 1 FOR KEY SHARE) AS parent ON true
		WHERE parent.id IS NULL)
	THEN
		RAISE foreign_key_violation USING MESSAGE = 'a row of {table} refers to a row of {column} that does not exist';
	END IF;
"""
DELETE_CHECK = """	IF EXISTS (SELECT 1 FROM pmuq.{table} WHERE {column} IN (SELECT id FROM old_rows)) THEN
		RAISE foreign_key_violation USING MESSAGE = 'rows of {table} refer to the row of {column}';
	END IF;
"""
CASCADE = "	DELETE FROM pmuq.{table} WHERE {column} IN (SELECT id FROM old_rows);\n"


def type_of(name, declared):
    """A number of one bit takes two bytes, not eight."""
    return "smallint" if name.startswith(("is_", "has_")) else TYPES[declared]


def triggers():
    """Name, table, event, rows and statements of each trigger; it runs once for each statement of the event."""
    for table_name in sorted({table_name for table_name, _ in SETWISE}):
        body = "".join(INSERT_CHECK.format(table=table_name, column=name) for of, name in SETWISE if of == table_name)
        yield f"{table_name}_after_insert", table_name, "INSERT", "NEW TABLE AS new_rows", body
    for (table_name, name), is_cascade in SETWISE.items():
        body = (CASCADE if is_cascade else DELETE_CHECK).format(table=table_name, column=name)
        yield f"{name}_after_delete", name, "DELETE", "OLD TABLE AS old_rows", body


def source_of(body):
    return f"\nBEGIN\n{body}\tRETURN NULL;\nEND\n"


def trigger_sql():
    return "".join(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off"
                   f" AS $${source_of(body)}$$;\nCREATE TRIGGER {name} AFTER {event} ON {table_name} REFERENCING {rows}"
                   f" FOR EACH STATEMENT EXECUTE FUNCTION {name}();\n" for name, table_name, event, rows, body in triggers())


def trigger_fingerprint():
    """The numbers are those of pg_trigger.tgtype."""
    return "".join(f'{table_name}.{name} {({"INSERT": 4, "DELETE": 8})[event]}'
                   f'{{"search_path=pg_catalog, pg_temp",enable_seqscan=off}}{source_of(body)}'
                   for name, table_name, event, _, body in sorted(triggers()))


def column(table_name, match):
    indent, name, declared, rest = match.groups()
    sql_type = type_of(name, declared)
    if (table_name, name) in SETWISE:
        rest = re.sub(rf" REFERENCES {name} \(id\)( ON DELETE CASCADE)?", "", rest)
    if rest.startswith(" PRIMARY KEY") and "REFERENCES" not in rest:
        sql_type += " GENERATED BY DEFAULT AS IDENTITY"
    rest = rest.replace(" AUTOINCREMENT", "")
    return f"{indent}{name} {sql_type}{rest}"


def table(statement):
    name = re.match(r"CREATE TABLE (\w+)", statement)[1]
    statement = re.sub(r"^(\t)(\w+) (INTEGER|BLOB|ANY|TEXT)\b(.*)$", lambda match: column(name, match), statement, flags=re.M)
    more = "".join(f",\n\t{column_name} {sql_type} {rest}" for column_name, sql_type, rest in MORE_COLUMNS.get(name, []))
    storage = f" WITH ({STORAGE[name]})" if name in STORAGE else ""
    return re.sub(r"\n\) STRICT(, WITHOUT ROWID)?;$", lambda _: f"{more}\n){storage};", statement)


def translated(statement):
    if statement.startswith("CREATE TABLE"):
        statement = table(statement)
    elif statement.startswith("CREATE INDEX"):
        for old, new in INDEXES.items():
            statement = statement.replace(old, new)
    elif statement.startswith("CREATE VIEW"):
        # The only call of hex() has a call of substr() in it.
        statement = re.sub(r"lower\(hex\((substr\([^()]*\))\)\)", r"encode(\1, 'hex')", statement)
    else:
        raise SystemExit(f"schema_postgres.py has no translation for: {statement}")
    for word in ("STRICT", "ROWID", "typeof", "hex(", "AUTOINCREMENT"):
        if word in statement:
            raise SystemExit(f"schema_postgres.py leaves {word} in: {statement}")
    return statement


def sql_of(lines, is_first):
    """The statements of a step."""
    statements = "".join(lines).split(";\n")
    assert not statements[-1].strip()
    text = "\n".join(translated(statement.strip() + ";") for statement in statements[:-1])
    return f"{BEFORE}{text}\n{AFTER}{trigger_sql()}" if is_first else f"{text}\n"


def fingerprint(database):
    """SHA-256 of the columns of all tables after the step, and of the triggers, as pg_schema.c queries them. `database` has SQLite's
    tables."""
    columns = ["store_version.version integer NOT NULL"]
    for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"):
        for _, column_name, declared, is_not_null, _, key in database.execute(f"PRAGMA table_info({name})"):
            sql_type = NAMES[type_of(column_name, declared)]
            columns.append(f"{name}.{column_name} {sql_type}{' NOT NULL' if is_not_null or key else ''}")
        columns += [f"{name}.{column_name} {sql_type}" for column_name, sql_type, _ in MORE_COLUMNS.get(name, [])]
    by_table = sorted(columns, key=lambda line: line.split(".")[0].encode())  # stable: the order of the columns stays
    return hashlib.sha256((",".join(by_table) + trigger_fingerprint()).encode()).hexdigest()
