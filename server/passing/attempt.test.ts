import { expect, test } from 'vitest';
import { isOver, type Attempt } from './attempt.ts';

const deadline = new Date('2026-05-21T08:00:00.000Z');
const running = { deadline, windowSeconds: 900, ended: null, endedAt: null } as Attempt;
const after = (seconds: number) => new Date(deadline.getTime() + seconds * 1000);

test('an attempt is over once it ended, or at the end of its window even if that is not stored', () => {
  expect(isOver(running, after(899.999))).toBe(false);
  expect(isOver(running, after(900))).toBe(true);
  expect(isOver({ ...running, ended: 'finished', endedAt: after(-60) }, after(-60))).toBe(true);
});

test('without a window the grace of a minute remains', () => {
  const short = { ...running, windowSeconds: 0 };
  expect(isOver(short, after(59.999))).toBe(false);
  expect(isOver(short, after(60))).toBe(true);
});
