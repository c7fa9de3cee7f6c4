-- Up Migration

-- What commits have put out, to be sent in the order of the numbers within a line.
CREATE TABLE outbox (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  destination text COLLATE "C" NOT NULL,
  line text COLLATE "C" NOT NULL,
  event_id text NOT NULL,
  type text NOT NULL,
  -- Dropped once it has arrived.
  body text,
  created bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Of the next try, or when the claim of the present one runs out; null once it has arrived or was set aside.
  due bigint,
  settled bigint,
  is_delivered boolean NOT NULL DEFAULT false,
  error text
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX outbox_by_due ON outbox (destination, due) WHERE due IS NOT NULL;
CREATE INDEX outbox_by_line ON outbox (line, destination, number);
CREATE INDEX outbox_by_destination ON outbox (destination, number);
CREATE INDEX outbox_by_age ON outbox (is_delivered, settled) WHERE settled IS NOT NULL;

-- Where events are sent.
CREATE TABLE endpoints (
  name text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL,
  text text NOT NULL,
  disabled text
);
