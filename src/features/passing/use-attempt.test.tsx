import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { call } from '#app/api/call.ts';
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

beforeEach(() => void vi.mocked(call).mockClear());

function Page({ view, signedIn = true }: { view: AttemptView; signedIn?: boolean }) {
  useServerState(view, signedIn);
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
  // The finish event has removed both queries; the page still has its older view and stores its data again.
  for (const queryKey of KEYS) client.removeQueries({ queryKey });
  await page.show(show({ ...VIEW, answers: [] }));
  client.setQueryData(['test/passing', 'a1'], { state: 2 });
  client.setQueryData(['test/savedAnswers', 'a1'], { openAnswers: [] });
  await page.show(show({ ...VIEW, state: 'finished' }));
  for (const queryKey of KEYS) expect(client.getQueryData(queryKey)).toBeUndefined();
  await page.unmount();
});

/** The page over these queries. */
async function openState(view: Partial<AttemptView>, signedIn = true) {
  const client = new QueryClient();
  await render(
    <QueryClientProvider client={client}>
      <DeviceContext value={{ outbox: {} } as unknown as DeviceServices}>
        <Page view={{ ...VIEW, ...view }} signedIn={signedIn} />
      </DeviceContext>
    </QueryClientProvider>,
  );
  return client;
}

test.each([
  ['a running attempt', { state: 'running' }, true, 2],
  ['an attempt whose finish waits', { state: 'finishing' }, true, 2],
  ['a finished attempt', { state: 'finished' }, true, 0],
  ['somebody who is signed out', { state: 'running' }, false, 0],
] satisfies [string, Partial<AttemptView>, boolean, number][])(
  'the deadline and answers of %s are requested if they may change',
  async (_, view, signedIn, requests) => {
    await openState(view, signedIn);
    expect(call).toHaveBeenCalledTimes(requests);
  },
);

const receipt = {
  outcome: 'stored',
  operationId: 'o1',
  epoch: 1,
  sequence: 1,
  receivedAt: '',
  receivedLate: false,
};
const stored = [
  { questionId: 'q', answer: { questionId: 'q', kind: 'open', text: '4,9' }, receipt },
] as unknown as AttemptView['answers'];

test('an answer that the server confirmed is there after a reload without a network', async () => {
  const client = await openState({ answers: stored });
  expect(client.getQueryData(['test/savedAnswers', 'a1'])).toMatchObject({
    ...NO_SAVED_ANSWERS,
    openAnswers: [{ text: '4,9' }],
  });
});

test('after the finish no cached data is left', async () => {
  const client = await openState({ answers: stored, state: 'finished' });
  expect(client.getQueryData(['test/savedAnswers', 'a1'])).toBeUndefined();
});

test('the end of one attempt leaves what is known of others', async () => {
  const client = new QueryClient();
  client.setQueryData(['test/passing', 'other'], { state: 1 });
  await render(
    <QueryClientProvider client={client}>
      <DeviceContext value={{ outbox: {} } as unknown as DeviceServices}>
        <Page view={{ ...VIEW, state: 'finished' }} />
      </DeviceContext>
    </QueryClientProvider>,
  );
  expect(client.getQueryData(['test/passing', 'other'])).toEqual({ state: 1 });
});
