import { execFile } from 'node:child_process';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { health } from '#contract/health.ts';
import { getReceiptKeys } from '#contract/receipts.ts';
import { createPool } from '#server/db/connect.ts';
import { rows } from '#server/db/query.ts';
import { loadState } from '#server/state.ts';
import { createRandom } from '#simulation/random.ts';
import { AnsweringStudent, type Target, type WrittenAnswer } from '#tests/answering-student.ts';
import {
  backUp,
  contentsOf,
  type Machine,
  type Machines,
  openMachines,
  restorableOf,
} from '#tests/backups.ts';
import { clear, openFolder, until } from '#tests/folders.ts';
import { liveCall } from '#tests/live-call.ts';
import { makeLiveSchool, startLive } from '#tests/live-school.ts';
import { runCommand, startCommand } from '#tests/programs/commands.ts';
import { embeddedOf, type LiveServer, startLiveServer } from '#tests/programs/live-server.ts';
import { cutPower } from '#tests/programs/processes.ts';

let machines: Machines;
beforeAll(async () => {
  machines = await openMachines();
});
afterAll(() => machines.close());

const STUDENTS = 4;

/** The shipped server that students call; another one replaces it after a restore. */
class Classroom implements Target {
  readonly violations: string[] = [];
  server: LiveServer | null = null;
  acknowledgedIds = new Set<string>();

  up(): Promise<string> {
    return Promise.resolve(this.server?.url ?? '');
  }

  acknowledged(answer: WrittenAnswer): void {
    this.acknowledgedIds.add(answer.id);
  }

  violated(what: string): void {
    this.violations.push(what);
  }
}

const keysOf = async (base: string) => (await liveCall(base, getReceiptKeys, {})).body.keys;

test('the shipped commands with the embedded PostgreSQL: a backup beside a busy server, the folder wiped, a restore, and the same receipts', async () => {
  const home = await openFolder();
  const dataDir = join(home, 'data');
  await mkdir(dataDir);
  const classroom = new Classroom();
  try {
    classroom.server = await startLiveServer({ dataDir });
    const pool = createPool((await embeddedOf(dataDir)).url, 4, () => undefined);
    const school = await makeLiveSchool(pool, STUDENTS);
    await pool.end();
    const base = classroom.server.url;
    const random = createRandom(7);
    const students = await Promise.all(
      school.students.map(async (user) => {
        const attempt = await startLive(base, user, school.testId);
        return new AnsweringStudent(user, attempt, classroom, random.fork(user.userId));
      }),
    );
    let isOver = false;
    const work = Promise.all(students.map((student) => student.answerUntil(() => isOver, 1)));
    await until(() => classroom.acknowledgedIds.size > 40);
    const before = new Set(classroom.acknowledgedIds);
    // No receipt yet: the copy has the key that will sign the first one.
    const published = await keysOf(base);
    expect(published).toMatchObject([{ retiredAt: null }]);
    const copies = join(home, 'copies/');
    const made = await runCommand('backup', [copies, '--keep', '3'], { dataDir });
    const during = classroom.acknowledgedIds.size - before.size;
    isOver = true;
    await work;
    expect(made).toMatchObject({ code: 0, warned: '' });
    expect(made.said).toMatch(/Резервная копия готова и проверена: .*backup-[\d-]+\.tar\.gz/);
    // The server continued to answer while the copy was made.
    expect(during).toBeGreaterThan(0);
    const [name = ''] = await readdir(copies);
    const copy = join(copies, name);

    const refused = await runCommand('restore', [copy, '--replace', '--yes'], { dataDir });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.warned).toMatch(/с ней уже работает процесс/);

    const { pid } = await embeddedOf(dataDir);
    const ended = classroom.server.end('SIGKILL');
    await cutPower([pid]);
    await ended;
    await rm(dataDir, { recursive: true });
    expect(await runCommand('restore', [copy], { dataDir })).toMatchObject({ code: 0, warned: '' });
    classroom.server = await startLiveServer({ dataDir });
    const reply = await fetch(`${classroom.server.url}${health.path}`);
    expect(Number(reply.headers.get(HEADER.serverEpoch))).toBeGreaterThan(1);

    const keys = await keysOf(classroom.server.url);
    expect(keys).toMatchObject([{ retiredAt: null }, { retiredAt: expect.any(String) }]);
    expect({ ...keys[1], retiredAt: null }).toEqual(published[0]);

    const back = createPool((await embeddedOf(dataDir)).url, 2, () => undefined);
    const journal = await rows<{ id: string }>(back, 'select id from operations');
    await back.end();
    expect(new Set(journal.map(({ id }) => id))).toEqual(
      expect.objectContaining({ size: journal.length }),
    );
    const known = new Set(journal.map(({ id }) => id));
    expect([...before].filter((id) => !known.has(id))).toEqual([]);
    // Every repeat must return the original receipt; the students check that themselves.
    for (const student of students) {
      const restored = student.written.filter(({ id }) => known.has(id));
      for (const answer of restored.slice(-5)) await student.deliver(answer);
    }
    expect(classroom.violations).toEqual([]);
  } finally {
    await classroom.server?.end('SIGKILL');
    await clear(dataDir);
    await clear(home);
  }
}, 180_000);

