import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { act } from 'react';
import type { Offer } from '#contract/offers.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { newId } from '#app/lib/new-id.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import { CODE, deviceKeyFor, OFFERED_TEST, sealOffer } from '#app/offers/testing.ts';
import type { WorkerLink } from '#app/offline/worker-link.ts';
import type { Begins } from '#app/outbox/begin.ts';
import type { LocalAttempt, Reachability } from '#app/outbox/types.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { putOffer } from '#app/storage/offer-database.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { OfflineStart } from './OfflineStart.tsx';

const NOW = Date.parse('2026-05-21T07:00:00.000Z');
const OWNER = 'anna';
const HOUR = 3_600_000;

/** A part of the browser that jsdom lacks. */
const define = (name: 'storage' | 'serviceWorker', value: unknown) =>
  Object.defineProperty(navigator, name, { value, configurable: true });

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  vi.stubGlobal('isSecureContext', true);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
});
afterEach(() => {
  for (const name of ['storage', 'serviceWorker']) Reflect.deleteProperty(navigator, name);
  localStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

interface Given {
  offer?: Partial<Offer> | null;
  /** The end in the test's details; by default that of the offer. */
  endDate?: string | null;
  reachability?: Reachability;
  hasKey?: boolean;
  unsent?: number;
  isUpdateWaiting?: boolean;
  isPersisted?: boolean;
  gradedByHand?: boolean;
  /** The worker has the pages that lead to the test. */
  hasPages?: boolean;
}

/** The part of the overview, on a device with an offer. */
async function open({
  offer = {},
  endDate = offer?.endsAt ?? null,
  reachability = 'offline',
  hasKey = true,
  unsent = 0,
  isUpdateWaiting = false,
  isPersisted = true,
  gradedByHand,
  hasPages = true,
}: Given = {}) {
  let isCached = hasPages;
  vi.stubGlobal('caches', {
    match: async () => (isCached ? new Response() : undefined),
    open: async () => ({ put: async () => undefined }),
  });
  const persist = vi.fn<() => Promise<boolean>>(async () => isPersisted);
  const estimate = async () => ({ quota: 1e9, usage: 0 });
  const worker = new EventTarget();
  define('storage', { estimate, persisted: async () => isPersisted, persist });
  define('serviceWorker', Object.assign(worker, { controller: {} }));
  const applyUpdate = vi.fn<WorkerLink['applyUpdate']>(async () => 'otherTabs');
  const key = await deviceKeyFor(1);
  const storage = createMemoryStorage({ durable: true });
  if (hasKey)
    await storage.write(['deviceKeys'], (tx) =>
      tx.put('deviceKeys', { owner: OWNER, key, signIn: 'one' }),
    );
  if (offer !== null) await putOffer(OWNER, await sealOffer(key, { offerId: newId(), ...offer }));
  const begin = vi.fn<Begins['store']>(async () => ({}) as LocalAttempt);
  const onBegun = vi.fn<() => void>();
  let now = NOW;
  const device = {
    outbox: {
      begins: async () => ({ store: begin }),
      reachability: () => reachability,
      subscribe: () => () => undefined,
      unsentCount: async () => unsent,
      serverNow: () => NOW,
    },
    storage,
    worker: {
      isUpdateWaiting: () => isUpdateWaiting,
      subscribe: () => () => undefined,
      applyUpdate,
    },
    serverNow: () => now,
    timeZone: 'Europe/Moscow',
  } as unknown as DeviceServices;
  const session = createSessionStore(localStorage);
  session.signIn({
    token: 'secret',
    expiresAt: new Date(NOW + 72 * HOUR).toISOString(),
    user: { userId: OWNER, userName: 'Анна', email: 'a@school.test', role: 1, isAdmin: false },
  });
  const page = (end: string | null) => (
    <SessionContext value={session}>
      <DeviceContext value={device}>
        <OfflineStart
          test={{
            id: OFFERED_TEST,
            offlineStart: true,
            endDate: end,
            ...(gradedByHand !== undefined && { gradedByHand }),
          }}
          owner={OWNER}
          onBegun={onBegun}
        />
      </DeviceContext>
    </SessionContext>
  );
  const shown = await render(page(endDate));
  const learnEnd = (end: string) => shown.show(page(end));
  const { container } = shown;
  await waitForShown(() => expect(container.textContent).not.toBe(''));
  const pageText = () => container.textContent.replaceAll('\u00A0', ' ');
  const button = (name: string) =>
    [...container.querySelectorAll('button')].find((one) => one.textContent === name);
  const field = () => container.querySelector<HTMLInputElement>('input[type=text]');
  const type = (text: string) =>
    act(async () => {
      const input = field();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
      input?.dispatchEvent(new Event('input', { bubbles: true }));
    });
  const enter = async (code: string) => {
    await type(code);
    await click(button('Начать'));
  };
  const later = (ms: number) =>
    act(async () => {
      now += ms;
      document.dispatchEvent(new Event('visibilitychange'));
    });
  /** A worker takes the page over. */
  const control = () => act(async () => worker.dispatchEvent(new Event('controllerchange')));
  const cachePages = () => {
    isCached = true;
  };
  return {
    pageText,
    control,
    cachePages,
    button,
    field,
    enter,
    later,
    learnEnd,
    begin,
    onBegun,
    persist,
    applyUpdate,
    shown,
    session,
  };
}

/** Requests of offers that wait on a network that looks alive; the fetches of the next test would wait for them. */
const waiting: (() => void)[] = [];
const fail = () => act(async () => waiting.shift()?.());
afterEach(async () => {
  while (waiting.length > 0) await fail();
});

/** The reports of readiness, each by its token. */
const reports: (string | null)[] = [];
beforeEach(() => {
  reports.length = 0;
});

/** Opens the page on a network on which each request of an offer waits, and then fails. */
async function openSlowly(given: Given = {}) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.stubGlobal('fetch', async (url: unknown, init?: RequestInit) => {
    if (String(url).includes('/readiness'))
      reports.push(new Headers(init?.headers).get('authorization'));
    if (String(url).endsWith('/offer')) await new Promise<void>((resolve) => waiting.push(resolve));
    throw new TypeError('Failed to fetch');
  });
  const page = await open({ reachability: 'reachable', ...given });
  await waitForShown(() => expect(waiting).toHaveLength(1));
  return page;
}

/** Whether the begin is the page's main button. */
const isMain = (button: Element | undefined) => button?.getAttribute('data-variant') === 'filled';

test('a ready test begins with the code, typed in Russian letters and groups', async () => {
  const { pageText, button, enter, begin, onBegun } = await open();
  expect(pageText()).toContain('Тест загружен, его можно начать и без сети.');
  expect(isMain(button('Начать без сети'))).toBe(true);
  await click(button('Начать без сети'));
  expect(pageText()).toContain('Время пойдёт сразу: 40 минут.');
  expect(pageText()).not.toContain('нажмите «Начать тест»');
  expect(CODE).toBe('CHKMPTX23456');
  await enter('снкм ртх2-3456');
  await waitForShown(() => expect(onBegun).toHaveBeenCalledOnce());
  expect(begin).toHaveBeenCalledOnce();
});

test('questions that a teacher grades are named before the begin, and only if there are any', async () => {
  const sentence =
    'Часть ответов в этом тесте проверяет преподаватель: баллы за них появятся позже.';
  const withThem = await open({ gradedByHand: true });
  expect(withThem.pageText()).toContain(sentence);
  expect(withThem.button('Начать без сети')).toBeDefined();
  for (const given of [{}, { gradedByHand: false }])
    expect((await open(given)).pageText()).not.toContain(sentence);
});

test('a wrong code is refused without a hint, slowed, and begins nothing', async () => {
  const { pageText, button, enter, begin } = await open();
  await click(button('Начать без сети'));
  await enter('CHKMPTX23457');
  const refusal = 'Код не подошёл. Проверьте его и попробуйте ещё раз через 1 с';
  await waitForShown(() => expect(pageText()).toContain(refusal));
  await enter(CODE);
  await waitForShown(() => expect(pageText()).toContain('Подождите ещё 1 с и попробуйте снова'));
  expect(begin).not.toHaveBeenCalled();
});

test('an incomplete code is refused before it is tried', async () => {
  const { pageText, button, enter } = await open();
  await click(button('Начать без сети'));
  await enter('CHKM');
  await waitForShown(() => expect(pageText()).toContain('В коде 12 знаков: буквы и цифры.'));
});

test('a phone that believes in a dead network can begin all the same, and reads of the start with a network', async () => {
  const { pageText, button, enter, onBegun } = await openSlowly();
  expect(pageText()).toContain('начните по коду, который покажет преподаватель');
  expect(isMain(button('Начать без сети'))).toBe(false);
  await click(button('Начать без сети'));
  expect(pageText()).toContain('Если сеть есть, закройте это окно и нажмите «Начать тест»');
  await enter(CODE);
  await waitForShown(() => expect(onBegun).toHaveBeenCalledOnce());
});

test('before the opening no start with a network is recommended', async () => {
  const { pageText, button } = await openSlowly({
    offer: { opensAt: '2026-05-21T08:00:00.000Z' },
  });
  await click(button('Начать без сети'));
  expect(pageText()).toContain('Если начать раньше, начало проверит преподаватель.');
  expect(pageText()).not.toContain('нажмите «Начать тест»');
});

test('before the opening by this device’s clock the dialog says what that means', async () => {
  const { pageText, button } = await open({ offer: { opensAt: '2026-05-21T08:00:00.000Z' } });
  await click(button('Начать без сети'));
  expect(pageText()).toContain('Если начать раньше, начало проверит преподаватель.');
});

test('no more time is promised than the begin gives', async () => {
  const { pageText, button } = await open({ offer: { endsAt: '2026-05-21T07:10:59.000Z' } });
  await click(button('Начать без сети'));
  expect(pageText()).toContain(
    'Время пойдёт сразу: 10 минут вместо 40 минут, потому что тест закроется раньше.',
  );
});

const ENDED = '2026-05-21T07:00:00.000Z';
const CHECK_CLOCK =
  'По часам этого устройства тест закрылся сегодня, 10:00. Подключитесь к сети или проверьте часы.';

test.each<[string, Given]>([
  ['of the offer and of the test', { offer: { endsAt: ENDED } }],
  ['that only the test’s details know', { endDate: ENDED }],
])('after the end %s the page says what to do, and offers no begin', async (_, given) => {
  const { pageText, button } = await open(given);
  expect(pageText()).toContain(CHECK_CLOCK);
  expect(button('Начать без сети')).toBeUndefined();
  expect(pageText()).not.toContain('можно начать и без сети');
  expect(button('Проверить снова')).toBeDefined();
  expect(pageText()).toContain('Устройство пока не готово к контрольной.');
});

test.each(['2026-05-21T08:00:00.000Z', null])(
  'a test that goes on until %s is not called closed by an older offer',
  async (endDate) => {
    const { pageText, button } = await open({ offer: { endsAt: ENDED }, endDate });
    expect(pageText()).not.toContain('тест закрылся');
    expect(pageText()).toContain(
      'Преподаватель изменил время теста. Тест загрузится заново, когда будет сеть.',
    );
    expect(button('Начать без сети')).toBeUndefined();
    expect(button('Проверить снова')).toBeDefined();
    expect(pageText()).toContain('Устройство пока не готово к контрольной.');
  },
);

test('once the end is known to be later, the test is fetched again', async () => {
  const { pageText, later, learnEnd } = await openSlowly({
    offer: { endsAt: '2026-05-21T07:02:00.000Z' },
  });
  await fail();
  await later(120_000);
  await waitForShown(() => expect(pageText()).toContain('тест закрылся сегодня, 10:02.'));
  expect(waiting).toHaveLength(0);
  await learnEnd('2026-05-21T08:00:00.000Z');
  await waitForShown(() => expect(waiting).toHaveLength(1));
  await waitForShown(() => expect(pageText()).not.toContain('тест закрылся'));
});

test('a dialog that is open at the end offers no begin any more', async () => {
  const { pageText, button, field, later } = await open({
    offer: { endsAt: '2026-05-21T07:00:10.000Z' },
  });
  await click(button('Начать без сети'));
  expect(pageText()).toContain('Время пойдёт сразу: 10 секунд вместо 40 минут');
  await later(10_000);
  await waitForShown(() =>
    expect(document.querySelector('[role=dialog]')?.textContent).toContain(
      'Подключитесь к сети или проверьте часы.',
    ),
  );
  expect(field()).toBeNull();
});

test.each<[Given, string]>([
  [{ offer: null }, 'Этот тест ещё не загружен для начала без сети.'],
  [{ hasKey: false }, 'На этом устройстве нет вашего ключа'],
])('with %j the missing part is named', async (given, text) => {
  const { pageText, button } = await open(given);
  expect(pageText()).toContain(text);
  expect(button('Начать без сети')).toBeUndefined();
});

test('while the test is fetched the page says so, and blames nothing', async () => {
  const { pageText, button, shown } = await openSlowly({ offer: null });
  const status = () => shown.container.querySelector('[role=status]')?.textContent;
  expect(status()).toContain('Загружаем тест…');
  expect(pageText()).not.toMatch(/ещё не загружен|пока не готово/);
  await fail();
  await waitForShown(() => expect(pageText()).toContain('Этот тест ещё не загружен'));
  expect(status()).toContain('Устройство пока не готово к контрольной.');
  await click(button('Проверить снова'));
  await waitForShown(() => expect(status()).toContain('Загружаем тест…'));
  await waitForShown(() => expect(waiting).toHaveLength(1));
});

test('while the pages that lead to a fetched test are read again, nothing is blamed', async () => {
  const { pageText, button } = await openSlowly({ hasPages: false });
  expect(pageText()).toContain('Загружаем тест…');
  expect(pageText()).not.toMatch(/пока не откроется|пока не готово/);
  await fail();
  await waitForShown(() => expect(pageText()).toContain('Приложение пока не откроется без сети.'));
  expect(pageText()).toContain('Устройство пока не готово к контрольной.');
  // The page that is open begins it all the same.
  expect(button('Начать без сети')).toBeDefined();
});

test('a worker that comes late is waited for until it has the pages', async () => {
  const { pageText, control, cachePages } = await openSlowly({ hasPages: false });
  await fail();
  await waitForShown(() => expect(pageText()).toContain('Приложение пока не откроется без сети.'));
  await control();
  expect(pageText()).toContain('Устройство пока не готово к контрольной.');
  cachePages();
  await waitForShown(() => expect(pageText()).toContain('Устройство готово к контрольной.'));
});

test('a device that gets ready after another sign-in is not reported by it', async () => {
  const { pageText, control, cachePages, session } = await openSlowly({ hasPages: false });
  await fail();
  await waitForShown(() => expect(reports).not.toHaveLength(0));
  await control();
  const before = reports.length;
  session.signIn({
    token: 'other',
    expiresAt: new Date(NOW + 72 * HOUR).toISOString(),
    user: { userId: 'boris', userName: 'Борис', email: 'b@school.test', role: 1, isAdmin: false },
  });
  cachePages();
  await waitForShown(() => expect(pageText()).toContain('Устройство готово к контрольной.'));
  expect(reports).toHaveLength(before);
});

test('a page that was left reports nothing more, and that is no problem', async () => {
  const { shown } = await openSlowly({ offer: null });
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const error = vi.spyOn(console, 'error').mockReturnValue(undefined);
  await shown.unmount();
  await fail();
  await act(() => vi.dynamicImportSettled());
  expect(reports).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
  expect(error).not.toHaveBeenCalled();
});

test('a hidden page fetches nothing, and does once it is seen', async () => {
  const { pageText } = await openSlowly({ offer: null });
  await fail();
  await waitForShown(() => expect(pageText()).toContain('Этот тест ещё не загружен'));
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const look = () => act(async () => document.dispatchEvent(new Event('visibilitychange')));
  await look();
  await act(async () => window.dispatchEvent(new Event('online')));
  expect(pageText()).not.toContain('Загружаем тест…');
  hidden.mockReturnValue(false);
  await look();
  expect(pageText()).toContain('Загружаем тест…');
  await waitForShown(() => expect(waiting).toHaveLength(1));
  await fail();
  await waitForShown(() => expect(pageText()).toContain('Этот тест ещё не загружен'));
  await look();
  expect(pageText()).not.toContain('Загружаем тест…');
});

test('a test that is ready stays so while it is checked with the server', async () => {
  const { pageText } = await openSlowly();
  expect(pageText()).toContain('Устройство готово к контрольной.');
  expect(pageText()).not.toContain('Загружаем тест…');
});

test('a device with everything is ready, with a list of what was checked', async () => {
  const { pageText, button, shown } = await open();
  expect(pageText()).toContain('Устройство готово к контрольной. Проверено: сегодня, 10:00.');
  const section = shown.container.querySelector('[aria-label="Готовность устройства"]');
  // The time of each check is not spoken.
  expect(section?.querySelector('[role=status]')?.textContent).toBe(
    'Устройство готово к контрольной.',
  );
  const passed = [...(section?.querySelectorAll('details li') ?? [])].map((one) => one.textContent);
  expect(passed).toContain('Тест загружен и откроется по коду');
  expect(passed).toContain('Приложение откроется без сети');
  expect(passed).toHaveLength(11);
  await click(button('Проверить снова'));
  await waitForShown(() => expect(pageText()).toContain('Устройство готово к контрольной.'));
});

test('each problem is named with what to do, and what is all right stays in the list', async () => {
  const { pageText, shown } = await open({ unsent: 2, isUpdateWaiting: true });
  await waitForShown(() =>
    expect(pageText()).toContain('Устройство пока не готово к контрольной.'),
  );
  expect(pageText()).toContain('Тест загружен, его можно начать и без сети.');
  expect(pageText()).toContain('На устройстве есть ответы, которые ещё не на сервере.');
  expect(shown.container.querySelectorAll('details li')).toHaveLength(9);
});

test('an update is applied by its button, and a refusal is shown', async () => {
  const { pageText, button, applyUpdate } = await open({ isUpdateWaiting: true });
  await waitForShown(() => expect(button('Обновить приложение')).toBeDefined());
  await click(button('Обновить приложение'));
  await waitForShown(() => expect(pageText()).toContain('Приложение открыто и в других вкладках.'));
  expect(applyUpdate).toHaveBeenCalledWith({ duringAttempt: false });
});

test('a browser that may clear the data is ready with a warning, and is asked again on demand', async () => {
  const { pageText, button, persist } = await open({ isPersisted: false });
  expect(pageText()).toContain('Устройство готово к контрольной.');
  expect(pageText()).toContain('Браузер не обещал хранить данные долго.');
  await waitForShown(() => expect(persist).toHaveBeenCalledTimes(1));
  await click(button('Попросить браузер ещё раз'));
  await waitForShown(() => expect(persist).toHaveBeenCalledTimes(2));
});
