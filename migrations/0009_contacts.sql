-- Up Migration

-- Persons, by hashes of their ids. Without a memory, one that was erased: a turn that has read it before meets it there.
CREATE TABLE contacts (
  key text COLLATE "C" PRIMARY KEY,
  profile text,
  memory text,
  revision bigint NOT NULL,
  first_seen bigint NOT NULL,
  last_seen bigint NOT NULL,
  erased_at bigint
);
CREATE INDEX contacts_by_age ON contacts ((memory IS NULL), last_seen);

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
