import { expect, test } from 'vitest';
import { askedFor, barrierWord } from './barrier.ts';
import { file, OLDER, operation, STREAM } from './test-rows.ts';

const finish = operation({ kind: 'finish', answer: null, questionId: null, sequence: 9 });
const stream = {
  stream: STREAM,
  epoch: 2,
  nextSequence: 10,
  notHere: [8, 12],
  filesNotHere: ['lost'],
};

test('row 18: a finish names what is folded and what will never come, of its stream and before it', () => {
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
  expect(barrierWord(finish, stream, operations, files)).toEqual({
    folded: [1],
    sequences: [8, 2, 3, 4, 6],
    files: ['lost', aside.fileId],
  });
});

test('a finish whose attempt’s row was lost names what its operations tell', () => {
  const operations = [operation({ sequence: 2, state: 'setAside' })];
  const word = { folded: [], sequences: [2], files: [] };
  expect(barrierWord(finish, null, operations, [])).toEqual(word);
});

test('row 18: what the server misses goes again where it is here, and is named lost where not', () => {
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
  const asked = askedFor(finish, [1, 2, 3, 4, 5, 6, 7, 8, 11], [], operations, [], new Set(['6']));
  expect(asked.again).toEqual([delivered, waiting]);
  expect(asked.lost).toEqual([3, 4, 5, 6, 7, 8, 11]);
  expect([asked.filesAgain, asked.filesLost]).toEqual([[], []]);
});

test('row 26: a file that the server misses goes again unless it was given up or asked for too often', () => {
  const whole = file({ state: 'complete' });
  const aside = file({ state: 'setAside' });
  const often = file({ state: 'complete' });
  const missing = [whole.fileId, aside.fileId, often.fileId, 'nowhere'];
  const files = [aside, often, whole];
  const asked = askedFor(finish, [], missing, [], files, new Set([often.fileId]));
  expect(asked.filesAgain).toEqual([whole]);
  expect(asked.filesLost).toEqual([aside.fileId, often.fileId, 'nowhere']);
  expect([asked.again, asked.lost]).toEqual([[], []]);
});
