// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { ContentLanguage } from './content-language.ts';
import { Pictures } from './pictures-context.ts';
import { RichText } from './RichText.tsx';
import { click, render } from '#app/ui/test-render.tsx';

async function settled(condition: () => boolean): Promise<void> {
  // Loaded parts arrive outside of any `act`.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  await vi.waitFor(() => expect(condition()).toBe(true), { timeout: 4000 });
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
}

test('plain text stands at once', async () => {
  const { container, unmount } = await render(<RichText text="Что больше: 5 < 7?" />);
  expect(container.querySelector('p')?.textContent).toBe('Что больше: 5 < 7?');
  await unmount();
});

test('a formula is readable as typed until it is drawn', async () => {
  const { container, unmount } = await render(<RichText text="По закону $x(t) = 5$" />);
  expect(container.textContent).toContain('По закону');
  await settled(() => container.querySelector('.katex') !== null);
  await unmount();
});

test('a picture is shown as the blob that was fetched, and opens whole', async () => {
  const requested: string[] = [];
  const resolveImage = async (key: string) => {
    requested.push(key);
    return 'blob:http://localhost/1';
  };
  const { container, unmount } = await render(
    <Pictures value={resolveImage}>
      <RichText text="![схема цепи](file:0198/a.png)" />
    </Pictures>,
  );
  await settled(() => container.querySelector('img')?.getAttribute('src') != null);
  expect(requested).toEqual(['0198/a.png']);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('blob:http://localhost/1');
  await click(container.querySelector('[data-picture]'));
  expect(document.querySelector('[role=dialog]')?.getAttribute('aria-label')).toBe('схема цепи');
  await unmount();
});

test('a recording plays the blob that was fetched, under its description', async () => {
  const { container, unmount } = await render(
    <Pictures value={async (key: string) => `blob:http://localhost/${key}`}>
      <RichText text="![Диалог](audio-file:0198)" />
    </Pictures>,
  );
  await settled(() => container.querySelector('audio')?.getAttribute('src') != null);
  expect(container.querySelector('audio')?.getAttribute('src')).toBe('blob:http://localhost/0198');
  expect(container.textContent.trim()).toBe('Диалог');
  expect(container.querySelector('[data-picture]')).toBeNull();
  await unmount();
});

test('pictures, recordings and links within a button are not interactive', async () => {
  const { container, unmount } = await render(
    <Pictures value={async (key: string) => `blob:http://localhost/${key}`}>
      <RichText
        inline
        still
        text="[сайт](https://a.example) ![схема](file:a) ![Диалог](audio-file:b)"
      />
    </Pictures>,
  );
  await settled(() => container.querySelector('img')?.getAttribute('src') != null);
  expect(container.querySelector('a, button, audio')).toBeNull();
  expect(container.textContent.trim()).toMatch(/^сайт\s+Диалог$/);
  await click(container.querySelector('img'));
  expect(document.querySelector('[role=dialog]')).toBeNull();
  await unmount();
});

test('a recording that did not come says so under its description, and is loaded again by a button', async () => {
  const resolveImage = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('gone'))
    .mockResolvedValue('blob:http://localhost/1');
  const { container, unmount } = await render(
    <Pictures value={resolveImage}>
      <RichText text="![Диалог](audio-file:0198)" />
    </Pictures>,
  );
  await settled(() => container.querySelector('audio') === null);
  expect(resolveImage).toHaveBeenCalledWith('0198', true);
  expect(container.textContent).toMatch(/^ДиалогЗапись не загрузилась/);
  await click(container.querySelector('[data-again]'));
  await settled(() => container.querySelector('audio')?.getAttribute('src') != null);
  expect(container.querySelector('[data-again]')).toBeNull();
  await unmount();
});

test.each([
  ['a foreign address', async () => 'https://example.org/x.png'],
  ['a failure', () => Promise.reject(new Error('gone'))],
])('after %s the description stands instead of the picture', async (_name, resolveImage) => {
  const { container, unmount } = await render(
    <Pictures value={resolveImage}>
      <RichText text="![схема](file:a)" />
    </Pictures>,
  );
  const words = () => container.querySelector('[data-missing]')?.textContent;
  await settled(() => words() === 'Картинка не загрузилась: схема');
  expect(container.querySelector('img')).toBeNull();
  await unmount();
});

test('another text in the same place replaces the first whole', async () => {
  const { container, show, unmount } = await render(<RichText text="**раз**" />);
  await settled(() => container.querySelector('strong') !== null);
  await show(<RichText text="*два*" />);
  await settled(() => container.querySelector('em') !== null);
  expect(container.querySelector('div > div')?.textContent?.trim()).toBe('два');
  await show(<RichText text="три" />);
  expect(container.textContent).toContain('три');
  expect(container.textContent).not.toContain('два');
  await unmount();
});

test.each(['What is bigger?', 'What is **bigger**, $x$?'])(
  'a text bears the language of its test, what a formula says is Russian: %s',
  async (text) => {
    const { container, unmount } = await render(
      <ContentLanguage value="en">
        <RichText text={text} />
      </ContentLanguage>,
    );
    const box = () => container.querySelector('[lang=en]');
    await settled(
      () =>
        box() !== null && !text.includes('$') === (box()?.querySelector('[data-spoken]') === null),
    );
    expect(box()?.querySelector('[data-spoken]')?.getAttribute('lang') ?? 'ru').toBe('ru');
    await unmount();
  },
);
