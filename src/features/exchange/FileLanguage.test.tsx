import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Route } from '#contract/route.ts';
import { call } from '#app/api/call.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { FileLanguage } from './FileLanguage.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));

let settings = { version: 4, language: '', theme: 'math' };
let isRefused = false;
let shown: Rendered | undefined;
beforeEach(() => {
  settings = { version: 4, language: '', theme: 'math' };
  isRefused = false;
  vi.mocked(call).mockImplementation(async ({ name }: Route, given?: unknown) => {
    if (name !== 'updateTest') return settings;
    if (isRefused) throw new Error('Нет связи');
    const { body } = given as { body: { language: string } };
    settings = { ...settings, version: 5, language: body.language };
    return { version: 5, updatedAt: '' };
  });
});
afterEach(async () => {
  await shown?.unmount();
});

async function open(language: 'en' | 'ru') {
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <FileLanguage testId="t" language={language} />
    </QueryClientProvider>,
  );
  return shown.container;
}

test('the language of a file is offered to a test that has another one', async () => {
  const box = await open('en');
  await expect
    .poll(() => box.textContent)
    .toContain('Язык вопросов в файле английский, а у теста русский.');
  await click(box.querySelector('button'));
  await expect.poll(() => box.textContent).toBe('Язык вопросов теста теперь английский.');
  const [, sent] = vi.mocked(call).mock.calls.find(([{ name }]) => name === 'updateTest') ?? [];
  expect(sent).toEqual({ body: { id: 't', version: 4, language: 'en' } });
});

test('a refusal is shown; the offer stays', async () => {
  isRefused = true;
  const box = await open('en');
  await expect.poll(() => box.querySelector('button')).not.toBeNull();
  await click(box.querySelector('button'));
  await expect
    .poll(() => box.querySelector('[role=status]')?.textContent)
    .toMatch(/^Нет связи Язык/);
  expect(box.querySelector('button')).not.toBeNull();
});

test.each([
  ['ru', { language: '', theme: 'math' }],
  ['en', { language: '', theme: 'english' }],
  ['en', { language: 'en', theme: 'math' }],
] as const)('%s is nothing new for a test with %o', async (language, own) => {
  settings = { version: 4, ...own };
  const box = await open(language);
  await expect.poll(() => vi.mocked(call).mock.calls.length).toBeGreaterThan(0);
  expect(box.textContent).toBe('');
});
