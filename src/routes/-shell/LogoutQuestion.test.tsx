import { expect, test, vi } from 'vitest';
import { DeviceContext, type Device } from '#app/offline/device-context.ts';
import { SessionContext } from '#app/session/session-context.ts';
import { createSessionStore } from '#app/session/session-store.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { render } from '#app/ui/test-render.tsx';
import { LogoutQuestion } from './LogoutQuestion.tsx';

test('a device that cannot be read lets nobody sign out unasked', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const outbox = {
    unsentCount: () => Promise.reject(new StorageFailure('silent')),
    runningAttempts: () => Promise.resolve([]),
  };
  const onClose = vi.fn<() => void>();
  const { unmount } = await render(
    <SessionContext value={createSessionStore(localStorage)}>
      <DeviceContext value={{ outbox } as unknown as Device}>
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
