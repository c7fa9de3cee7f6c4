-- Up Migration

-- When something of a result may have outlived the time that its flow gives it: most results have none.
ALTER TABLE results ADD COLUMN due_at bigint;
CREATE INDEX results_by_due ON results (due_at) WHERE due_at IS NOT NULL;
