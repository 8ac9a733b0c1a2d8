import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Board, BoardRow, GrantedTime } from '#contract/board.ts';
import { getLostTime, getSilence, giveTimeBack, type LostTime } from '#contract/lost-time.ts';
import type { Route } from '#contract/route.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { call } from '#app/api/call.ts';
import { StudentModal } from '#app/features/board/StudentModal.tsx';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, press, render, waitForShown, type Rendered } from '#app/ui/test-render.tsx';
import { LostTimeNote } from './LostTimeNote.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  useRouter: () => undefined,
}));

const NOW = Date.parse('2026-05-22T07:30:00Z');
const period = { from: '2026-05-22T07:02:00.000Z', to: '2026-05-22T07:09:00.000Z' };

const row = (name: string, changes: Partial<BoardRow> = {}): BoardRow => ({
  userId: name,
  userName: name,
  groups: [],
  attemptId: `attempt-${name}`,
  attemptNumber: 1,
  trial: false,
  state: 'running',
  startedAt: '2026-05-22T07:00:00.000Z',
  deadline: '2026-05-22T07:40:00.000Z',
  countsUntil: null,
  finishedAt: null,
  answered: 1,
  totalQuestions: 5,
  lastSeenAt: null,
  unsent: 0,
  unsentAt: null,
  unsentSince: null,
  filesUnderway: 0,
  held: 0,
  devices: 1,
  ...changes,
});
const board = (rows: BoardRow[]): Board => ({
  testId: 't1',
  title: 'Законы Ньютона',
  serverTime: new Date(NOW).toISOString(),
  startTime: null,
  endTime: null,
  rows,
  trials: 0,
});
const lost = (name: string, changes: Partial<LostTime> = {}): LostTime => ({
  attemptId: `attempt-${name}`,
  minutes: 7,
  minutesWithSilence: 7,
  causes: [{ cause: 'outage', periods: [period] }],
  ...changes,
});
const SILENT: Partial<LostTime> = {
  minutes: 0,
  minutesWithSilence: 7,
  causes: [{ cause: 'silence', periods: [period] }],
};

let items: LostTime[];
let reply: GrantedTime;
let failure: Error | null;
let shown: Rendered;
const sent: { key: string; attemptIds: string[]; withSilence: boolean }[] = [];
const onGiven = vi.fn();

beforeEach(() => {
  sent.length = 0;
  failure = null;
  onGiven.mockReset();
  vi.mocked(call).mockImplementation((async (route: Route, { body }: { body?: unknown }) => {
    if (route.name === getLostTime.name) return { items, total: items.length };
    if (route.name === getSilence.name) return { periods: [period], isAgeUnknown: false };
    if (route.name !== giveTimeBack.name) throw new Error(`Not expected: ${route.name}`);
    sent.push(body as (typeof sent)[number]);
    if (failure) throw failure;
    items = [];
    return reply;
  }) as never);
});
afterEach(async () => {
  vi.useRealTimers();
  await shown.unmount();
});

const frame = (content: React.ReactNode) => (
  <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
    <DeviceContext value={{ serverNow: () => NOW, timeZone: 'Europe/Moscow' } as DeviceServices}>
      {content}
    </DeviceContext>
  </QueryClientProvider>
);

async function open(rows: BoardRow[], given: LostTime[]) {
  items = given;
  reply = {
    extended: given.map(({ attemptId }) => ({ attemptId, deadline: '2026-05-22T07:47:00.000Z' })),
    skipped: [],
  };
  shown = await render(frame(<LostTimeNote board={board(rows)} now={NOW} onGiven={onGiven} />));
  await waitForShown(() => expect(call).toHaveBeenCalled());
}
const pageText = () => document.body.textContent.replaceAll('\u00A0', ' ');
const button = (name: string) =>
  [...document.querySelectorAll('button')].find((one) =>
    one.textContent.replaceAll('\u00A0', ' ').startsWith(name),
  );
const tap = async (name: string) => {
  await waitForShown(() => expect(button(name), name).toBeDefined());
  await click(button(name));
};
/** Its code is loaded when it is opened. */
const openList = async (name: string) => {
  await tap(name);
  await waitForShown(() => expect(document.querySelector('[role=dialog] label')).not.toBeNull());
};
const spend = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));

test('nothing is shown while nobody on the board lost time', async () => {
  await open([row('Анна')], [lost('Борис')]);
  expect(shown.container.textContent).toBe('');
});

test('the note names how many lost how much, is announced, and the list gives the reasons', async () => {
  await open(
    [row('Борис', { state: 'closed' }), row('Анна')],
    [lost('Анна'), lost('Борис', { minutes: 3, minutesWithSilence: 3 })],
  );
  await waitForShown(() => expect(button('Вернуть от 3 до 7 минут 2 ученикам…')).toBeDefined());
  const announced = [...document.querySelectorAll('output')].map((one) => one.textContent);
  expect(announced).toContain('Сбой школы отнял время у 2 учеников');
  await openList('Вернуть от 3 до 7 минут 2 ученикам…');
  const rows = [...document.querySelectorAll('[role=dialog] label')].map((one) => one.textContent);
  expect(rows).toEqual([
    'Анна 7 минутНе работал сервер с 10:02 до 10:09.',
    'Борис 3 минутыНе работал сервер с 10:02 до 10:09. Сервер закрыл тест ученика: он пойдёт снова.',
  ]);
  expect(pageText()).toContain('Что в это время делал ученик, они не показывают');
});

