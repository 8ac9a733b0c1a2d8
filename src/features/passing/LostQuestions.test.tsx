import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { AttemptView, StartOutcome } from '#app/outbox/types.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { LostQuestions } from './LostQuestions.tsx';

const view = (changes: Partial<AttemptView> = {}) =>
  ({
    testId: 't1',
    title: 'Законы Ньютона',
    readOnly: null,
    remainingMs: 600_000,
    ...changes,
  }) as AttemptView;

async function open(shown: AttemptView, ...outcomes: StartOutcome[]) {
  const startAttempt = vi.fn<(testId: string) => Promise<StartOutcome>>();
  for (const outcome of outcomes) startAttempt.mockResolvedValueOnce(outcome);
  const device = { outbox: { startAttempt } } as unknown as DeviceServices;
  const onLeave = vi.fn<() => void>();
  const { container } = await render(
    <DeviceContext value={device}>
      <LostQuestions view={shown} onLeave={onLeave} />
    </DeviceContext>,
  );
  const button = (name: string) =>
    [...container.querySelectorAll('button')].find((one) => one.textContent === name);
  return { container, startAttempt, onLeave, button };
}

test('questions that the device lost are asked for again by the attempt’s own start', async () => {
  const { container, startAttempt } = await open(view(), {
    kind: 'started',
  } as unknown as StartOutcome);
  expect(startAttempt.mock.calls).toEqual([['t1']]);
  expect(container.textContent).toContain('Загружаем вопросы');
});

test('without a network the page says what is safe, and asks again when it is told to', async () => {
  const unknown: StartOutcome = { kind: 'unknown', reachable: false };
  const { container, startAttempt, button, onLeave } = await open(view(), unknown, unknown);
  expect(container.querySelector('[role="alert"]')?.textContent).toContain(
    'Вопросы этого теста на устройстве не сохранились. Сервер сейчас не отвечает.',
  );
  expect(container.textContent).toContain('сохранены и уйдут сами');
  await click(button('Повторить'));
  expect(startAttempt).toHaveBeenCalledTimes(2);
  await click(button('К тестам'));
  expect(onLeave).toHaveBeenCalledOnce();
});

test.each([
  ['the time is nearly over: a late start would begin the next attempt', { remainingMs: 15_000 }],
  ['it is finished', { readOnly: 'finishing' }],
  ['another device has it', { readOnly: 'takenOver' }],
] satisfies [string, Partial<AttemptView>][])(
  'nothing is started where %s',
  async (_why, changes) => {
    const { container, startAttempt, button } = await open(view(changes));
    expect(startAttempt).not.toHaveBeenCalled();
    expect(button('Повторить')).toBeUndefined();
    expect(container.textContent).toContain('на устройстве не сохранились');
  },
);
