import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { BoardRow } from '#contract/board.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
import { StudentModal } from './StudentModal.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn(() => new Promise(() => undefined)) }));
vi.mock('@tanstack/react-router', () => ({
  Link: ({ search, children }: { search: Record<string, string>; children: string }) => (
    <a href={`?${new URLSearchParams(search)}`}>{children}</a>
  ),
  useRouter: () => undefined,
}));

const NOW = Date.parse('2026-05-24T07:49:12.000Z');

const row: BoardRow = {
  userId: 'anna',
  userName: 'Кузнецова Анна',
  groups: ['9А'],
  attemptId: 'attempt',
  attemptNumber: 1,
  trial: false,
  state: 'running',
  startedAt: null,
  deadline: null,
  countsUntil: null,
  finishedAt: null,
  answered: 9,
  totalQuestions: 20,
  lastSeenAt: null,
  unsent: 0,
  unsentAt: null,
  unsentSince: null,
  filesUnderway: 0,
  held: 2,
  devices: 1,
};

test.each([
  [false, '?view=held'],
  [true, '?view=held&trials=1'],
])('the link to late answers opens them (trial: %s)', async (trial, expected) => {
  const { unmount } = await render(
    <QueryClientProvider client={new QueryClient()}>
      <DeviceContext value={{ serverNow: () => NOW, timeZone: 'Europe/Moscow' } as DeviceServices}>
        <StudentModal
          row={{ ...row, trial }}
          testId="t1"
          now={NOW}
          onClose={() => undefined}
          onAddTime={() => undefined}
        />
      </DeviceContext>
    </QueryClientProvider>,
  );
  const link = [...document.querySelectorAll('a')].find(
    ({ textContent }) => textContent === 'Решить о поздних ответах',
  );
  expect(link?.getAttribute('href')).toBe(expected);
  await unmount();
});
