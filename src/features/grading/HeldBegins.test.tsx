import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decideHolds, listHolds, type HeldBegin } from '#contract/offers.ts';
import type { Route } from '#contract/route.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, waitForShown, type Rendered } from '#app/ui/test-render.tsx';
import type { GradingSearch } from './grading-search.ts';
import { HeldBegins } from './HeldBegins.tsx';
import { heldBegin } from './test-entry.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({ useRouter: () => undefined }));

interface Sent {
  readonly body?: unknown;
  readonly query?: { readonly groupId?: string };
}

let begins: HeldBegin[];
let failure: Error | null;
let shown: Rendered;
const decided: unknown[] = [];

beforeEach(() => {
  decided.length = 0;
  failure = null;
  vi.mocked(call).mockImplementation((async (route: Route, { body, query }: Sent) => {
    if (route.name === listHolds.name) {
      const items = begins.filter(
        ({ groups }) => !query?.groupId || groups.includes(query.groupId),
      );
      return { items, total: items.length };
    }
    if (route.name !== decideHolds.name) throw new Error(`Not expected: ${route.name}`);
    if (failure) throw failure;
    decided.push(body);
    const { attemptIds, decision } = body as Pick<HeldBegin, 'decision'> & { attemptIds: string[] };
    begins = begins.map((one) => (attemptIds.includes(one.attemptId) ? { ...one, decision } : one));
    return { decided: attemptIds.length };
  }) as never);
});
afterEach(() => shown.unmount());

async function open(given: HeldBegin[], search: GradingSearch = {}) {
  begins = given;
  const device = {
    serverNow: () => Date.parse('2026-05-22T09:30:00Z'),
    timeZone: 'Europe/Moscow',
  } as DeviceServices;
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <DeviceContext value={device}>
        <HeldBegins testId="t1" search={search} />
      </DeviceContext>
    </QueryClientProvider>,
  );
}
const pageText = () => document.body.textContent.replaceAll('\u00A0', ' ');
const press = async (name: string) => {
  const button = () =>
    [...document.querySelectorAll('button')].find((one) => one.textContent === name);
  await waitForShown(() => expect(button(), name).toBeDefined());
  await click(button());
};

test('a class is decided in one act, after a question', async () => {
  await open([heldBegin('a'), heldBegin('b', { hold: 'unknownTime' })]);
  await waitForShown(() => expect(pageText()).toContain('Начат раньше, чем вы показали код'));
  expect(pageText()).toContain('Начат: сегодня, 09:50. Срок: сегодня, 10:30. Ждут: 5 ответов');
  expect(pageText()).toContain(
    'О начале устройство сообщило в 12:00; до этого оно было на связи в 09:44. Часы не переводили.',
  );
  await press('Выбрать все без решения: 2');
  await press('Принять…');
  expect(decided).toEqual([]);
  expect(pageText()).toContain('2 попытки.');
  await press('Принять');
  await waitForShown(() => expect(pageText()).toContain('Начало принято'));
  const shown = ['a beforeCode', 'b unknownTime'].map((stream) => ({ stream, decision: null }));
  expect(decided).toEqual([{ attemptIds: ['a', 'b'], decision: 'accept', shown }]);
});

test('with a chosen class, all are all of that class', async () => {
  await open([heldBegin('a'), heldBegin('b'), heldBegin('c', { groups: ['9Б'] })], { class: '9А' });
  await press('Выбрать все без решения: 2');
  expect(pageText()).not.toContain('Ученик c');
  await press('Принять…');
  await press('Принять');
  await waitForShown(() =>
    expect(decided).toMatchObject([{ attemptIds: ['a', 'b'], decision: 'accept' }]),
  );
});

test('a decided begin can be decided otherwise, and a failure is shown', async () => {
  await open([heldBegin('a', { decision: 'accept' })]);
  await waitForShown(() => expect(pageText()).toContain('Начало принято'));
  await click(document.querySelector('input[type=checkbox]'));
  await press('Отклонить…');
  failure = new ApiFailure({ kind: 'refused', method: 'POST', url: '/', message: 'Не вышло' });
  await press('Отклонить');
  await waitForShown(() => expect(pageText()).toContain('Не вышло'));
  failure = null;
  await press('Отклонить');
  await waitForShown(() => expect(pageText()).toContain('Начало отклонено'));
});

