import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
import { AttemptsList } from './AttemptsList.tsx';
import { attemptsQuery } from './queries.ts';

vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

const ID = '01900000-0000-7000-8000-000000000001';

test.each([
  [0, 'Не начата', false],
  [1, 'Идёт', false],
  [2, 'Завершена', false],
  [2, 'Пробная', true],
] as const)('an attempt of state %i is labelled «%s»', async (state, label, trial) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const attempt = {
    attemptNumber: 1,
    attemptId: ID,
    score: null,
    maxScore: 4,
    state,
    startedAt: '2026-05-22T07:27:00Z',
    finishedAt: '2026-05-22T08:01:00Z',
    pendingReview: false,
    counts: false,
    trial,
  };
  client.setQueryData(attemptsQuery(ID).queryKey, {
    data: {
      testId: ID,
      title: 'Законы Ньютона',
      totalAttempts: 1,
      countedAttempt: 'best',
      mark: null,
      attempts: [attempt],
    },
    savedAt: null,
  });
  const { container, unmount } = await render(
    <DeviceContext value={{ serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices}>
      <QueryClientProvider client={client}>
        <AttemptsList testId={ID} />
      </QueryClientProvider>
    </DeviceContext>,
  );
  expect(container.querySelector('li')?.textContent).toContain(label);
  await unmount();
});
