import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { SessionContext } from '#app/lib/session/session-context.ts';
import { createSessionStore } from '#app/lib/session/session-store.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { render } from '#app/ui/test-render.tsx';
import { LogoutQuestion } from './LogoutQuestion.tsx';

test('an unreadable device asks for confirmation before signing out', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const outbox = {
    unsentCount: () => Promise.reject(new StorageFailure('silent')),
    unsentAttempts: () => Promise.reject(new StorageFailure('silent')),
    runningAttempts: () => Promise.resolve([]),
  };
  const onClose = vi.fn<() => void>();
  const { unmount } = await render(
    <SessionContext value={createSessionStore(localStorage)}>
      <DeviceContext value={{ outbox } as unknown as DeviceServices}>
        <LogoutQuestion owner="anna" onClose={onClose} />
      </DeviceContext>
    </SessionContext>,
  );
  await vi.waitFor(() =>
    expect(document.body.textContent).toContain('Память устройства сейчас не отвечает'),
  );
  expect(onClose).not.toHaveBeenCalled();
  await unmount();
});

test('a refused answer in memory only is no reason to sign out without a word', async () => {
  const operation = { isStored: false, isWaiting: false, state: 'setAside' };
  const outbox = {
    unsentCount: async () => 0,
    unsentAttempts: async () => [{ title: 'Законы Ньютона', operations: [operation] }],
    runningAttempts: async () => [],
  };
  const onClose = vi.fn<() => void>();
  const { unmount } = await render(
    <SessionContext value={createSessionStore(localStorage)}>
      <DeviceContext value={{ outbox } as unknown as DeviceServices}>
        <LogoutQuestion owner="anna" onClose={onClose} />
      </DeviceContext>
    </SessionContext>,
  );
  await vi.waitFor(() => expect(document.body.textContent).toContain('только на этой странице'));
  expect(onClose).not.toHaveBeenCalled();
  await unmount();
});
