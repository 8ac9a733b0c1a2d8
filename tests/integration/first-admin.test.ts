import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { login, ROLE } from '#contract/auth.ts';
import { ensureAdmin, speakablePassword } from '#server/auth/first-admin.ts';
import { OperatorError } from '#server/db/operator-error.ts';
import { execute, rows } from '#server/db/query.ts';
import { type TestServer, testServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
beforeEach(() => execute(server.pool, 'delete from users'));

const ensure = (given: Parameters<typeof ensureAdmin>[1] = {}) =>
  ensureAdmin(server.pool, given, server.deps.newId, server.clock.now);
const signIn = (email: string, password: string) =>
  server.send(login, { body: { email, password } });

test('an empty school gets an administrator with a password that is shown once', async () => {
  const made = await ensure();
  expect(made?.email).toBe('admin@school.local');
  expect(made?.password).toMatch(/^[A-Z][a-z]{7}-\d{5}$/);
  const signedIn = await signIn('admin@school.local', made?.password ?? '');
  expect(signedIn.body.user).toMatchObject({ role: ROLE.admin, isAdmin: true });
  expect(await ensure()).toBeNull();
});

test('the operator’s e-mail and password are used, and the password is not shown', async () => {
  const given = { email: 'Zavuch@School.Test', password: 'Podsnezhnik4' };
  expect(await ensure(given)).toEqual({ email: 'zavuch@school.test', password: null });
  expect((await signIn('zavuch@school.test', 'Podsnezhnik4')).status).toBe(200);
});

test('a school with an administrator gets no other one', async () => {
  const admin = await server.user({ role: ROLE.admin });
  expect(await ensure({ email: 'other@school.test', password: 'Podsnezhnik4' })).toBeNull();
  expect(await rows(server.pool, 'select id from users')).toEqual([{ id: admin.userId }]);
});

test('an e-mail of another account is reported to the operator and changes no role', async () => {
  const student = await server.user();
  const failed = ensure({ email: student.email.toUpperCase() });
  await expect(failed).rejects.toThrow(OperatorError);
  await expect(failed).rejects.toThrow(/занята другой учётной записью.*ADMIN_EMAIL/);
  expect(await rows(server.pool, 'select role from users')).toEqual([{ role: ROLE.student }]);
});

test('of two servers that start at once one creates the administrator', async () => {
  const made = await Promise.all([ensure(), ensure()]);
  expect(made.filter((admin) => admin !== null)).toHaveLength(1);
});

test('a generated password is syllables of a consonant and a vowel, with five digits', () => {
  for (let n = 0; n < 50; n += 1)
    expect(speakablePassword()).toMatch(
      /^[BDFGKLMNPRSTVZ][aeiou]([bdfgklmnprstvz][aeiou]){3}-\d{5}$/,
    );
});
