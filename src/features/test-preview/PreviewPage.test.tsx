import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useEffect, useState, type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { useFakeDraft } from '#app/features/editor/test-editor.tsx';
import type { PreviewSearch } from './preview-search.ts';
import { PreviewPage } from './PreviewPage.tsx';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { contentQuery } from './queries.ts';

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<Record<string, unknown>>()),
  Link: 'a',
}));
vi.mock('#app/ui/layout/DeviceFrame.tsx', () => ({
  DeviceFrame: ({ children }: { children: ReactNode }) => <section>{children}</section>,
}));
vi.mock('#app/lib/pictures/use-pictures.ts', () => ({ usePictures: () => async () => '' }));

vi.setConfig({ testTimeout: 30_000 });

const TEST = '01990000-0000-7000-8000-0000000000aa';
const question = (number: number, text: string): Question => ({
  questionId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  kind: 'file',
  text,
  points: 1,
  maxBytes: 1_000,
  accept: [],
});
const OLD = [question(1, 'Прежний вопрос')];
const NEW = [question(1, 'Новый вопрос'), question(2, 'Второй вопрос')];

let shown: Rendered;
let search: PreviewSearch;
let change: DraftEditor['change'];

function Screen({ overrides, first }: { overrides: Partial<DraftEditor>; first: PreviewSearch }) {
  const draft = useFakeDraft(NEW, overrides);
  const [now, setNow] = useState(first);
  useEffect(() => {
    search = now;
    change = draft.change;
  });
  const about = { problem: null, retry: () => undefined };
  return <PreviewPage testId={TEST} draft={draft} {...about} search={now} onSearch={setNow} />;
}

async function open(overrides: Partial<DraftEditor>, first: PreviewSearch = {}) {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const facts = { id: TEST, name: 'Законы Ньютона', passTestTime: '00:40:00' };
  client.setQueryData(settingsQuery(TEST).queryKey, facts as never);
  client.setQueryData(contentQuery(TEST).queryKey, { ...facts, questions: OLD } as never);
  shown = await render(
    <DeviceContext value={{ serverNow: () => 0, timeZone: 'Europe/Moscow' } as DeviceServices}>
      <QueryClientProvider client={client}>
        <Screen overrides={overrides} first={first} />
      </QueryClientProvider>
    </DeviceContext>,
  );
}

afterEach(async () => {
  await shown.unmount();
  vi.unstubAllGlobals();
});

const words = () => shown.container.textContent ?? '';
const version = (label: string) =>
  [...shown.container.querySelectorAll('fieldset label')]
    .find((one) => one.textContent === label)
    ?.querySelector('input');
const EDITED = { lifecycle: 'active', hasUnpublished: true } as const;

test('for a published test with edits the working copy is shown, with a note', async () => {
  await open(EDITED);
  expect(words()).toContain('Новый вопрос');
  expect(words()).not.toContain('Прежний вопрос');
  expect(words()).toContain('Показан черновик');
  expect(words()).toContain('предпросмотр черновика');
  expect(version('Черновик')?.checked).toBe(true);
});

test('the switch shows the published version, and is stored in the URL', async () => {
  await open(EDITED);
  await click(version('Как опубликовано'));
  expect(search).toEqual({ shown: 'published' });
  expect(words()).toContain('Прежний вопрос');
  expect(words()).not.toContain('Новый вопрос');
  expect(words()).toContain('Показано то, что опубликовано');
  await click(version('Черновик'));
  expect(search).toEqual({});
  expect(words()).toContain('Новый вопрос');
});

test('a URL for the published version shows it at once', async () => {
  await open(EDITED, { shown: 'published' });
  expect(words()).toContain('Прежний вопрос');
  expect(version('Как опубликовано')?.checked).toBe(true);
});

test.each([
  ['a draft', { lifecycle: 'draft', hasUnpublished: false }],
  ['a test without edits', { lifecycle: 'active', hasUnpublished: false }],
] as const)('of %s there is nothing to switch', async (_, overrides) => {
  await open(overrides, { shown: 'published' });
  expect(version('Как опубликовано')).toBeUndefined();
  expect(words()).toContain('Новый вопрос');
  expect(words()).toContain('Так тест увидит ученик');
});

test('if the current question is deleted, the previous one is shown', async () => {
  await open(EDITED);
  const next = [...shown.container.querySelectorAll('button')].find(
    (one) => one.textContent === 'Далее',
  );
  await click(next);
  expect(words()).toContain('Второй вопрос');
  await act(async () => change('Удаление вопроса', (all) => all.slice(0, 1)));
  expect(words()).toContain('Новый вопрос');
});
