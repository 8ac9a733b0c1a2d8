import { expect, test } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { StartOutcome } from '#app/outbox/types.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { useStart } from './use-start.ts';

function Page({ mayBeginOffline }: { mayBeginOffline: boolean }) {
  const { problem, start } = useStart('t1', { mayBeginOffline, onStarted: () => undefined });
  return <button onClick={() => start()}>{problem}</button>;
}

/** What the page says after a start whose outcome is unknown. */
async function problemOf(reachable: boolean, mayBeginOffline: boolean): Promise<string> {
  const startAttempt = async (): Promise<StartOutcome> => ({ kind: 'unknown', reachable });
  const { container, unmount } = await render(
    <DeviceContext value={{ outbox: { startAttempt } } as unknown as DeviceServices}>
      <Page mayBeginOffline={mayBeginOffline} />
    </DeviceContext>,
  );
  await click(container.querySelector('button'));
  const words = container.textContent;
  await unmount();
  return words;
}

test('without a server a test needs a network, unless it may begin without one', async () => {
  expect(await problemOf(false, false)).toContain('Чтобы начать тест, нужна сеть.');
  const offline = await problemOf(false, true);
  expect(offline).toContain('Если тест загружен, нажмите «Начать без сети».');
  expect(offline).toContain('лишней попытки не будет');
  expect(offline).not.toContain('нужна сеть');
});

test('a server that was late is tried again, whatever the test', async () => {
  const late = await problemOf(true, false);
  expect(late).toContain('Сервер не ответил вовремя.');
  expect(await problemOf(true, true)).toBe(late);
});
