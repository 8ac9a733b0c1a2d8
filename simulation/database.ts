import type { Pool, PoolClient } from 'pg';

/**
 * Database faults:
 * - `away`: it does not answer
 * - `diskFull`: it refuses to write
 * - `diesBeforeCommit`: the connection breaks before the commit, nothing is stored
 * - `diesAfterCommit`: it breaks after the commit, everything is stored, the client gets no reply
 */
export type DatabaseFault = 'away' | 'diskFull' | 'diesBeforeCommit' | 'diesAfterCommit';

/** A statement before it is sent to the database; planted bugs may change it. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface FaultyDatabase {
  /** For the server; everything else uses the real pool. */
  readonly pool: Pool;
  fail(fault: DatabaseFault | null): void;
  rewrite(change: (statement: Statement) => Statement): void;
}

class DatabaseError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`database failed: ${code}`);
    this.code = code;
  }
}

const AWAY = 'ECONNREFUSED';
const DISK_FULL = '53100';
const TERMINATED = '57P01';

const WRITES = /\b(insert into|update|delete from)\b/i;
/** Session lookups precede the call and are excluded from these faults. */
const OF_SIGN_IN = /\bsessions\b/i;

type Query = (config: unknown, values?: unknown) => Promise<unknown>;

function statementOf(config: unknown, values: unknown): Statement {
  if (typeof config === 'string')
    return { text: config, values: (values as unknown[] | undefined) ?? [] };
  const {
    name,
    text,
    values: own = [],
  } = config as Omit<Statement, 'values'> & {
    readonly values?: readonly unknown[];
  };
  return { ...(name === undefined ? {} : { name }), text, values: own };
}

/** The real pool with faults in front of it. */
export function createFaultyDatabase(real: Pool): FaultyDatabase {
  let fault: DatabaseFault | null = null;
  let change = (statement: Statement): Statement => statement;

  function refuseEarly({ text }: Statement): void {
    if (fault === 'away') throw new DatabaseError(AWAY);
    if (fault === 'diskFull' && WRITES.test(text)) throw new DatabaseError(DISK_FULL);
  }

  /** A statement outside of a transaction commits by itself. */
  function poolQuery(run: Query): Query {
    return async (config, values) => {
      const statement = change(statementOf(config, values));
      refuseEarly(statement);
      const isAimed = WRITES.test(statement.text) && !OF_SIGN_IN.test(statement.text);
      if (isAimed && fault === 'diesBeforeCommit') throw new DatabaseError(TERMINATED);
      const result = await run(statement);
      if (isAimed && fault === 'diesAfterCommit') throw new DatabaseError(TERMINATED);
      return result;
    };
  }

  function clientQuery(run: Query): Query {
    return async (config, values) => {
      const statement = change(statementOf(config, values));
      refuseEarly(statement);
      if (statement.text !== 'commit') return run(statement);
      if (fault === 'diesBeforeCommit') {
        await run({ text: 'rollback' });
        throw new DatabaseError(TERMINATED);
      }
      const result = await run(statement);
      if (fault === 'diesAfterCommit') throw new DatabaseError(TERMINATED);
      return result;
    };
  }

  function wrapClient(client: PoolClient): PoolClient {
    const query = clientQuery(client.query.bind(client));
    return over(client, { query });
  }

  const pool = over(real, {
    query: poolQuery(real.query.bind(real) as Query),
    connect: async () => {
      if (fault === 'away') throw new DatabaseError(AWAY);
      return wrapClient(await real.connect());
    },
  });

  return {
    pool,
    fail: (next) => {
      fault = next;
    },
    rewrite: (next) => {
      change = next;
    },
  };
}

/** The same object with some members replaced; its methods are called with the original `this`. */
function over<T extends object>(target: T, members: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get: (inner, name) => {
      if (typeof name === 'string' && name in members) return members[name];
      const value: unknown = Reflect.get(inner, name, inner);
      return typeof value === 'function' ? value.bind(inner) : value;
    },
    // Otherwise a server's wrappers would stay on the real pool, one layer per restart.
    set: () => true,
  });
}
