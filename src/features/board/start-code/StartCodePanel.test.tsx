import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  changeStartCode,
  getStartCode,
  listCodeClasses,
  makeClassCode,
  removeClassCode,
  renewStartCode,
  revealStartCode,
  type CodeClass,
  type StartCode,
} from '#contract/offers.ts';
import type { Route } from '#contract/route.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, waitForShown, type Rendered } from '#app/ui/test-render.tsx';
import { StartCodePanel } from './StartCodePanel.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({ useRouter: () => undefined }));

const NOW = Date.parse('2026-05-22T06:50:00Z');
const CODE = 'HK4M7TX2P9C3';

let stored: StartCode;
let classes: CodeClass[];
let shown: Rendered;
let refusal: Error | null;
const sent: unknown[][] = [];

interface Sent {
  readonly body?: unknown;
  readonly params: { readonly groupId?: string };
  readonly query?: { readonly groupId?: string };
}

beforeEach(() => {
  sent.length = 0;
  refusal = null;
  classes = [];
  stored = {
    code: null,
    showFrom: null,
    shownAt: null,
    madeAt: '2026-05-20T06:00:00.000Z',
    offers: 21,
    begun: 0,
  };
  vi.mocked(call).mockImplementation((async (route: Route, { body, params, query }: Sent) => {
    if (route.name === listCodeClasses.name) return { items: classes, total: classes.length };
    const groupId = query?.groupId ?? params.groupId;
    if (route.name === getStartCode.name)
      return groupId === undefined ? stored : { ...stored, offers: 12 };
    sent.push([route.name, body, groupId].filter(Boolean));
    if (refusal) throw refusal;
    if (route.name === makeClassCode.name || route.name === removeClassCode.name) {
      const hasCode = route.name === makeClassCode.name;
      classes = classes.map((one) => (one.groupId === groupId ? { ...one, hasCode } : one));
      return hasCode ? stored : {};
    }
    if (route.name === revealStartCode.name)
      stored = { ...stored, code: CODE, shownAt: new Date(NOW).toISOString() };
    if (route.name === renewStartCode.name) stored = { ...stored, code: null, shownAt: null };
    if (route.name === changeStartCode.name) stored = { ...stored, ...(body as object) };
    return stored;
  }) as never);
});
afterEach(async () => {
  vi.useRealTimers();
  await shown.unmount();
});

/** The class is chosen in the URL. */
function Screen() {
  const [groupId, setGroupId] = useState<string | undefined>(undefined);
  return <StartCodePanel testId="t1" choice={{ groupId, onChange: setGroupId }} />;
}

async function open(changes: Partial<StartCode> = {}) {
  stored = { ...stored, ...changes };
  const device = { serverNow: () => NOW, timeZone: 'Europe/Moscow' } as DeviceServices;
  shown = await render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <DeviceContext value={device}>
        <Screen />
      </DeviceContext>
    </QueryClientProvider>,
  );
  await waitForShown(() => expect(pageText()).toContain('Попытка подготовлена'));
}
const pageText = () => document.body.textContent.replaceAll('\u00A0', ' ');
const button = (name: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent.includes(name));
const press = async (name: string) => {
  await waitForShown(() => expect(button(name), name).toBeDefined());
  await click(button(name));
};

test('the code is hidden until it is shown, then large and spoken sign by sign', async () => {
  await open();
  expect(pageText()).toContain('Попытка подготовлена: 21 ученик. Начали: 0.');
  await press('Показать код');
  await waitForShown(() => expect(pageText()).toContain('HK4M 7TX2 P9C3'));
  expect(pageText()).toContain('Код показан');
  const code = document.querySelector('[aria-label="Код начала: H K 4 M 7 T X 2 P 9 C 3"]');
  expect(code).not.toBeNull();
  await press('На весь экран');
  const board = document.querySelector('[role=dialog]');
  expect(board?.textContent).toContain('HK4M 7TX2 P9C3');
  expect(board?.textContent).toContain('Вслух: эн ка 4 эм, 7 тэ ха 2, эр 9 эс 3');
  expect(document.querySelector('body > [lang=ru]')?.textContent).toContain('HK4M 7TX2 P9C3');
});

test('the code is copied as it is shown, and a forbidden clipboard is reported', async () => {
  const copied: string[] = [];
  const writeText = vi
    .spyOn(navigator.clipboard, 'writeText')
    .mockImplementation(async (text) => void copied.push(text));
  await open({ code: CODE, shownAt: new Date(NOW).toISOString() });
  await press('Копировать');
  await waitForShown(() => expect(pageText()).toContain('Код скопирован'));
  expect(copied).toEqual(['HK4M 7TX2 P9C3']);
  writeText.mockRejectedValue(new Error('forbidden'));
  await press('Копировать');
  await waitForShown(() => expect(pageText()).toContain('Скопировать не вышло'));
  vi.restoreAllMocks();
});

