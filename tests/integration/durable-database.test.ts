import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { uploadChunk } from '#contract/passing.ts';
import { createPool } from '#server/db/connect.ts';
import { type EmbeddedServer, launchEmbedded } from '#server/db/embedded/launch.ts';
import { createTestDatabase } from '#tests/database.ts';
import { clear, openFolder } from '#tests/folders.ts';
import type { TestDatabase } from '#tests/postgres.ts';
import { type LiveServer, startLiveServer } from '#tests/programs/live-server.ts';
import { makeSchool, Q, RIGHT, TestDevice } from '#tests/school.ts';
import { testServer } from '#tests/server.ts';

const quiet = () => undefined;

describe('a commit is on the disk before it is acknowledged', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  test.each([
    ['off', 'on'],
    ['local', 'local'],
    ['remote_apply', 'remote_apply'],
  ])(
    'where the database’s default is %s, connections of the server have %s',
    async (byDefault, had) => {
      const name = new URL(database.url).pathname.slice(1);
      await database.pool.query(`alter database ${name} set synchronous_commit = ${byDefault}`);
      const pool = createPool(database.url, 3, quiet);
      const settings = await Promise.all(
        [1, 2, 3].map(() => pool.query<{ synchronous_commit: string }>('show synchronous_commit')),
      );
      await pool.end();
      expect(settings.map(({ rows }) => rows[0]?.synchronous_commit)).toEqual([had, had, had]);
    },
  );
});

test('every row of a start, of answers by either path, of a file and of a finish is written so', async () => {
  const server = await testServer();
  try {
    await server.pool.query(`
      create table seen_commits (of_table text, setting text);
      create function note_commit() returns trigger language plpgsql as $$ begin
        insert into seen_commits values (tg_table_name, current_setting('synchronous_commit'));
        return null;
      end $$`);
    const tables = ['answers', 'attempts', 'operations', 'start_keys', 'streams', 'uploads'];
    for (const table of tables)
      await server.pool.query(`create trigger note_commit after insert or update on ${table}
        for each row execute function note_commit()`);
    const { student, testId } = await makeSchool(server);
    const device = new TestDevice(server, student);
    await device.start(testId);
    const first = device.operation();
    const bytes = Buffer.from('%PDF-1.4 решение');
    const fileId = server.deps.newId();
    const replies = [
      await device.answer(RIGHT.open, first),
      await device.answer(RIGHT.open, first),
      await server.send(
        uploadChunk,
        {
          params: { id: device.attemptId, fileId },
          query: {
            offset: 0,
            size: bytes.length,
            sha256: createHash('sha256').update(bytes).digest('hex'),
            name: 'решение.pdf',
            mimeType: 'application/pdf',
            questionId: Q.file,
          },
          bytes,
        },
        { as: student },
      ),
      await device.finish(),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const seen = await server.pool.query(
      'select distinct of_table, setting from seen_commits order by 1',
    );
    expect(seen.rows).toEqual(tables.map((of_table) => ({ of_table, setting: 'on' })));
  } finally {
    await server.close();
  }
});

describe('a PostgreSQL of the operator’s own', () => {
  let folder: string;
  let postgres: EmbeddedServer;
  let server: LiveServer | null;
  beforeEach(async () => {
    folder = await openFolder();
    server = null;
  });
  afterEach(async () => {
    await server?.end('SIGKILL');
    await postgres.stop();
    await clear(folder);
  });
  const start = async (durable: boolean, allowed: '0' | '1') => {
    postgres = await launchEmbedded({ dataDir: folder, say: quiet, durable });
    server = await startLiveServer({
      dataDir: folder,
      databaseUrl: postgres.url,
      env: { ALLOW_FSYNC_OFF: allowed },
    });
    return server.said.join('\n');
  };

  test('that does not wait for the disk is refused in Russian, with what to do', async () => {
    await expect(start(false, '0')).rejects.toThrow(
      /the server ended with 1:\s+База данных \(PostgreSQL .*fsync = off.*отнимет сохранённые ответы.*ALTER SYSTEM SET fsync = on/,
    );
  });

  test('is accepted with a warning where the operator allows it', async () => {
    expect(await start(false, '1')).toMatch(/^ВНИМАНИЕ: .*fsync = off/m);
  });

  test('that does is accepted silently', async () => {
    expect(await start(true, '0')).not.toMatch(/fsync/i);
  });
});
