-- Up Migration

-- The strongest lock first: to get it later, beside turns that wait for the weaker one, is a deadlock.
LOCK TABLE results IN ACCESS EXCLUSIVE MODE;

-- Lists start at the newest result, and would else go through all that were erased since the newest which is kept.
CREATE INDEX kept_results_by_creation ON results (flow_id, number) WHERE NOT is_erased;
DROP INDEX results_by_creation;
