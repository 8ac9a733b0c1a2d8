import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentUser } from '#contract/auth.ts';
import { type TestServer, testServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('a signed-in user is told who he is', async () => {
  const user = await server.user();
  const me = await server.send(currentUser, {}, { as: user });
  expect(me.status).toBe(200);
  expect(me.body.user).toEqual({
    userId: user.userId,
    userName: user.userName,
    email: user.email,
    role: 0,
    isAdmin: false,
  });
});
