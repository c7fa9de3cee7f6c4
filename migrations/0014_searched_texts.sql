-- Up Migration

-- What results are found by, in small letters: what was answered, and the values of variables. Both say all that the result
-- holds where as many bytes are covered as it has, which is not so once a build before has added to it.
ALTER TABLE results
  ADD COLUMN said text COLLATE "C",
  ADD COLUMN held text COLLATE "C",
  ADD COLUMN covered bigint;

-- A result that is erased, or loses values that have outlived their time, also where a build before does it.
CREATE FUNCTION drop_searched_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.said := NULL;
  NEW.held := NULL;
  NEW.covered := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER searched_texts_of_base BEFORE UPDATE OF base ON results
FOR EACH ROW WHEN (NEW.covered IS NOT DISTINCT FROM OLD.covered) EXECUTE FUNCTION drop_searched_texts();
