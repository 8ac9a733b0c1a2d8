import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { callWithFacts } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import type { OutboxEvent, ReadOnly } from '#app/outbox/types.ts';
import type { BeginState } from '#app/storage/rows.ts';
import { render, waitForShown } from '#app/ui/test-render.tsx';
import { ERRORS } from '#contract/errors.ts';
import { ResultPanel } from './ResultPanel.tsx';
import { finishedResult } from './test-result.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn(), callWithFacts: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

const ID = finishedResult.attemptId;
const AWAITED = 'Результат и квитанция будут после решения преподавателя.';
const refusal = (code: 'BEGIN_HELD' | 'ATTEMPT_NOT_RUNNING' | 'GONE') =>
  new ApiFailure({ kind: 'refused', method: 'GET', url: '/', code, ...ERRORS[code] });

beforeEach(() => {
  vi.mocked(callWithFacts).mockReset();
});

async function open(begin: BeginState['state']) {
  let state = begin;
  let readOnly: ReadOnly = 'finished';
  const listeners = new Set<(event: OutboxEvent) => void>();
  const outbox = {
    subscribe: (listener: (event: OutboxEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: async () => ({ begin: { state, reason: null }, readOnly }),
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const device = { outbox, serverNow: () => 0, timeZone: 'Europe/Moscow' };
  const { container } = await render(
    <DeviceContext value={device as unknown as DeviceServices}>
      <QueryClientProvider client={client}>
        <ResultPanel attemptId={ID} viewerId={finishedResult.userId} />
      </QueryClientProvider>
    </DeviceContext>,
  );
  const words = () => container.textContent.replaceAll('\u00A0', ' ');
  const see = (next: BeginState['state'], is: ReadOnly = 'finished') =>
    act(async () => {
      state = next;
      readOnly = is;
      for (const listener of listeners) listener({ kind: 'changed', attemptId: ID });
    });
  return { words, see };
}

test('the result of a held begin comes after the decision, which is no error', async () => {
  vi.mocked(callWithFacts).mockRejectedValue(refusal('BEGIN_HELD'));
  const { words } = await open('held');
  await waitForShown(() => expect(words()).toBe(AWAITED));
});

test('another refusal keeps its message and the receipt', async () => {
  vi.mocked(callWithFacts).mockRejectedValue(refusal('ATTEMPT_NOT_RUNNING'));
  const { words } = await open('accepted');
  await waitForShown(() => expect(words()).toContain('Эта попытка уже не идёт'));
  expect(words()).toContain('Повторить');
  expect(words()).toContain('Квитанция');
});

test('once the begin is decided, the result is asked for again', async () => {
  vi.mocked(callWithFacts).mockRejectedValue(refusal('BEGIN_HELD'));
  const { words, see } = await open('held');
  await waitForShown(() => expect(words()).toBe(AWAITED));
  await see('held');
  expect(callWithFacts).toHaveBeenCalledTimes(1);
  vi.mocked(callWithFacts).mockResolvedValue({
    reply: finishedResult,
    headers: new Headers(),
  } as never);
  await see('accepted');
  await waitForShown(() => expect(words()).toContain('Результат по вопросам'));
  expect(callWithFacts).toHaveBeenCalledTimes(2);
});

test('once the begin is refused, the page says that the attempt is gone', async () => {
  vi.mocked(callWithFacts).mockRejectedValue(refusal('BEGIN_HELD'));
  const { words, see } = await open('held');
  await waitForShown(() => expect(words()).toBe(AWAITED));
  vi.mocked(callWithFacts).mockRejectedValue(refusal('GONE'));
  await see('held', 'gone');
  await waitForShown(() => expect(words()).toContain('Попытка удалена преподавателем'));
});
