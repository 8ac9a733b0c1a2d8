import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decideHolds, listHolds, type HeldBegin } from '#contract/offers.ts';
import type { Route } from '#contract/route.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { call } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, waitForShown, type Rendered } from '#app/ui/test-render.tsx';
import { HeldBegins } from './HeldBegins.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({ useRouter: () => undefined }));

const begin = (attemptId: string, changes: Partial<HeldBegin> = {}): HeldBegin => ({
  attemptId,
  attemptNumber: 1,
  userId: attemptId,
  userName: `Ученик ${attemptId}`,
  groups: ['9А'],
  hold: 'beforeCode',
  begunAt: '2026-05-22T06:50:00.000Z',
  deadline: '2026-05-22T07:30:00.000Z',
  receivedAt: '2026-05-22T09:00:00.000Z',
  seenServerAt: '2026-05-22T06:44:00.000Z',
  isAgeUnknown: false,
  heldAnswers: 5,
  decision: null,
  ...changes,
});

let begins: HeldBegin[];
let failure: Error | null;
let shown: Rendered;
const decided: unknown[] = [];

beforeEach(() => {
  decided.length = 0;
  failure = null;
  vi.mocked(call).mockImplementation((async (route: Route, { body }: { body?: unknown }) => {
    if (route.name === listHolds.name) return { items: begins, total: begins.length };
    if (route.name !== decideHolds.name) throw new Error(`Not expected: ${route.name}`);
    if (failure) throw failure;
    decided.push(body);
    const { attemptIds, decision } = body as Pick<HeldBegin, 'decision'> & { attemptIds: string[] };
    begins = begins.map((one) => (attemptIds.includes(one.attemptId) ? { ...one, decision } : one));
    return { decided: attemptIds.length };
  }) as never);
});
afterEach(() => shown.unmount());

async function open(given: HeldBegin[]) {
  begins = given;
  const device = {
    serverNow: () => Date.parse('2026-05-22T09:30:00Z'),
    timeZone: 'Europe/Moscow',
  } as DeviceServices;
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <DeviceContext value={device}>
        <HeldBegins testId="t1" />
      </DeviceContext>
    </QueryClientProvider>,
  );
}
const pageText = () => document.body.textContent.replaceAll('\u00A0', ' ');
const press = async (name: string) => {
  const button = () =>
    [...document.querySelectorAll('button')].find((one) => one.textContent === name);
  await waitForShown(() => expect(button(), name).toBeDefined());
  await click(button());
};

test('a class is decided in one act, after a question', async () => {
  await open([begin('a'), begin('b', { hold: 'unknownTime' })]);
  await waitForShown(() => expect(pageText()).toContain('Начат раньше, чем вы показали код'));
  expect(pageText()).toContain('Начат: сегодня, 09:50. Срок: сегодня, 10:30. Ждут: 5 ответов');
  expect(pageText()).toContain(
    'О начале устройство сообщило в 12:00; до этого оно было на связи в 09:44. Часы не переводили.',
  );
  await press('Выбрать все без решения: 2');
  await press('Принять…');
  expect(decided).toEqual([]);
  expect(pageText()).toContain('2 попытки.');
  await press('Принять');
  await waitForShown(() => expect(pageText()).toContain('Начало принято'));
  expect(decided).toEqual([{ attemptIds: ['a', 'b'], decision: 'accept' }]);
});

test('a decided begin can be decided otherwise, and a failure is shown', async () => {
  await open([begin('a', { decision: 'accept' })]);
  await waitForShown(() => expect(pageText()).toContain('Начало принято'));
  await click(document.querySelector('input[type=checkbox]'));
  await press('Отклонить…');
  failure = new ApiFailure({ kind: 'refused', method: 'POST', url: '/', message: 'Не вышло' });
  await press('Отклонить');
  await waitForShown(() => expect(pageText()).toContain('Не вышло'));
  failure = null;
  await press('Отклонить');
  await waitForShown(() => expect(pageText()).toContain('Начало отклонено'));
});

test('without such begins nothing is shown', async () => {
  await open([]);
  await waitForShown(() => expect(call).toHaveBeenCalled());
  expect(shown.container.textContent).toBe('');
});
