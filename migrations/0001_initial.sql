-- Up Migration

-- Milliseconds since 1970 by the clock of the server, which all processes share.
CREATE FUNCTION service_clock() RETURNS bigint LANGUAGE sql VOLATILE AS
  $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- Texts of definitions by the hash of their content.
CREATE TABLE definitions (
  hash text COLLATE "C" PRIMARY KEY,
  body text NOT NULL,
  size integer GENERATED ALWAYS AS (octet_length(body)) STORED,
  used_at bigint NOT NULL,
  was_published boolean NOT NULL DEFAULT false
);
CREATE INDEX definitions_by_use ON definitions (was_published, used_at, size);

CREATE SEQUENCE flow_changes;

CREATE TABLE flows (
  id text COLLATE "C" PRIMARY KEY,
  public_id text COLLATE "C" NOT NULL UNIQUE,
  version integer NOT NULL,
  is_closed boolean NOT NULL DEFAULT false,
  is_archived boolean NOT NULL DEFAULT false,
  changed bigint NOT NULL DEFAULT nextval('flow_changes')
);
CREATE INDEX flows_by_change ON flows (changed);

-- Never changed once they are there.
CREATE TABLE flow_versions (
  flow_id text COLLATE "C" NOT NULL REFERENCES flows ON DELETE CASCADE,
  version integer NOT NULL,
  hash text COLLATE "C" NOT NULL,
  published_at bigint NOT NULL,
  published_by text NOT NULL,
  note text,
  PRIMARY KEY (flow_id, version)
);
CREATE INDEX flow_versions_by_hash ON flow_versions (hash);

CREATE TABLE audit (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  detail text
);

-- A result that was erased leaves its row, without what it held: an insert of a turn that is under way meets it there.
CREATE TABLE results (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  flow_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  -- To the hour, so that most turns change no index.
  changed_at bigint NOT NULL,
  -- Of the base and the lines that follow it.
  size bigint NOT NULL,
  -- Bytes of lines that may still follow before all is written anew as the base.
  room bigint NOT NULL,
  is_erased boolean NOT NULL DEFAULT false,
  base text,
  UNIQUE (flow_id, id)
) WITH (fillfactor = 80);
CREATE INDEX results_by_creation ON results (flow_id, number);
CREATE INDEX results_by_age ON results (changed_at);

-- What each turn changes, in order. A key makes a change that is sent again the same one.
CREATE TABLE result_turns (
  result bigint NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  key text COLLATE "C",
  line text NOT NULL,
  PRIMARY KEY (result, number)
);
CREATE UNIQUE INDEX result_turns_by_key ON result_turns (result, key) WHERE key IS NOT NULL;

CREATE TABLE sessions (
  id text COLLATE "C" NOT NULL,
  is_preview boolean NOT NULL,
  revision bigint NOT NULL,
  -- Moved in steps of a part of the time to live, so that most turns change no index.
  expires bigint NOT NULL,
  has_turns boolean NOT NULL,
  payload_number bigint NOT NULL DEFAULT 0,
  payload text,
  text text NOT NULL,
  PRIMARY KEY (id, is_preview)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX sessions_by_age ON sessions (is_preview, has_turns, expires);

-- Why a session is missing, by a hash of its id.
CREATE TABLE gone_sessions (
  id_hash bytea PRIMARY KEY,
  is_erased boolean NOT NULL,
  until bigint NOT NULL
);
CREATE INDEX gone_sessions_by_age ON gone_sessions (until);

-- Who is in a conversation, and who waits for it in the order of the tickets. A crash of the server empties them: turns
-- that were under way are then refused, as if their leases had run out.
CREATE UNLOGGED TABLE leases (
  session_id text COLLATE "C" PRIMARY KEY,
  token text COLLATE "C" NOT NULL,
  deadline bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE UNLOGGED TABLE waiting (
  ticket bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL UNIQUE,
  deadline bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX waiting_by_session ON waiting (session_id, ticket);

-- Answers to requests with a key. Without a text, the key of a request that is being answered until its deadline.
CREATE TABLE answers (
  name text COLLATE "C" PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  token text COLLATE "C",
  deadline bigint NOT NULL,
  expires bigint NOT NULL,
  text text
);
CREATE INDEX answers_by_session ON answers (session_id);
CREATE INDEX answers_by_age ON answers (expires);

-- What one process does for all, and when it is next to be done.
CREATE TABLE chores (
  name text PRIMARY KEY,
  due bigint NOT NULL
);
