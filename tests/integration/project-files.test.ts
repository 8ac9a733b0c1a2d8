import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ROLE } from '#contract/auth.ts';
import { downloadFile, getFile } from '#contract/files.ts';
import { DOCUMENTATION_BYTES, LOGO_BYTES } from '#contract/limits.ts';
import { createProject, deleteProject, getProject, listMyProjects } from '#contract/projects.ts';
import { execute, one } from '#server/db/query.ts';
import { startBlobCleanupJob, sweepBlobs } from '#server/files/blob-cleanup-job.ts';
import { DOCUMENTS, fileOf, projectForm } from '#tests/project-files.ts';
import { SAMPLES } from '#tests/sample-pictures.ts';
import { errorOf } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let port: number;
beforeAll(async () => {
  server = await testServer();
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.close());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;
const PNG = SAMPLES['image/png'];

const send = (as: TestUser, files: { LogoPhoto?: Blob; Documentation?: Blob } = {}) =>
  server.send(createProject, projectForm({ files }), { as });

const filesIn = async (folder: string): Promise<number> => {
  const found = await readdir(join(server.deps.dataDir, folder), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return found.filter((each) => each.isFile()).length;
};
const ownProjects = async (as: TestUser) =>
  (await server.send(listMyProjects, {}, { as })).body.total;

const problem = (answered: Parameters<typeof errorOf>[0]) => {
  const { code, details } = errorOf(answered);
  const [first] = (details as { fields?: { field: string; message: string }[] }).fields ?? [];
  return { status: answered.status, code, field: first?.field, message: first?.message ?? '' };
};

const HTML = Buffer.from('<!doctype html><script>alert(1)</script>');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

test.each([
  ['an SVG', SVG, 'логотип.svg'],
  ['an SVG called PNG', SVG, 'логотип.png'],
  ['a page called JPEG', HTML, 'логотип.jpg'],
  ['a PDF called PNG', DOCUMENTS.pdf, 'логотип.png'],
  ['nothing', Buffer.alloc(0), 'логотип.png'],
  ['a picture cut short', PNG.subarray(0, 40), 'логотип.png'],
])('%s is no logo', async (_, bytes, name) => {
  const as = await server.user();
  const refused = problem(await send(as, { LogoPhoto: fileOf(bytes, name) }));
  expect(refused).toMatchObject({ status: 422, code: 'FILE_REFUSED', field: 'LogoPhoto' });
  expect(refused.message).toContain('Подойдут JPEG, PNG, WebP и GIF');
  expect([await ownProjects(as), await filesIn('incoming')]).toEqual([0, 0]);
});

test.each([
  ['a page called PDF', HTML, 'описание.pdf', 'не документ Word и не PDF'],
  ['a program called PDF', Buffer.from('MZ\u0090\u0000'), 'описание.pdf', 'не документ'],
  ['a PDF called docx', DOCUMENTS.pdf, 'описание.docx', 'имя говорит другое'],
  ['a Word document called PDF', DOCUMENTS.docx, 'описание.pdf', 'имя говорит другое'],
  ['a document without an extension', DOCUMENTS.pdf, 'описание', 'имя говорит другое'],
  ['a ZIP called docx', DOCUMENTS.zip, 'описание.docx', 'не документ Word'],
  ['a document with macros', DOCUMENTS.docm, 'описание.docx', 'макросы'],
  ['a table called doc', DOCUMENTS.xls, 'описание.doc', 'не документ Word'],
  ['a PDF with a page before its content', polyglot('html'), 'описание.pdf', 'повреждён'],
  ['a PDF with an archive behind it', polyglot('zip'), 'описание.pdf', 'повреждён'],
  ['a PDF cut short', DOCUMENTS.pdf.subarray(0, 30), 'описание.pdf', 'повреждён'],
  ['a Word document cut short', DOCUMENTS.docx.subarray(0, 60), 'описание.docx', 'повреждён'],
  ['nothing', Buffer.alloc(0), 'описание.pdf', 'пуст'],
])('%s is no documentation', async (_, bytes, name, words) => {
  const as = await server.user();
  const refused = problem(await send(as, { Documentation: fileOf(bytes, name) }));
  expect(refused).toMatchObject({ status: 422, code: 'FILE_REFUSED', field: 'Documentation' });
  expect(refused.message).toContain(words);
  expect(refused.message).toContain('Подойдут .doc, .docx и .pdf');
  expect([await ownProjects(as), await filesIn('incoming')]).toEqual([0, 0]);
});

function polyglot(kind: 'html' | 'zip'): Buffer {
  if (kind === 'zip') return Buffer.concat([DOCUMENTS.pdf, DOCUMENTS.zip]);
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), HTML, DOCUMENTS.pdf]);
}

