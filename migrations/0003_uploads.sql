-- Up Migration

-- Files in the folder that the processes share, so that all of them keep to one bound.
CREATE TABLE uploads (
  owner text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (owner, name)
);
