import pg from 'pg';
import { startTestPostgres } from '#tests/postgres.ts';

/** Starts a PostgreSQL for tests, prints its data directory and waits to be killed. */
const postgres = await startTestPostgres();
const client = new pg.Client({ connectionString: postgres.url });
await client.connect();
const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
process.stdout.write(`${rows[0]?.data_directory}\n`);
