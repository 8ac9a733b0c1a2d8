import { beforeEach, expect, test, vi } from 'vitest';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { AttemptView, StartOutcome } from '#app/outbox/types.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { LostQuestions } from './LostQuestions.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

const running = {
  state: 1,
  serverTime: '2026-05-22T07:42:09.000Z',
  deadline: '2026-05-22T08:07:00.000Z',
};
const started = (questions: readonly unknown[]) =>
  ({ kind: 'started', started: { questions } }) as unknown as StartOutcome;

beforeEach(() => {
  vi.mocked(call).mockReset().mockResolvedValue(running);
});

const view = (changes: Partial<AttemptView> = {}) =>
  ({
    attemptId: 'a1',
    testId: 't1',
    title: 'Законы Ньютона',
    readOnly: null,
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

test('questions lost on the device are requested by the attempt’s own start', async () => {
  const { container, startAttempt } = await open(view(), started([{}]));
  expect(startAttempt.mock.calls).toEqual([['t1']]);
  expect(container.textContent).toContain('Загружаем вопросы');
});

test('without a network the page shows what is safe, and retries on demand', async () => {
  const unreachable = new ApiFailure({ kind: 'unreachable', method: 'GET', url: '/' });
  vi.mocked(call).mockRejectedValueOnce(unreachable);
  const { container, startAttempt, button, onLeave } = await open(view(), {
    kind: 'unknown',
    reachable: false,
  });
  expect(container.querySelector('[role="alert"]')?.textContent).toContain(
    'Вопросы этого теста на устройстве не сохранились. Сервер не отвечает.',
  );
  expect(container.textContent).toContain('сохранены и уйдут сами');
  expect(startAttempt).not.toHaveBeenCalled();
  await click(button('Повторить'));
  expect(startAttempt).toHaveBeenCalledOnce();
  await click(button('К тестам'));
  expect(onLeave).toHaveBeenCalledOnce();
});

test.each([
  ['was finished elsewhere', { ...running, state: 2 }],
  ['has no time left', { ...running, serverTime: '2026-05-22T08:06:50.000Z' }],
])(
  'an attempt that %s is not started again: a start would begin the next one',
  async (_why, passing) => {
    vi.mocked(call).mockResolvedValue(passing);
    const { container, startAttempt } = await open(view());
    expect(startAttempt).not.toHaveBeenCalled();
    expect(container.textContent).toContain('Время этого теста вышло, или он завершён.');
  },
);

test('a start without questions is reported', async () => {
  const { container, button } = await open(view(), started([]));
  expect(container.textContent).toContain('Сервер больше не показывает их.');
  expect(button('Повторить')).toBeDefined();
});

test.each([
  ['the time is over', { readOnly: 'timeOver' }],
  ['it is finished', { readOnly: 'finishing' }],
  ['another device has it', { readOnly: 'takenOver' }],
] satisfies [string, Partial<AttemptView>][])('requests nothing if %s', async (_why, changes) => {
  const { container, startAttempt, button } = await open(view(changes));
  expect(call).not.toHaveBeenCalled();
  expect(startAttempt).not.toHaveBeenCalled();
  expect(button('Повторить')).toBeUndefined();
  expect(container.textContent).toContain('на устройстве не сохранились');
});

test.each([
  [
    { kind: 'refused', status: 403, code: 'no', message: 'Тест вам не назначен.' },
    'Тест вам не назначен.',
  ],
  [
    { kind: 'runningElsewhere', attemptId: 'a1', lastHeardAt: null },
    'Тест продолжается на другом устройстве.',
  ],
  [
    { kind: 'unknown', reachable: true },
    'Сервер сейчас не отвечает. Вопросы загрузятся, когда появится связь.',
  ],
] satisfies [StartOutcome, string][])(
  'a start that ends with %o says why',
  async (outcome, words) => {
    const { container } = await open(view(), outcome);
    expect(container.textContent).toContain(words);
    expect(vi.mocked(call).mock.lastCall?.[1]).toEqual({ params: { attemptId: 'a1' } });
  },
);

test('an attempt with just enough time requests its questions', async () => {
  vi.mocked(call).mockResolvedValue({ ...running, serverTime: '2026-05-22T08:06:45.000Z' });
  const { startAttempt } = await open(view(), started([{}]));
  expect(startAttempt).toHaveBeenCalledOnce();
});
