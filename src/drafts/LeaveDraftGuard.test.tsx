import {
  createBrowserHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import type { DraftEditor } from './draft.ts';
import { LeaveDraftGuard } from './LeaveDraftGuard.tsx';

/** Whether the browser asks for confirmation before leaving or reloading. */
async function asks(state: DraftEditor['state']): Promise<boolean> {
  const root = createRootRoute({ component: () => <LeaveDraftGuard draft={{ state }} /> });
  const history = createBrowserHistory();
  const router = createRouter({ routeTree: root, history });
  await router.load();
  const { unmount } = await render(<RouterProvider router={router} />);
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  await unmount();
  history.destroy();
  return leaving.defaultPrevented;
}

test('a reload needs confirmation only while edits are only in memory', async () => {
  expect(await asks({ kind: 'memory' })).toBe(true);
  expect(await asks({ kind: 'device', at: new Date(0), isOffline: true })).toBe(false);
  expect(await asks({ kind: 'server', at: new Date(0) })).toBe(false);
});
