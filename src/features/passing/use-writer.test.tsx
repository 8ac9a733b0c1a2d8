import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { AttemptView, OutboxEvent } from '#app/outbox/types.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { useAttempt, useCleared, useOneWriter } from './use-attempt.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function setUp() {
  const listeners = new Set<(event: OutboxEvent) => void>();
  const outbox = {
    claimTab: vi.fn<() => Promise<void>>(async () => undefined),
    releaseTab: vi.fn<() => void>(),
    attempt: vi.fn<() => Promise<null>>(async () => null),
    attemptByTest: vi.fn<() => Promise<object | null>>(),
    snapshot: vi.fn<() => Promise<object | null>>(),
    subscribe: (listener: (event: OutboxEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const device = { outbox } as unknown as DeviceServices;
  return {
    outbox,
    listeners,
    device,
    tell: (kind: OutboxEvent['kind']) =>
      act(async () => listeners.forEach((listener) => listener({ kind } as OutboxEvent))),
  };
}

function Writer(view: Partial<AttemptView>) {
  useOneWriter({ attemptId: 'a1', readOnly: null, ...view } as AttemptView);
  return null;
}

test('a page claims its attempt when it opens and when it is looked at, and gives it back', async () => {
  const { outbox, device } = setUp();
  const { unmount } = await render(
    <DeviceContext value={device}>
      <Writer />
    </DeviceContext>,
  );
  expect(outbox.claimTab.mock.calls).toEqual([['a1']]);
  await pass(60_000);
  expect(outbox.claimTab).toHaveBeenCalledTimes(1);
  window.dispatchEvent(new Event('focus'));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(outbox.claimTab).toHaveBeenCalledTimes(3);
  expect(outbox.releaseTab).not.toHaveBeenCalled();
  await unmount();
  expect(outbox.releaseTab.mock.calls).toEqual([['a1']]);
  window.dispatchEvent(new Event('focus'));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(outbox.claimTab).toHaveBeenCalledTimes(3);
});

test('a second tab takes over within two seconds after the first one was closed', async () => {
  const { outbox, device } = setUp();
  const page = (readOnly: AttemptView['readOnly']) => (
    <DeviceContext value={device}>
      <Writer readOnly={readOnly} />
    </DeviceContext>
  );
  const { show } = await render(page('secondTab'));
  outbox.claimTab.mockClear();
  await pass(2_000);
  expect(outbox.claimTab).toHaveBeenCalledTimes(1);
  await show(page(null));
  await pass(10_000);
  expect(outbox.claimTab).toHaveBeenCalledTimes(1);
});

function Cleared() {
  const [isCleared, dismiss] = useCleared('a1');
  return <button onClick={dismiss}>{isCleared ? 'очищено' : 'цело'}</button>;
}

test('a browser that cleared its memory is noticed within two seconds, and said until it was read', async () => {
  const { outbox, listeners, device, tell } = setUp();
  const { container, unmount } = await render(
    <DeviceContext value={device}>
      <Cleared />
    </DeviceContext>,
  );
  await pass(2_000);
  // The outbox notices it when it reads.
  expect(outbox.attempt.mock.calls).toEqual([['a1']]);
  await tell('changed');
  expect(container.textContent).toBe('цело');
  await tell('cleared');
  expect(container.textContent).toBe('очищено');
  await click(container.querySelector('button'));
  expect(container.textContent).toBe('цело');
  await unmount();
  await pass(10_000);
  expect(outbox.attempt).toHaveBeenCalledTimes(1);
  expect(listeners.size).toBe(0);
});

function Stored({ owner, testId }: { owner: string; testId: string }) {
  return <p>{JSON.stringify(useAttempt(owner, testId))}</p>;
}

test('the attempt of this person and this test is read from the device; without one there is none', async () => {
  const { outbox, device } = setUp();
  outbox.attemptByTest.mockResolvedValueOnce({ attemptId: 'a1' }).mockResolvedValueOnce(null);
  outbox.snapshot.mockResolvedValue({ attemptId: 'a1', title: 'Законы' });
  const page = (testId: string) => (
    <DeviceContext value={device}>
      <Stored owner="anna" testId={testId} />
    </DeviceContext>
  );
  const { container, show } = await render(page('t1'));
  expect(outbox.attemptByTest.mock.lastCall).toEqual(['anna', 't1']);
  expect(outbox.snapshot.mock.lastCall).toEqual(['a1']);
  expect(container.textContent).toContain('Законы');
  await show(page('t2'));
  expect(outbox.attemptByTest.mock.lastCall).toEqual(['anna', 't2']);
  expect(container.textContent).toBe('null');
});
