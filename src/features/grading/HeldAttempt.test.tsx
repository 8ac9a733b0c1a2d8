// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { HeldOfAttempt } from '#contract/grading.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { fetchPicture } from '#app/lib/files.ts';
import { render } from '#app/ui/test-render.tsx';
import { HeldAttempt } from './HeldAttempt.tsx';

vi.mock('#app/lib/files.ts', () => ({ fetchPicture: vi.fn() }));

const KEY = '01900000-0000-7000-8000-000000000001';

const attempt: HeldOfAttempt = {
  attemptId: KEY,
  attemptNumber: 1,
  trial: false,
  userId: KEY,
  userName: 'Анна Кузнецова',
  groups: [],
  deadline: '2026-03-02T06:00:00.000Z',
  countsUntil: '2026-03-02T06:15:00.000Z',
  score: 1,
  scoreIfAccepted: 2,
  scoreIfRefused: 1,
  maxScore: 2,
  answers: [
    {
      operationId: KEY,
      questionId: KEY,
      number: 1,
      questionText: `Что это? ![схема](file:${KEY})`,
      answer: { questionId: KEY, kind: 'open', text: 'мост' },
      answerText: 'мост',
      writtenAt: null,
      seenServerAt: null,
      receivedAt: '2026-03-02T07:00:00.000Z',
      afterResult: false,
      decision: null,
    },
  ],
};

test('a teacher who decides on a late answer sees the picture of its question', async () => {
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
  vi.mocked(fetchPicture).mockResolvedValue(new Blob(['x'], { type: 'image/png' }));
  const device = { serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices;
  const { container, unmount } = await render(
    <DeviceContext value={device}>
      <HeldAttempt attempt={attempt} isBusy={false} onDecide={() => undefined} />
    </DeviceContext>,
  );
  // Loaded parts arrive outside of any `act`.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  await vi.waitFor(
    () => expect(container.querySelector('img')?.getAttribute('src')).toBe('blob:x'),
    { timeout: 4_000 },
  );
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  expect(fetchPicture).toHaveBeenCalledWith(KEY);
  await unmount();
});

type HeldAnswer = HeldOfAttempt['answers'][number];

test.each<[string, HeldAnswer['answer'], string]>([
  ['typed text', { questionId: KEY, kind: 'open', text: '' }, '2**3**4'],
  ['typed gap', { questionId: KEY, kind: 'gaps', gaps: [] }, '2**3**4'],
  ['chosen option', { questionId: KEY, kind: 'variant', optionIds: [] }, '234'],
])('a %s of «2**3**4» is shown as %3$s', async (_, answer, shown) => {
  const device = { serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices;
  const answers = attempt.answers.map((one) => ({
    ...one,
    questionText: 'Что это?',
    answer,
    answerText: '2**3**4',
  }));
  const { container, unmount } = await render(
    <DeviceContext value={device}>
      <HeldAttempt attempt={{ ...attempt, answers }} isBusy={false} onDecide={() => undefined} />
    </DeviceContext>,
  );
  await vi.waitFor(() => expect(container.querySelector('.pre-wrap')?.textContent).toBe(shown));
  await unmount();
});
