import pg, { type Pool, type PoolClient, type QueryResultRow } from 'pg';

const INT8 = 20;
const NUMERIC = 1700;
// Counts and points fit a double; pg would give strings.
pg.types.setTypeParser(INT8, Number);
pg.types.setTypeParser(NUMERIC, Number);

export type Client = Pool | PoolClient;

/** SQL with `$1` parameters; with a name it is prepared once per connection. */
export type Sql = string | { name: string; text: string };

const config = (sql: Sql, values: readonly unknown[]) => ({
  ...(typeof sql === 'string' ? { text: sql } : sql),
  values: [...values],
});

/** All rows; numeric and int8 are numbers, timestamptz is a Date. */
export async function rows<T extends QueryResultRow>(
  client: Client,
  sql: Sql,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const result = await client.query<T>(config(sql, values));
  return result.rows;
}

/** The first row, or null when there is none. */
export async function one<T extends QueryResultRow>(
  client: Client,
  sql: Sql,
  values: readonly unknown[] = [],
): Promise<T | null> {
  const [first] = await rows<T>(client, sql, values);
  return first ?? null;
}

/** Runs a statement; returns the number of affected rows. */
export async function execute(
  client: Client,
  sql: Sql,
  values: readonly unknown[] = [],
): Promise<number> {
  const result = await client.query(config(sql, values));
  return result.rowCount ?? 0;
}

const ignoreConnectionError = () => {
  // The running query fails with the same error.
};

/** Runs in one transaction: committed on return, rolled back on throw; a broken connection is destroyed. */
export async function transaction<T>(
  pool: Pool,
  run: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // A checked-out connection that breaks between two queries would end the process otherwise.
  client.on('error', ignoreConnectionError);
  let broken = false;
  try {
    await client.query('begin');
    const result = await run(client);
    await client.query('commit');
    return result;
  } catch (error) {
    try {
      await client.query('rollback');
    } catch {
      broken = true;
    }
    throw error;
  } finally {
    client.off('error', ignoreConnectionError);
    client.release(broken);
  }
}

const DEADLOCK = '40P01';
const TRIES = 4;

/**
 * Runs a transaction of an administrator that changes what others may be writing. They may have locked a part of it
 * and wait for the account: one of the two is repeated.
 */
export async function repeatDeadlocked<T>(run: () => Promise<T>): Promise<T> {
  for (let left = TRIES - 1; ; left -= 1)
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK || left === 0) throw error;
    }
}