test.each([
  ['pdf', 'application/pdf'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
] as const)('.%s documents are accepted by content', async (extension, mimeType) => {
  const as = await server.user();
  const { body: id } = await send(as, {
    Documentation: fileOf(DOCUMENTS[extension], `ОПИСАНИЕ.${extension.toUpperCase()}`),
  });
  const { body } = await server.send(getProject, { params: { id } }, { as });
  expect(body.documentation?.mimeType).toBe(mimeType);
});

test("trailing data of a picture is removed, and the name gets the picture's type", async () => {
  const as = await server.user();
  const script = Buffer.from('<script>alert(document.domain)</script>');
  const gifar = Buffer.concat([SAMPLES['image/gif'], DOCUMENTS.zip]);
  for (const [bytes, name, expected] of [
    [Buffer.concat([PNG, script]), 'логотип.html', 'логотип.png'],
    [gifar, 'логотип.jar', 'логотип.gif'],
  ] as const) {
    const { body: id } = await send(as, { LogoPhoto: fileOf(bytes, name) });
    const { logo } = (await server.send(getProject, { params: { id } }, { as })).body;
    const { body } = await server.send(getFile, { query: { path: logo?.key ?? '' } }, { as });
    const stored = Buffer.from(body.item1, 'base64');
    expect(logo?.name).toBe(expected);
    expect(stored.length).toBe(logo?.size);
    expect(stored.includes('script')).toBe(false);
    expect(stored.includes('PK')).toBe(false);
  }
});

test.each([
  ['with folders', '../../../etc/passwd.pdf', 'passwd.pdf'],
  ['with folders of Windows', String.raw`..\..\windows\план.pdf`, 'план.pdf'],
  ['with a turned reading direction', 'фото\u202Efdp.exe.pdf', 'фотоfdp.exe.pdf'],
  ['of 300 characters', `${'ы'.repeat(300)}.pdf`, `${'ы'.repeat(296)}.pdf`],
  ['of 5,000 characters', `${'ы'.repeat(5_000)}.pdf`, `${'ы'.repeat(296)}.pdf`],
])(
  'a file with a name %s leaves under a harmless one, as an attachment',
  async (_, given, name) => {
    const as = await server.user();
    const { body: id } = await send(as, { Documentation: fileOf(DOCUMENTS.pdf, given) });
    const { documentation } = (await server.send(getProject, { params: { id } }, { as })).body;
    expect(documentation?.name).toBe(name);
    const file = await server.send(
      downloadFile,
      { params: { key: documentation?.key ?? '' } },
      { as },
    );
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': `${DOCUMENTS.pdf.length}`,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    });
    expect(file.text).toBe(DOCUMENTS.pdf.toString());
  },
);

test.each([
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e%2f',
  String.raw`..\..\boot.ini`,
  '/etc/passwd',
  'file:///etc/passwd',
  '....//....//etc/passwd',
  '..%252f..%252fetc%252fpasswd',
  '%00',
  'blobs/ab/cd',
  '00000000-0000-4000-8000-000000000000/../..',
  '00000000-0000-4000-8000-000000000000%00.png',
])('path=%s leads nowhere', async (path) => {
  const { token } = await server.user();
  for (const url of [
    `/api/Files/file?path=${path}`,
    `/api/Files/file?path=${encodeURIComponent(path)}`,
    `/api/Files/${encodeURIComponent(path)}/content`,
  ]) {
    const answered = await server.raw({ url, token });
    expect([400, 404], `${url} ${answered.text}`).toContain(answered.status);
    expect(answered.text).not.toContain('root:');
  }
});

/** Parts of a multipart body, written by hand. */
const part = (name: string, value: string, fileName?: string) =>
  `--edge\r\ncontent-disposition: form-data; name="${name}"${
    fileName === undefined ? '' : `; filename="${fileName}"\r\ncontent-type: image/png`
  }\r\n\r\n${value}\r\n`;
const END = '--edge--\r\n';

test.each([
  ['a field twice', part('Name', 'а') + part('Name', 'б') + END, 'Name'],
  ['a file twice', part('LogoPhoto', 'а', 'a') + part('LogoPhoto', 'б', 'b') + END, 'LogoPhoto'],
  ['an unknown field', part('Role', '1') + END, 'Role'],
  ['an unknown file', part('Avatar', 'а', 'a.png') + END, 'Avatar'],
  ['a file where text belongs', part('Name', 'а', 'a.png') + END, 'Name'],
  ['text where a file belongs', part('LogoPhoto', 'а') + END, 'LogoPhoto'],
  ['text that cannot be stored', part('Name', 'а\u0000б') + END, 'Name'],
  ['text without an end', part('Description', 'ы'.repeat(70_000)) + END, 'Description'],
])('a form with %s is refused at its field', async (_, payload, field) => {
  const { token } = await server.user();
  const answered = await server.raw({
    method: 'POST',
    url: '/api/ProjectCard',
    token,
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    payload: Buffer.from(payload),
  });
  expect(answered.status, answered.text).toBe(400);
  const { fields } = errorOf(answered).details as { fields: { field: string }[] };
  expect(fields.map((each) => each.field)).toContain(field);
  expect(await filesIn('incoming')).toBe(0);
});

test.each([
  ['no boundary', 'multipart/form-data', part('Name', 'а') + END, 400],
  ['no end', 'multipart/form-data; boundary=edge', part('LogoPhoto', 'а', 'a.png'), 400],
  ['nothing in it', 'multipart/form-data; boundary=edge', '', 400],
  ['a prototype', 'multipart/form-data; boundary=edge', part('__proto__', 'а') + END, 400],
  ['another type', 'application/json', '{"Name":"а"}', 415],
])('a form with %s is refused', async (_, type, payload, status) => {
  const { token } = await server.user();
  const answered = await server.raw({
    method: 'POST',
    url: '/api/ProjectCard',
    token,
    headers: { 'content-type': type },
    payload: Buffer.from(payload),
  });
  expect(answered.status, answered.text).toBe(status);
  expect(await filesIn('incoming')).toBe(0);
});

const START =
  '--edge\r\ncontent-disposition: form-data; name="Documentation"; filename="a.pdf"\r\n\r\n';

/** A connection over which a form of so many bytes is sent in chunks; its beginning is written. */
async function formConnection(token: string, length: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const head = [
    'POST /api/ProjectCard HTTP/1.1',
    'host: school.test',
    `authorization: Bearer ${token}`,
    'content-type: multipart/form-data; boundary=edge',
    `content-length: ${length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${START}`);
  return socket;
}

test('200 MB are refused as soon as the limit is passed, in bounded memory, and the client gets the refusal', async () => {
  const { token } = await server.user();
  const socket = await formConnection(token, START.length + 200 * 1024 * 1024);
  const received: Buffer[] = [];
  socket.on('data', (piece) => received.push(piece));
  const piece = randomBytes(1024 * 1024);
  const before = process.memoryUsage().rss;
  let most = before;
  for (let sent = 0; sent < 200; sent += 1) {
    if (!socket.write(piece)) await once(socket, 'drain');
    most = Math.max(most, process.memoryUsage().rss);
  }
  await vi.waitFor(() => expect(Buffer.concat(received).toString()).toContain('TOO_LARGE'));
  expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 413 /);
  expect(Buffer.concat(received).toString()).toContain('"field":"Documentation"');
  expect(await filesIn('incoming')).toBe(0);
  expect((most - before) / 1024 / 1024).toBeLessThan(150);
  socket.destroy();
});

