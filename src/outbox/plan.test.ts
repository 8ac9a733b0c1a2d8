import { expect, test } from 'vitest';
import type { FileRow, OperationRow } from '#app/storage/rows.ts';
import { id, QUESTIONS } from './fake-server.ts';
import { planTasks, waitingKeys, type PendingWork } from './plan.ts';
import { ATTEMPT, attempt, file, OLDER, operation, RECEIPT, STREAM } from './test-rows.ts';

const work = (changes: Partial<PendingWork>): PendingWork => ({
  waiting: [],
  files: [],
  begins: [],
  busy: new Set(),
  isDue: () => true,
  failures: () => 0,
  tried: new Set(),
  ...changes,
});
const finish = operation({ kind: 'finish', answer: null, questionId: null, sequence: 9 });

test('one operation per question is sent, the oldest first', () => {
  const older = operation({ sequence: 1 });
  const newer = operation({ sequence: 2 });
  const other = operation({ sequence: 3, questionId: QUESTIONS[1] });
  const tasks = planTasks(work({ waiting: [other, newer, older] }));
  expect(tasks.map((task) => task.operation)).toEqual([older, other]);
});

test('a question sends no later operations while its first one waits', () => {
  const older = operation({ sequence: 1 });
  const newer = operation({ sequence: 2 });
  const isDue = (key: string): boolean => key !== older.operationId;
  expect(planTasks(work({ waiting: [older, newer], isDue }))).toEqual([]);
});

test('row 18: a finish waits for its own stream only', () => {
  const foreign = operation({ stream: OLDER, epoch: 1 });
  const isDue = (key: string): boolean => key !== foreign.operationId;
  const tasks = planTasks(work({ waiting: [foreign, finish], isDue }));
  expect(tasks.map((task) => task.kind)).toEqual(['finish']);
  const own = operation();
  const waits = planTasks(
    work({ waiting: [own, finish], isDue: (key) => key !== own.operationId }),
  );
  expect(waits).toEqual([]);
});

test('row 26: a finish waits for a file of its stream that is still being uploaded', () => {
  const kinds = (changes: Partial<FileRow>, stream = STREAM): string[] => {
    const one = file({ stream, wanted: true, ...changes });
    const isDue = (key: string): boolean => key !== one.fileId;
    return planTasks(work({ waiting: [finish], files: [one], isDue })).map((task) => task.kind);
  };
  expect(kinds({ state: 'uploading' })).toEqual([]);
  expect(kinds({ state: 'unchecked' })).toEqual([]);
  expect(kinds({ state: 'complete' })).toEqual(['finish']);
  expect(kinds({ state: 'setAside' })).toEqual(['finish']);
  expect(kinds({ state: 'uploading', wanted: false })).toEqual(['finish']);
  expect(kinds({ state: 'uploading' }, OLDER)).toEqual(['finish']);
});

test('row 17: a finish waits for the answer of a file in upload and for everything being sent', () => {
  const one = file({ state: 'uploading' });
  const answer = operation({ fileId: one.fileId, questionId: one.questionId });
  const waiting = [answer, finish];
  const tasks = planTasks(work({ waiting, files: [one] }));
  expect(tasks).toEqual([{ kind: 'upload', file: one, operation: answer }]);
  const busy = new Set([`${ATTEMPT}/${OLDER}/${QUESTIONS[1]}`]);
  expect(planTasks(work({ waiting: [finish], busy }))).toEqual([]);
  const foreign = new Set([`${id()}/${STREAM}/${QUESTIONS[1]}`]);
  expect(planTasks(work({ waiting: [finish], busy: foreign }))).toHaveLength(1);
});

test('an answer is sent once its file is complete, and set aside when its file is set aside', () => {
  const kindWith = (state: FileRow['state'] | null): string[] => {
    const one = file(state === null ? {} : { state });
    const answer = operation({ fileId: one.fileId });
    const files = state === null ? [] : [one];
    return planTasks(work({ waiting: [answer], files })).map((task) => task.kind);
  };
  expect(kindWith('complete')).toEqual(['answer']);
  expect(kindWith('uploading')).toEqual(['upload']);
  expect(kindWith('setAside')).toEqual(['fileLost']);
  expect(kindWith(null)).toEqual(['fileLost']);
});

test('row 35: an answer resent with its receipt is sent before its file', () => {
  const one = file({ state: 'unchecked', wanted: true });
  const answer = operation({ fileId: one.fileId, receipt: RECEIPT, acknowledgedAt: 5 });
  const tasks = planTasks(work({ waiting: [answer], files: [one] }));
  expect(tasks.map((task) => task.kind)).toEqual(['answer', 'upload']);
});

test('row 36: a poisoned answer does not block its question or the finish, after one more try', () => {
  const poisoned = operation({ poisoned: true });
  const newer = operation({ sequence: 2 });
  const next = planTasks(work({ waiting: [poisoned, newer, finish] }));
  expect(next.map((task) => task.operation)).toEqual([newer]);
  const isDue = (key: string): boolean => key !== poisoned.operationId;
  const chance = planTasks(work({ waiting: [poisoned, finish], isDue }));
  expect(chance.map((task) => task.operation)).toEqual([poisoned]);
  const tried = new Set([poisoned.operationId]);
  const last = planTasks(work({ waiting: [poisoned, finish], isDue, tried }));
  expect(last.map((task) => task.kind)).toEqual(['finish']);
});

