import { expect, test, vi } from 'vitest';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { click, render } from '#app/ui/test-render.tsx';
import type { SyncView } from '#app/outbox/types.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { ShellSync } from './ShellSync.tsx';

const ON_SERVER = 'Все ответы на сервере';

async function sheetWith(sync: SyncView, storage: Storage, unreadable = 0) {
  const outbox = {
    syncState: () => Promise.resolve(sync),
    unreadable: () => Promise.resolve(unreadable),
    subscribe: () => () => undefined,
  };
  const { container, unmount } = await render(
    <DeviceContext value={{ outbox, storage, serverNow: () => 0 } as unknown as DeviceServices}>
      <ShellSync owner="anna" />
    </DeviceContext>,
  );
  await click(container.querySelector('button'));
  await vi.waitFor(() => expect(document.body.textContent).toContain('Где мои ответы'));
  const text = document.body.textContent;
  await unmount();
  return text;
}

test('«all answers are on the server» is shown when nothing is unsent', async () => {
  expect(await sheetWith({ kind: 'delivered', count: 0 }, createMemoryStorage())).toContain(
    ON_SERVER,
  );
});

test('it is not shown with answers only in memory, nor while the device cannot be read', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(await sheetWith({ kind: 'unstorable', count: 1 }, createMemoryStorage())).not.toContain(
    ON_SERVER,
  );
  const silent = createMemoryStorage();
  silent.read = () => Promise.reject(new StorageFailure('silent'));
  expect(await sheetWith({ kind: 'unstorable', count: 0 }, silent)).not.toContain(ON_SERVER);
});

test('rows that cannot be decrypted are reported, and nothing is said to be on the server', async () => {
  const note = 'На этом устройстве лежат ваши ответы, которые не удалось открыть. Они не удалены.';
  const delivered = { kind: 'delivered', count: 0 } as const;
  const words = await sheetWith(delivered, createMemoryStorage(), 1);
  expect(words).toContain(note);
  expect(words).not.toContain(ON_SERVER);
  expect(await sheetWith(delivered, createMemoryStorage())).not.toContain(note);
});
