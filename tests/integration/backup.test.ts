import { createHash, randomBytes } from 'node:crypto';
import { copyFile, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseTarget, pruneBackups } from '#server/backup/names.ts';
import { readOpening, verifyBackup } from '#server/backup/verify.ts';
import { migrate, migrationsFolder } from '#server/db/migrate.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import { one } from '#server/db/query.ts';
import { registerServer } from '#server/db/serving.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { sweepBlobs } from '#server/files/blob-cleanup-job.ts';
import { storeBlob } from '#server/files/store-blob.ts';
import { diskBlobs } from '#server/files/store/disk.ts';
import { loadState } from '#server/state.ts';
import {
  backUp,
  BACKED_UP_AT,
  contentsOf,
  type Machine,
  type Machines,
  openMachines,
  restorableOf,
  restoreOn,
  schemaOf,
} from '#tests/backups.ts';

let machines: Machines;
let school: Machine;
/** A backup of the school. */
let copy: string;
/** One account and nothing more, and its backup. */
let small: Machine;
let smallCopy: string;

/** Everything that COPY, JSON or a shell could misinterpret. */
const HOSTILE = 'Ан\tна \\N \\. "Ё"\r\n\u2028, 👩‍🏫 \\x41 \'; drop';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const LOGO = randomBytes(6 * 1024 * 1024);
const PART_ID = '0193fc1c-0000-7000-8000-000000000001';

/** The message of a refusal; any other error is rethrown. */
const words = (action: Promise<unknown>): Promise<string> =>
  action.then(
    () => 'it went through',
    (error: unknown) => (error instanceof OperatorError ? error.message : String(error)),
  );

/** Data that the demo does not have: files by content, ratings that a trigger counts, hostile texts, a part. */
async function addOddities({ pool, dataDir }: Machine): Promise<void> {
  await diskBlobs(dataDir).put(sha256(LOGO).toString('hex'), LOGO.length, [LOGO] as never);
  await pool.query('insert into blobs (sha256, size, created_at) values ($1, $2, now())', [
    sha256(LOGO),
    LOGO.length,
  ]);
  await pool.query(
    `insert into projects (id, owner_id, name, short_description, description, landing_url,
       rating_sum, rating_count, created_at, updated_at)
     select gen_random_uuid(), id, $1, '', '', '', 9, 2, now(), now() from users limit 1`,
    [HOSTILE],
  );
  await pool.query(
    `insert into project_ratings (project_id, user_id, stars, updated_at)
     select p.id, u.id, 4, now() from projects p, (select id from users limit 2) u`,
  );
  await pool.query(
    `insert into project_files (key, project_id, role, sha256, name, mime_type, size, created_at)
     select gen_random_uuid(), id, 'logo', $1, $2, 'image/png', $3, now() from projects`,
    [sha256(LOGO), HOSTILE, LOGO.length],
  );
  await pool.query(
    `insert into sessions (token_hash, user_id, created_at, last_used_at, expires_at)
     select $1, id, now(), now(), 'infinity' from users limit 1`,
    [Buffer.from([0, 255, 92, 10, 9, 46])],
  );
  await pool.query(
    `insert into uploads (id, attempt_id, question_id, name, mime_type, size, sha256, received, created_at, updated_at)
     select $1, id, id, $2, 'image/png', 9, '', 5, now(), now() from attempts limit 1`,
    [PART_ID, HOSTILE],
  );
  await writeFile(join(dataDir, 'uploads', `${PART_ID}.part`), 'начало и ещё');
  await mkdir(join(dataDir, 'lan'));
  await writeFile(join(dataDir, 'lan', 'ca.key'), 'ключ');
}

const addAnna = ({ pool }: Machine) =>
  pool.query(
    `insert into users (id, email, user_name, password_hash, created_at)
     values (gen_random_uuid(), 'a@b.ru', 'Анна', 'none', now())`,
  );

