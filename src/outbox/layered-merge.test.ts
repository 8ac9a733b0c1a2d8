import { expect, test } from 'vitest';
import type { StreamRow } from '#app/storage/rows.ts';
import { hasFinish, mergeAttempts, mergeStreams, streamsOf } from '#app/storage/merge.ts';
import { attempt, BEGIN, OLDER, operation, STREAM } from './test-rows.ts';

const row = (stream: string, epoch: number, changes: Partial<StreamRow> = {}): StreamRow => ({
  stream,
  epoch,
  nextSequence: 1,
  notHere: [],
  filesNotHere: [],
  ...changes,
});

test('merged streams continue after the higher sequence and unite their lost sequences', () => {
  const stored = row(STREAM, 2, { nextSequence: 7, notHere: [1, 2], filesNotHere: ['a'] });
  const inMemory = row(STREAM, 2, {
    nextSequence: 5,
    notHere: [2, 3],
    filesNotHere: ['a', 'b'],
  });
  const joined = row(STREAM, 2, {
    nextSequence: 7,
    notHere: [1, 2, 3],
    filesNotHere: ['a', 'b'],
  });
  expect(mergeStreams([stored], [inMemory])).toEqual([joined]);
  expect(mergeStreams([inMemory], [stored])[0]?.nextSequence).toBe(7);
  const older = row(OLDER, 1);
  expect(mergeStreams([stored], [older])).toEqual([older, stored]);
});

test('row 10: a lost attempt’s streams continue after the highest sequence of their operations', () => {
  const operations = [
    operation({ sequence: 4 }),
    operation({ sequence: 2 }),
    operation({ sequence: 1, stream: OLDER, epoch: 1 }),
  ];
  expect(streamsOf(operations)).toEqual([
    row(STREAM, 2, { nextSequence: 5 }),
    row(OLDER, 1, { nextSequence: 2 }),
  ]);
});

test.each([
  [{ state: 'waiting' as const }, true],
  [{ state: 'acknowledged' as const }, true],
  [{ state: 'setAside' as const }, false],
  [{ state: 'dropped' as const }, false],
  [{ stream: OLDER }, false],
  [{ kind: 'answer' as const }, false],
])('a finish with %j counts as the attempt’s: %s', (changes, expected) => {
  const finish = operation({ kind: 'finish', answer: null, ...changes });
  expect(hasFinish(attempt(), [operation(), finish])).toBe(expected);
});

test('a begin that was accepted in memory waits no more', () => {
  const accepted = { ...BEGIN, state: 'accepted' } as const;
  const stored = attempt({ begin: BEGIN });
  const inMemory = attempt({ begin: accepted });
  expect(mergeAttempts(stored, inMemory, false).begin).toEqual(accepted);
  expect(mergeAttempts(inMemory, stored, false).begin).toEqual(accepted);
});

test('within one stream the device’s row wins, with the later deadline', () => {
  const stored = attempt({ state: 'running', finishedAt: null, deadline: 5, countsUntil: 90 });
  const inMemory = attempt({ state: 'finished', finishedAt: 1, deadline: 7, countsUntil: 80 });
  const joined = mergeAttempts(stored, inMemory, false);
  expect(joined).toMatchObject({ state: 'running', finishedAt: null, deadline: 7 });
  expect(joined).toMatchObject({ countsUntil: 90, takenOver: false });
  const ended = mergeAttempts(stored, inMemory, true);
  expect(ended).toMatchObject({ state: 'finished', finishedAt: 1 });
});

test('the times of the server’s reply to a begin are those of both layers', () => {
  const stored = attempt({ begin: BEGIN, deadline: 9, countsUntil: 90 });
  const begin = { ...BEGIN, state: 'held', estimate: 9 } as const;
  const checked = attempt({ begin, deadline: 7, countsUntil: 70 });
  const times = { deadline: 7, countsUntil: 70 };
  expect(mergeAttempts(stored, checked, false)).toMatchObject(times);
  expect(mergeAttempts(checked, stored, false)).toMatchObject(times);
});

test('the server’s times are those of both layers, though a page of 1.0.0 stored the estimate again', () => {
  const begin = { ...BEGIN, state: 'held', estimate: 9 } as const;
  const checked = attempt({ begin, deadline: 7, countsUntil: 70 });
  const again = attempt({ begin, deadline: 9, countsUntil: 90 });
  const times = { deadline: 7, countsUntil: 70 };
  expect(mergeAttempts(again, checked, false)).toMatchObject(times);
  expect(mergeAttempts(checked, again, false)).toMatchObject(times);
  const moved = attempt({ begin, deadline: 12, countsUntil: 120 });
  expect(mergeAttempts(again, moved, false)).toMatchObject({ deadline: 12, countsUntil: 120 });
});

test.each([
  [false, false, false],
  [true, false, true],
  [false, true, true],
])('takenOver on the device %s, in memory %s: %s', (stored, inMemory, expected) => {
  const joined = mergeAttempts(
    attempt({ takenOver: stored }),
    attempt({ takenOver: inMemory }),
    false,
  );
  expect(joined.takenOver).toBe(expected);
});

test('row 9: of two streams the later one is current, in whichever place it is', () => {
  const older = attempt({ stream: OLDER, streams: [row(OLDER, 1)], takenOver: true });
  const newer = attempt({
    stream: STREAM,
    streams: [row(OLDER, 1), row(STREAM, 2)],
    state: 'running',
    finishedAt: null,
  });
  for (const joined of [mergeAttempts(older, newer, true), mergeAttempts(newer, older, true)]) {
    expect(joined).toMatchObject({ stream: STREAM, state: 'running', takenOver: false });
    expect(joined.streams.map(({ stream }) => stream)).toEqual([OLDER, STREAM]);
  }
});
