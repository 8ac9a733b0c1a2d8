import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { open, QUESTIONS } from './fake-server.ts';
import { drain, running } from './test-device.ts';

test('row 26: a file is sent in chunks, resumes after a failure, and its answer follows it', async () => {
  const made = await running();
  const bytes = new Uint8Array(400_000).map((_zero, index) => index % 251);
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], {
    name: 'чертёж.png',
    mimeType: 'image/png',
    bytes,
  });
  await made.outbox.finish(made.attemptId, 'student');
  let parts = 0;
  made.server.fault = (call) => {
    if (call.name !== 'uploadChunk') return null;
    parts += 1;
    return parts === 2 ? 'timeOut' : parts === 4 ? 'loseReply' : null;
  };
  await made.outbox.flush();
  expect((await made.outbox.snapshot(made.attemptId))?.answers[3]).toMatchObject({
    stage: 'device',
    upload: { received: 16_384, size: 400_000 },
  });
  await drain(made);
  const chunks = made.server.calls.filter((call) => call.name === 'uploadChunk');
  expect(chunks.map((call) => call.length).slice(0, 3)).toEqual([16_384, 32_768, 8_192]);
  const upload = [...made.server.uploads.values()][0];
  expect(upload?.complete).toBe(true);
  expect(Buffer.compare(new Uint8Array(upload?.bytes ?? []), bytes)).toBe(0);
  const names = made.server.calls.map((call) => call.name);
  expect(names.indexOf('answer')).toBeGreaterThan(names.lastIndexOf('uploadChunk'));
  expect(names.at(-1)).toBe('finish');
  expect((await made.outbox.snapshot(made.attemptId))?.answers[3]).toMatchObject({
    stage: 'server',
  });
});

test('row 26: a damaged file is sent again from the start, three times, then set aside for the finish', async () => {
  const made = await running();
  const bytes = new Uint8Array([1, 2, 3]);
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], { name: 'a.png', mimeType: '', bytes });
  await made.outbox.answer(made.attemptId, open('да', 0));
  await made.outbox.finish(made.attemptId, 'student');
  made.server.fault = (call) => (call.name === 'uploadChunk' ? 'CHECKSUM_MISMATCH' : null);
  await drain(made);
  expect(made.server.count('uploadChunk')).toBe(3);
  const finish = made.server.calls.findLast((call) => call.name === 'finish');
  expect(finish?.headers[HEADER.setAside]).toBe('1');
  expect(finish?.headers[HEADER.filesSetAside]).toMatch(/^[0-9a-f-]{36}$/);
  expect(made.server.finished).not.toBeNull();
  made.server.fault = () => null;
  await made.outbox.retrySetAside(made.attemptId);
  await drain(made);
  expect([...made.server.uploads.values()][0]?.complete).toBe(true);
});

test('row 26: a file missing at the finish is sent again', async () => {
  const made = await running();
  const bytes = new Uint8Array([1, 2, 3]);
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], { name: 'a.png', mimeType: '', bytes });
  await drain(made);
  made.server.uploads.clear();
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect([...made.server.uploads.values()][0]?.complete).toBe(true);
  expect(made.server.finished).not.toBeNull();
});

test('row 35: file bytes are resent after a restore, after the answer that recreates the attempt', async () => {
  const made = await running();
  const bytes = new Uint8Array([1, 2, 3]);
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], { name: 'a.png', mimeType: '', bytes });
  await made.outbox.answer(made.attemptId, open('один', 0));
  await drain(made);
  made.server.uploads.clear();
  made.server.journal.clear();
  made.server.epoch = 2;
  made.server.fault = (call) => {
    const isUnknown = made.server.journal.size === 0;
    return call.name === 'uploadChunk' && isUnknown ? 'NOT_FOUND' : null;
  };
  await made.outbox.answer(made.attemptId, open('новый', 1));
  await drain(made);
  expect(made.server.journal.size).toBe(3);
  expect([...made.server.uploads.values()][0]?.complete).toBe(true);
});

test('a replaced file that was never sent is not uploaded, a removed one neither', async () => {
  const made = await running();
  const file = (byte: number) => ({ name: 'a', mimeType: '', bytes: new Uint8Array([byte]) });
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], file(1));
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], file(2));
  await drain(made);
  expect([...made.server.uploads.values()].map((upload) => upload.bytes)).toEqual([[2]]);
  const removed = { fileId: null, name: '', size: 0, mimeType: '', sha256: '' };
  await made.outbox.answer(made.attemptId, { questionId: QUESTIONS[3], kind: 'file', ...removed });
  await drain(made);
  expect((await made.outbox.snapshot(made.attemptId))?.answers[3]?.answered).toBe(false);
});

test('bytes of a file can be read back over several parts', async () => {
  const made = await running();
  const bytes = new Uint8Array(2_500_000).map((_zero, index) => index % 253);
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], { name: 'b', mimeType: '', bytes });
  const view = await made.outbox.snapshot(made.attemptId);
  const answer = view?.answers[3]?.answer;
  const fileId = answer?.kind === 'file' ? (answer.fileId ?? '') : '';
  const read = await made.outbox.fileBytes(fileId);
  expect(Buffer.compare(read ?? new Uint8Array(), bytes)).toBe(0);
  const parts = await made.storage.read(['fileBytes'], (tx) => tx.all('fileBytes', 'file', fileId));
  expect(parts.map((part) => part.bytes.byteLength)).toEqual([1_048_576, 1_048_576, 402_848]);
});

test('row 36: a file that always fails does not block the finish for ever', async () => {
  const made = await running();
  const bytes = new Uint8Array([1, 2, 3]);
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], { name: 'a', mimeType: '', bytes });
  await made.outbox.finish(made.attemptId, 'student');
  made.server.fault = (call) => (call.name === 'uploadChunk' ? 'INTERNAL' : null);
  await drain(made, 60);
  expect(made.server.finished).not.toBeNull();
  expect((await made.outbox.snapshot(made.attemptId))?.answers[3]?.stage).toBe('setAside');
});

test('a file that the server would refuse is refused with a message before anything is stored', async () => {
  const made = await running();
  const [content] = await made.storage.read(['contents'], (tx) => tx.all('contents'));
  if (!content) throw new Error('no content');
  const chosen = content.questions.map((one) =>
    one.kind === 'file' ? { ...one, maxBytes: 2, accept: ['image/*', '.pdf'] } : one,
  );
  await made.storage.write(['contents'], (tx) =>
    tx.put('contents', { ...content, questions: chosen }),
  );
  const add = (name: string, size: number) =>
    made.outbox.addFile(made.attemptId, QUESTIONS[3], {
      name,
      mimeType: '',
      bytes: new Uint8Array(size),
    });
  await expect(add('a.py', 1)).rejects.toMatchObject({
    reason: 'fileRefused',
    explanation: 'Такой файл не подойдёт. Выберите картинки или PDF',
  });
  await expect(add('a.pdf', 3)).rejects.toMatchObject({ reason: 'fileRefused' });
  await expect(add('a.pdf', 0)).rejects.toMatchObject({ reason: 'fileRefused' });
  expect(await made.storage.read(['files'], (tx) => tx.all('files'))).toEqual([]);
  expect((await made.outbox.snapshot(made.attemptId))?.answers[3]?.answer).toBeNull();
  await expect(add('a.PDF', 2)).resolves.toMatchObject({ saved: true });
});
