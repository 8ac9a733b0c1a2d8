import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
import { TakingPage } from './TakingPage.tsx';

const open = (attempt: Promise<object | null>, view: object | null = null) =>
  render(
    <DeviceContext
      value={
        {
          outbox: {
            attemptByTest: () => attempt,
            snapshot: async () => view,
            subscribe: () => () => undefined,
          },
        } as unknown as DeviceServices
      }
    >
      <TakingPage
        testId="t1"
        owner="anna"
        signedIn
        local={{ getItem: () => null, setItem: () => undefined }}
        renderSignIn={() => null}
        renderResult={() => null}
        renderAbsent={() => <p>Здесь нет попытки</p>}
        onLeave={() => undefined}
      />
    </DeviceContext>,
  );

test('an attempt that is not read yet is not called absent', async () => {
  const { container } = await open(new Promise(() => undefined));
  expect(container.textContent).not.toContain('Здесь нет попытки');
});

test('a device without the attempt says so', async () => {
  const { container } = await open(Promise.resolve(null));
  expect(container.textContent).toContain('Здесь нет попытки');
});

test('an attempt with lost questions is not shown as an empty test', async () => {
  const lost = { attemptId: 'a1', title: 'Законы', readOnly: 'takenOver', questions: [] };
  const { container } = await open(Promise.resolve({ attemptId: 'a1' }), lost);
  await vi.waitFor(() => expect(container.textContent).toContain('на устройстве не сохранились'));
});