const ROWS = 20_000;

async function addPeople({ pool }: Machine, count: number): Promise<void> {
  await loadState(pool);
  await pool.query(
    `insert into users (id, email, user_name, password_hash, created_at)
     select gen_random_uuid(), n || '@school.test', repeat(md5(n::text), 8), 'none', now()
     from generate_series(1, $1::integer) n`,
    [count],
  );
}

const makePipe = (path: string) => promisify(execFile)('mkfifo', [path]);

/** The state and last statement of the session that restores into a database. */
async function restoring({ pool }: Machine, state: string, statement: string): Promise<boolean> {
  const found = await rows(
    pool,
    `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and state = $1 and query like $2`,
    [state, `${statement}%`],
  );
  return found.length > 0;
}

test('kill −9 in the middle of a backup leaves no copy, and the next run cleans up; a full disk is reported', async () => {
  const school = await machines.open();
  await addPeople(school, ROWS);
  const place = { dataDir: school.dataDir, databaseUrl: school.url };
  const copies = join(school.dataDir, 'backups');
  const filesThere = () => readdir(copies).catch(() => []);

  const full = await runCommand('backup', [], { ...place, fileBlocks: 100 });
  expect(full).toMatchObject({ code: 1 });
  expect(full.warned).toMatch(/Место для файла .* кончилось/);
  expect(await filesThere()).toEqual([]);

  // A file that never ends stops the backup in its middle.
  await mkdir(join(school.dataDir, 'lan'));
  await makePipe(join(school.dataDir, 'lan', 'ca.key'));
  const killed = await startCommand('backup', [], place);
  await until(async () => {
    const [name] = await filesThere();
    return name !== undefined && (await stat(join(copies, name))).size > 0;
  });
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(await filesThere()).toEqual([expect.stringMatching(/\.unfinished$/)]);
  await rm(join(school.dataDir, 'lan'), { recursive: true });
  expect(await runCommand('backup', [], place)).toMatchObject({ code: 0, warned: '' });
  expect(await filesThere()).toEqual([expect.stringMatching(/^backup-.*\.tar\.gz$/)]);
});

test('kill −9 in the middle of a restore leaves the old state, and the next run repeats the whole', async () => {
  const school = await machines.open();
  await addPeople(school, ROWS);
  const copy = join(machines.folder, 'whole.tar.gz');
  await backUp(school, copy, { productVersion: '0.0.0+test' });
  const other = await machines.open();
  await addPeople(other, 3);
  const before = await contentsOf(other.pool);
  const place = { dataDir: other.dataDir, databaseUrl: other.url };

  // The copy arrives through a pipe: whole when it is checked, half when it is restored.
  const bytes = await readFile(copy);
  const pipe = join(machines.folder, 'pipe');
  await makePipe(pipe);
  const killed = await startCommand('restore', [pipe, '--replace', '--yes'], place);
  await writeFile(pipe, bytes);
  await until(() => restoring(other, 'idle in transaction', 'truncate'));
  const half = await open(pipe, 'w');
  await half.write(bytes.subarray(0, bytes.length >> 1));
  await until(() => restoring(other, 'active', 'copy "users"'));
  killed.child.kill('SIGKILL');
  await killed.ended;
  await half.close();
  await until(async () => !(await restoring(other, 'active', 'copy "users"')));
  expect(await contentsOf(other.pool)).toEqual(before);

  const again = await runCommand('restore', [copy, '--replace', '--yes'], place);
  expect(again).toMatchObject({ code: 0, warned: '' });
  expect(await restorableOf(other.pool)).toEqual(await restorableOf(school.pool));
});

test('invalid input is reported as a message, with its own exit code', async () => {
  const place = { dataDir: join(machines.folder, 'nothing') };
  const nothing = await runCommand('backup', [], place);
  expect(nothing).toMatchObject({ code: 1 });
  expect(nothing.warned).toMatch(/нет базы данных: сохранять нечего/);
  expect(await readdir(place.dataDir).catch(() => null)).toBeNull();
  expect(await runCommand('backup', ['--keep', '0'], place)).toMatchObject({ code: 2 });
  expect(await runCommand('restore', [], place)).toMatchObject({ code: 2 });
  const missing = await runCommand('restore', ['/no/such', '--check'], place);
  expect(missing).toMatchObject({ code: 1, warned: 'Файла /no/such нет.\n' });
});
