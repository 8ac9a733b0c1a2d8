import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { render } from '#app/ui/test-render.tsx';
import type { LocalMemory } from './announced-warnings.ts';
import { useTimeNotice } from './use-time-notice.ts';

const START = Date.parse('2026-05-22T08:00:00Z');
const MINUTE = 60_000;
const DEADLINE = START + 40 * MINUTE;

let now: number;
const device = { serverNow: () => now } as DeviceServices;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function memory(): LocalMemory {
  const rows = new Map<string, string>();
  return {
    getItem: (key) => rows.get(key) ?? null,
    setItem: (key, value) => void rows.set(key, value),
  };
}

function Notice({ local, ...of }: { local: LocalMemory } & Partial<AttemptView>) {
  const view = { attemptId: 'a1', startedAt: START, deadline: DEADLINE, readOnly: null, ...of };
  const { announcement, shown } = useTimeNotice(view as AttemptView, local);
  return <p>{`${announcement}/${shown}`}</p>;
}

/** Opens the page with so many minutes left. */
async function openWith(minutesLeft: number, of: Partial<AttemptView> = {}, local = memory()) {
  now = DEADLINE - minutesLeft * MINUTE;
  const content = (also: Partial<AttemptView> = {}) => (
    <DeviceContext value={device}>
      <Notice local={local} {...of} {...also} />
    </DeviceContext>
  );
  const { container, show, unmount } = await render(content());
  return {
    local,
    unmount,
    shown: () => container.textContent,
    change: (also: Partial<AttemptView>) => show(content(also)),
    /** Time passes on the server and in the browser. */
    pass: (ms: number) =>
      act(async () => {
        now += ms;
        await vi.advanceTimersByTimeAsync(Math.min(ms, 1_000));
      }),
  };
}

test('the last minute is shown to its end', async () => {
  const { shown, pass, unmount } = await openWith(1.5);
  await pass(31_000);
  expect(shown()).toBe('Осталась 1 минута/1');
  // Includes the second in which the page notices the deadline: an early disappearance would leave a gap.
  for (let second = 0; second < 61; second += 1) {
    await pass(1_000);
    expect(shown()).toBe('Осталась 1 минута/1');
  }
  await unmount();
});

test('the last minute of a test that is no longer is shown as well', async () => {
  const { shown, pass, unmount } = await openWith(0.9, { startedAt: DEADLINE - MINUTE });
  expect(shown()).toMatch(/\/1$/);
  await pass(50_000);
  expect(shown()).toMatch(/\/1$/);
  await unmount();
});

test('five minutes are shown for a minute, ten only spoken', async () => {
  const { shown, pass, unmount } = await openWith(10);
  expect(shown()).toBe('Осталось 10 минут/null');
  await pass(5 * MINUTE);
  expect(shown()).toBe('Осталось 5 минут/5');
  await pass(MINUTE - 1_000);
  expect(shown()).toBe('Осталось 5 минут/5');
  await pass(2_000);
  expect(shown()).toBe('Осталось 5 минут/null');
  await unmount();
});

test('a warning is not repeated after a reload, and again for a deadline that was moved', async () => {
  const first = await openWith(5);
  expect(first.shown()).toBe('Осталось 5 минут/5');
  await first.unmount();
  const again = await openWith(4.9, {}, first.local);
  expect(again.shown()).toBe('/null');
  await again.change({ deadline: DEADLINE + 10 * MINUTE });
  expect(again.shown()).toBe('/null');
  await again.pass(10 * MINUTE);
  expect(again.shown()).toBe('Осталось 5 минут/5');
  await again.unmount();
});

test('a warning for an earlier deadline is gone once minutes are added', async () => {
  const { shown, change, unmount } = await openWith(1);
  expect(shown()).toMatch(/\/1$/);
  await change({ deadline: DEADLINE + 30 * MINUTE });
  expect(shown()).toBe('/null');
  await unmount();
});

test.each(['secondTab', 'takenOver', 'timeOver'] as const)(
  'a page that is read-only (%s) leaves the warning to the one that is not',
  async (readOnly) => {
    const { shown, local, unmount } = await openWith(5, { readOnly });
    expect(shown()).toBe('/null');
    expect(local.getItem('toldTimes')).toBeNull();
    await unmount();
  },
);

test('a hidden page delays the warning until it is visible', async () => {
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const { shown, pass, unmount } = await openWith(5);
  await pass(1_000);
  expect(shown()).toBe('/null');
  hidden.mockRestore();
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  expect(shown()).toMatch(/\/5$/);
  await unmount();
});

test('a page that was left marks no warning as announced', async () => {
  const { local, pass, unmount } = await openWith(6);
  await unmount();
  await pass(2 * MINUTE);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(local.getItem('toldTimes')).toContain('"threshold":10');
});
