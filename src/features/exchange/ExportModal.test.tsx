import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { ExportModal } from './ExportModal.tsx';
import type { ExportedFile } from './messages.ts';
import { saveExported, writeInWorker } from './run-exchange.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn(() => new Promise(() => undefined)) }));
vi.mock('./run-exchange.ts', async (original) => ({
  ...(await original<object>()),
  saveExported: vi.fn(),
  writeInWorker: vi.fn(),
}));

let shown: Rendered;
beforeEach(async () => {
  vi.mocked(saveExported).mockReset();
  const draft = { testId: 't1', questions: [] } as unknown as DraftEditor;
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <ExportModal opened onClose={() => undefined} draft={draft} />
    </QueryClientProvider>,
  );
});
afterEach(() => shown.unmount());

const words = () => shown.container.textContent;
const press = (name: string) =>
  click([...shown.container.querySelectorAll('button')].find((one) => one.textContent === name));
const make = async (losses: string[]): Promise<ExportedFile> => {
  const exported = { bytes: new Uint8Array(), mimeType: 'text/xml', fileName: 'a.xml', losses };
  vi.mocked(writeInWorker).mockResolvedValue(exported);
  expect(words()).toContain('Экспорт теста');
  await press('Подготовить файл');
  await act(() => vi.waitFor(() => expect(words()).toMatch(/Перенесено всё|перенесёт не всё/)));
  return exported;
};

test('what the format cannot carry is listed before the file is saved', async () => {
  const exported = await make(['Вопрос 2: срок', 'Вопрос 3: отрывок']);
  expect(words()).toContain('перенесёт не всё:');
  expect(words()).toContain('Вопрос 3: отрывок');
  expect(words()).not.toContain('Перенесено всё');
  expect(saveExported).not.toHaveBeenCalled();
  await press('Скачать с потерями');
  expect(vi.mocked(saveExported).mock.calls).toEqual([[exported]]);
});

test('a file without losses is saved at once and says so', async () => {
  const exported = await make([]);
  expect(words()).toContain('Файл «a.xml» сохранён. Перенесено всё.');
  expect(vi.mocked(saveExported).mock.calls).toEqual([[exported]]);
});