const field = () => {
  const input = document.querySelector<HTMLInputElement>('input[type=datetime-local]');
  if (!input) throw new Error('No field');
  return input;
};
const type = (value: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field(), value);
    field().dispatchEvent(new Event('input', { bubbles: true }));
  });

test('a typed time stays until it is saved, and what is typed meanwhile stays too', async () => {
  await open();
  await type('2026-05-22T11:00');
  refusal = new ApiFailure({ kind: 'unreachable', method: 'PUT', url: '/' });
  await press('Сохранить время');
  await waitForShown(() => expect(pageText()).toContain('Сервер не отвечает'));
  expect(field().value).toBe('2026-05-22T11:00');
  refusal = null;
  let save: () => void = () => undefined;
  const usual = vi.mocked(call).getMockImplementation();
  vi.mocked(call).mockImplementation((async (route: Route, given: Sent) => {
    if (route.name === changeStartCode.name) await new Promise<void>((reply) => (save = reply));
    return usual?.(route, given);
  }) as never);
  await press('Сохранить время');
  expect(field().value).toBe('2026-05-22T11:00');
  await waitForShown(() =>
    expect(button('Сохранить время')?.getAttribute('aria-busy')).toBe('true'),
  );
  await type('2026-05-22T12:00');
  await act(async () => save());
  await waitForShown(() => expect(stored.showFrom).toBe('2026-05-22T08:00:00.000Z'));
  expect(field().value).toBe('2026-05-22T12:00');
  await press('Сохранить время');
  await act(async () => save());
  await waitForShown(() => expect(button('Сохранить время')).toBeUndefined());
  expect(field().value).toBe('2026-05-22T12:00');
  expect(stored.showFrom).toBe('2026-05-22T09:00:00.000Z');
});

test('before its time the code cannot be shown, and the panel says when it can', async () => {
  await open({ showFrom: new Date(NOW + 600_000).toISOString() });
  expect(button('Показать код')?.disabled).toBe(true);
  expect(pageText()).toContain('Показать можно с этого времени: сегодня, 10:00.');
});

test('a new code is confirmed first, and not offered once somebody has begun', async () => {
  await open({ code: CODE, shownAt: new Date(NOW).toISOString() });
  await press('Сделать новый код');
  expect(sent).toEqual([]);
  expect(pageText()).toContain('Кто начнёт по нему позже, будет ждать вашего решения.');
  await press('Новый код');
  await waitForShown(() => expect(button('Показать код')).toBeDefined());
  expect(sent).toEqual([[renewStartCode.name]]);
  await shown.unmount();
  await open({ code: CODE, shownAt: new Date(NOW).toISOString(), begun: 1 });
  expect(button('Сделать новый код')).toBeUndefined();
});

test.each(['before', 'during'])(
  'a state that was asked for %s the renewal does not bring the old code back',
  async (when) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await open({ code: CODE, shownAt: new Date(NOW).toISOString() });
    const old = stored;
    const usual = vi.mocked(call).getMockImplementation();
    const replies = new Map<string, () => void>();
    const waits = (name: string) => new Promise<void>((reply) => void replies.set(name, reply));
    const reply = (name: string) =>
      act(async () => {
        replies.get(name)?.();
        await vi.advanceTimersByTimeAsync(50);
      });
    const poll = () => act(() => vi.advanceTimersByTimeAsync(15_000));
    vi.mocked(call).mockImplementation((async (route: Route, given: Sent) => {
      const isPoll = route.name === getStartCode.name && !replies.has(route.name);
      if (isPoll || route.name === renewStartCode.name) await waits(route.name);
      return isPoll ? old : usual?.(route, given);
    }) as never);
    await press('Сделать новый код');
    if (when === 'before') await poll();
    await press('Новый код');
    if (when === 'during') await poll();
    expect([...replies.keys()].toSorted()).toEqual([getStartCode.name, renewStartCode.name]);
    await reply(renewStartCode.name);
    await waitForShown(() => expect(button('Показать код')).toBeDefined());
    await reply(getStartCode.name);
    expect(pageText()).not.toContain('HK4M 7TX2 P9C3');
  },
);

test('a refusal is shown', async () => {
  await open();
  refusal = new ApiFailure({
    kind: 'refused',
    method: 'POST',
    url: '/api/Test/t1/start-code/show',
    status: 409,
    message: 'Код ещё нельзя показать',
  });
  await press('Показать код');
  await waitForShown(() => expect(pageText()).toContain('Код ещё нельзя показать'));
});

