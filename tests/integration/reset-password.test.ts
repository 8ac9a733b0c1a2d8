import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';
import { listAudit } from '#contract/admin.ts';
import { currentUser, login, ROLE } from '#contract/auth.ts';
import { openSession } from '#server/auth/sessions.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { type Machines, openMachines } from '#tests/backups.ts';
import { clear, openFolder } from '#tests/folders.ts';
import { liveCall } from '#tests/live-call.ts';
import { runCommand } from '#tests/programs/commands.ts';
import { startLiveServer } from '#tests/programs/live-server.ts';

let machines: Machines;
beforeAll(async () => {
  machines = await openMachines();
});
afterAll(() => machines.close());

const passwordIn = (said: string) => /^Новый пароль для .+: (\S+)$/m.exec(said)?.[1] ?? '';

test('the shipped command beside a running server: the only administrator signs in with the generated password and with no other', async () => {
  const home = await openFolder();
  const dataDir = join(home, 'data');
  await mkdir(dataDir);
  const server = await startLiveServer({ dataDir });
  const email = 'admin@school.test';
  const signIn = (password: string) => liveCall(server.url, login, { body: { email, password } });
  try {
    const before = (await signIn('Admin2026')).body.token;
    const done = await runCommand('reset-password', ['Admin@School.test'], { dataDir });
    expect(done).toMatchObject({ code: 0, warned: '' });
    const made = passwordIn(done.said);
    expect(made).toMatch(/^[A-Z][a-z]{7}-\d{5}$/);
    expect(done.said).not.toContain('не администратор');
    expect((await liveCall(server.url, currentUser, {}, { token: before })).status).toBe(401);
    expect((await signIn('Admin2026')).status).toBe(401);
    const { token } = (await signIn(made)).body;
    const audit = await fetch(`${server.url}${listAudit.path}?act=passwordReset`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const act = { act: 'passwordReset', actor: null, details: { by: 'operator' } };
    expect(await audit.json()).toMatchObject({ items: [{ ...act, subject: { kind: 'user' } }] });
    // Once the server has ended, the command starts the database temporarily.
    await server.end('SIGTERM');
    const again = await runCommand('reset-password', [email], { dataDir });
    expect(again).toMatchObject({ code: 0, warned: '' });
    expect(passwordIn(again.said)).not.toBe(made);
  } finally {
    await server.end('SIGKILL');
    await clear(dataDir);
    await clear(home);
  }
}, 120_000);

test('a blocked account stays blocked unless requested: with DATABASE_URL, with a message', async () => {
  const school = await machines.open();
  const { pool } = school;
  const place = { dataDir: school.dataDir, databaseUrl: school.url };
  const people = { student: ROLE.student, admin: ROLE.admin } as const;
  const now = new Date();
  for (const [name, role] of Object.entries(people)) {
    const user = { id: v7(), email: `${name}@school.test`, user_name: name, role };
    await execute(
      pool,
      `insert into users (id, email, user_name, role, password_hash, created_at, blocked_at)
       values ($1, $2, $3, $4, 'old', $5, $5)`,
      [user.id, user.email, name, role, now],
    );
    await openSession(pool, user, now, 7);
  }
  const state = () =>
    rows<{ email: string; isOld: boolean; isBlocked: boolean; sessions: number }>(
      pool,
      `select email, password_hash = 'old' as "isOld", blocked_at is not null as "isBlocked",
         (select count(*) from sessions s where s.user_id = u.id) as sessions
       from users u order by email desc`,
    );
  const untouched = await state();
  expect(untouched).toMatchObject([
    { isOld: true, isBlocked: true, sessions: 1 },
    { isOld: true, isBlocked: true, sessions: 1 },
  ]);
  const reset = (...args: string[]) => runCommand('reset-password', args, place);

  const blocked = await reset('admin@school.test');
  expect(blocked).toMatchObject({ code: 1, said: '' });
  expect(blocked.warned).toMatch(/Администратор .* заблокирован.*Ничего не изменено.*--unblock/);
  const student = await reset('student@school.test', '--unblock');
  expect(student).toMatchObject({ code: 1, said: '' });
  expect(student.warned).toMatch(/заблокирована\. Ничего не изменено\. Её разблокирует админ/);
  const unknown = await reset('nobody@school.test');
  expect(unknown).toMatchObject({ code: 1, said: '' });
  expect(unknown.warned).toMatch(/^Учётной записи с почтой nobody@school\.test нет\./);
  expect(await reset()).toMatchObject({ code: 2 });
  expect(await reset('a@b.ru', 'c@d.ru')).toMatchObject({ code: 2 });
  expect(await state()).toEqual(untouched);
  expect(await one(pool, 'select 1 from audit_log')).toBeNull();

  const opened = await reset('admin@school.test', '--unblock');
  expect(opened).toMatchObject({ code: 0, warned: '' });
  expect(opened.said).toMatch(/^Учётная запись admin@school\.test разблокирована\.$/m);
  expect(await state()).toEqual([
    untouched[0],
    { email: 'admin@school.test', isOld: false, isBlocked: false, sessions: 0 },
  ]);
  const acts = await rows<{ act: string }>(
    pool,
    `select act, details from audit_log where actor_id is null order by act`,
  );
  const details = { by: 'operator' };
  expect(acts).toEqual([
    { act: 'passwordReset', details },
    { act: 'userUnblocked', details },
  ]);
});

test('without a database there is no account to give a password to, and none is generated', async () => {
  const dataDir = join(machines.folder, 'nothing');
  const nothing = await runCommand('reset-password', ['admin@school.test'], { dataDir });
  expect(nothing).toMatchObject({ code: 1, said: '' });
  expect(nothing.warned).toMatch(/нет базы данных: сбрасывать нечего/);
});
