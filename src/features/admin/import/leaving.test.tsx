import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createBrowserHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { ImportResult, ImportRow } from '#contract/admin.ts';
import { call } from '#app/api/call.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { ImportRun } from './ImportRun.tsx';
import { judgeRows } from './judge.ts';
import { forgetSavedTable } from './saved-table.ts';
import { saveCsv } from './save-csv.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('./save-csv.ts', () => ({ saveCsv: vi.fn() }));

afterEach(forgetSavedTable);

/** Whether the browser asks for confirmation before the tab is closed or reloaded. */
const asksToUnload = (): boolean =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

interface Sent {
  body: { key?: string; rows: ImportRow[] };
}

/** An import of one person before «Создать»; `finish` resolves its reply. */
async function openImport() {
  let finish: () => void = () => undefined;
  const answer = ({ body }: Sent): { results: ImportResult[] } => ({
    results: body.rows.map(({ line }) => ({
      line,
      outcome: 'good',
      problems: [],
      userId: null,
      password: body.key === undefined ? null : `Pass${line}`,
    })),
  });
  vi.mocked(call).mockImplementation(((_route: unknown, sent: Sent) =>
    sent.body.key === undefined
      ? Promise.resolve(answer(sent))
      : new Promise((resolve) => {
          finish = () => resolve(answer(sent));
        })) as unknown as typeof call);
  const rows = judgeRows([
    { line: 2, userName: 'Иванова Мария', email: 'ivanova@school.ru', role: '', password: '' },
  ]);
  const none = () => undefined;
  const root = createRootRoute({
    component: () => (
      <ImportRun rows={rows} note={null} ownId="admin" onBack={none} onClose={none} />
    ),
  });
  const history = createBrowserHistory();
  const router = createRouter({ routeTree: root, history });
  await router.load();
  const shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const button = (label: string) =>
    [...shown.container.querySelectorAll('button')].find(({ textContent }) =>
      textContent?.includes(label),
    );
  const press = async (label: string) => {
    await waitForShown(() => expect(button(label)).toBeDefined());
    await click(button(label));
  };
  return {
    press,
    finish: () => act(async () => finish()),
    close: async () => {
      await shown.unmount();
      history.destroy();
    },
  };
}

test('the browser asks while accounts are being created, and until their passwords were downloaded', async () => {
  const { press, finish, close } = await openImport();
  expect(asksToUnload()).toBe(false);
  await press('Создать 1 учётную запись');
  expect(asksToUnload()).toBe(true);
  await finish();
  expect(asksToUnload()).toBe(true);
  await press('Скачать созданных с паролями');
  expect(saveCsv).toHaveBeenCalledTimes(1);
  expect(asksToUnload()).toBe(false);
  await close();
});

test('it also asks while passwords are retained after an ended session', async () => {
  const { press, finish, close } = await openImport();
  await press('Создать 1 учётную запись');
  await finish();
  await close();
  expect(asksToUnload()).toBe(true);
  forgetSavedTable();
  expect(asksToUnload()).toBe(false);
});
