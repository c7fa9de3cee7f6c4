-- Up Migration

-- What turns have left to be counted, in the order of their commits; a fact goes with the transaction that counts it.
CREATE TABLE turn_facts (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  text text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);

-- How often something happened in a version of a flow, within an hour, or within a day once that is a week ago.
CREATE TABLE counts (
  flow_id text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  hour integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (flow_id, hour, version, kind, name)
) WITH (fillfactor = 80);
CREATE INDEX counts_of_hours ON counts (hour) WHERE hour % 24 <> 0;
CREATE INDEX counts_by_age ON counts (hour);

-- The places of a version, in the order of the bits of paths.
CREATE TABLE count_versions (
  flow_id text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  places text NOT NULL,
  PRIMARY KEY (flow_id, version)
);
