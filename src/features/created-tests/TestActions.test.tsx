import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TestLifecycle } from '#contract/tests.ts';
import { call } from '#app/api/call.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { TestActions } from './TestActions.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

let shown: Rendered;
beforeEach(() => vi.mocked(call).mockReset().mockResolvedValue({}));
afterEach(() => shown.unmount());

const open = async (lifecycle: TestLifecycle, attempts: number, draft?: Partial<DraftEditor>) => {
  const test = { id: 't1', name: 'Законы Ньютона', lifecycle, attempts, endTestTime: null };
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <DeviceContext value={{ serverNow: () => 0 } as DeviceServices}>
        <TestActions test={test} draft={(draft as DraftEditor | undefined) ?? null} />
      </DeviceContext>
    </QueryClientProvider>,
  );
};
const press = (name: string) =>
  click([...shown.container.querySelectorAll('button')].find((one) => one.textContent === name));
const sent = () => vi.mocked(call).mock.calls.map(([, given]) => given);

test('the archive is explained before it is used', async () => {
  await open('active', 3);
  await press('В архив');
  expect(shown.container.textContent).toContain(
    'Начать тест «Законы Ньютона» больше будет нельзя. Идущие попытки дойдут до конца, ответы и результаты сохранятся, вернуть тест можно в любой момент.',
  );
  expect(sent()).toEqual([]);
  await press('Убрать в архив');
  expect(sent()).toEqual([{ params: { id: 't1' }, body: { lifecycle: 'archived' } }]);
});

test.each([
  [3, 'active'],
  [0, 'draft'],
] as const)('with %i attempts it returns from the archive as «%s»', async (attempts, lifecycle) => {
  await open('archived', attempts);
  await press('Вернуть из архива');
  expect(sent()).toEqual([{ params: { id: 't1' }, body: { lifecycle } }]);
});

test('nothing is published before the working copy is on the server', async () => {
  const steps: string[] = [];
  vi.mocked(call).mockImplementation(async () => steps.push('published'));
  const flush = async () => {
    await Promise.resolve();
    steps.push('sent');
  };
  const question = {
    questionId: 'q',
    kind: 'file',
    text: 'Решение',
    points: 1,
    maxBytes: 1,
    accept: [],
  };
  await open('draft', 0, { questions: [question] as never, conflicts: [], flush });
  await press('Опубликовать');
  await vi.waitFor(() => expect(steps).toEqual(['sent', 'published']));
});

test('nor while a conflict is open', async () => {
  const flush = vi.fn<DraftEditor['flush']>();
  await open('draft', 0, { questions: [], conflicts: [{ questionId: 'q' }] as never, flush });
  await press('Опубликовать');
  expect(shown.container.textContent).toContain('Публиковать рано');
  expect(flush).not.toHaveBeenCalled();
  expect(call).not.toHaveBeenCalled();
});
