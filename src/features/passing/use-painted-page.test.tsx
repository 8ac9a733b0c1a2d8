import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceContext } from '#app/lib/device-services.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { render } from '#app/ui/test-render.tsx';
import { usePaintedPage } from './use-painted-page.ts';

const paintAttempt = vi.hoisted(() => vi.fn<(...args: unknown[]) => Promise<boolean>>());
vi.mock('#app/offline/paint-page.ts', () => ({ paintAttempt }));

const STORAGE = { name: 'storage' };
const device = { storage: STORAGE } as never;

const viewAt = (head: number, lastQuestionId: string | null = 'q1') =>
  ({
    owner: 'anna',
    attemptId: 'a1',
    head,
    lastQuestionId,
    questions: [{ questionId: 'q1' }, { questionId: 'q2' }],
  }) as unknown as AttemptView;

function Page({ view, current, shown }: { view: AttemptView; current: number; shown: boolean }) {
  usePaintedPage(view, current, shown);
  return null;
}

const page = (view = viewAt(3), current = 0, shown = true) => (
  <DeviceContext value={device}>
    <Page view={view} current={current} shown={shown} />
  </DeviceContext>
);

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const painted = () => paintAttempt.mock.calls.map(([, , one]) => one);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('caches', {});
  paintAttempt.mockReset().mockResolvedValue(true);
  document.body.innerHTML = '<div id="root"></div>';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the page is stored half a second after the last change, once', async () => {
  const { show, unmount } = await render(page());
  await pass(499);
  expect(paintAttempt).not.toHaveBeenCalled();
  await show(page(viewAt(4)));
  await pass(499);
  expect(paintAttempt).not.toHaveBeenCalled();
  await pass(1);
  await pass(60_000);
  expect(paintAttempt.mock.calls).toEqual([
    [
      document.getElementById('root'),
      STORAGE,
      { owner: 'anna', attemptId: 'a1', head: 4, questionId: 'q1' },
    ],
  ]);
  await unmount();
});

test.each([
  [0, null, null],
  [0, 'q1', 'q1'],
  [1, null, 'q2'],
  [1, 'q2', 'q2'],
  [7, 'q2', null],
])('question %i with %s chosen last is stored as %s', async (current, last, expected) => {
  const { unmount } = await render(page(viewAt(3, last), current));
  await pass(500);
  expect(painted()).toMatchObject([{ questionId: expected }]);
  await unmount();
});

test('what cannot be stored yet is tried ten times, two seconds apart', async () => {
  paintAttempt.mockResolvedValue(false);
  const { unmount } = await render(page());
  await pass(500);
  expect(paintAttempt).toHaveBeenCalledTimes(1);
  await pass(1_999);
  expect(paintAttempt).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(paintAttempt).toHaveBeenCalledTimes(2);
  await pass(600_000);
  expect(paintAttempt).toHaveBeenCalledTimes(10);
  await unmount();
});

test('a failure is tried again, a success is the end', async () => {
  paintAttempt.mockRejectedValueOnce(new Error('full'));
  const { unmount } = await render(page());
  await pass(500);
  await pass(2_000);
  expect(paintAttempt).toHaveBeenCalledTimes(2);
  await pass(600_000);
  expect(paintAttempt).toHaveBeenCalledTimes(2);
  await unmount();
});

test('a page that was left is neither stored nor tried again', async () => {
  const first = await render(page());
  await first.unmount();
  await pass(600_000);
  expect(paintAttempt).not.toHaveBeenCalled();

  let finish: (isStored: boolean) => void = () => undefined;
  paintAttempt.mockImplementationOnce(() => new Promise((resolve) => (finish = resolve)));
  const second = await render(page());
  await pass(500);
  await second.unmount();
  finish(false);
  await pass(600_000);
  expect(paintAttempt).toHaveBeenCalledOnce();
});

test.each([
  ['a page that is not shown', () => page(viewAt(3), 0, false), () => undefined],
  ['a browser without caches', () => page(), () => vi.unstubAllGlobals()],
  [
    'a document without the app’s element',
    () => page(),
    () => document.getElementById('root')?.remove(),
  ],
])('%s is not stored', async (_case, shown, change) => {
  change();
  const { unmount } = await render(shown());
  await pass(600_000);
  expect(paintAttempt).not.toHaveBeenCalled();
  await unmount();
});
