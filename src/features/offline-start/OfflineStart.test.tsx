import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { act } from 'react';
import type { Offer } from '#contract/offers.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { newId } from '#app/lib/new-id.ts';
import { CODE, deviceKeyFor, OFFERED_TEST, sealOffer } from '#app/offers/testing.ts';
import type { Begins } from '#app/outbox/begin.ts';
import type { LocalAttempt, Reachability } from '#app/outbox/types.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { putOffer } from '#app/storage/offer-database.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { OfflineStart } from './OfflineStart.tsx';

const NOW = Date.parse('2026-05-21T07:00:00.000Z');
const OWNER = 'anna';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  vi.stubGlobal('isSecureContext', true);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

interface Given {
  offer?: Partial<Offer> | null;
  reachability?: Reachability;
  hasKey?: boolean;
}

/** The part of the overview, on a device with an offer. */
async function open({ offer = {}, reachability = 'offline', hasKey = true }: Given = {}) {
  const key = await deviceKeyFor(1);
  const storage = createMemoryStorage({ durable: true });
  if (hasKey)
    await storage.write(['deviceKeys'], (tx) =>
      tx.put('deviceKeys', { owner: OWNER, key, signIn: 'one' }),
    );
  if (offer !== null) await putOffer(OWNER, await sealOffer(key, { offerId: newId(), ...offer }));
  const begin = vi.fn<Begins['store']>(async () => ({}) as LocalAttempt);
  const onBegun = vi.fn<() => void>();
  const device = {
    outbox: {
      begins: async () => ({ store: begin }),
      reachability: () => reachability,
      subscribe: () => () => undefined,
    },
    storage,
    serverNow: () => NOW,
    timeZone: 'Europe/Moscow',
  } as unknown as DeviceServices;
  const { container } = await render(
    <DeviceContext value={device}>
      <OfflineStart
        test={{ id: OFFERED_TEST, offlineStart: true }}
        owner={OWNER}
        onBegun={onBegun}
      />
    </DeviceContext>,
  );
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
  return { pageText, button, field, enter, begin, onBegun };
}

test('a ready test begins with the code, typed in Russian letters and groups', async () => {
  const { pageText, button, enter, begin, onBegun } = await open();
  expect(pageText()).toContain('Тест готов к началу без сети.');
  await click(button('Начать без сети'));
  expect(pageText()).toContain('Время пойдёт сразу: 40 минут.');
  expect(CODE).toBe('CHKMPTX23456');
  await enter('снкм ртх2-3456');
  await waitForShown(() => expect(onBegun).toHaveBeenCalledOnce());
  expect(begin).toHaveBeenCalledOnce();
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
  await waitForShown(() => expect(pageText()).toContain('В коде 12 знаков'));
});

test('with a network the test is ready, and begins as ever', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const { pageText, button } = await open({ reachability: 'reachable' });
  expect(pageText()).toContain('начните по коду, который покажет преподаватель');
  expect(button('Начать без сети')).toBeUndefined();
});

test('before the opening by this device’s clock the dialog says what that means', async () => {
  const { pageText, button } = await open({ offer: { opensAt: '2026-05-21T08:00:00.000Z' } });
  await click(button('Начать без сети'));
  expect(pageText()).toContain('Если начать раньше, начало проверит преподаватель.');
});

test.each<[Given, string]>([
  [{ offer: null }, 'Этот тест ещё не загружен для начала без сети.'],
  [{ hasKey: false }, 'На этом устройстве нет вашего ключа'],
])('with %j the missing part is named', async (given, text) => {
  const { pageText, button } = await open(given);
  expect(pageText()).toContain(text);
  expect(button('Начать без сети')).toBeUndefined();
});