const TWO: CodeClass[] = [
  { groupId: 'g1', name: '9А', owner: 'О. В. Лаптева', hasCode: false },
  { groupId: 'g2', name: '9Б', owner: 'О. В. Лаптева', hasCode: false },
];
const select = () => document.querySelector('select');
const choose = async (value: string) => {
  await waitForShown(() => expect(select()).not.toBeNull());
  await act(async () => {
    const field = select();
    if (field) field.value = value;
    field?.dispatchEvent(new Event('change', { bubbles: true }));
  });
};
/** A button of the open question. */
const dialogButton = (name: string) =>
  [...document.querySelectorAll('[role=dialog] button')].find((one) => one.textContent === name);
const announced = () =>
  [...document.querySelectorAll('body > * output, output')].map(({ textContent }) => textContent);

test('another question does not open with the failure of the one before', async () => {
  classes = TWO.map((one) => ({ ...one, hasCode: one.groupId === 'g2' }));
  await open({ code: CODE, shownAt: new Date(NOW).toISOString() });
  const message = 'Не вышло';
  refusal = new ApiFailure({ kind: 'refused', method: 'POST', url: '/', status: 409, message });
  const failThenAskAgain = async (ask: string, confirm: string, cancel: string) => {
    await press(ask);
    await click(dialogButton(confirm));
    await waitForShown(() => expect(pageText()).toContain(message));
    await click(dialogButton(cancel));
    await press(ask);
    await waitForShown(() => expect(dialogButton(cancel)).toBeDefined());
    expect(pageText()).not.toContain(message);
    await click(dialogButton(cancel));
  };
  await failThenAskAgain('Сделать новый код', 'Новый код', 'Оставить этот');
  await choose('g1');
  await failThenAskAgain('Отдельный код для класса', 'Сделать', 'Оставить общий');
  await choose('g2');
  await failThenAskAgain('Убрать отдельный код', 'Убрать', 'Оставить');
});

test('without a second class there is no choice', async () => {
  classes = TWO.slice(0, 1);
  await open();
  await waitForShown(() => expect(pageText()).toContain('21 ученик'));
  expect(select()).toBeNull();
});

test('a class gets a code of its own after a question, and gives it back', async () => {
  classes = TWO;
  await open();
  await choose('g2');
  await waitForShown(() => expect(pageText()).toContain('у этого класса общий код теста'));
  expect(button('Показать код')).toBeUndefined();
  await press('Отдельный код для класса');
  expect(sent).toEqual([]);
  await click(dialogButton('Сделать'));
  await waitForShown(() => expect(pageText()).toContain('Попытка подготовлена: 12 учеников'));
  expect([...(select()?.options ?? [])].map(({ text }) => text)).toEqual([
    'Все остальные: общий код',
    '9А',
    '9Б: отдельный код',
  ]);
  expect(announced()).toContain('9Б: отдельный код');
  await press('Убрать отдельный код');
  await click(dialogButton('Убрать'));
  await waitForShown(() => expect(pageText()).toContain('у этого класса общий код теста'));
  expect(sent).toEqual([
    [makeClassCode.name, 'g2'],
    [removeClassCode.name, 'g2'],
  ]);
});

test('the code of a class is shown large, printed and read aloud with its name', async () => {
  classes = TWO.map((one) => ({ ...one, hasCode: one.groupId === 'g2' }));
  await open();
  await choose('g2');
  await press('Показать код');
  await press('На весь экран');
  expect(sent).toEqual([[revealStartCode.name, 'g2']]);
  const board = document.querySelector('[role=dialog]');
  expect(board?.querySelector('h2')?.textContent).toBe('Код начала, 9Б');
  expect(board?.textContent).toContain('Вслух, для 9Б: эн ка 4 эм, 7 тэ ха 2, эр 9 эс 3');
  expect(document.querySelector('body > [lang=ru] h1')?.textContent).toBe('Код начала, 9Б');
});

test('a used code of a class stays', async () => {
  classes = TWO.map((one) => ({ ...one, hasCode: true }));
  await open({ code: CODE, shownAt: new Date(NOW).toISOString(), begun: 1 });
  await choose('g1');
  await waitForShown(() => expect(pageText()).toContain('12 учеников'));
  expect(button('Убрать отдельный код')).toBeUndefined();
  expect(button('Сделать новый код')).toBeUndefined();
});

test('the code that a colleague removes goes from the screen', async () => {
  classes = TWO.map((one) => ({ ...one, hasCode: one.groupId === 'g2' }));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await open({ code: CODE, shownAt: new Date(NOW).toISOString() });
  await choose('g2');
  await press('На весь экран');
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('HK4M 7TX2 P9C3');
  classes = TWO;
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(pageText()).not.toContain('HK4M 7TX2 P9C3');
  expect(pageText()).toContain('у этого класса общий код теста');
});
