import { expect, test } from 'vitest';
import { write } from '#simulation/test-evidence.ts';
import { crashDoublesNothing, crashKeepsSaved, type Crashed, type CrashedRow } from './crash.ts';

const row: CrashedRow = { operationId: 'o1', attemptId: 'a1', stream: 's1', sequence: 1 };
const crashed: Crashed = {
  device: 'A',
  writes: [write],
  wipedStreams: new Set(),
  made: new Set(['o1', 'o2']),
  wasFull: false,
};

test('what was shown as saved and is on the device is no violation', () => {
  expect(crashKeepsSaved(crashed, [row])).toEqual([]);
  expect(crashDoublesNothing(crashed, [row])).toEqual([]);
});

test('what was shown as saved and is lost is reported', () => {
  expect(crashKeepsSaved(crashed, [])).toEqual(['o1 #1 is not on A any more']);
});

test.each<[string, Partial<Crashed>]>([
  ['was never shown as saved', { writes: [{ ...write, saved: false }] }],
  ['was written on another device', { device: 'B' }],
  ['was lost when its storage was cleared', { wipedStreams: new Set(['s1']) }],
])('nothing is reported that %s', (_what, more) => {
  expect(crashKeepsSaved({ ...crashed, ...more }, [])).toEqual([]);
});

test('two operations with one sequence are reported, unless the device was full', () => {
  const twice = [row, { ...row, operationId: 'o2' }];
  expect(crashDoublesNothing(crashed, twice)).toEqual(['o2 and o1 are both a1 s1 #1 on A']);
  expect(crashDoublesNothing({ ...crashed, wasFull: true }, twice)).toEqual([]);
});

test('an operation that no page created is reported', () => {
  expect(crashDoublesNothing(crashed, [{ ...row, operationId: 'x' }])).toEqual([
    'x was made by no page',
  ]);
});
