import type { Pool, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { one, rows } from '#server/db/query.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import type { Opening } from './format.ts';

/** A file of an answer as the snapshot knows it. */
export interface SnapshotUpload {
  readonly id: string;
  /** Bytes that the server has acknowledged. */
  readonly received: number;
  readonly complete: boolean;
  /** Lower-case hex of the whole file. */
  readonly sha256: string;
}

export interface SnapshotBlob {
  readonly sha256: string;
  readonly size: number;
  /** Bytes of an unnamed blob may not exist yet, or not any more. */
  readonly named: boolean;
}

/** The database at one moment, however long the reading takes. */
export interface Snapshot {
  readonly described: Pick<Opening, 'epoch' | 'migrations' | 'tables' | 'counters'>;
  /** Bytes of all tables, without indexes. */
  readonly bytes: number;
  /** The rows of a table in chunks of whole lines, as `COPY … TO` writes them. */
  copy(table: Opening['tables'][number]): AsyncIterable<{ bytes: Buffer; rows: number }>;
  blobs(): Promise<SnapshotBlob[]>;
  uploads(): Promise<SnapshotUpload[]>;
}

/** Settings under which values have the same text on every server. */
const SETTINGS = [
  `set local datestyle = 'ISO, YMD'`,
  `set local intervalstyle = 'iso_8601'`,
  `set local extra_float_digits = 3`,
  `set local bytea_output = 'hex'`,
  `set local timezone = 'UTC'`,
  `set local statement_timeout = 0`,
  `set local idle_in_transaction_session_timeout = 0`,
];

const PART_BYTES = 4 * 1024 * 1024;
const NEW_LINE = 10;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function readTables(client: PoolClient): Promise<Opening['tables']> {
  return rows(
    client,
    `select c.relname as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')
         as columns
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
     order by c.relname`,
  );
}

async function readCounters(
  client: PoolClient,
  tables: Opening['tables'],
): Promise<Opening['counters']> {
  const found = await rows<{ table: string; column: string; sequence: string }>(
    client,
    `select c.relname as "table", a.attname as "column",
       pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relname = any($1) and c.relnamespace = current_schema()::regnamespace
       and a.attnum > 0 and not a.attisdropped
       and pg_get_serial_sequence(quote_ident(c.relname), a.attname) is not null
     order by 1, 2`,
    [tables.map(({ name }) => name)],
  );
  const counters: Opening['counters'] = [];
  for (const { table, column, sequence } of found) {
    const state = await one<{ last: number; is_called: boolean }>(
      client,
      `select last_value as last, is_called from ${sequence}`,
    );
    counters.push({ table, column, last: state?.is_called === true ? state.last : null });
  }
  return counters;
}

async function* copyOut(
  client: PoolClient,
  { name, columns }: Opening['tables'][number],
): AsyncGenerator<{ bytes: Buffer; rows: number }> {
  const stream = client.query(
    copyTo(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout`),
  );
  let pieces: Buffer[] = [];
  let size = 0;
  let lines = 0;
  const take = () => {
    const part = { bytes: Buffer.concat(pieces), rows: lines };
    [pieces, size, lines] = [[], 0, 0];
    return part;
  };
  for await (const piece of stream as AsyncIterable<Buffer>) {
    // Line ends inside values are written as \n, so each line end ends a row.
    const end = piece.lastIndexOf(NEW_LINE) + 1;
    const whole = piece.subarray(0, end);
    for (let at = whole.indexOf(NEW_LINE); at !== -1; at = whole.indexOf(NEW_LINE, at + 1))
      lines += 1;
    if (end > 0 && size + end >= PART_BYTES) {
      pieces.push(whole);
      yield take();
      if (end < piece.length) pieces.push(piece.subarray(end));
      size = piece.length - end;
    } else {
      pieces.push(piece);
      size += piece.length;
    }
  }
  if (size > 0) yield take();
}

/**
 * Runs with a snapshot of the database: later writes are invisible, and nobody waits.
 * @throws {OperatorError} when there is nothing to save
 */
export async function withSnapshot<T>(
  pool: Pool,
  run: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const ignore = () => undefined;
  client.on('error', ignore);
  let broken = true;
  try {
    await client.query('begin isolation level repeatable read, read only');
    for (const setting of SETTINGS) await client.query(setting);
    const tables = await readTables(client);
    const has = (table: string) => tables.some(({ name }) => name === table);
    if (!has('schema_migrations') || !has('server_state'))
      throw new OperatorError(
        'В этой базе данных ничего нет: сохранять нечего. Проверьте DATA_DIR и DATABASE_URL.',
      );
    await client.query(
      `lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`,
    );
    const migrations = await rows<Opening['migrations'][number]>(
      client,
      'select name, sha256 from schema_migrations order by name',
    );
    const state = await one<{ epoch: number }>(client, 'select epoch from server_state');
    const size = await one<{ bytes: number }>(
      client,
      `select coalesce(sum(pg_table_size(quote_ident(t)::regclass)), 0)::bigint as bytes from unnest($1::text[]) t`,
      [tables.map(({ name }) => name)],
    );
    const result = await run({
      described: {
        epoch: state?.epoch ?? null,
        migrations,
        tables,
        counters: await readCounters(client, tables),
      },
      bytes: size?.bytes ?? 0,
      copy: (table) => copyOut(client, table),
      blobs: () =>
        has('blobs')
          ? rows(
              client,
              `select encode(b.sha256, 'hex') as sha256, b.size,
                 exists (select 1 from project_files f where f.sha256 = b.sha256)
                   or exists (select 1 from uploads u where u.completed_at is not null
                     and u.sha256 = encode(b.sha256, 'hex')) as named
               from blobs b order by b.sha256`,
            )
          : Promise.resolve([]),
      uploads: () =>
        rows(
          client,
          `select id, received, completed_at is not null as complete, sha256 from uploads
           where received > 0 order by id`,
        ),
    });
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    client.off('error', ignore);
    // An open transaction ends with its connection.
    client.release(broken);
  }
}
