import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { render } from '#app/ui/test-render.tsx';
import { useServerState } from './use-attempt.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn(() => new Promise(() => undefined)) }));

const VIEW = {
  attemptId: 'a1',
  stream: 's1',
  state: 'running',
  answers: [],
} as unknown as AttemptView;
const KEYS = [
  ['test/passing', 'a1'],
  ['test/savedAnswers', 'a1'],
];

function Page({ view }: { view: AttemptView }) {
  useServerState(view, true);
  return null;
}

test('row 12: whatever the page wrote between the finish and its own news of it is removed with that news', async () => {
  const client = new QueryClient();
  const show = (view: AttemptView) => (
    <QueryClientProvider client={client}>
      <DeviceContext value={{ outbox: {} } as unknown as DeviceServices}>
        <Page view={view} />
      </DeviceContext>
    </QueryClientProvider>
  );
  const page = await render(show(VIEW));
  // The event of the finish has removed both; the page still has its older view and stores again what it knows.
  for (const queryKey of KEYS) client.removeQueries({ queryKey });
  await page.show(show({ ...VIEW, answers: [] }));
  client.setQueryData(['test/passing', 'a1'], { state: 2 });
  client.setQueryData(['test/savedAnswers', 'a1'], { openAnswers: [] });
  await page.show(show({ ...VIEW, state: 'finished' }));
  for (const queryKey of KEYS) expect(client.getQueryData(queryKey)).toBeUndefined();
  await page.unmount();
});
