-- Up Migration

-- How far the latest conversation of a result has come, as counts have it; null where that is not counted.
ALTER TABLE results
  ADD COLUMN version text,
  ADD COLUMN path text COLLATE "C",
  ADD COLUMN cohort text COLLATE "C",
  ADD COLUMN place text COLLATE "C",
  -- Since when it waits at its place, in milliseconds since 1970; 0 where it has ended.
  ADD COLUMN asked_at bigint;
