import { createHash } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadFile, getFile } from '#contract/files.ts';
import { HEADER } from '#contract/headers.ts';
import { getUpload, startAttempt, uploadChunk } from '#contract/passing.ts';
import type { Question } from '#contract/questions.ts';
import { execute } from '#server/db/query.ts';
import { errorOf, makeSchool, Q, TestDevice } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const BYTES = 'application/octet-stream';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const docx = Buffer.from(
  zipSync({
    '[Content_Types].xml': strToU8(`<Types><Override ContentType="${DOCX}.main+xml"/></Types>`),
    'word/document.xml': strToU8('<x/>'),
  }),
);
const jpeg = Buffer.from('ffd8ffe000104a46494600010100', 'hex');

const question = (accept: string[]): Question => ({
  questionId: Q.file,
  kind: 'file',
  text: 'Приложите решение',
  points: 4,
  maxBytes: 1_000_000,
  accept,
});

async function running(accept: string[]) {
  const school = await makeSchool(server, { questions: [question(accept)] });
  const device = new TestDevice(server, school.student);
  const started = await server.send(
    startAttempt,
    { params: { id: school.testId } },
    { as: school.student, headers: { [HEADER.stream]: device.stream } },
  );
  return { ...school, device, attemptId: started.body.userTestId };
}

interface Sent {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** Sends a file whole, or the given part of it. */
async function hand(of: Awaited<ReturnType<typeof running>>, sent: Sent, part = sent.bytes) {
  const fileId = server.deps.newId();
  const { name, mimeType, bytes } = sent;
  const reply = await server.send(
    uploadChunk,
    {
      params: { id: of.attemptId, fileId },
      query: {
        offset: 0,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        name,
        mimeType,
        questionId: Q.file,
      },
      bytes: part,
    },
    { as: of.student },
  );
  return { fileId, reply };
}

describe('a file question without types', () => {
  test.each([
    ['a program', 'решение.py', 'text/x-python', Buffer.from('print(1)\n')],
    ['an archive', 'работа.zip', 'application/zip', Buffer.from(zipSync({ a: strToU8('x') }))],
    ['a document', 'отчёт.docx', DOCX, docx],
    ['a web page', 'страница.html', 'text/html', Buffer.from('<script>alert(1)</script>')],
    ['an SVG', 'рисунок.svg', 'image/svg+xml', Buffer.from('<svg><script>1</script></svg>')],
    ['a web page under a picture’s name', 'x.png', 'image/png', Buffer.from('<!doctype html><b>')],
    ['nothing recognisable', 'данные', '', Buffer.alloc(64, 7)],
  ])(
    'accepts %s and returns it as an attachment that is not run',
    async (_, name, mimeType, bytes) => {
      const of = await running([]);
      const { fileId, reply } = await hand(of, { name, mimeType, bytes });
      expect([reply.status, reply.body.complete]).toEqual([200, true]);
      const read = await server.send(getFile, { query: { path: fileId } }, { as: of.teacher });
      expect(read.body.item2).toBe(BYTES);
      expect(Buffer.from(read.body.item1, 'base64').equals(bytes)).toBe(true);
      const retained = await server.send(
        downloadFile,
        { params: { key: fileId } },
        { as: of.teacher },
      );
      expect(retained.headers).toMatchObject({
        'content-type': BYTES,
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      });
    },
  );

  test('serves raster pictures and PDF with their own type, by their content', async () => {
    const of = await running([]);
    const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
    for (const [bytes, type] of [
      [jpeg, 'image/jpeg'],
      [pdf, 'application/pdf'],
    ] as const) {
      const { fileId } = await hand(of, { name: 'a', mimeType: 'text/html', bytes });
      const read = await server.send(getFile, { query: { path: fileId } }, { as: of.teacher });
      expect(read.body.item2).toBe(type);
    }
  });

  test("a file stored by an older server under the device's type is served as bytes", async () => {
    const of = await running([]);
    const { fileId } = await hand(of, { name: 'a.doc', mimeType: '', bytes: Buffer.from('x') });
    await execute(server.pool, `update uploads set mime_type = 'text/html' where id = $1`, [
      fileId,
    ]);
    const retained = await server.send(
      downloadFile,
      { params: { key: fileId } },
      { as: of.teacher },
    );
    expect(retained.headers['content-type']).toBe(BYTES);
  });
});

describe('a file question with chosen types', () => {
  const script = { name: 'a.py', mimeType: 'text/x-python', bytes: Buffer.from('print(1)\n') };

  test('refuses another one before its first byte, and names the accepted ones', async () => {
    const of = await running(['image/*', '.pdf']);
    const { fileId, reply } = await hand(of, script, script.bytes.subarray(0, 1));
    expect([reply.status, errorOf(reply)]).toMatchObject([
      422,
      { code: 'FILE_REFUSED', message: 'Такой файл не подойдёт. Выберите картинки или PDF' },
    ]);
    const begun = await server.send(
      getUpload,
      { params: { id: of.attemptId, fileId } },
      { as: of.student },
    );
    expect(begun.status).toBe(404);
  });

  test.each([
    ['by extension', ['.py'], script],
    ['by type', ['text/x-python'], { ...script, mimeType: '' }],
    ['by group', ['image/*'], { name: 'IMG_1.HEIC', mimeType: '', bytes: jpeg }],
  ])('accepts types chosen %s', async (_, accept, sent) => {
    const { reply } = await hand(await running(accept), sent);
    expect([reply.status, reply.body.complete]).toEqual([200, true]);
  });

  test('a choice that names no type restricts nothing', async () => {
    expect((await hand(await running(['что угодно']), script)).reply.status).toBe(200);
  });

  test('an empty file and one too large are refused before anything is written', async () => {
    const of = await running([]);
    const empty = await hand(of, { ...script, bytes: Buffer.alloc(0) });
    const large = await hand(of, { ...script, bytes: Buffer.alloc(1_000_001) }, script.bytes);
    for (const { reply } of [empty, large])
      expect([reply.status, errorOf(reply).code]).toEqual([422, 'FILE_REFUSED']);
  });
});
