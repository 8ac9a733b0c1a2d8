import { expect, test } from 'vitest';
import { NO_SAVED_ANSWERS, type AnswerFile } from '#contract/answers.ts';
import { answerFiles, fileAnswer } from '#domain/answer-files.ts';
import { QUESTIONS } from './fake-server.ts';
import { drain, running } from './test-device.ts';

const QUESTION = QUESTIONS[3];
const append = (files: readonly AnswerFile[], added: AnswerFile) => [...files, added];

type Device = Awaited<ReturnType<typeof running>>;

const add = (made: Device, name: string, place = append) =>
  made.outbox.addFile(
    made.attemptId,
    QUESTION,
    { name, mimeType: 'image/png', bytes: new TextEncoder().encode(name) },
    place,
  );

const shown = async (made: Device) => {
  const view = await made.outbox.snapshot(made.attemptId);
  return view?.answers[3];
};
const names = async (made: Device) =>
  answerFiles((await shown(made))?.answer).map(({ name }) => name);
const onServer = (made: Device) =>
  answerFiles([...made.server.counting().values()].at(-1)?.answer).map(({ name }) => name);

test('three files of one question arrive whole and in order, and the finish waits for all of them', async () => {
  const made = await running();
  for (const name of ['a', 'b', 'c']) await add(made, name);
  expect(await names(made)).toEqual(['a', 'b', 'c']);
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(onServer(made)).toEqual(['a', 'b', 'c']);
  expect([...made.server.uploads.values()].every(({ complete }) => complete)).toBe(true);
  expect(made.server.uploads.size).toBe(3);
  expect(made.server.finished).not.toBeNull();
  expect(await shown(made)).toMatchObject({ stage: 'server', upload: null });
});

test('files that are added at the same moment are all in the answer', async () => {
  const made = await running();
  await Promise.all(['a', 'b', 'c'].map((name) => add(made, name)));
  expect((await names(made)).toSorted()).toEqual(['a', 'b', 'c']);
});

test('a removed file and another order are answers of their own, and nothing is uploaded twice', async () => {
  const made = await running();
  for (const name of ['a', 'b', 'c']) await add(made, name);
  await drain(made);
  const chunks = made.server.count('uploadChunk');
  await made.outbox.changeFiles(made.attemptId, QUESTION, (files) => files.toReversed());
  await drain(made);
  expect(onServer(made)).toEqual(['c', 'b', 'a']);
  await made.outbox.changeFiles(made.attemptId, QUESTION, (files) =>
    files.filter(({ name }) => name !== 'b'),
  );
  await drain(made);
  expect(onServer(made)).toEqual(['c', 'a']);
  await made.outbox.changeFiles(made.attemptId, QUESTION, () => []);
  await drain(made);
  expect(await shown(made)).toMatchObject({ answered: false, stage: 'server' });
  expect(made.server.count('uploadChunk')).toBe(chunks);
});

test('a file that an unsent, replaced answer stored is uploaded for the newer one', async () => {
  const made = await running();
  made.server.fault = () => 'loseRequest';
  await add(made, 'a');
  await add(made, 'b');
  await made.outbox.flush();
  made.server.fault = () => null;
  await drain(made);
  expect(onServer(made)).toEqual(['a', 'b']);
});

test('progress counts all files of the answer', async () => {
  const made = await running();
  await add(made, 'abc');
  await drain(made);
  made.server.fault = () => 'loseRequest';
  await add(made, 'de');
  expect(await shown(made)).toMatchObject({ stage: 'device', upload: { received: 3, size: 5 } });
});

test('one file too many is refused, and the answer stays as it was', async () => {
  const made = await running();
  for (const name of ['a', 'b', 'c', 'd']) await add(made, name);
  await expect(add(made, 'e')).rejects.toMatchObject({
    reason: 'fileRefused',
    explanation: 'К этому вопросу можно приложить не больше 4 файлов. Уберите лишний.',
  });
  expect(await names(made)).toEqual(['a', 'b', 'c', 'd']);
});

test('a file that another device sent stays in the answer when one is added here', async () => {
  const made = await running();
  const foreign = {
    fileId: '00000000-0000-4000-8000-0000000000aa',
    name: 'x',
    size: 1,
    mimeType: '',
    sha256: '0'.repeat(64),
  };
  made.server.uploads.set(foreign.fileId, { bytes: [1], size: 1, complete: true });
  await made.outbox.adoptSaved(made.attemptId, {
    ...NO_SAVED_ANSWERS,
    fileAnswers: [
      {
        ...fileAnswer(QUESTION, [foreign]),
        operationId: '00000000-0000-4000-8000-0000000000ab',
        epoch: 0,
        sequence: 1,
        receivedAt: '2026-05-22T08:00:00.000Z',
        receivedLate: false,
      },
    ],
  });
  await add(made, 'b');
  await drain(made);
  expect(onServer(made)).toEqual(['x', 'b']);
  expect(await shown(made)).toMatchObject({ stage: 'server' });
});

test('the export holds the bytes of every file that an unsent answer names', async () => {
  const made = await running();
  made.server.fault = () => 'loseRequest';
  for (const name of ['a', 'b']) await add(made, name);
  const view = await made.outbox.snapshot(made.attemptId);
  const text = await made.outbox.exportUnsent(view?.owner ?? '');
  const [attempt] = (
    JSON.parse(text) as { attempts: { files: { name: string; base64: string }[] }[] }
  ).attempts;
  expect(attempt?.files.map(({ name, base64 }) => `${name} ${atob(base64)}`).toSorted()).toEqual([
    'a a',
    'b b',
  ]);
});

test.each(['loseRequest', 'loseReply'] as const)(
  'an order that changes while a file is being sent (%s) delivers every file whole, and a removed one no more',
  async (loss) => {
    const made = await running();
    const big = (name: string) =>
      made.outbox.addFile(
        made.attemptId,
        QUESTION,
        { name, mimeType: 'image/png', bytes: new Uint8Array(400 * 1024).fill(name.charCodeAt(0)) },
        append,
      );
    for (const name of ['a', 'b', 'c']) await big(name);
    const change = (run: (files: readonly AnswerFile[]) => readonly AnswerFile[]) =>
      made.outbox.changeFiles(made.attemptId, QUESTION, run);
    const changes: Promise<unknown>[] = [];
    let chunks = 0;
    made.server.fault = ({ name }) => {
      if (name !== 'uploadChunk') return null;
      chunks += 1;
      if (chunks === 2) changes.push(change((files) => files.toReversed()));
      if (chunks === 3)
        changes.push(change((files) => files.filter(({ name: one }) => one !== 'b')));
      return chunks === 3 ? loss : null;
    };
    await made.outbox.flush();
    await Promise.all(changes);
    await made.outbox.finish(made.attemptId, 'student');
    await drain(made);
    expect(onServer(made)).toEqual(['c', 'a']);
    const named = answerFiles((await shown(made))?.answer).map(({ fileId }) => fileId);
    for (const fileId of named)
      expect(made.server.uploads.get(fileId)).toMatchObject({ complete: true });
    expect(made.server.finished).not.toBeNull();
    expect(await shown(made)).toMatchObject({ stage: 'server', upload: null });
  },
);
