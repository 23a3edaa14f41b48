-- A role for the processes of Referee: it can add to the record, and can neither change nor delete
-- what was written. Run it once as the owner of the database, in the schema of the tables, after
-- the first start has made them; then start Referee as referee_server.

DO $$
BEGIN
    CREATE ROLE referee_server LOGIN;
EXCEPTION WHEN duplicate_object THEN
    NULL;
END $$;

DO $$
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO referee_server', current_schema());
END $$;

GRANT SELECT ON referee_version TO referee_server;
GRANT SELECT, INSERT ON sheets, entries, evenings, evening_sheets, club_sheets, trash TO referee_server;
GRANT SELECT, INSERT ON links, evening_links TO referee_server;
GRANT UPDATE (withdrawn) ON links, evening_links TO referee_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON phone_links, handovers TO referee_server;
