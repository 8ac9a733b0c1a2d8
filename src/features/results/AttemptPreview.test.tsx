import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { AttemptPreview as Preview } from '#contract/results.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
import { AttemptPreview } from './AttemptPreview.tsx';
import { previewQuery } from './queries.ts';

vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

const NOW = Date.parse('2026-05-22T08:05:00Z');
const ID = '01900000-0000-7000-8000-000000000001';
const EVENING = '2026-05-22T15:00:00Z';
const hidden: Preview = {
  testId: ID,
  title: 'Законы Ньютона',
  attemptId: ID,
  attemptNumber: 1,
  userId: ID,
  userName: 'Анна Кузнецова',
  state: 2,
  ownAnswersFrom: EVENING,
  pointsFrom: null,
  correctAnswersFrom: EVENING,
  shows: { ownAnswers: false, points: false, correctAnswers: false },
  score: null,
  maxScore: 40,
  items: [],
};

async function shownFor(changes: Partial<Preview>, viewerId = ID): Promise<string> {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(previewQuery(ID).queryKey, {
    data: { ...hidden, ...changes },
    savedAt: null,
  });
  const outbox = { subscribe: () => () => undefined, snapshot: async () => null };
  const device = { outbox, serverNow: () => NOW, timeZone: 'Europe/Moscow' };
  const { container, unmount } = await render(
    <DeviceContext value={device as unknown as DeviceServices}>
      <QueryClientProvider client={client}>
        <AttemptPreview testId={ID} attemptId={ID} viewerId={viewerId} />
      </QueryClientProvider>
    </DeviceContext>,
  );
  const words = container.textContent.replaceAll('\u00A0', ' ');
  await unmount();
  return words;
}

test('a student reads when each hidden part is shown, or that it is not', async () => {
  const words = await shownFor({});
  expect(words).toContain('Ваши ответы откроются сегодня, 18:00.');
  expect(words).toContain('Преподаватель не показывает баллы.');
  expect(words).toContain('Верные ответы откроются сегодня, 18:00.');
});

test('a part that is shown is not announced', async () => {
  const shows = { ownAnswers: true, points: true, correctAnswers: false };
  const words = await shownFor({ shows, score: 29 });
  expect(words).toContain('29 из 40 баллов');
  expect(words).toContain('Верные ответы откроются');
  expect(words).not.toMatch(/Ваши ответы откроются|не показывает баллы/);
});

test('while the attempt runs no part is promised', async () => {
  const words = await shownFor({ state: 1 });
  expect(words).toContain('баллы и верные ответы во время попытки не показываются');
  expect(words).not.toContain('откроются');
});

test('the teacher reads what the student does not see yet', async () => {
  const shows = { ownAnswers: true, points: true, correctAnswers: true };
  const words = await shownFor({ shows }, 'teacher');
  expect(words).toContain('Анна Кузнецова');
  expect(words).toContain('Баллы ученику не показываются.');
  expect(words).toContain('Верные ответы ученик увидит сегодня, 18:00.');
});

test('an attempt on another test than the address names is not shown', async () => {
  expect(await shownFor({ testId: 'other' })).not.toContain('Законы Ньютона');
});