beforeAll(async () => {
  machines = await openMachines();
  school = await machines.open();
  await loadState(school.pool);
  await seedDemo(school.pool, { now: new Date(), password: 'Demo2026', dataDir: school.dataDir });
  await addOddities(school);
  copy = join(machines.folder, 'school.tar.gz');
  await backUp(school, copy);
  small = await machines.open();
  await loadState(small.pool);
  await addAnna(small);
  smallCopy = join(machines.folder, 'small.tar.gz');
  await backUp(small, smallCopy);
});
afterAll(() => machines.close());

const filesOf = async (folder: string): Promise<Record<string, string>> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (path) => [
        path.slice(folder.length),
        sha256(await readFile(path)).toString('hex'),
      ]),
    ),
  );
};

describe('a restore', () => {
  test('restores every row of every table, every file, every constraint, and the counters', async () => {
    const other = await machines.open();
    const { epoch } = await restoreOn(other, copy);
    expect(await restorableOf(other.pool)).toEqual(await restorableOf(school.pool));
    expect(await schemaOf(other.pool)).toEqual(await schemaOf(school.pool));
    const [had, has] = [await filesOf(school.dataDir), await filesOf(other.dataDir)];
    const part = `/uploads/${PART_ID}.part`;
    // Only the acknowledged bytes of a part.
    expect(await readFile(join(other.dataDir, part))).toEqual(
      Buffer.from('начало и ещё').subarray(0, 5),
    );
    expect({ ...has, [part]: '' }).toEqual({ ...had, [part]: '' });
    const state = await loadState(other.pool);
    expect(state).toEqual({ ...(await loadState(school.pool)), epoch });
    const next = await one<{ fresh: boolean }>(
      other.pool,
      `select nextval(pg_get_serial_sequence('operations', 'ordinal')) > max(ordinal) as fresh from operations`,
    );
    expect(next).toEqual({ fresh: true });
  });

  test("raises the epoch over the backup's, the replaced database's and an earlier restore's", async () => {
    const other = await machines.open();
    const first = await restoreOn(other, smallCopy);
    expect(first.epoch).toBeGreaterThan((await loadState(small.pool)).epoch);
    expect((await restoreOn(other, smallCopy)).epoch).toBe(first.epoch + 1);
    // A wiped machine does not know of the first restore, so the time decides.
    const wiped = await machines.open();
    const later = new Date(BACKED_UP_AT.getTime() + 600_000);
    expect((await restoreOn(wiped, smallCopy, { now: later })).epoch).toBeGreaterThan(
      first.epoch + 1,
    );
  });

  test('replaces only what it may, and only when no server runs', async () => {
    const other = await machines.open();
    await restoreOn(other, smallCopy);
    await other.pool.query(`update users set user_name = 'Осталось'`);
    const before = await contentsOf(other.pool);
    const denied = restoreOn(other, smallCopy, { mayReplace: () => Promise.resolve(false) });
    expect(await words(denied)).toMatch(/^База данных не пуста: людей — \d+/);
    const release = await registerServer(other.url);
    expect(await words(restoreOn(other, smallCopy))).toMatch(
      /^С этой базой данных работает сервер/,
    );
    await release();
    await other.pool.query('create table other_program (id integer)');
    expect(await words(restoreOn(other, smallCopy))).toMatch(
      /таблицы другой .*программы \(other_program\)/,
    );
    await other.pool.query('drop table other_program');
    expect(await contentsOf(other.pool)).toEqual(before);
    await restoreOn(other, smallCopy);
    expect(await restorableOf(other.pool)).toEqual(await restorableOf(small.pool));
  });

  test('files that only the replaced database knew are deleted a day later unless they are sent again; unknown ones stay', async () => {
    const other = await machines.open();
    const blobs = diskBlobs(other.dataDir);
    const place = { pool: other.pool, blobs };
    const [gone, again, foreign] = [randomBytes(40), randomBytes(50), randomBytes(60)];
    const keep = async (bytes: Buffer, now: Date) =>
      storeBlob(place, await blobs.receive(Readable.from([bytes]), 100), now);
    await restoreOn(other, smallCopy);
    await keep(gone, BACKED_UP_AT);
    await keep(again, BACKED_UP_AT);
    await blobs.put(sha256(foreign).toString('hex'), 60, Readable.from([foreign]));
    await restoreOn(other, smallCopy);
    const after = (hours: number) => new Date(BACKED_UP_AT.getTime() + hours * 3_600_000);
    const areThere = () =>
      Promise.all([gone, again, foreign].map((each) => blobs.has(sha256(each).toString('hex'))));
    await sweepBlobs(place, after(23));
    expect(await areThere()).toEqual([true, true, true]);
    await keep(again, after(23));
    await sweepBlobs(place, after(25));
    expect(await areThere()).toEqual([false, true, true]);
  });

  test('of an older version is migrated to this one; of a newer one is refused', async () => {
    const migrations = join(machines.folder, 'newer');
    await cp(migrationsFolder(), migrations, { recursive: true });
    const step = '9999_nickname.sql';
    await writeFile(
      join(migrations, step),
      `alter table users add column nickname text; update users set nickname = 'Аня';`,
    );
    const newer = await machines.open();
    await migrate(newer.pool, migrations);
    const other = await machines.open();
    const { steps } = await restoreOn(other, smallCopy, { migrations });
    expect(steps).toEqual([step]);
    expect(await schemaOf(other.pool)).toEqual(await schemaOf(newer.pool));
    expect(await one(other.pool, 'select user_name, nickname from users')).toEqual({
      user_name: 'Анна',
      nickname: 'Аня',
    });

    const path = join(machines.folder, 'newer.tar.gz');
    await backUp(other, path);
    const refusal = /сделана более новой программой/;
    expect(await words(restoreOn(small, path))).toMatch(refusal);
    expect(await words(restoreOn(small, smallCopy, { productVersion: '0.0.10+x' }))).toMatch(
      refusal,
    );
  });

  test('of a version before the first release is refused in words', async () => {
    const path = join(machines.folder, 'before.tar.gz');
    await small.pool.query(
      `insert into schema_migrations (name, sha256) values ('0001_foundation.sql', $1)`,
      ['0'.repeat(64)],
    );
    await backUp(small, path, { productVersion: '0.0.9+x' });
    await small.pool.query(`delete from schema_migrations where name = '0001_foundation.sql'`);
    expect(await words(restoreOn(small, path))).toMatch(
      /сделана другой программой: шаг 0001_foundation\.sql её базы данных здесь неизвестен/,
    );
  });
});

