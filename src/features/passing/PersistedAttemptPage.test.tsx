import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { PersistedAttemptPage } from './PersistedAttemptPage.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

const NOW = Date.parse('2026-05-22T07:50:00Z');
const passing = {
  userTestId: 'a1',
  testId: 't1',
  title: 'Законы Ньютона',
  attemptNumber: 1,
  attemptsCount: 2,
  state: 1,
  leftTestTime: '00:24:51',
  startedAt: '2026-05-22T07:27:00.000Z',
  deadline: '2026-05-22T08:07:00.000Z',
  countsUntil: '2026-05-22T08:22:00.000Z',
  finishedAt: null,
  serverTime: '2026-05-22T07:42:09.000Z',
};
const place = (sequence: number) => ({
  operationId: `o${sequence}`,
  epoch: 1,
  sequence,
  receivedAt: `2026-05-22T07:4${sequence}:00.000Z`,
  receivedLate: false,
});
const saved = {
  openAnswers: [{ questionId: 'q1', kind: 'open', text: '4,9', ...place(1) }],
  variantAnswers: [{ questionId: 'q2', kind: 'variant', optionIds: ['a', 'b'], ...place(2) }],
  orderingAnswers: [],
  gapsAnswers: [],
  complianceAnswers: [
    { questionId: 'q3', kind: 'compliance', pairs: [{ leftId: 'l', rightId: 'r' }], ...place(3) },
  ],
  fileAnswers: [
    {
      questionId: 'q4',
      kind: 'file',
      fileId: 'f',
      name: 'фото.jpg',
      size: 2_516_582,
      mimeType: 'image/jpeg',
      sha256: '',
      ...place(4),
    },
  ],
};

const unreachable = failure({ kind: 'unreachable' });
function failure(parts: Pick<FailureParts, 'kind' | 'status'>) {
  return new ApiFailure({ method: 'GET', url: '/', ...parts });
}

const device = (isDurable: boolean, serverNow: number | null = null) =>
  ({
    serverNow: () => serverNow ?? NOW,
    timeZone: 'Europe/Moscow',
    outbox: { serverNow: () => serverNow },
    storage: { durable: isDurable },
  }) as unknown as DeviceServices;

async function open({
  isDurable = true,
  serverNow = null as number | null,
  known = true,
  serverTime = passing.serverTime,
} = {}) {
  const client = new QueryClient();
  if (known) {
    client.setQueryData(['test/passing', 'a1'], { ...passing, serverTime });
    client.setQueryData(['test/savedAnswers', 'a1'], saved);
  }
  const onAbsent = vi.fn();
  const screen = await render(
    <DeviceContext value={device(isDurable, serverNow)}>
      <QueryClientProvider client={client}>
        <PersistedAttemptPage testId="t1" onAbsent={onAbsent} onLeave={() => undefined} />
      </QueryClientProvider>
    </DeviceContext>,
  );
  const text = () =>
    (screen.container.querySelector('main')?.textContent ?? '').replaceAll('\u00a0', ' ');
  const settled = (check: () => void) => act(async () => vi.waitFor(check));
  return { ...screen, client, onAbsent, text, settled };
}

beforeEach(() => void vi.mocked(call).mockReset().mockRejectedValue(unreachable));

test('without a server, the time left and the saved answers are shown with the time they were saved', async () => {
  const { text, settled, container, onAbsent, unmount } = await open();
  await settled(() => expect(text()).not.toBe(''));
  expect(container.querySelector('[role=timer]')?.textContent).toBe('17:00 осталось');
  expect(text()).toContain(
    'Показано сохранённое в 10:42. Нет связи с сервером, а в памяти браузера этого теста нет.',
  );
  expect(text()).toContain('Время посчитано по часам этого устройства.');
  const rows = [...container.querySelectorAll('li')].map(({ textContent }) =>
    textContent.replaceAll('\u00a0', ' '),
  );
  expect(rows).toEqual([
    '4,9Сохранено на сервере 10:41',
    'Выбрано: 2 вариантаСохранено на сервере 10:42',
    'Составлено: 1 параСохранено на сервере 10:43',
    'Файл «фото.jpg», 2,4 МБСохранено на сервере 10:44',
  ]);
  expect(container.querySelector('textarea, input')).toBeNull();
  expect(onAbsent).not.toHaveBeenCalled();
  await unmount();
});

test('what was saved on another day is shown with its day', async () => {
  const { text, settled, unmount } = await open({ serverTime: '2026-05-21T07:42:00.000Z' });
  await settled(() => expect(text()).toContain('Показано сохранённое 21 мая, 10:42.'));
  await unmount();
});

