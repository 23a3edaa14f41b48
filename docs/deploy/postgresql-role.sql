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
GRANT SELECT, INSERT ON sheets, entries, evenings, evening_sheets, club_sheets, trash TO referee_server;
GRANT SELECT, INSERT ON links, evening_links TO referee_server;
GRANT UPDATE (withdrawn) ON links, evening_links TO referee_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON phone_links, handovers TO referee_server;

COMMIT;
