import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useLayoutEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TestSettings } from '#contract/authoring.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { closeOpenDrafts } from '#app/lib/open-drafts.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { leaveDraftsPart } from './leave-drafts-part.ts';
import { openDrafts } from './open-draft.ts';
import { serveDraft } from './serve-draft.ts';
import { idOf, list } from './testing.ts';
import { useDraft } from './use-draft.ts';

const TEST_ID = idOf(99);
const client = new QueryClient();
const storage = createMemoryStorage();
const invalidate = vi.spyOn(client, 'invalidateQueries');
const loadPart = vi.spyOn(leaveDraftsPart, 'load');

let shown: Rendered;
let used: ReturnType<typeof useDraft>;
let served: ReturnType<typeof serveDraft>;

function Editor({ testId }: { testId: string }) {
  const draft = useDraft(testId);
  useLayoutEffect(() => {
    used = draft;
  });
  return null;
}

const view = (testId = TEST_ID) => (
  <QueryClientProvider client={client}>
    <DeviceContext value={{ storage } as unknown as DeviceServices}>
      <Editor testId={testId} />
    </DeviceContext>
  </QueryClientProvider>
);

const settle = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms));
const type = (text: string) =>
  act(async () =>
    used.draft?.change('Правка', (questions) => questions.map((each) => ({ ...each, text }))),
  );
const mayLeave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

beforeEach(async () => {
  vi.useFakeTimers();
  served = serveDraft(list(1));
  invalidate.mockClear();
  loadPart.mockClear();
  shown = await render(view());
  await settle();
});

afterEach(async () => {
  await shown.unmount();
  await closeOpenDrafts();
  client.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('an editor shows the working copy while it is mounted, and releases it then', async () => {
  expect(used.problem).toBeNull();
  expect(used.draft?.questions).toEqual(list(1));
  await shown.show(null);
  await settle(1_500);
  expect(openDrafts()).toEqual([]);
});

test('a mounted editor leaves its copy open; another test has its own', async () => {
  await shown.show(view());
  await settle(5_000);
  expect(openDrafts()).toHaveLength(1);
  await shown.show(view(idOf(98)));
  await settle(5_000);
  expect(openDrafts().map(({ testId }) => testId)).toEqual([idOf(98)]);
  expect(used.draft?.testId).toBe(idOf(98));
});

test('a failed load is shown, and can be repeated', async () => {
  await shown.show(null);
  await closeOpenDrafts();
  served.faults.push('gone');
  await shown.show(view());
  await settle();
  expect(used).toMatchObject({ draft: null, problem: { status: 404 } });
  await act(async () => used.retry());
  await settle();
  expect(used.draft?.questions).toEqual(list(1));
});

test('what a sign-out shows is loaded with the editor, once', async () => {
  await shown.show(view());
  await shown.show(view(idOf(98)));
  expect(loadPart).toHaveBeenCalledTimes(1);
  expect(await leaveDraftsPart.load()).toBeTypeOf('function');
});

test('the browser asks before a page with edits in memory alone is closed', async () => {
  expect(mayLeave()).toBe(true);
  await type('слово');
  expect(mayLeave()).toBe(false);
  await settle(1_500);
  expect(mayLeave()).toBe(true);
  await type('слова');
  await shown.show(null);
  expect(mayLeave()).toBe(true);
});

test('a stored edit makes lists outdated, once, and they are fetched when they are shown', async () => {
  expect(invalidate).toHaveBeenCalledWith({ queryKey: queryKeys.tests, refetchType: 'none' });
  invalidate.mockClear();
  await type('слово');
  await settle(500);
  expect(invalidate).not.toHaveBeenCalled();
  await settle(1_000);
  expect(invalidate).toHaveBeenCalledTimes(1);
  await shown.show(view());
  expect(invalidate).toHaveBeenCalledTimes(1);
});

test('publishing elsewhere on the page requests the working copy once', async () => {
  const key = settingsQuery(TEST_ID).queryKey;
  served.calls.length = 0;
  await act(async () => client.setQueryData(key, { lifecycle: 'draft' } as TestSettings));
  await settle();
  expect(served.calls).toEqual([]);
  served.state.lifecycle = 'active';
  await act(async () => client.setQueryData(key, { lifecycle: 'active' } as TestSettings));
  await settle();
  expect(served.calls).toEqual(['GET draft/version']);
  expect(used.draft?.lifecycle).toBe('active');
  await shown.show(view());
  await settle();
  expect(served.calls).toHaveLength(1);
});
