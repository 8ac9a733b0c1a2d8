import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { OutboxEvent } from '#app/outbox/types.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { ReadinessCheck } from './ReadinessCheck.tsx';
import { StorageNote } from './StorageNote.tsx';
import { UpdatePrompt } from './UpdatePrompt.tsx';

let shown: Rendered;
const words = () => shown.container.textContent;

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('SyncManager', Object);
});
afterEach(async () => {
  await shown.unmount();
  vi.unstubAllGlobals();
});

interface Browser {
  isOnline?: boolean;
  hasWorker?: boolean;
  persists?: boolean;
}

/** The capabilities of the browser, as in `navigator`. */
function stubBrowser({ isOnline = true, hasWorker = true, persists = true }: Browser): void {
  vi.stubGlobal('navigator', {
    onLine: isOnline,
    serviceWorker: {
      controller: hasWorker ? {} : null,
      ready: hasWorker ? Promise.resolve({ active: {} }) : new Promise(() => undefined),
    },
    storage: {
      persisted: () => Promise.resolve(persists),
      persist: () => Promise.resolve(persists),
    },
  });
}

const READY = 'Устройство готово: ответы есть где хранить, тест загрузится целиком при начале.';

test.each<[string, Browser, boolean, string]>([
  ['with all of it', {}, true, READY],
  [
    'offline',
    { isOnline: false },
    true,
    'Сейчас нет сети. Чтобы начать, она нужна; дальше можно отвечать и без неё.',
  ],
  ['without storage', {}, false, 'Это устройство не может хранить ответы'],
  ['before its worker is there', { hasWorker: false }, true, 'Ответы есть где хранить.'],
  ['which may erase', { persists: false }, true, `${READY} Браузер не обещал хранить`],
])('a device %s is called ready only if it is', async (_, browser, isDurable, sentence) => {
  stubBrowser(browser);
  shown = await render(<ReadinessCheck isDurable={isDurable} />);
  expect(words()).toContain(sentence);
  expect(words().includes('Устройство готово')).toBe(sentence.startsWith(READY));
});

test('a network lost during reading is reported', async () => {
  stubBrowser({});
  shown = await render(<ReadinessCheck isDurable />);
  expect(words()).toContain(READY);
  Object.assign(navigator, { onLine: false });
  await act(async () => window.dispatchEvent(new Event('offline')));
  expect(words()).toContain('Сейчас нет сети.');
  expect(words()).not.toContain('Устройство готово');
});

test('only a device without storage shows that, and that nothing was lost', async () => {
  shown = await render(<StorageNote isDurable={false} />);
  expect(words()).toContain('То, что было сохранено на устройстве, не пропало.');
  expect(words()).toContain('ответы сейчас хранит только сервер');
  await shown.show(<StorageNote isDurable />);
  expect(words()).toBe('');
});

async function openPrompt(isWaiting: boolean, running: number) {
  const applyUpdate = vi.fn<DeviceServices['worker']['applyUpdate']>();
  const lookForUpdate = vi.fn<() => void>();
  const worker = {
    subscribe: () => () => undefined,
    isUpdateWaiting: () => isWaiting,
    applyUpdate,
    lookForUpdate,
  };
  const listeners = new Set<(event: OutboxEvent) => void>();
  const tell = (event: OutboxEvent) => listeners.forEach((listener) => listener(event));
  const outbox = {
    subscribe: (listener: (event: OutboxEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    runningAttempts: () => Promise.resolve(Array.from({ length: running })),
  };
  shown = await render(
    <DeviceContext value={{ worker, outbox } as unknown as DeviceServices}>
      <UpdatePrompt owner="anna" />
    </DeviceContext>,
  );
  const pause = (why: 'update' | 'signIn') => act(async () => tell({ kind: 'paused', pause: why }));
  return { applyUpdate, lookForUpdate, pause };
}

test('a new version is offered with what it retains and applied only on consent', async () => {
  const { applyUpdate } = await openPrompt(true, 0);
  expect(words()).toContain(
    'Готова новая версия приложения. Вход и ответы на устройстве сохранятся.',
  );
  expect(applyUpdate).not.toHaveBeenCalled();
  applyUpdate.mockResolvedValueOnce('otherTabs');
  await click(shown.container.querySelector('button'));
  expect(applyUpdate.mock.calls).toEqual([[{ duringAttempt: false }]]);
  expect(words()).toContain('Приложение открыто и в других вкладках.');
});

test('during an attempt none is offered unless the server requires it', async () => {
  const { lookForUpdate, pause } = await openPrompt(true, 1);
  expect(words()).toBe('');
  await pause('signIn');
  expect(words()).toBe('');
  expect(lookForUpdate).not.toHaveBeenCalled();
  await pause('update');
  expect(lookForUpdate).toHaveBeenCalledOnce();
  expect(words()).toContain('Ответы на устройстве сохранятся и уйдут после обновления.');
});

test('without a new version nothing is offered', async () => {
  await openPrompt(false, 0);
  expect(words()).toBe('');
});
