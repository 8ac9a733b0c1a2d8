import { expect, test } from 'vitest';
import { isOver, outlivedAt } from './retention.ts';
import { attempt, operation } from './test-rows.ts';

const DAY = 86_400_000;
const elsewhere = attempt({ state: 'running', finishedAt: null, takenOver: true });

test('what was set aside, or waits, is never removed with its attempt', () => {
  for (const state of ['waiting', 'setAside'] as const) {
    const rows = [operation({ state: 'acknowledged' }), operation({ state })];
    expect(outlivedAt(attempt(), rows)).toBeNull();
    expect(outlivedAt(elsewhere, rows)).toBeNull();
    expect(isOver(attempt(), rows)).toBe(false);
  }
});

test('delivered answers go 7 days after the finish, 30 days after one that ended elsewhere', () => {
  const rows = (['acknowledged', 'folded', 'dropped'] as const).map((state) =>
    operation({ state }),
  );
  expect(outlivedAt(attempt(), rows)).toBe(1_000 + 7 * DAY);
  expect(outlivedAt(elsewhere, rows)).toBe(200 + 30 * DAY);
  expect(isOver(attempt(), rows)).toBe(true);
  expect(isOver(elsewhere, rows)).toBe(true);
  expect(isOver(attempt({ state: 'running', gone: true }), [])).toBe(true);
});

test('an attempt that runs, or whose row is lost, is kept', () => {
  const runs = attempt({ state: 'running', finishedAt: null });
  expect(outlivedAt(runs, [])).toBeNull();
  expect(isOver(runs, [])).toBe(false);
  expect(isOver(attempt({ state: 'finishing' }), [])).toBe(false);
  expect(outlivedAt(null, [])).toBeNull();
  expect(isOver(null, [])).toBe(false);
});
