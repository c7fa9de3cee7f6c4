-- Up Migration

-- Persons, by hashes of their ids. One that was erased leaves its row: a turn that has read it before meets it there. Turns that write
-- a memory change no index.
CREATE TABLE contacts (
  key text COLLATE "C" PRIMARY KEY,
  profile text,
  memory text NOT NULL,
  revision bigint NOT NULL,
  first_seen bigint NOT NULL,
  last_seen bigint NOT NULL,
  is_erased boolean NOT NULL,
  erased_at bigint
) WITH (fillfactor = 80);
CREATE INDEX contacts_by_age ON contacts (is_erased, last_seen);

-- The results that conversations of a person write to.
CREATE TABLE contact_links (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  contact text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  result_id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  UNIQUE (contact, session_id, flow_id, result_id)
);
CREATE INDEX contact_links_by_contact ON contact_links (contact, number);