const CHANGED: Partial<LostTime> = { causes: [{ cause: 'takeOver', periods: [period] }] };

test.each<[string, LostTime[], string]>([
  ['a server that was away', [lost('Анна')], 'Сбой школы отнял время у 1 ученика'],
  ['a change of device', [lost('Анна', CHANGED)], 'Смена устройства отняла время у 1 ученика'],
  [
    'both',
    [lost('Анна', CHANGED), lost('Борис')],
    'Сбой школы или смена устройства отняли время у 2 учеников',
  ],
])('the note calls %s what it is', async (_, given, message) => {
  await open([row('Анна'), row('Борис')], given);
  await waitForShown(() => expect(pageText()).toContain(`${message}.`));
});

test('the chosen get their minutes after 15 s, in one act; until then it can be undone', async () => {
  await open([row('Анна'), row('Борис')], [lost('Анна'), lost('Борис')]);
  await openList('Вернуть по 7 минут 2 ученикам…');
  await click(document.querySelectorAll('[role=dialog] input')[1]);
  vi.useFakeTimers();
  await click(button('Вернуть по 7 минут 1 ученику'));
  expect(document.activeElement?.textContent).toBe('Не возвращать');
  await spend(14_000);
  expect(pageText()).toContain('через 1 с');
  await click(button('Не возвращать'));
  await spend(60_000);
  expect(sent).toEqual([]);
  await click(button('Вернуть по 7 минут 1 ученику'));
  await spend(15_000);
  await spend(100);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ attemptIds: ['attempt-Анна'], withSilence: false });
  expect(pageText()).toContain('новый срок 10:47');
  expect(document.activeElement?.textContent).toBe('Готово');
  await click(button('Готово'));
  expect(onGiven).toHaveBeenCalled();
});

test('closing the window before the time is over gives nothing', async () => {
  await open([row('Анна')], [lost('Анна')]);
  await openList('Вернуть по 7 минут 1 ученику…');
  vi.useFakeTimers();
  await click(button('Вернуть по 7 минут 1 ученику'));
  await click(
    [...document.querySelectorAll('[role=dialog] button')].find((one) =>
      one.textContent.startsWith('Вернуть по'),
    ),
  );
  expect(pageText()).toContain('Если закрыть это окно или страницу, они не вернутся');
  await press(document.activeElement, 'Escape');
  await spend(60_000);
  expect(document.querySelector('[role=dialog]')).toBeNull();
  expect(sent).toEqual([]);
});

test('a lost reply is repeated under the same key', async () => {
  await open([row('Анна')], [lost('Анна')]);
  await openList('Вернуть по 7 минут 1 ученику…');
  const again = async () => {
    await click(
      [...document.querySelectorAll('[role=dialog] button')].find((one) =>
        one.textContent.startsWith('Вернуть'),
      ),
    );
    await tap('Вернуть сразу');
  };
  failure = new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/', message: '' });
  await again();
  await waitForShown(() => expect(pageText()).toContain('дважды время не прибавится'));
  failure = null;
  await again();
  await waitForShown(() => expect(button('Готово')).toBeDefined());
  expect(sent).toHaveLength(2);
  expect(sent[0]?.key).toBe(sent[1]?.key);
});

test('silence alone is a quiet note; beside a fault it counts only where the teacher wants it', async () => {
  await open([row('Анна')], [lost('Анна', SILENT)]);
  await waitForShown(() => expect(pageText()).toContain('Больше минуты без связи: 1 ученик.'));
  await openList('Вернуть минуты…');
  expect(pageText()).toContain('Не было связи с 10:02 до 10:09.');
  await shown.unmount();

  await open([row('Анна'), row('Борис')], [lost('Анна'), lost('Борис', SILENT)]);
  await openList('Вернуть по 7 минут 1 ученику…');
  expect(pageText()).not.toContain('Борис');
  expect(pageText()).toContain('Без связи можно писать дальше, поэтому само оно не считается.');
  await click([...document.querySelectorAll('[role=dialog] input')].at(-1));
  expect(pageText()).toContain('Борис');
  await tap('Вернуть по 7 минут 2 ученикам');
  await tap('Вернуть сразу');
  await waitForShown(() => expect(sent[0]?.withSilence).toBe(true));
});

test('the details of a student show when the device was silent, by its own reports', async () => {
  items = [];
  shown = await render(
    frame(
      <StudentModal
        row={row('Анна')}
        testId="t1"
        now={NOW}
        onClose={() => undefined}
        onAddTime={null}
      />,
    ),
  );
  await waitForShown(() =>
    expect(pageText()).toContain('Устройствомолчало с 10:02 до 10:09, часы не переводили'),
  );
});
