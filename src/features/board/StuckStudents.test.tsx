import { expect, test, vi } from 'vitest';
import type { BoardRow } from '#contract/board.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
import { LastContact } from './Signs.tsx';
import { StuckStudents } from './StuckStudents.tsx';

const NOW = Date.parse('2026-05-24T07:49:12.000Z');
const LAST_SEEN = new Date(NOW - 360_000).toISOString();

const row: BoardRow = {
  userId: 'anna',
  userName: 'Кузнецова Анна',
  groups: ['9А'],
  attemptId: 'attempt',
  attemptNumber: 1,
  trial: false,
  state: 'running',
  startedAt: LAST_SEEN,
  deadline: null,
  countsUntil: null,
  finishedAt: null,
  answered: 9,
  totalQuestions: 20,
  lastSeenAt: LAST_SEEN,
  unsent: 2,
  unsentAt: LAST_SEEN,
  unsentSince: LAST_SEEN,
  filesUnderway: 0,
  held: 0,
  devices: 1,
};

test.each([
  [1280, 'table'],
  [639, 'ul'],
])(
  'at %d px students with undelivered answers are listed in a %s, each described in text',
  async (width, element) => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: Number(/min-width: (\d+)px/.exec(query)?.[1]) <= width,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    const { container, unmount } = await render(
      <DeviceContext value={{ serverNow: () => NOW, timeZone: 'Europe/Moscow' } as DeviceServices}>
        <StuckStudents rows={[row]} now={NOW} isAlone={false} onOpen={() => undefined} />
      </DeviceContext>,
    );
    const shown = [...container.querySelectorAll('table, ul')];
    expect(shown.map(({ tagName }) => tagName.toLowerCase())).toEqual([element]);
    const content = shown[0]?.textContent?.replaceAll('\u00A0', ' ');
    for (const text of ['Кузнецова Анна', '9/20', 'нет связи 6 мин', '2 ответа было на устройстве'])
      expect(content).toContain(text);
    await unmount();
    vi.unstubAllGlobals();
  },
);

const SECOND_AGO = new Date(NOW - 1_000).toISOString();

test.each<[string, Partial<BoardRow>, string]>([
  ['reported nothing unsent', { unsent: 0 }, 'в 10:43 всё было на сервере'],
  [
    'never reported',
    { unsent: 0, unsentAt: null, unsentSince: null },
    'что на устройстве, неизвестно',
  ],
  ['is away with answers', {}, '2 ответа было на устройстве в 10:43'],
  ['is away with a file', { unsent: 0, filesUnderway: 1 }, '1 файл был на устройстве в 10:43'],
  ['is online', { lastSeenAt: SECOND_AGO }, '2 ответа отправляются 6 мин'],
])('of a device that %s only what it said last is shown', async (_, changes, sentence) => {
  const { container, unmount } = await render(
    <DeviceContext value={{ serverNow: () => NOW, timeZone: 'Europe/Moscow' } as DeviceServices}>
      <LastContact row={{ ...row, ...changes }} now={NOW} />
    </DeviceContext>,
  );
  const words = container.textContent.replaceAll('\u00A0', ' ');
  expect(words).toContain(sentence);
  expect(words.includes('всё было на сервере')).toBe(sentence.includes('всё было на сервере'));
  await unmount();
});
