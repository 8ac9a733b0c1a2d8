import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import { CountsStrip } from './CountsStrip.tsx';
import type { BoardCounts } from './rules.ts';

const countsWith = (finished: number): BoardCounts => ({
  writing: 3,
  finished,
  notStarted: 0,
  offline: 0,
  timeOver: 0,
  closed: 0,
  missing: 0,
  missingStudents: 0,
});

afterEach(() => void vi.useRealTimers());

test('changed counts are announced politely, at most once in ten seconds, always including the last', async () => {
  vi.useFakeTimers();
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));
  const { container, show, unmount } = await render(<CountsStrip counts={countsWith(0)} />);
  // An `output` is a polite live region.
  const announced = () => container.querySelector('output')?.textContent;
  expect(announced()).toBe('');
  await show(<CountsStrip counts={countsWith(1)} />);
  expect(announced()).toContain('1 сдал');
  await show(<CountsStrip counts={countsWith(2)} />);
  await pass(5_000);
  await show(<CountsStrip counts={countsWith(3)} />);
  await pass(4_999);
  expect(announced()).toContain('1 сдал');
  await pass(1);
  expect(announced()).toContain('3 сдали');
  await unmount();
});
