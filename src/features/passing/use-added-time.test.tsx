import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { AttemptView } from '#app/outbox/types.ts';
import { render } from '#app/ui/test-render.tsx';
import { useAddedTime } from './use-added-time.ts';

afterEach(() => void vi.useRealTimers());

const AT = Date.parse('2026-05-22T08:22:00Z');

function Added({ deadline, now }: { deadline: number; now: number }) {
  return <p>{useAddedTime({ deadline, now } as AttemptView)}</p>;
}

test('added minutes are named with the time left; a deadline that stays says nothing', async () => {
  const { container, show, unmount } = await render(<Added deadline={AT + 460_000} now={AT} />);
  await show(<Added deadline={AT + 460_000} now={AT + 1_000} />);
  expect(container.textContent).toBe('');
  await show(<Added deadline={AT + 760_000} now={AT} />);
  expect(container.textContent).toBe('Преподаватель добавил 5 минут, осталось 12:40');
  await unmount();
});

test('added minutes are named for a minute, and those added again for a whole one', async () => {
  vi.useFakeTimers();
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const { container, show } = await render(<Added deadline={AT + 60_000} now={AT} />);
  await pass(120_000);
  await show(<Added deadline={AT + 360_000} now={AT} />);
  await pass(59_000);
  expect(container.textContent).toContain('добавил 5 минут');
  await show(<Added deadline={AT + 480_000} now={AT} />);
  await pass(59_000);
  expect(container.textContent).toContain('добавил 2 минуты');
  await pass(1_000);
  expect(container.textContent).toBe('');
});

test.each([
  ['an earlier deadline', AT + 60_000, AT],
  ['a deadline moved by seconds', AT + 120_010, AT],
  ['minutes that have passed already', AT + 360_000, AT + 360_000],
])('%s is not called added time', async (_, deadline, now) => {
  const { container, show } = await render(<Added deadline={AT + 120_000} now={AT} />);
  await show(<Added deadline={deadline} now={now} />);
  expect(container.textContent).toBe('');
});
