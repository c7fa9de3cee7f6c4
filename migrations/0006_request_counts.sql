-- Up Migration

-- Requests of addresses within a minute. They are worth no log: after a crash of the server, counting begins anew.
CREATE UNLOGGED TABLE request_counts (
  name text COLLATE "C" PRIMARY KEY,
  count bigint NOT NULL,
  expires bigint NOT NULL
) WITH (fillfactor = 50);
