import { request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportOwnData } from '#contract/profile.ts';
import { createProject, getProject } from '#contract/projects.ts';
import { projectForm } from '#tests/project-files.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let base: string;
let owner: TestUser;
let documentation: string;
beforeAll(async () => {
  server = await testServer();
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  owner = await server.user();
  const { body: id } = await server.send(createProject, projectForm(), { as: owner });
  const { body } = await server.send(getProject, { params: { id } }, { as: owner });
  documentation = body.documentation?.key ?? '';
});
afterAll(() => server.close());

async function* brokenOff() {
  yield Buffer.from('%PDF-1.4');
  // Received bytes are sent to the reader before the rest fails.
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('the disk broke');
}

test.each([
  ['a file', () => `/api/Files/${documentation}/content`],
  ['an archive of a person’s data', () => exportOwnData.path],
])('%s that breaks off in transit is an error for its reader and is logged', async (_, path) => {
  const { blobs } = server.deps;
  const { open } = blobs;
  Object.assign(blobs, { open: () => Promise.resolve(Readable.from(brokenOff())) });
  server.logged.length = 0;
  const headers = { authorization: `Bearer ${owner.token}` };
  const read = fetch(`${base}${path()}`, { headers }).then((reply) => reply.arrayBuffer());
  await expect(read).rejects.toThrow();
  Object.assign(blobs, { open });
  const warnings = server.logged.filter(({ msg }) => msg === 'a file broke off on its way');
  expect(warnings).toEqual([expect.objectContaining({ level: 40 })]);
});

test('a disconnected reader is not logged', async () => {
  const { blobs } = server.deps;
  const { open } = blobs;
  let state: 'waiting' | 'read' | 'left' = 'waiting';
  async function* endless() {
    state = 'read';
    try {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        yield Buffer.alloc(65_536);
      }
    } finally {
      state = 'left';
    }
  }
  Object.assign(blobs, { open: () => Promise.resolve(Readable.from(endless())) });
  server.logged.length = 0;
  const headers = { authorization: `Bearer ${owner.token}` };
  const reader = request(`${base}${exportOwnData.path}`, { agent: false, headers });
  reader.on('response', (reply) => reply.resume().on('error', () => undefined));
  reader.on('error', () => undefined).end();
  await expect.poll(() => state).toBe('read');
  reader.destroy();
  await expect.poll(() => state).toBe('left');
  Object.assign(blobs, { open });
  expect(server.logged.filter(({ level }) => Number(level) >= 40)).toEqual([]);
});
