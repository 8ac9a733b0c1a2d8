import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim } from '#server/db/embedded/owner.ts';
import { readPidFile, readPostmasterPid } from '#server/db/embedded/postmaster.ts';
import { type Bench, makeBench, query } from '#tests/embedded.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.clear());

/** PostgreSQL on this machine that is somebody else's: it listens on TCP and requires a password. */
async function startStranger(): Promise<{ port: number; url: string }> {
  const { url } = await bench.launch(join(bench.folder, 'stranger'), { transport: 'tcp' });
  return { port: Number(new URL(url).port), url };
}

test('an incomplete lock file names no address, whatever part of it exists', async () => {
  const { cluster } = await bench.launch(join(bench.folder, 'own'));
  const whole = await readFile(join(cluster, 'postmaster.pid'), 'utf8');
  const address = await readPidFile(cluster);
  expect(address?.host).toMatch(/^\//);
  const fake = join(bench.folder, 'fake');
  await mkdir(fake);
  const file = join(fake, 'postmaster.pid');
  const [pid = '', folder, start, port] = whole.split('\n');
  // As PostgreSQL writes it first: with the port, without the socket's folder.
  await writeFile(file, `${pid}\n${folder}\n${start}\n${port}\n\n`);
  expect(await readPidFile(fake)).toBeUndefined();
  expect(await readPostmasterPid(fake)).toBe(Number(pid));
  for (let length = 0; length < whole.length; length += 1) {
    await writeFile(file, whole.slice(0, length));
    expect(await readPidFile(fake), whole.slice(0, length)).toBeUndefined();
  }
  await writeFile(file, whole);
  expect(await readPidFile(fake)).toEqual(address);
});

test('a foreign PostgreSQL at the address is skipped, with a password or without, and nothing is written there', async () => {
  const { port, url } = await startStranger();
  const { cluster } = await bench.launch(join(bench.folder, 'ours'));
  const closed = await claim({ host: '127.0.0.1', port, password: undefined }, cluster);
  expect(closed).toEqual({ kind: 'silent' });
  const { password } = new URL(url);
  const open = await claim(
    { host: '127.0.0.1', port, password: decodeURIComponent(password) },
    cluster,
  );
  expect(open).toEqual({ kind: 'silent' });
  const [locks] = await query(
    url,
    `select count(*)::int as held from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
  );
  expect(locks).toEqual({ held: 0 });
});
