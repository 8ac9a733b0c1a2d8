import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { saveFile } from '#app/lib/files.ts';
import { fetchHandedIn } from '#app/lib/handed-in.ts';
import { click, render } from '#app/ui/test-render.tsx';
import { ShownFiles } from './ShownFile.tsx';

vi.mock('#app/lib/files.ts', () => ({ saveFile: vi.fn() }));
vi.mock('#app/lib/handed-in.ts', async (original) => ({
  ...(await original<object>()),
  fetchHandedIn: vi.fn(),
}));

beforeEach(() => void vi.clearAllMocks());

test.each([
  ['a picture', 1, 'решение.png', 'image/png', 'image/png'],
  ['a page that calls itself one', 0, 'решение.png', 'image/png', 'text/html'],
  ['an archive', 0, 'работа.zip', 'application/zip', 'application/zip'],
])(
  'of %s %i pictures are shown inline, and a click downloads it under its name',
  async (_, pictures, name, mimeType, content) => {
    const blob = new Blob(['x'], { type: content });
    vi.mocked(fetchHandedIn).mockResolvedValue(blob);
    const fileId = '01900000-0000-7000-8000-000000000001';
    const answer = {
      questionId: fileId,
      kind: 'file',
      fileId,
      size: 1,
      sha256: '',
      name,
      mimeType,
    } as const;
    const { container, unmount } = await render(
      <QueryClientProvider client={new QueryClient()}>
        <ShownFiles answer={answer} />
      </QueryClientProvider>,
    );
    const isRequested = mimeType.startsWith('image/');
    await act(() =>
      vi.waitFor(() => expect(fetchHandedIn).toHaveBeenCalledTimes(isRequested ? 1 : 0)),
    );
    await act(() => new Promise((shown) => setTimeout(shown)));
    expect(container.querySelectorAll('img')).toHaveLength(pictures);
    await click(container.querySelector(`button[aria-label="Скачать файл ${name}"]`));
    await act(() => vi.waitFor(() => expect(saveFile).toHaveBeenCalledWith(blob, name)));
    await unmount();
  },
);