test('a file one byte above its limit is refused at its field', async () => {
  const as = await server.user();
  for (const [field, most] of [
    ['LogoPhoto', LOGO_BYTES],
    ['Documentation', DOCUMENTATION_BYTES],
  ] as const) {
    const answered = await send(as, { [field]: fileOf(Buffer.alloc(most + 1), 'a.pdf') });
    expect(problem(answered)).toMatchObject({ status: 413, code: 'TOO_LARGE', field });
  }
  expect(await filesIn('incoming')).toBe(0);
});

test('an interrupted upload leaves nothing behind', async () => {
  const user = await server.user();
  const socket = await formConnection(user.token, 5_000_000);
  socket.write(randomBytes(1_000_000));
  await vi.waitFor(async () => expect(await filesIn('incoming')).toBe(1));
  socket.destroy();
  await vi.waitFor(async () => expect(await filesIn('incoming')).toBe(0));
  expect(await ownProjects(user)).toBe(0);
});

test('a full disk is reported in Russian, and no partial file stays', async () => {
  const as = await server.user();
  const expected = await filesIn('blobs');
  const handle = await open(server.deps.dataDir, 'r');
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  vi.spyOn(prototype, 'write').mockRejectedValue(full);
  const answered = await send(as);
  expect([answered.status, errorOf(answered).code]).toEqual([503, 'STORAGE_FULL']);
  expect(answered.headers['retry-after']).toBe('60');
  expect(errorOf(answered).message).toContain('закончилось место');
  expect([await ownProjects(as), await filesIn('incoming'), await filesIn('blobs')]).toEqual([
    0,
    0,
    expected,
  ]);
  vi.restoreAllMocks();
  expect((await send(as)).status).toBe(200);
});

