-- SPDX-License-Identifier: MIT
-- Rights that PostgreSQL gives every role of a database, and that an agent does not need: tables of its own would fill the disk,
-- and so would large objects; advisory locks would stop all writers of pmuq, which lock with them. `pmuq db init` runs these
-- statements if it is a superuser, which they need. Roles that are not members of %PREFIX%_writer lose these rights, too.
DO $$
DECLARE
	one record;
BEGIN
	EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
	EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO %PREFIX%_writer', current_database());
	IF EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'public') THEN
		REVOKE CREATE ON SCHEMA public FROM PUBLIC;
	END IF;
	FOR one IN SELECT oid::regprocedure AS function FROM pg_proc
		WHERE pronamespace = 'pg_catalog'::regnamespace
			AND (proname ~ '^pg_(try_)?advisory_(xact_)?lock' OR proname IN ('lo_creat', 'lo_create', 'lo_from_bytea'))
	LOOP
		EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one.function);
		EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %PREFIX%_writer, %I', one.function, current_user);
		EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', one.function,
			(SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'pmuq'));
	END LOOP;
END
$$;
