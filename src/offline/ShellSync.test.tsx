import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { StorageFailure } from '#app/storage/storage.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { SyncView } from '#app/outbox/types.ts';
import type { UnsentOperation } from '#app/outbox/unsent-attempts.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import { ShellSync } from './ShellSync.tsx';

const ON_SERVER = 'Все ответы на сервере';

type ReadUnsent = Outbox['unsentAttempts'];

const nothing: ReadUnsent = async () => [];

async function sheetWith(sync: SyncView, unsentAttempts: ReadUnsent, unreadable = 0) {
  const outbox = {
    syncState: () => Promise.resolve(sync),
    unreadable: () => Promise.resolve(unreadable),
    subscribe: () => () => undefined,
    unsentAttempts,
  };
  const { container, unmount } = await render(
    <DeviceContext value={{ outbox, serverNow: () => 0 } as unknown as DeviceServices}>
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
  expect(await sheetWith({ kind: 'delivered', count: 0 }, nothing)).toContain(ON_SERVER);
});

test('it is not shown with answers only in memory, nor while the device cannot be read', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(await sheetWith({ kind: 'unstorable', count: 1 }, nothing)).not.toContain(ON_SERVER);
  const silent = () => Promise.reject(new StorageFailure('silent'));
  expect(await sheetWith({ kind: 'unstorable', count: 0 }, silent)).not.toContain(ON_SERVER);
});

test('undecryptable rows are reported, and nothing is claimed to be on the server', async () => {
  const note = 'На этом устройстве лежат ваши ответы, которые не удалось открыть. Они не удалены.';
  const delivered = { kind: 'delivered', count: 0 } as const;
  const text = await sheetWith(delivered, nothing, 1);
  expect(text).toContain(note);
  expect(text).not.toContain(ON_SERVER);
  expect(await sheetWith(delivered, nothing)).not.toContain(note);
});

const IN_MEMORY: Partial<UnsentOperation> = { state: 'unsaved', isStored: false, isWaiting: true };
const STORED: Partial<UnsentOperation> = { state: 'device', isStored: true, isWaiting: true };
const REFUSED: Partial<UnsentOperation> = { state: 'setAside', isStored: true, isWaiting: false };

test.each([
  ['unstorable', [IN_MEMORY], 'не закрывайте страницу'],
  ['unstorable', [STORED, IN_MEMORY], 'не закрывайте страницу'],
  ['unstorable', [{ ...REFUSED, isStored: false }], 'не закрывайте страницу'],
  ['setAside', [REFUSED], 'Преподаватель может помочь'],
  ['setAside', [REFUSED, STORED], 'уйдут сами'],
  ['offline', [STORED], 'уйдут сами'],
] as const)(
  '%s: unsent answers get an exact note and can be saved to a file',
  async (kind, operations, sentence) => {
    const attempt = {
      attemptId: 'a',
      testId: 't',
      title: 'Законы Ньютона',
      operations: operations.map((one, index) => ({
        operationId: String(index),
        kind: 'answer',
        questionNumber: index + 1,
        at: null,
        ...one,
      })) as UnsentOperation[],
    };
    const text = await sheetWith({ kind, count: operations.length }, async () => [attempt]);
    expect(text).toContain(sentence);
    expect(text).toContain('Сохранить ответы в файл');
  },
);

test('the camera’s board stays open when its confirmation leaves nothing to send', async () => {
  let changed = () => {};
  const operation = { ...STORED, operationId: 'o', kind: 'answer', questionNumber: 1, at: null };
  const attempt = { attemptId: 'a', testId: 't', title: 'Проба', operations: [operation] };
  let unsent = [attempt];
  const outbox = {
    syncState: async () => ({ kind: 'offline', count: unsent.length }),
    unreadable: async () => 0,
    subscribe: (listener: () => void) => {
      const before = changed;
      changed = () => {
        before();
        listener();
      };
      return () => undefined;
    },
    unsentAttempts: async () => unsent,
  };
  const { container } = await render(
    <SessionContext value={createSessionStore(localStorage)}>
      <DeviceContext value={{ outbox, serverNow: () => 0 } as unknown as DeviceServices}>
        <ShellSync owner="anna" />
      </DeviceContext>
    </SessionContext>,
  );
  const button = () =>
    [...document.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Передать ответы через камеру',
    );
  const board = () => document.querySelector('[data-size=full]');
  await click(container.querySelector('button'));
  await waitForShown(() => expect(button()).toBeDefined());
  await click(button());
  await waitForShown(() => expect(board()).not.toBeNull());
  unsent = [];
  await act(async () => changed());
  await waitForShown(() => expect(document.body.textContent).toContain(ON_SERVER));
  expect(board()).not.toBeNull();
});

test.each([
  ['delivered', 0],
  ['offline', 1],
] as const)('a teacher’s header with %s shows %i indicators', async (kind, shown) => {
  const outbox = {
    syncState: () => Promise.resolve({ kind, count: 1 }),
    unreadable: () => Promise.resolve(0),
    subscribe: () => () => undefined,
    unsentAttempts: nothing,
  };
  const device = { outbox, serverNow: () => 0 };
  const { container, unmount } = await render(
    <DeviceContext value={device as unknown as DeviceServices}>
      <ShellSync owner="teacher" hidesDelivered />
    </DeviceContext>,
  );
  await vi.waitFor(() => expect(container.querySelectorAll('button')).toHaveLength(shown));
  await unmount();
});
