import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SyncIndicator } from './SyncIndicator.tsx';
import { click, render } from '#app/ui/test-render.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const spoken = (container: HTMLElement) => container.querySelector('output')?.textContent;

test('shows the label for phones and for desktops, and opens «Где мои ответы»', async () => {
  const onOpen = vi.fn<() => void>();
  const { container, unmount } = await render(
    <SyncIndicator state="offline" count={3} onOpen={onOpen} />,
  );
  const button = container.querySelector('button');
  expect(button?.textContent).toContain('3 на устройстве');
  expect(button?.textContent).toContain('нет сети, 3 ответа на устройстве');
  await click(button);
  expect(onOpen).toHaveBeenCalledOnce();
  await unmount();
});

test('says nothing when it opens, nor at each answer', async () => {
  const { container, show, unmount } = await render(
    <SyncIndicator state="delivered" onOpen={() => {}} />,
  );
  await show(<SyncIndicator state="sending" count={1} onOpen={() => {}} />);
  await show(<SyncIndicator state="delivered" onOpen={() => {}} />);
  await act(async () => vi.advanceTimersByTime(60_000));
  expect(spoken(container)).toBe('');
  await unmount();
});

test('speaks of changes at most once in ten seconds, the last one always', async () => {
  const { container, show, unmount } = await render(
    <SyncIndicator state="delivered" onOpen={() => {}} />,
  );
  await show(<SyncIndicator state="offline" count={2} onOpen={() => {}} />);
  expect(spoken(container)).toBe('нет сети, 2 ответа на устройстве');
  await show(<SyncIndicator state="silent" count={2} onOpen={() => {}} />);
  await show(<SyncIndicator state="delivered" onOpen={() => {}} />);
  await act(async () => vi.advanceTimersByTime(9_000));
  expect(spoken(container)).toBe('нет сети, 2 ответа на устройстве');
  await act(async () => vi.advanceTimersByTime(1_500));
  expect(spoken(container)).toBe('все ответы на сервере');
  await unmount();
});

test.each([
  ['delivered', 0, 'на сервере', 'все ответы на сервере'],
  ['sending', 2, 'отправляем 2', 'отправляем 2 ответа'],
  ['offline', 0, 'нет сети', 'нет сети'],
  ['offline', 1, '1 на устройстве', 'нет сети, 1 ответ на устройстве'],
  ['silent', 0, 'сервер не отвечает', 'сервер не отвечает'],
  ['silent', 5, '5 на устройстве', 'сервер не отвечает, 5 ответов на устройстве'],
  ['signedOut', 1, 'войдите снова', 'войдите снова, 1 ответ ждёт'],
  ['setAside', 2, '2 не приняты', '2 ответа не приняты'],
  ['unstorable', 0, 'только по сети', 'ответы хранит только сервер'],
  ['secondTab', 0, 'открыт в другой вкладке', 'открыт в другой вкладке'],
  ['takenOver', 0, 'открыт на другом устройстве', 'открыт на другом устройстве'],
] as const)('%s with %i: «%s»', async (state, count, short, long) => {
  const { container, unmount } = await render(
    <SyncIndicator state={state} count={count} onOpen={() => {}} />,
  );
  const words = [...container.querySelectorAll('button > span')].map((one) => one.textContent);
  expect(words).toContain(short);
  expect(words).toContain(long);
  if (state !== 'delivered') expect(container.textContent).not.toContain('все ответы на сервере');
  const trail = container.querySelector('[data-stage]')?.getAttribute('data-stage') ?? null;
  expect(trail).toBe(state === 'delivered' ? 'server' : state === 'sending' ? 'sending' : null);
  await unmount();
});