test('a decision is spoken, and the focus stays at the begins', async () => {
  await open([heldBegin('a'), heldBegin('b')]);
  const spoken = () => [...document.querySelectorAll('output')].map((one) => one.textContent);
  await waitForShown(() => expect(spoken()).toEqual(['']));
  const decide = async (decision: string, words: string) => {
    await click(document.querySelector('input[type=checkbox]'));
    await press(`${decision}…`);
    await press(decision);
    await waitForShown(() => expect(spoken()).toEqual([words]));
    await waitForShown(() => expect(document.querySelector('[role=dialog]')).toBeNull());
    expect(document.activeElement?.textContent).toBe('Начала без сети');
  };
  await decide('Принять', 'Начало принято: 1 попытка');
  await decide('Отклонить', 'Начало отклонено: 1 попытка');
});

test('another question does not open with the failure of the one before', async () => {
  await open([heldBegin('a')]);
  await waitForShown(() => expect(pageText()).toContain('Ждёт решения'));
  await click(document.querySelector('input[type=checkbox]'));
  await press('Принять…');
  failure = new ApiFailure({ kind: 'refused', method: 'POST', url: '/', message: 'Не вышло' });
  await press('Принять');
  await waitForShown(() => expect(pageText()).toContain('Не вышло'));
  await press('Не сейчас');
  expect(pageText()).toContain('Не вышло');
  await press('Отклонить…');
  await waitForShown(() => expect(pageText()).toContain('Отклонить начало?'));
  expect(pageText()).not.toContain('Не вышло');
});

const box = (at: number) => document.querySelectorAll('input[type=checkbox]')[at];
const second = { hold: 'secondDevice', isOtherDevice: true } as const;
/** A begin that counts while another one waits. */
const counting = { decision: 'accept', isInQuestion: false } as const;

test.each([second, { hold: 'proof', isOtherDevice: true } as const])(
  'the refusal of another device alone says that the attempt stays: %j',
  async (other) => {
    await open([heldBegin('a', other), heldBegin('b')]);
    await waitForShown(() => expect(box(1)).toBeDefined());
    await click(box(0));
    await press('Отклонить…');
    expect(pageText()).toContain('попытка первого останется');
    expect(pageText()).not.toContain('Попытка не засчитается');
    await press('Не сейчас');
    await click(box(1));
    await press('Отклонить…');
    expect(pageText()).toContain('Попытка не засчитается');
    expect(pageText()).toContain('попытка первого останется');
    await press('Не сейчас');
    await click(box(0));
    await press('Отклонить…');
    expect(pageText()).toContain('Попытка не засчитается');
    expect(pageText()).not.toContain('первого');
  },
);

test('the accept of another device names no time that its answers count from', async () => {
  await open([heldBegin('a', second), heldBegin('a', counting), heldBegin('b')]);
  await waitForShown(() => expect(box(2)).toBeDefined());
  await click(box(2));
  await press('Принять…');
  expect(pageText()).toContain('Срок считается от времени начала, которое указано в списке');
  await press('Не сейчас');
  await click(box(0));
  await press('Принять…');
  expect(pageText()).toContain('Ответы, данные в срок, засчитаются.');
  expect(pageText()).not.toContain('Срок считается');
});

test('a device that waits beside one that counts is refused alone', async () => {
  await open([heldBegin('a', second), heldBegin('a', counting)]);
  await waitForShown(() => expect(box(1)).toBeDefined());
  expect(box(1)).toHaveProperty('disabled', true);
  expect(pageText()).toContain('когда вы решите о другом начале этой попытки');
  await click(box(0));
  await press('Отклонить…');
  expect(pageText()).toContain('попытка первого останется');
  expect(pageText()).not.toContain('Попытка не засчитается');
});

test.each([
  [{ decision: 'accept' }, { decision: 'accept' }],
  [{}, {}],
  [{}, { decision: 'refuse' }],
] as const)(
  'the refusal promises nothing for a first device that is refused too: %j, %j',
  async (other, first) => {
    await open([heldBegin('a', { ...second, ...other }), heldBegin('a', first)]);
    await waitForShown(() => expect(box(0)).toBeDefined());
    await click(box(0));
    await press('Отклонить…');
    expect(pageText()).toContain('Попытка не засчитается');
    expect(pageText()).not.toContain('первого');
  },
);

test('without such begins nothing is shown', async () => {
  await open([]);
  await waitForShown(() => expect(call).toHaveBeenCalled());
  expect(shown.container.textContent).toBe('');
});
