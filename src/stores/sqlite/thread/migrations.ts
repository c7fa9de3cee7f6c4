import type { Database } from './binding.ts'

/**
 * The schema, by steps that are never changed once they were released: a database is brought from any earlier version
 * to the latest. Tables with random keys keep their rowid: without it each insert would rewrite four times as much.
 */
const migrations: readonly string[] = [
  `CREATE TABLE sessions (
     id TEXT PRIMARY KEY,
     revision INTEGER NOT NULL,
     expires INTEGER NOT NULL,
     text TEXT NOT NULL,
     payload_number INTEGER NOT NULL DEFAULT 0,
     payload TEXT
   );
   CREATE INDEX sessions_by_age ON sessions (revision > 1, expires);
   CREATE TABLE answers (
     name TEXT PRIMARY KEY,
     session_id TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     expires INTEGER NOT NULL,
     text TEXT
   );
   CREATE INDEX answers_by_session ON answers (session_id);
   CREATE INDEX answers_by_age ON answers (expires);
   CREATE TABLE results (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     flow_id TEXT NOT NULL,
     id TEXT NOT NULL,
     changed INTEGER NOT NULL,
     room INTEGER NOT NULL,
     size INTEGER NOT NULL,
     UNIQUE (flow_id, id)
   );
   CREATE INDEX results_by_creation ON results (flow_id, number);
   CREATE INDEX results_by_age ON results (changed);
   CREATE TABLE result_lines (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     result INTEGER NOT NULL,
     line TEXT NOT NULL
   );
   CREATE INDEX lines_by_result ON result_lines (result, number);
   CREATE TABLE marks (
     name BLOB PRIMARY KEY,
     expires INTEGER NOT NULL
   );
   CREATE INDEX marks_by_age ON marks (expires);
   CREATE TABLE definitions (
     hash TEXT PRIMARY KEY,
     released INTEGER,
     text TEXT NOT NULL
   );`,
  // The first line of a result is a row: its format, its id, its flow, when it was created.
  `ALTER TABLE results ADD COLUMN created INTEGER NOT NULL DEFAULT 0;
   UPDATE results SET created = (
     SELECT json_extract(line, '$[3]') FROM result_lines WHERE result = results.number ORDER BY number LIMIT 1
   );`,
  `CREATE TABLE flows (
     public_id TEXT PRIMARY KEY,
     version INTEGER NOT NULL,
     last_version INTEGER NOT NULL,
     is_closed INTEGER NOT NULL,
     is_archived INTEGER NOT NULL
   );
   CREATE TABLE flow_versions (
     public_id TEXT NOT NULL,
     version INTEGER NOT NULL,
     hash TEXT NOT NULL,
     published_at INTEGER NOT NULL,
     published_by TEXT NOT NULL,
     PRIMARY KEY (public_id, version)
   );
   CREATE INDEX flow_versions_by_hash ON flow_versions (hash);
   CREATE TABLE audit (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     at INTEGER NOT NULL,
     actor TEXT NOT NULL,
     action TEXT NOT NULL,
     subject TEXT NOT NULL,
     detail TEXT NOT NULL
   );`,
  `ALTER TABLE sessions ADD COLUMN due INTEGER;
   CREATE INDEX sessions_by_due ON sessions (due) WHERE due IS NOT NULL;`,
  `CREATE TABLE outbox (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     destination TEXT NOT NULL,
     line TEXT NOT NULL,
     event_id TEXT NOT NULL,
     type TEXT NOT NULL,
     body TEXT,
     created INTEGER NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     due INTEGER,
     settled INTEGER,
     is_delivered INTEGER NOT NULL DEFAULT 0,
     error TEXT
   );
   CREATE INDEX outbox_by_due ON outbox (destination, due) WHERE due IS NOT NULL;
   CREATE INDEX outbox_by_line ON outbox (line, destination, number);
   CREATE INDEX outbox_by_destination ON outbox (destination, number);
   CREATE INDEX outbox_by_age ON outbox (is_delivered, settled) WHERE settled IS NOT NULL;
   CREATE TABLE endpoints (
     name TEXT PRIMARY KEY,
     revision INTEGER NOT NULL,
     text TEXT NOT NULL,
     disabled TEXT
   );`,
  `CREATE TABLE contacts (
     key TEXT PRIMARY KEY,
     profile TEXT,
     memory TEXT NOT NULL,
     revision INTEGER NOT NULL,
     first_seen INTEGER NOT NULL,
     last_seen INTEGER NOT NULL,
     is_erased INTEGER NOT NULL,
     erased_at INTEGER
   );
   CREATE INDEX contacts_by_age ON contacts (is_erased, last_seen);
   CREATE TABLE contact_links (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     contact TEXT NOT NULL,
     session_id TEXT NOT NULL,
     flow_id TEXT NOT NULL,
     result_id TEXT NOT NULL,
     at INTEGER NOT NULL
   );
   CREATE INDEX contact_links_by_contact ON contact_links (contact, number);`,
  `ALTER TABLE outbox ADD COLUMN session_id TEXT;
   ALTER TABLE outbox ADD COLUMN reference TEXT;
   ALTER TABLE outbox ADD COLUMN status TEXT;
   CREATE INDEX outbox_by_session ON outbox (session_id) WHERE session_id IS NOT NULL;
   CREATE INDEX outbox_by_reference ON outbox (reference) WHERE reference IS NOT NULL;
   CREATE TABLE inbox (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     destination TEXT NOT NULL,
     line TEXT NOT NULL,
     event_id TEXT NOT NULL,
     type TEXT NOT NULL,
     body TEXT,
     created INTEGER NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     due INTEGER,
     settled INTEGER,
     is_delivered INTEGER NOT NULL DEFAULT 0,
     error TEXT,
     session_id TEXT,
     reference TEXT,
     status TEXT,
     UNIQUE (destination, event_id)
   );
   CREATE INDEX inbox_by_due ON inbox (destination, due) WHERE due IS NOT NULL;
   CREATE INDEX inbox_by_order ON inbox (line, destination, number) WHERE due IS NOT NULL;
   CREATE INDEX inbox_by_line ON inbox (line);
   CREATE INDEX inbox_by_destination ON inbox (destination, number);
   CREATE INDEX inbox_by_age ON inbox (is_delivered, settled) WHERE settled IS NOT NULL;
   CREATE TABLE channels (
     name TEXT PRIMARY KEY,
     revision INTEGER NOT NULL,
     text TEXT NOT NULL,
     disabled TEXT
   );`,
  `CREATE TABLE turn_facts (number INTEGER PRIMARY KEY, text TEXT NOT NULL);
   CREATE TABLE counts (
     flow_id TEXT NOT NULL,
     version TEXT NOT NULL,
     hour INTEGER NOT NULL,
     kind TEXT NOT NULL,
     name TEXT NOT NULL,
     count INTEGER NOT NULL,
     PRIMARY KEY (flow_id, hour, version, kind, name)
   );
   CREATE INDEX counts_of_hours ON counts (hour) WHERE hour % 24 <> 0;
   CREATE INDEX counts_by_age ON counts (hour);
   CREATE TABLE count_versions (
     flow_id TEXT NOT NULL,
     version TEXT NOT NULL,
     places TEXT NOT NULL,
     PRIMARY KEY (flow_id, version)
   );`,
  `CREATE UNIQUE INDEX contact_links_once ON contact_links (contact, session_id, flow_id, result_id);`,
  `ALTER TABLE results ADD COLUMN version TEXT;
   ALTER TABLE results ADD COLUMN path TEXT;
   ALTER TABLE results ADD COLUMN cohort TEXT;
   ALTER TABLE results ADD COLUMN place TEXT;
   ALTER TABLE results ADD COLUMN asked_at INTEGER;`,
  `CREATE TABLE counts_by_key (
     flow_id TEXT NOT NULL,
     version TEXT NOT NULL,
     hour INTEGER NOT NULL,
     kind TEXT NOT NULL,
     name TEXT NOT NULL,
     count INTEGER NOT NULL,
     PRIMARY KEY (flow_id, hour, version, kind, name)
   ) WITHOUT ROWID;
   INSERT INTO counts_by_key SELECT flow_id, version, hour, kind, name, count FROM counts;
   DROP TABLE counts;
   ALTER TABLE counts_by_key RENAME TO counts;
   CREATE INDEX counts_of_hours ON counts (hour) WHERE hour % 24 <> 0;
   CREATE INDEX counts_by_age ON counts (hour);`,
  `ALTER TABLE results ADD COLUMN due INTEGER;
   CREATE INDEX results_by_due ON results (due) WHERE due IS NOT NULL;`,
  `DROP INDEX outbox_by_line;
   CREATE INDEX outbox_by_line ON outbox (line, destination, due);
   DROP INDEX inbox_by_order;
   DROP INDEX inbox_by_line;
   CREATE INDEX inbox_by_line ON inbox (line, destination, due);`,
  `DROP INDEX outbox_by_line;
   CREATE INDEX outbox_by_line ON outbox (line) WHERE due IS NULL;
   DROP INDEX inbox_by_line;
   CREATE INDEX inbox_by_line ON inbox (line) WHERE due IS NULL;`,
  `CREATE TABLE outbox_of_given_numbers (
     number INTEGER PRIMARY KEY,
     destination TEXT NOT NULL,
     line TEXT NOT NULL,
     event_id TEXT NOT NULL,
     type TEXT NOT NULL,
     body TEXT,
     created INTEGER NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     due INTEGER,
     settled INTEGER,
     is_delivered INTEGER NOT NULL DEFAULT 0,
     error TEXT,
     session_id TEXT,
     reference TEXT,
     status TEXT
   );
   INSERT INTO outbox_of_given_numbers SELECT number, destination, line, event_id, type, body, created, attempts, due, settled,
     is_delivered, error, session_id, reference, status FROM outbox;
   DROP TABLE outbox;
   ALTER TABLE outbox_of_given_numbers RENAME TO outbox;
   CREATE INDEX outbox_by_line ON outbox (line) WHERE due IS NULL;
   CREATE INDEX outbox_by_destination ON outbox (destination, number);
   CREATE INDEX outbox_by_age ON outbox (is_delivered, settled) WHERE settled IS NOT NULL;
   CREATE INDEX outbox_by_session ON outbox (session_id) WHERE session_id IS NOT NULL;
   CREATE INDEX outbox_by_reference ON outbox (reference) WHERE reference IS NOT NULL;
   DROP INDEX inbox_by_due;`,
]

/** Brings the schema to its latest version. Throws for a database that a later build has written. */
export function migrate(database: Database, now: number, steps: readonly string[] = migrations): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied INTEGER NOT NULL)',
  )
  const row = database.prepare('SELECT coalesce(max(version), 0) AS version FROM schema_version').get()
  const { version } = row as { version: number }
  if (version > steps.length)
    throw new Error(
      `DATA_DIR was written by a later version of the service (schema ${version}; this one knows ${steps.length}): ` +
        'start that version, or restore a backup of before',
    )
  for (const [index, step] of steps.entries()) {
    if (index < version) continue
    database.exec('BEGIN')
    database.exec(step)
    database.prepare('INSERT INTO schema_version VALUES (?, ?)').run(index + 1, now)
    database.exec('COMMIT')
  }
}