interface Made {
  name: string;
  bytes: Buffer;
  type?: 'symlink';
}

/** An archive of any entries; the manifest, when there is none among them, fits them. */
async function archiveOf(entries: readonly Made[]): Promise<Buffer> {
  const packer = pack();
  for (const { name, bytes, type } of entries)
    packer.entry(
      { name, type: type ?? 'file', ...(type ? { linkname: '/etc/passwd' } : {}) },
      bytes,
    );
  packer.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of packer) pieces.push(piece);
  return gzipSync(Buffer.concat(pieces));
}

async function withManifest(entries: readonly Made[], rows: Record<string, number>) {
  const manifest = {
    entries: entries.map(({ name, bytes }) => ({
      name,
      size: bytes.length,
      sha256: sha256(bytes).toString('hex'),
    })),
    rows,
    missing: [],
  };
  const last = { name: 'manifest.json', bytes: Buffer.from(JSON.stringify(manifest)) };
  return archiveOf([...entries, last]);
}

describe('a file that is not what it should be', () => {
  test('is refused with a message, and nothing is changed', async () => {
    const other = await machines.open();
    await loadState(other.pool);
    const before = await contentsOf(other.pool);
    const good = await readFile(copy);
    const plain = gunzipSync(good);
    const flipped = Buffer.from(plain);
    const at = plain.length - 3 * 1024 * 1024;
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    const opening = await readOpening(copy);
    const head = { name: 'backup.json', bytes: Buffer.from(JSON.stringify(opening)) };
    const none = Object.fromEntries(opening.tables.map(({ name }) => [name, 0]));
    const stray = (name: string, type?: 'symlink') =>
      withManifest(
        [
          head,
          { name, bytes: type ? Buffer.alloc(0) : LOGO.subarray(0, 9), ...(type && { type }) },
        ],
        none,
      );
    const future = { ...opening, formatVersion: 2 };
    const bad: Record<string, readonly [Buffer, RegExp]> = {
      empty: [Buffer.alloc(0), /повреждён/],
      noise: [randomBytes(4_000), /повреждён/],
      'cut in the middle': [good.subarray(0, good.length >> 1), /повреждён/],
      'cut at the end': [good.subarray(0, good.length - 9), /повреждён/],
      'one byte flipped': [gzipSync(flipped, { level: 1 }), /не такая, какой была при создании/],
      'archive cut between entries': [gzipSync(plain.subarray(0, 512 * 8)), /повреждён/],
      'another archive': [
        await archiveOf([{ name: 'uploads/a', bytes: LOGO.subarray(0, 9) }]),
        /повреждён/,
      ],
      'no manifest': [await archiveOf([head]), /обрывается/],
      'a later format': [
        await archiveOf([{ name: 'backup.json', bytes: Buffer.from(JSON.stringify(future)) }]),
        /более новой программой/,
      ],
      'rows that are not there': [
        await withManifest([head], { ...none, users: 1 }),
        /не столько строк/,
      ],
      'a path out of the folder': [
        await stray('uploads/../../evil'),
        /чего в резервной копии не бывает/,
      ],
      'an absolute path': [await stray('/tmp/evil'), /чего в резервной копии не бывает/],
      'a link': [await stray(`uploads/${PART_ID}`, 'symlink'), /чего в резервной копии не бывает/],
      'a hidden name': [await stray('lan/..'), /чего в резервной копии не бывает/],
    };
    const path = join(machines.folder, 'bad.tar.gz');
    for (const [what, [bytes, expected]] of Object.entries(bad)) {
      await writeFile(path, bytes);
      expect(await words(restoreOn(other, path)), what).toMatch(expected);
    }
    expect(await words(restoreOn(other, join(machines.folder, 'no such')))).toMatch(/нет\.$/);
    expect(await contentsOf(other.pool)).toEqual(before);
    expect(await readdir(other.dataDir)).toEqual([]);
  });

  test('with contradictory rows is refused without any change', async () => {
    const other = await machines.open();
    await restoreOn(other, smallCopy);
    const before = await contentsOf(other.pool);
    const { opening } = await verifyBackup(smallCopy);
    const sessions = opening.tables.find(({ name }) => name === 'sessions');
    const id = '0193fc1c-0000-7000-8000-00000000000';
    const of: Record<string, string> = {
      token_hash: '\\\\x00',
      user_id: `${id}2`,
      id: `${id}3`,
      user_agent: '\\N',
    };
    const line = sessions?.columns.map((name) => of[name] ?? '2026-11-21 10:00:00+00').join('\t');
    const entries = [
      { name: 'backup.json', bytes: Buffer.from(JSON.stringify(opening)) },
      { name: 'database/sessions/000001.copy', bytes: Buffer.from(`${line}\n`) },
    ];
    const none = Object.fromEntries(opening.tables.map(({ name }) => [name, 0]));
    const path = join(machines.folder, 'contradicts.tar.gz');
    await writeFile(path, await withManifest(entries, { ...none, sessions: 1 }));
    expect(await words(restoreOn(other, path))).toMatch(/строки противоречат друг другу/);
    expect(await contentsOf(other.pool)).toEqual(before);
    expect(await schemaOf(other.pool)).toEqual(await schemaOf(small.pool));
  });
});

