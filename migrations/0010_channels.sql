-- Up Migration

-- The session of an event whose line is another, what the receiver calls it, and what the receiver tells of it.
ALTER TABLE outbox ADD COLUMN session_id text COLLATE "C", ADD COLUMN reference text COLLATE "C", ADD COLUMN status text;
-- What is due and whose turn it is, by indexes that are the cheapest for it whatever the table holds when a statement is planned.
DROP INDEX outbox_by_due;
CREATE INDEX outbox_by_due ON outbox (destination, due, number) WHERE due IS NOT NULL;
CREATE INDEX outbox_by_order ON outbox (line, destination, number) WHERE due IS NOT NULL;
DROP INDEX outbox_by_line;
CREATE INDEX outbox_by_line ON outbox (line);
CREATE INDEX outbox_by_session ON outbox (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX outbox_by_reference ON outbox (reference) WHERE reference IS NOT NULL;

-- Messages that came in, to be answered in the order of the numbers within a line; the columns are those of the outbox.
CREATE TABLE inbox (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  destination text COLLATE "C" NOT NULL,
  line text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  body text,
  created bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due bigint,
  settled bigint,
  is_delivered boolean NOT NULL DEFAULT false,
  error text,
  session_id text COLLATE "C",
  reference text COLLATE "C",
  status text
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX inbox_by_due ON inbox (destination, due, number) WHERE due IS NOT NULL;
CREATE INDEX inbox_by_order ON inbox (line, destination, number) WHERE due IS NOT NULL;
CREATE INDEX inbox_by_line ON inbox (line);
CREATE INDEX inbox_by_destination ON inbox (destination, number);
CREATE INDEX inbox_by_age ON inbox (is_delivered, settled) WHERE settled IS NOT NULL;
CREATE UNIQUE INDEX inbox_by_event ON inbox (destination, event_id);

-- The messengers by which people are reached; the columns are those of the endpoints.
CREATE TABLE channels (
  name text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL,
  text text NOT NULL,
  disabled text
);