test('a poisoned answer is tried once more only before the finish of its own stream, once that is due', () => {
  const foreign = operation({ poisoned: true, stream: OLDER, epoch: 1 });
  const isDue = (key: string): boolean => key !== foreign.operationId;
  const kinds = planTasks(work({ waiting: [foreign, finish], isDue })).map((task) => task.kind);
  expect(kinds).toEqual(['finish']);
  const one = file({ state: 'uploading' });
  const own = operation({ poisoned: true, fileId: one.fileId });
  const waits = new Set([own.operationId, one.fileId]);
  const all = work({ waiting: [own, finish], files: [one], isDue: (key) => !waits.has(key) });
  expect(planTasks(all)).toEqual([{ kind: 'upload', file: one, operation: own }]);
  waits.add(finish.operationId);
  expect(planTasks(all)).toEqual([]);
});

test('row 35: previously delivered operations go first, in their order; the rest by stream and sequence', () => {
  const at = (question: number, changes: Partial<OperationRow>) =>
    operation({ questionId: QUESTIONS[question] ?? null, ...changes });
  const later = at(0, { receipt: RECEIPT, acknowledgedAt: 5, sequence: 1 });
  const earlier = at(1, { receipt: RECEIPT, acknowledgedAt: 3, sequence: 9 });
  const older = at(2, { epoch: 1, sequence: 8 });
  const second = at(3, { sequence: 7 });
  const first = operation({ questionId: id(), sequence: 2 });
  const expected = [earlier, later, older, first, second];
  for (const waiting of [expected, expected.toReversed(), [second, later, first, older, earlier]])
    expect(planTasks(work({ waiting })).map((task) => task.operation)).toEqual(expected);
});

test('row 26: a file that the server requested is sent by itself, and once', () => {
  const one = file({ wanted: true });
  const alone = [{ kind: 'upload', file: one, operation: null }];
  expect(planTasks(work({ files: [one] }))).toEqual(alone);
  expect(planTasks(work({ files: [file(), file({ wanted: true, state: 'complete' })] }))).toEqual(
    [],
  );
  const answer = operation({ fileId: one.fileId, questionId: one.questionId });
  const plain = operation({ sequence: 2 });
  const tasks = planTasks(work({ waiting: [answer, plain], files: [one] }));
  expect(tasks.map(({ kind, operation: of }) => [kind, of])).toEqual([
    ['upload', answer],
    ['answer', plain],
  ]);
});

test('back-offs are keyed per operation or file, and the finish once nothing else waits', () => {
  const one = file();
  const answer = operation();
  const other = operation({ questionId: one.questionId, fileId: one.fileId, sequence: 2 });
  const keys = waitingKeys({ waiting: [answer, other, finish], files: [one], begins: [] });
  expect(keys).toEqual([answer.operationId, one.fileId]);
  expect(waitingKeys({ waiting: [finish], files: [], begins: [] })).toEqual([finish.operationId]);
  const poisoned = operation({ poisoned: true });
  const both = waitingKeys({ waiting: [poisoned, finish], files: [], begins: [] });
  expect(both).toEqual([poisoned.operationId, finish.operationId]);
});

test('a begin goes first', () => {
  const begun = attempt({ attemptId: id(), state: 'running' });
  const elsewhere = operation();
  const tasks = planTasks(work({ waiting: [elsewhere], begins: [begun] }));
  expect(tasks).toEqual([
    { kind: 'begin', attempt: begun, operation: null },
    { kind: 'answer', operation: elsewhere },
  ]);
  expect(waitingKeys({ waiting: [], files: [], begins: [begun] })).toEqual([begun.attemptId]);
});

test('failed operations are sent after the others', () => {
  const failing = operation({ sequence: 1 });
  const fresh = operation({ sequence: 2, questionId: QUESTIONS[1] });
  const failures = (key: string): number => (key === failing.operationId ? 3 : 0);
  const tasks = planTasks(work({ waiting: [failing, fresh], failures }));
  expect(tasks.map((task) => task.operation)).toEqual([fresh, failing]);
});

test('active tasks are not sent twice, and a blocked finish is not sent', () => {
  const answer = operation();
  const busy = new Set([`${ATTEMPT}/${STREAM}/${QUESTIONS[0]}`]);
  expect(planTasks(work({ waiting: [answer], busy }))).toEqual([]);
  expect(planTasks(work({ waiting: [finish], isDue: () => false }))).toEqual([]);
});

test('row 36: a poisoned answer that is due is sent once, not once more for the finish', () => {
  const poisoned = operation({ poisoned: true });
  const tasks = planTasks(work({ waiting: [poisoned, finish] }));
  expect(tasks.map((task) => task.operation)).toEqual([poisoned]);
});
