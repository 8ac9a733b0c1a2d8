import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import type { ProjectDetails } from '#contract/projects.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
import { ProjectPage } from './ProjectPage.tsx';
import { projectQuery } from './queries.ts';

const PROJECT = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Орбита',
  shortDescription: 'Симулятор спутников',
  description: 'Спутник летит по орбите',
  ownerId: '01900000-0000-7000-8000-000000000002',
  ownerName: 'Комаров Илья',
  landingURL: 'https://project.example/',
  documentation: null,
  rating: 3,
  ratingCount: 1,
  myRating: null,
  views: 0,
  logo: null,
  createdAt: '2026-05-22T15:00:00.000Z',
  updatedAt: '2026-05-22T15:00:00.000Z',
  isHidden: false,
  mayEdit: false,
};

function open(changes: Partial<ProjectDetails>) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(projectQuery(PROJECT.id).queryKey, {
    ...PROJECT,
    isMine: true,
    savedAt: null,
    ...changes,
  });
  return render(
    <DeviceContext value={{ serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices}>
      <QueryClientProvider client={client}>
        <ProjectPage
          projectId={PROJECT.id}
          userName="Комаров Илья"
          onDeleted={() => undefined}
          renderPage={({ children }) => <main>{children}</main>}
        />
      </QueryClientProvider>
    </DeviceContext>,
  );
}

test.each([
  [true, 0],
  [false, 5],
])(
  'a project that is one’s own (%s) shows its rating and %i stars to rate it with',
  async (isMine, stars) => {
    const { container, unmount } = await open({ isMine });
    expect(container.querySelector('main')?.textContent).toContain('3 из 5, 1 оценка');
    expect(container.querySelectorAll('main input[type=radio]')).toHaveLength(stars);
    await unmount();
  },
);

test.each([
  ['https://project.example/', 1],
  ['', 0],
])('a project with site «%s» has %i links to it', async (landingURL, links) => {
  const { container, unmount } = await open({ landingURL });
  expect(container.querySelectorAll('main a[target=_blank]')).toHaveLength(links);
  await unmount();
});

test('a description is shown in paragraphs, as text and never as HTML', async () => {
  const { container, unmount } = await open({
    description: 'Первый абзац.\n\n<b>Второй</b> абзац.',
  });
  expect([...container.querySelectorAll('article p')].map((one) => one.textContent)).toEqual([
    'Симулятор спутников',
    'Первый абзац.',
    '<b>Второй</b> абзац.',
  ]);
  await unmount();
});

test('a project that was never loaded says so without a network, while its request waits for one', async () => {
  onlineManager.setOnline(false);
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const client = new QueryClient({
    defaultOptions: { queries: { networkMode: 'offlineFirst', retry: 3 } },
  });
  const { container, unmount } = await render(
    <DeviceContext value={{ serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices}>
      <QueryClientProvider client={client}>
        <ProjectPage
          projectId={PROJECT.id}
          userName="Комаров Илья"
          onDeleted={() => undefined}
          renderPage={({ children }) => <main>{children}</main>}
        />
      </QueryClientProvider>
    </DeviceContext>,
  );
  await act(() =>
    vi.waitFor(() =>
      expect(container.textContent).toContain('Этой страницы на устройстве ещё нет, а сети нет'),
    ),
  );
  await unmount();
  online.mockRestore();
  vi.unstubAllGlobals();
  onlineManager.setOnline(true);
});
