import { expect, test } from 'vitest';
import type { Write } from '#simulation/evidence.ts';
import { crashDoublesNothing, crashKeepsSaved, type Crashed, type DeviceRow } from './crash.ts';

const write: Write = {
  operationId: 'o1',
  kind: 'answer',
  user: 'u1',
  device: 'A',
  attemptId: 'a1',
  questionId: 'q1',
  body: '{}',
  stream: 's1',
  epoch: 1,
  sequence: 1,
  saved: true,
  killed: false,
  at: 1,
  schoolAt: 1,
};
const row: DeviceRow = { operationId: 'o1', attemptId: 'a1', stream: 's1', sequence: 1 };
const crashed: Crashed = {
  device: 'A',
  writes: [write],
  wipedStreams: new Set(),
  made: new Set(['o1', 'o2']),
  wasFull: false,
};

test('what was shown as saved and lies on the device is all right', () => {
  expect(crashKeepsSaved(crashed, [row])).toEqual([]);
  expect(crashDoublesNothing(crashed, [row])).toEqual([]);
});

test('what was shown as saved and is gone is told', () => {
  expect(crashKeepsSaved(crashed, [])).toEqual(['o1 #1 is not on A any more']);
});

test.each<[string, Partial<Crashed>]>([
  ['was never shown as saved', { writes: [{ ...write, saved: false }] }],
  ['was written on another device', { device: 'B' }],
  ['went with the storage when that was cleared', { wipedStreams: new Set(['s1']) }],
])('nothing is missed that %s', (_what, more) => {
  expect(crashKeepsSaved({ ...crashed, ...more }, [])).toEqual([]);
});

test('two operations on one place are told, unless the device was full', () => {
  const twice = [row, { ...row, operationId: 'o2' }];
  expect(crashDoublesNothing(crashed, twice)).toEqual(['o2 and o1 are both a1 s1 #1 on A']);
  expect(crashDoublesNothing({ ...crashed, wasFull: true }, twice)).toEqual([]);
});

test('an operation that no page made is told', () => {
  expect(crashDoublesNothing(crashed, [{ ...row, operationId: 'x' }])).toEqual([
    'x was made by no page',
  ]);
});
