import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { callWithFacts } from '#app/api/call.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { click, render } from '#app/ui/test-render.tsx';
import type { ProjectDialogProps } from './dialog/ProjectDialog.tsx';
import { MyProjectsPage } from './MyProjectsPage.tsx';

// Modals without their history entries.
vi.mock('#app/api/call.ts', async (original) => ({
  ...(await original<object>()),
  callWithFacts: vi.fn(),
}));
// The form of a project has its own tests; here it is saved at once.
vi.mock('./dialog/ProjectDialog.tsx', () => ({
  ProjectDialog: ({ opened, onClose, onSaved }: ProjectDialogProps) => (
    <Modal opened={opened} onClose={onClose} title="Новый проект">
      <button
        type="button"
        onClick={() => {
          onClose();
          onSaved('Орбита');
        }}
      >
        Сохранить
      </button>
    </Modal>
  ),
}));

const PROJECT = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Орбита',
  shortDescription: 'Симулятор спутников',
  ownerId: '01900000-0000-7000-8000-000000000002',
  ownerName: 'Комаров Илья',
  rating: null,
  ratingCount: 0,
  views: 0,
  logo: null,
  createdAt: '2026-05-22T15:00:00.000Z',
  isHidden: false,
};

test('the first project unmounts its button, and the focus moves to the result note', async () => {
  let items: (typeof PROJECT)[] = [];
  vi.mocked(callWithFacts).mockImplementation(
    async () => ({ reply: { items, total: items.length }, headers: new Headers() }) as never,
  );
  const client = new QueryClient();
  const root = createRootRoute({
    component: () => (
      <MyProjectsPage
        search={{}}
        onSearch={() => undefined}
        userName="Комаров Илья"
        renderPage={({ titleAside, children }) => (
          <main>
            {titleAside}
            {children}
          </main>
        )}
      />
    ),
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  await router.load();
  const { container, unmount } = await render(
    <DeviceContext value={{ serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </DeviceContext>,
  );
  const button = (label: string) =>
    [...container.querySelectorAll('button')].find(({ textContent }) => textContent === label);
  const shows = (words: string) =>
    act(async () => vi.waitFor(() => expect(container.textContent).toContain(words)));
  await shows('Пока нет проектов');
  button('Добавить проект')?.focus();
  await click(button('Добавить проект'));
  items = [PROJECT];
  await click(button('Сохранить'));
  await act(async () => client.invalidateQueries());
  await shows('Симулятор спутников');
  expect(document.activeElement?.textContent).toBe(
    'Проект «Орбита» добавлен. Его видно на витрине.',
  );
  await unmount();
});
