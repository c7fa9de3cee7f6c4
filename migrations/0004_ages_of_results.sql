-- Up Migration

-- The strongest lock first: to get it later, beside turns that wait for the weaker one, is a deadlock.
LOCK TABLE results IN ACCESS EXCLUSIVE MODE;

-- What is erased when it is old, and what erasing has left for a while, each by itself: of neither more is read than is due.
CREATE INDEX kept_results_by_age ON results (changed_at) WHERE NOT is_erased;
CREATE INDEX erased_results_by_age ON results (changed_at) WHERE is_erased;
DROP INDEX results_by_age;
