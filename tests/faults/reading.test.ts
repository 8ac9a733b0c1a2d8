import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFilePicks, MISSED } from '#app/questions/file/file-picks.ts';
import { answerFiles } from '#domain/answer-files.ts';
import { drain, openClassroom, Q, start, view, type Classroom } from './classroom.ts';

/** A file that the system delivers slowly, from the pick to the server. */

let classroom: Classroom;
beforeAll(async () => {
  classroom = await openClassroom({ attemptsCount: 10 });
});
afterAll(() => classroom.close());

const bytesOf = (name: string) => new TextEncoder().encode(`%PDF-1.4 ${name}`);

/** A page with reads that end when the test decides. */
async function pickingPage() {
  const tab = await classroom.open(classroom.device(), await classroom.addStudent());
  const { attemptId } = await start(classroom, tab);
  const ends = new Map<string, () => void>();
  const picks = createFilePicks<string>({
    store: async (questionId, name) => {
      const file = { name, mimeType: 'application/pdf', bytes: bytesOf(name) };
      return (await tab.outbox.addFile(attemptId, questionId, file)).fileId;
    },
    explain: String,
  });
  const quiet = () =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (picks.list().some(({ step }) => step === 'storing')) return;
        leave();
        resolve();
      };
      const leave = picks.subscribe(check);
      setImmediate(check);
    });
  return {
    tab,
    attemptId,
    picks,
    pick: (name: string) => {
      const read = new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      picks.pick({ questionId: Q.file, name, size: 1, replaces: true, read: () => read });
    },
    readEnds: async (name: string) => {
      ends.get(name)?.();
      await quiet();
    },
    names: async () => {
      const shown = await view(tab, attemptId);
      const answer = shown.answers.find(({ questionId }) => questionId === Q.file)?.answer;
      return answerFiles(answer).map(({ name }) => name);
    },
  };
}

test.each([
  ['older first', ['a.pdf', 'b.pdf']],
  ['newer first', ['b.pdf', 'a.pdf']],
])(
  'row 38: of two files that are read slowly the newest pick reaches the server: %s',
  async (_, ends) => {
    const { tab, pick, picks, readEnds, names } = await pickingPage();
    pick('a.pdf');
    pick('b.pdf');
    expect(picks.list().map(({ name, step }) => `${name} ${step}`)).toEqual(['b.pdf reading']);
    for (const name of ends) await readEnds(name);
    expect(await names()).toEqual(['b.pdf']);
    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect(await names()).toEqual(['b.pdf']);
  },
);

test('row 38: a finish while a file is being read hands in the file before it and names the missed one', async () => {
  const { tab, attemptId, pick, picks, readEnds, names } = await pickingPage();
  pick('a.pdf');
  await readEnds('a.pdf');
  pick('b.pdf');
  await picks.close();
  await tab.outbox.finish(attemptId, 'deadline');
  expect(picks.list()).toMatchObject([{ name: 'b.pdf', step: 'missed', problem: MISSED }]);
  await readEnds('b.pdf');
  expect(await names()).toEqual(['a.pdf']);
});

test('row 38: a file read after the attempt was finished elsewhere is reported', async () => {
  const { tab, attemptId, pick, picks, readEnds, names } = await pickingPage();
  pick('a.pdf');
  await tab.outbox.finish(attemptId, 'student');
  await readEnds('a.pdf');
  expect(picks.list()).toMatchObject([{ name: 'a.pdf', step: 'failed' }]);
  expect(await names()).toEqual([]);
});
