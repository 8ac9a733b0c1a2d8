import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { TakeOverModal } from './TakeOverModal.tsx';
import type { RunningElsewhere, Start } from './use-start.ts';

const NOW = Date.parse('2026-05-22T08:22:00Z');
const device = { serverNow: () => NOW, timeZone: 'Europe/Moscow' } as DeviceServices;

async function open(lastHeardAt: string | null) {
  const start = vi.fn<Start['start']>();
  const cancelTakeOver = vi.fn<Start['cancelTakeOver']>();
  const elsewhere: RunningElsewhere = { kind: 'runningElsewhere', attemptId: 'a1', lastHeardAt };
  const { container, unmount } = await render(
    <DeviceContext value={device}>
      <TakeOverModal
        start={{ isStarting: false, problem: null, elsewhere, start, cancelTakeOver }}
      />
    </DeviceContext>,
  );
  const press = (words: string) =>
    click([...container.querySelectorAll('button')].find((one) => one.textContent === words));
  const words = container.textContent.replaceAll('\u00A0', ' ');
  return { words, press, start, cancelTakeOver, unmount };
}

test('it says which answers will be here, and what becomes of the others', async () => {
  const { words, unmount } = await open(new Date(NOW - 300_000).toISOString());
  expect(words).toContain('Оно было на связи в 11:17, 5 мин назад.');
  expect(words).toContain('Ответы, которые дошли до сервера, будут и здесь.');
  expect(words).toContain(
    'Они дойдут, когда оно выйдет на связь, и займут вопросы, на которые здесь ответа нет.',
  );
  await unmount();
});

test('a contact of another day is named with its day', async () => {
  const { words, unmount } = await open(new Date(NOW - 25 * 3_600_000).toISOString());
  expect(words).toContain('Оно было на связи 21 мая, 10:22, 1 день назад.');
  await unmount();
});

test('a device that the server never met is not said to have been online', async () => {
  const { words, unmount } = await open(null);
  expect(words).toContain('Сервер его ещё не слышал.');
  expect(words).not.toContain('на связи в');
  await unmount();
});

test('the attempt elsewhere continues here only after «Продолжить здесь»', async () => {
  const { press, start, cancelTakeOver, unmount } = await open(null);
  await press('Не продолжать');
  expect(cancelTakeOver).toHaveBeenCalledOnce();
  expect(start).not.toHaveBeenCalled();
  await press('Продолжить здесь');
  expect(start.mock.calls).toEqual([['a1']]);
  await unmount();
});
