-- Up Migration

-- A flow that was deleted keeps its row, with 0 for its version: others find out, and no number is used twice.
ALTER TABLE flows ADD COLUMN last_version integer NOT NULL DEFAULT 0;