describe('the making', () => {
  const inMade = (name: string) => join(machines.folder, 'made', name);

  test('leaves nothing on a full disk and preserves space for the server', async () => {
    const full = backUp(school, inMade('full.tar.gz'), {
      freeBytes: () => Promise.resolve(100_000_000),
    });
    expect(await words(full)).toMatch(/мало места: нужно около .+, свободно 95,4/);
    let checks = 0;
    const filling = backUp(school, inMade('filling.tar.gz'), {
      freeBytes: () => Promise.resolve((checks += 1) === 1 ? 1e12 : 1e6),
    });
    expect(await words(filling)).toMatch(/мало места/);
    expect(checks).toBe(2);
    expect(await readdir(join(machines.folder, 'made'))).toEqual([]);
  });

  test('ends cleanly when it is stopped', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(backUp(school, inMade('a.tar.gz'), { signal: stop.signal })).rejects.toThrow();
    expect(await readdir(join(machines.folder, 'made'))).toEqual([]);
  });

  test("creates a file that only its owner can read, named by the school's time, and never overwrites one", async () => {
    const at = { now: BACKED_UP_AT, timeZone: 'Asia/Omsk' };
    const folder = join(machines.folder, 'made');
    const target = await chooseTarget(folder, '', at);
    expect(target).toBe(inMade('backup-2026-11-21-2142.tar.gz'));
    await backUp(school, target);
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    expect(await chooseTarget(folder, '', at)).toBe(inMade('backup-2026-11-21-2142-00.tar.gz'));
    expect(await words(chooseTarget(target, '', at))).toMatch(/уже есть/);
  });

  test('retains the newest copies, and removes no file that it did not create', async () => {
    const [newest = ''] = await readdir(join(machines.folder, 'made'));
    const old = ['backup-2026-11-19-0300.tar.gz', 'backup-2026-11-20-0300.tar.gz'];
    for (const name of old) await copyFile(inMade(newest), inMade(name));
    await writeFile(inMade('backup-2026-11-18-0300.tar.gz'), 'чужой файл');
    await copyFile(inMade(newest), inMade('зимой.tar.gz'));
    expect(await pruneBackups(inMade(newest), 2)).toEqual([old[0]]);
    expect((await readdir(join(machines.folder, 'made'))).sort()).toEqual(
      ['backup-2026-11-18-0300.tar.gz', old[1], newest, 'зимой.tar.gz'].sort(),
    );
  });

  test('retains the later of two copies of one minute', async () => {
    const folder = join(machines.folder, 'minute');
    await mkdir(folder);
    const newest = 'backup-2026-11-21-2142.tar.gz';
    const [first, second, third] = [
      'backup-2026-11-20-0300.tar.gz',
      'backup-2026-11-20-0300-07.tar.gz',
      'backup-2026-11-20-0301.tar.gz',
    ].map((name) => join(folder, name)) as [string, string, string];
    for (const path of [first, second, third]) await copyFile(inMade(newest), path);
    expect(await pruneBackups(third, 2)).toEqual([basename(first)]);
  });

  test('continues without missing or damaged files, and names them', async () => {
    const hex = sha256(LOGO).toString('hex');
    await writeFile(join(school.dataDir, 'blobs', hex.slice(0, 2), hex.slice(2)), 'гниль');
    const made = await backUp(school, join(machines.folder, 'hurt.tar.gz'));
    expect(made.missing).toEqual([`blobs/${hex}`]);
    const other = await machines.open();
    await restoreOn(other, made.path);
    expect(await restorableOf(other.pool)).toEqual(await restorableOf(school.pool));
    expect(await diskBlobs(other.dataDir).has(hex)).toBe(false);
  });
});