test('a file of a hidden project is read by its owner and administrators alone', async () => {
  const as = await server.user();
  const { body: id } = await send(as);
  const { documentation } = (await server.send(getProject, { params: { id } }, { as })).body;
  const params = { key: documentation?.key ?? '' };
  const read = async (reader: TestUser) =>
    (await server.send(downloadFile, { params }, { as: reader })).status;
  const [other, admin] = [await server.user(), await server.user({ role: ROLE.admin })];
  expect(await read(other)).toBe(200);
  await execute(server.pool, 'update projects set hidden_at = $2 where id = $1', [
    id,
    server.clock.now,
  ]);
  expect([await read(as), await read(admin), await read(other)]).toEqual([200, 200, 404]);
});

test('a file with lost bytes is not found', async () => {
  const as = await server.user();
  const own = Buffer.concat([DOCUMENTS.pdf, Buffer.from(`%${as.userId}\n%%EOF\n`)]);
  const { body: id } = await send(as, { Documentation: fileOf(own, 'описание.pdf') });
  const { documentation } = (await server.send(getProject, { params: { id } }, { as })).body;
  await server.deps.blobs.remove(createHash('sha256').update(own).digest('hex'));
  const params = { key: documentation?.key ?? '' };
  expect((await server.send(downloadFile, { params }, { as })).status).toBe(404);
});

