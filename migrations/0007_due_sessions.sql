-- Up Migration

-- The strongest lock first: to get it later, beside turns that wait for the weaker one, is a deadlock.
LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE;

-- When a session has something to do by itself: of all others, nothing is read for it, and their turns change no index.
ALTER TABLE sessions ADD COLUMN due bigint;
CREATE INDEX sessions_by_due ON sessions (due) WHERE due IS NOT NULL;
