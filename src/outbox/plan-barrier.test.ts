import { expect, test } from 'vitest';
import { planResend, createFinishManifest } from './plan.ts';
import { file, OLDER, operation, STREAM } from './test-rows.ts';

const finish = operation({ kind: 'finish', answer: null, questionId: null, sequence: 9 });
const stream = {
  stream: STREAM,
  epoch: 2,
  nextSequence: 10,
  notHere: [8, 12],
  filesNotHere: ['lost'],
};

test('row 18: a finish declares what is folded and what will never be sent, in its stream and before it', () => {
  const operations = [
    operation({ sequence: 1, state: 'folded' }),
    operation({ sequence: 2, state: 'setAside' }),
    operation({ sequence: 3, poisoned: true }),
    operation({ sequence: 4, state: 'dropped', kind: 'finish' }),
    operation({ sequence: 5, state: 'acknowledged', formerSequences: [6] }),
    operation({ sequence: 7 }),
    operation({ sequence: 1, state: 'folded', stream: OLDER }),
    operation({ sequence: 2, state: 'setAside', stream: OLDER, formerSequences: [3] }),
    operation({ sequence: 9, state: 'setAside' }),
    operation({ sequence: 10, state: 'setAside' }),
    finish,
  ];
  const aside = file({ state: 'setAside' });
  const files = [aside, file({ state: 'setAside', stream: OLDER }), file({ state: 'complete' })];
  expect(createFinishManifest(finish, stream, operations, files)).toEqual({
    folded: [1],
    sequences: [8, 2, 3, 4, 6],
    files: ['lost', aside.fileId],
  });
});

test('a finish with a lost attempt row declares what its operations show', () => {
  const operations = [operation({ sequence: 2, state: 'setAside' })];
  const manifest = { folded: [], sequences: [2], files: [] };
  expect(createFinishManifest(finish, null, operations, [])).toEqual(manifest);
});

test('row 18: missing sequences are resent if the device has them, and declared lost otherwise', () => {
  const delivered = operation({ sequence: 1, state: 'acknowledged' });
  const waiting = operation({ sequence: 2 });
  const operations = [
    delivered,
    waiting,
    operation({ sequence: 3, poisoned: true }),
    operation({ sequence: 4, state: 'setAside' }),
    operation({ sequence: 5, state: 'folded' }),
    operation({ sequence: 6, state: 'acknowledged' }),
    operation({ sequence: 7, state: 'acknowledged', stream: OLDER }),
    operation({ sequence: 8, kind: 'finish', answer: null, state: 'acknowledged' }),
  ];
  const plan = planResend(finish, [1, 2, 3, 4, 5, 6, 7, 8, 11], [], operations, [], new Set(['6']));
  expect(plan.resend).toEqual([delivered, waiting]);
  expect(plan.lost).toEqual([3, 4, 5, 6, 7, 8, 11]);
  expect([plan.filesToResend, plan.filesLost]).toEqual([[], []]);
});

test('row 26: a missing file is resent unless it was set aside or requested too often', () => {
  const whole = file({ state: 'complete' });
  const aside = file({ state: 'setAside' });
  const often = file({ state: 'complete' });
  const missing = [whole.fileId, aside.fileId, often.fileId, 'nowhere'];
  const files = [aside, often, whole];
  const plan = planResend(finish, [], missing, [], files, new Set([often.fileId]));
  expect(plan.filesToResend).toEqual([whole]);
  expect(plan.filesLost).toEqual([aside.fileId, often.fileId, 'nowhere']);
  expect([plan.resend, plan.lost]).toEqual([[], []]);
});
