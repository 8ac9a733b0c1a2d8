import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject, getProjectFiles } from '#contract/projects.ts';
import { projectForm } from '#tests/project-files.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let port: number;
let projectId: string;
beforeAll(async () => {
  server = await testServer();
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  port = (server.app.server.address() as AddressInfo).port;
  projectId = (await server.send(createProject, projectForm(), { as: await server.user() })).body;
});
afterAll(() => server.close());

/** A store that waits before each reply; counts its calls. */
function holdStore() {
  const { blobs } = server.deps;
  const { open } = blobs;
  const held = { requests: 0, go: () => undefined as void };
  const released = new Promise<void>((resolve) => {
    held.go = resolve;
  });
  Object.assign(blobs, {
    open: async (sha256: string) => {
      held.requests += 1;
      await released;
      return open(sha256);
    },
  });
  return {
    requests: () => held.requests,
    release() {
      Object.assign(blobs, { open });
      held.go();
    },
  };
}

const ask = (as: TestUser) => server.send(getProjectFiles, { params: { id: projectId } }, { as });
/** Logo and documentation. */
const FILES_EACH = 2;

test('one person gets four base64 replies at once; further ones wait, those of others do not', async () => {
  const [greedy, modest] = [await server.user(), await server.user()];
  const store = holdStore();
  const many = Array.from({ length: 12 }, () => ask(greedy));
  await expect.poll(store.requests).toBe(4 * FILES_EACH);
  const another = ask(modest);
  await expect.poll(store.requests).toBe(5 * FILES_EACH);
  store.release();
  for (const { status } of [...(await Promise.all(many)), await another]) expect(status).toBe(200);
});

test('a client that disconnected while waiting has nothing read for it, and occupies no slot', async () => {
  const greedy = await server.user();
  const store = holdStore();
  const first = Array.from({ length: 4 }, () => ask(greedy));
  await expect.poll(store.requests).toBe(4 * FILES_EACH);
  const headers = { authorization: `Bearer ${greedy.token}` };
  const path = `/api/Files/${projectId}/files`;
  const gone = request({ host: '127.0.0.1', port, path, headers, agent: false });
  const closed = new Promise((resolve) => gone.once('close', resolve));
  gone.on('error', () => undefined).end();
  const connections = () =>
    new Promise<number>((resolve) => {
      server.app.server.getConnections((_error, count) => resolve(count));
    });
  await expect.poll(connections).toBe(1);
  gone.destroy();
  await closed;
  await expect.poll(connections).toBe(0);
  store.release();
  for (const { status } of await Promise.all(first)) expect(status).toBe(200);
  expect((await ask(greedy)).status).toBe(200);
  expect(store.requests()).toBe(4 * FILES_EACH);
});

test('more than a browser ever requests are refused', async () => {
  const greedy = await server.user();
  const store = holdStore();
  const all = Array.from({ length: 105 }, () => ask(greedy));
  // The store does not reply: a reply is a refusal.
  expect((await Promise.race(all)).status).toBe(429);
  store.release();
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(statuses.filter((status) => status === 200)).toHaveLength(104);
});
