import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createUser,
  eraseUser,
  importUsers,
  resetUserPassword,
  setUserBlocked,
  updateUser,
} from '#contract/admin.ts';
import { ROLE } from '#contract/auth.ts';
import { removeUserFactors, setFactorRequirements } from '#contract/second-factor.ts';
import { lockAdmins } from '#server/admin/admins.ts';
import { execute, one, rows } from '#server/db/query.ts';
import { errorOf } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let doer: TestUser;
let pupil: TestUser;
beforeAll(async () => {
  server = await testServer();
  await server.user({ role: ROLE.admin, userName: 'Остаётся' });
});
afterAll(() => server.close());
beforeEach(async () => {
  doer = await server.user({ role: ROLE.admin });
  pupil = await server.user();
});

const NEW = { userName: 'Новый Завуч', email: 'zavuch@school.test' };
const acts = {
  'creates an administrator': () =>
    server.send(createUser, { body: { ...NEW, role: ROLE.admin } }, { as: doer }),
  'imports accounts': () =>
    server.send(
      importUsers,
      {
        body: {
          key: server.deps.newId(),
          rows: [{ line: 1, ...NEW, role: '', password: '' }],
        },
      },
      { as: doer },
    ),
  'changes an e-mail': () =>
    server.send(
      updateUser,
      { params: { userId: pupil.userId }, body: { email: NEW.email } },
      { as: doer },
    ),
  'gives a role': () =>
    server.send(
      updateUser,
      { params: { userId: pupil.userId }, body: { role: ROLE.admin } },
      { as: doer },
    ),
  'blocks an account': () =>
    server.send(
      setUserBlocked,
      { params: { userId: pupil.userId }, body: { isBlocked: true } },
      { as: doer },
    ),
  'resets a password': () =>
    server.send(resetUserPassword, { params: { userId: pupil.userId } }, { as: doer }),
  'removes the second factors': () =>
    server.send(removeUserFactors, { params: { userId: pupil.userId } }, { as: doer }),
  'requires a second factor': () =>
    server.send(setFactorRequirements, { body: { teacher: true, admin: false } }, { as: doer }),
  'erases an account': () =>
    server.send(eraseUser, { params: { userId: pupil.userId } }, { as: doer }),
};

/** Every account but the doer's, and the log of acts. */
const stored = async () => ({
  acts: await rows(server.pool, `select act from audit_log where act not like 'sign%'`),
  accounts: await rows(
    server.pool,
    `select u.id, u.email, u.user_name, u.role, u.password_hash, u.blocked_at, u.erased_at,
            (select count(*) from sessions where user_id = u.id) as sessions
       from users u where u.id <> $1 order by u.id`,
    [doer.userId],
  ),
});

/** Whether a call of this database waits for the lock of the administrators. */
const isWaiting = async () =>
  (await one(
    server.pool,
    `select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
  )) !== null;

test.each(Object.entries(acts))(
  'a user demoted while the call %s changes nothing',
  async (_, act) => {
    const before = await stored();
    const client = await server.pool.connect();
    let isDone = false;
    try {
      await client.query('begin');
      await lockAdmins(client);
      const answering = act().finally(() => (isDone = true));
      await expect.poll(async () => isDone || (await isWaiting())).toBe(true);
      await execute(client, 'update users set role = $2 where id = $1', [
        doer.userId,
        ROLE.teacher,
      ]);
      await client.query('commit');
      const answered = await answering;
      expect([answered.status, errorOf(answered).code]).toEqual([403, 'FORBIDDEN']);
      expect(await stored()).toEqual(before);
    } finally {
      await client.query('rollback');
      client.release();
    }
  },
);
