import { expect, test } from 'vitest';
import {
  isUnproven,
  newestWrite,
  nextDeadline,
  shrinks,
  timeError,
  type Rank,
  type Shown,
} from './looks.ts';
import { write } from './test-evidence.ts';

const ranks: Record<string, Rank> = { old: { epoch: 1, at: 1 }, new: { epoch: 1, at: 2 } };
const rank = (body: string): Rank | null => ranks[body] ?? null;
const on = (body: string | null, stage: Shown['stage'] = 'device'): Shown => ({ body, stage });

test.each<[string, Shown, Shown, boolean]>([
  ['the same', on('new'), on('new'), false],
  ['a newer one', on('old'), on('new'), false],
  ['an older one', on('new'), on('old'), true],
  ['nothing', on('new', 'server'), on(null, 'none'), true],
  ['nothing after what was never shown as saved', on('new', 'unsaved'), on(null, 'none'), false],
  ['something after nothing', on(null, 'none'), on('old'), false],
  ['nothing after what was not promised', on('other', 'server'), on(null, 'none'), false],
])('a screen that shows %s', (_what, before, after, expected) => {
  expect(shrinks(before, after, rank)).toBe(expected);
});

test('a greater epoch is newer, whenever it was written', () => {
  const by = (body: string): Rank => (body === 'a' ? { epoch: 2, at: 1 } : { epoch: 1, at: 9 });
  expect(shrinks(on('a'), on('b'), by)).toBe(true);
  expect(shrinks(on('b'), on('a'), by)).toBe(false);
});

test('«на сервере» needs what the server confirmed to this device', () => {
  expect(isUnproven(on('x', 'server'), undefined)).toBe(true);
  expect(isUnproven(on('x', 'server'), new Set(['y']))).toBe(true);
  expect(isUnproven(on('x', 'server'), new Set(['x']))).toBe(false);
  expect(isUnproven(on('x', 'device'), undefined)).toBe(false);
});

test('a body has the rank of its newest write, and none when that was not stored', () => {
  expect(newestWrite([write, { ...write, at: 5 }], [], write)).toEqual({ ...write, at: 5 });
  expect(newestWrite([{ ...write, saved: false }], [], write)).toBeNull();
  expect(newestWrite([write], [], { ...write, body: 'y' })).toBeNull();
});

test('a body that the server named has its position, unless the device itself wrote it since', () => {
  expect(newestWrite([], [write], write)).toEqual(write);
  const killed = { ...write, at: 9, saved: false, killed: true };
  expect(newestWrite([killed], [write], write)).toBeNull();
});

test('remaining time is compared with the true one, which is never negative', () => {
  expect(timeError({ remainingMs: 5_000, deadline: 15_000 }, 10_000)).toBe(0);
  expect(timeError({ remainingMs: 9_000, deadline: 15_000 }, 10_000)).toBe(4_000);
  expect(timeError({ remainingMs: 0, deadline: 15_000 }, 20_000)).toBe(0);
});

test.each([
  ['the first reply to the begin', { at: 9, isEstimate: true }, -1, false],
  ['a later one', { at: 9, isEstimate: false }, -1, true],
  ['no reply', { at: 9, isEstimate: true }, undefined, true],
])('an earlier deadline by %s', (_what, known, estimate, isEarlier) => {
  const begin = { state: 'waiting', reason: null, estimate } as const;
  const next = nextDeadline(known, { begin, deadline: 8 });
  expect(next).toEqual({
    at: isEarlier ? 9 : 8,
    isEstimate: estimate === undefined,
    isEarlier,
  });
});

test('a page of release 1.0.0 does not say whether its deadline is an estimate', () => {
  const estimate = { at: 9, isEstimate: true };
  expect(nextDeadline(estimate, { deadline: 8 })).toEqual({ ...estimate, isEarlier: false });
  expect(nextDeadline({ at: 9, isEstimate: false }, { deadline: 8 }).isEarlier).toBe(true);
});