test('an unresponsive IndexedDB is not reported as «test not found»', async () => {
  const { text, settled, unmount } = await open({ isDurable: false });
  await settled(() => expect(text()).not.toBe(''));
  expect(text()).toContain('Показано сохранённое в 10:42. Нет связи с сервером. Ответы, которых');
  expect(text()).toContain('Память браузера не отвечает');
  expect(text()).toContain('То, что было сохранено на устройстве, не пропало.');
  await unmount();
});

test('the time left uses the server clock when the offset is known', async () => {
  const { text, settled, container, unmount } = await open({ serverNow: NOW + 60_000 });
  await settled(() => expect(text()).not.toBe(''));
  expect(container.querySelector('[role=timer]')?.textContent).toBe('16:00 осталось');
  expect(text()).not.toContain('по часам');
  await unmount();
});

test.each([
  ['answers', () => vi.mocked(call).mockResolvedValue({ ...passing, state: 2 })],
  [
    'knows no such attempt',
    () => vi.mocked(call).mockRejectedValue(failure({ kind: 'refused', status: 404 })),
  ],
  [
    'refuses the request',
    () => vi.mocked(call).mockRejectedValue(failure({ kind: 'refused', status: 400 })),
  ],
  [
    'has deleted it',
    () => vi.mocked(call).mockRejectedValue(failure({ kind: 'refused', status: 410 })),
  ],
])('a server that %s is believed, not the copy', async (_, arrange) => {
  arrange();
  const { text, settled, onAbsent, unmount } = await open();
  await settled(() => expect(onAbsent).toHaveBeenCalled());
  expect(text()).toBe('');
  await unmount();
});

test.each([
  ['is broken', failure({ kind: 'refused', status: 503 })],
  ['is overloaded', failure({ kind: 'refused', status: 429 })],
  ['was too slow', failure({ kind: 'refused', status: 408 })],
  ['has failed', failure({ kind: 'refused', status: 500 })],
  ['is a portal', failure({ kind: 'notOurs', status: 200 })],
])('a server that %s changes nothing', async (_, error) => {
  vi.mocked(call).mockRejectedValue(error);
  const { text, settled, onAbsent, unmount } = await open();
  await settled(() => expect(text()).toContain('Показано сохранённое'));
  expect(onAbsent).not.toHaveBeenCalled();
  await unmount();
});

test('without a persisted attempt nothing is requested or shown', async () => {
  const { text, onAbsent, settled, unmount } = await open({ known: false });
  await settled(() => expect(onAbsent).toHaveBeenCalled());
  expect(call).not.toHaveBeenCalled();
  expect(text()).toBe('');
  expect(NO_SAVED_ANSWERS.openAnswers).toEqual([]);
  await unmount();
});

test('an order and gaps are counted as they were answered', async () => {
  const order = { questionId: 'q5', kind: 'ordering', itemIds: ['a', 'b', 'c'], ...place(5) };
  const gaps = [
    { gapId: '1', text: 'Рим' },
    { gapId: '2', text: '' },
  ];
  const { client, settled, container, text } = await open({ known: false });
  expect(text()).toBe('');
  client.setQueryData(['test/passing', 'a1'], passing);
  client.setQueryData(['test/savedAnswers', 'a1'], {
    ...NO_SAVED_ANSWERS,
    orderingAnswers: [order],
    gapsAnswers: [{ questionId: 'q6', kind: 'gaps', gaps, ...place(6) }],
  });
  const again = await render(
    <DeviceContext value={device(true)}>
      <QueryClientProvider client={client}>
        <PersistedAttemptPage testId="t1" onAbsent={() => undefined} onLeave={() => undefined} />
      </QueryClientProvider>
    </DeviceContext>,
  );
  await settled(() => expect(again.container.querySelectorAll('li')).toHaveLength(2));
  const rows = [...again.container.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(rows[0]).toContain('Расставлено: 3 пункта');
  expect(rows[1]).toContain('Заполнено: 1 пропуск');
  expect(container.textContent).toBe('');
});

test('«Проверить сеть» asks the server about this attempt once more', async () => {
  const { text, settled, container, unmount } = await open();
  await settled(() => expect(text()).not.toBe(''));
  vi.mocked(call).mockClear();
  const button = [...container.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Проверить сеть',
  );
  await click(button);
  expect(vi.mocked(call).mock.calls).toEqual([
    [expect.anything(), { params: { attemptId: 'a1' } }, { signal: expect.any(AbortSignal) }],
  ]);
  await unmount();
});
