-- What PostgreSQL needs beside the tables and their triggers.

CREATE TABLE referee_version (
    version INTEGER NOT NULL
);

-- What was written on a sheet stays written.

CREATE FUNCTION referee_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% are kept for ever', TG_TABLE_NAME;
END $$;

-- Other processes learn which sheet has changed.

CREATE FUNCTION referee_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('referee', NEW.sheet::text);
    RETURN NULL;
END $$;

INSERT INTO referee_version VALUES (1);
