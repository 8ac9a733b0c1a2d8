import { expect, test, vi } from 'vitest';
import type { BoardRow } from '#contract/board.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
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
