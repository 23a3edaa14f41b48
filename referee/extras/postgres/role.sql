-- What the processes of Referee may do as the role referee_server: add to the record, and neither
-- change nor delete what was written. Run it as the owner of the tables, once they are made, as
-- postgresql.md says; it ends with the first line that fails.

\set ON_ERROR_STOP on
BEGIN;

DO $$
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO referee_server', current_schema());
END $$;

GRANT SELECT ON referee_version TO referee_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON phone_links, handovers TO referee_server;

-- The record, with the tables of every extra: what refuses to be changed. A link can be withdrawn.
DO $$
DECLARE kept regclass;
BEGIN
    FOR kept IN SELECT DISTINCT tgrelid FROM pg_trigger WHERE tgfoid = 'referee_refuse'::regproc LOOP
        EXECUTE format('GRANT SELECT, INSERT ON %s TO referee_server', kept);
        IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = kept AND attname = 'withdrawn') THEN
            EXECUTE format('GRANT UPDATE (withdrawn) ON %s TO referee_server', kept);
        END IF;
    END LOOP;
END $$;

COMMIT;