test('the same content is stored once, and swept a day after nothing names it any more', async () => {
  const as = await server.user();
  const own = Buffer.concat([DOCUMENTS.pdf, Buffer.from(`%${as.userId}\n%%EOF\n`)]);
  const document = { Documentation: fileOf(own, 'описание.pdf') };
  const before = await filesIn('blobs');
  const [first, second] = [(await send(as, document)).body, (await send(as, document)).body];
  expect(await filesIn('blobs')).toBe(before + 1);
  const sweep = () => sweepBlobs(server.deps, server.clock.now);
  const remove = (id: string) => server.send(deleteProject, { params: { id } }, { as });
  await remove(first);
  await sweep();
  server.clock.advance(25 * HOUR_MS);
  await sweep();
  expect(await filesIn('blobs')).toBe(before + 1);
  await remove(second);
  await sweep();
  server.clock.advance(23 * HOUR_MS);
  await sweep();
  expect(await filesIn('blobs')).toBe(before + 1);
  server.clock.advance(2 * HOUR_MS);
  await sweep();
  expect(await filesIn('blobs')).toBe(before);
});

test('content sent again while its old copy is swept exists afterwards', async () => {
  const as = await server.user();
  const own = Buffer.concat([DOCUMENTS.pdf, Buffer.from(`%${as.userId}\n%%EOF\n`)]);
  const document = { Documentation: fileOf(own, 'описание.pdf') };
  const { body: old } = await send(as, document);
  await server.send(deleteProject, { params: { id: old } }, { as });
  for (let round = 0; round < 5; round += 1) {
    await sweepBlobs(server.deps, server.clock.now);
    server.clock.advance(25 * HOUR_MS);
    const [, { body: id }] = await Promise.all([
      sweepBlobs(server.deps, server.clock.now),
      send(as, document),
    ]);
    const { documentation } = (await server.send(getProject, { params: { id } }, { as })).body;
    const params = { key: documentation?.key ?? '' };
    const file = await server.send(downloadFile, { params }, { as });
    expect([file.status, file.text]).toEqual([200, own.toString()]);
    await server.send(deleteProject, { params: { id } }, { as });
  }
});

test('a sweep removes nothing further after its signal to stop', async () => {
  const as = await server.user();
  const own = Buffer.concat([DOCUMENTS.pdf, Buffer.from(`%${as.userId}\n%%EOF\n`)]);
  const { body: id } = await send(as, { Documentation: fileOf(own, 'описание.pdf') });
  await server.send(deleteProject, { params: { id } }, { as });
  await sweepBlobs(server.deps, server.clock.now);
  server.clock.advance(25 * HOUR_MS);
  const before = await filesIn('blobs');
  expect(await sweepBlobs(server.deps, server.clock.now, { isStopped: () => true })).toBe(0);
  expect(await filesIn('blobs')).toBe(before);
  expect(await sweepBlobs(server.deps, server.clock.now)).toBeGreaterThan(0);
});

test('temporary files of an hour ago are removed at the start, and unnamed files every hour', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const sha256 = Buffer.alloc(32, server.deps.newId());
  await execute(server.pool, 'insert into blobs (sha256, size, created_at) values ($1, 1, $2)', [
    sha256,
    server.clock.now,
  ]);
  const unnamedSince = async () =>
    (
      await one<{ at: Date | null }>(
        server.pool,
        'select unnamed_since as at from blobs where sha256 = $1',
        [sha256],
      )
    )?.at;
  const swept: Date[] = [];
  const sweepIncoming = async (before: Date) => swept.push(before);
  const stop = startBlobCleanupJob({
    ...server.deps,
    blobs: { ...server.deps.blobs, sweepIncoming },
  });
  try {
    const anHourAgo = new Date(server.clock.now.getTime() - HOUR_MS);
    expect(swept).toEqual([anHourAgo]);
    expect(await unnamedSince()).toBeNull();
    vi.advanceTimersByTime(HOUR_MS);
    expect(swept).toEqual([anHourAgo, anHourAgo]);
    await expect.poll(unnamedSince).toEqual(server.clock.now);
  } finally {
    await stop();
  }
});
