-- Up Migration

-- The strongest lock first: to get it later, beside turns that wait for the weaker one, is a deadlock.
LOCK TABLE results IN ACCESS EXCLUSIVE MODE;

-- Results are listed by their numbers, and asked for by when they began: which is the next of those times is read here, not
-- by going through all.
CREATE INDEX kept_results_by_time ON results (flow_id, created_at, number) WHERE NOT is_erased;
