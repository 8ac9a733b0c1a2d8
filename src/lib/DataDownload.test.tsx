import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '#app/api/failure.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { DataDownload, type DataDownloadProps } from './DataDownload.tsx';
import { saveFile } from './files.ts';

vi.mock('./files.ts', () => ({ saveFile: vi.fn() }));

type Fetch = DataDownloadProps['fetch'];
type Options = Parameters<Fetch>[0];

let shown: Rendered;
let options: Options;
let settle: {
  resolve: (file: { blob: Blob; fileName: string }) => void;
  reject: (e: Error) => void;
};

const fetch: Fetch = (given) => {
  options = given;
  return new Promise((resolve, reject) => (settle = { resolve, reject }));
};
const words = () => shown.container.textContent;

beforeEach(async () => {
  vi.mocked(saveFile).mockReset();
  shown = await render(<DataDownload label="Скачать архив" fetch={fetch} />);
  await click(shown.container.querySelector('button'));
});
afterEach(() => shown.unmount());

test('progress is shown, and the file is downloaded under its name', async () => {
  expect(words()).toContain('Сервер готовит файл');
  await act(async () => options.onProgress({ received: 1_572_864, total: 2_516_582 }));
  expect(words()).toContain('Скачано 1,5 из 2,4');
  await act(async () => options.onProgress({ received: 1_572_864, total: null }));
  expect(words()).toContain('Скачано 1,5');
  const blob = new Blob(['zip']);
  await act(async () => settle.resolve({ blob, fileName: 'данные.zip' }));
  expect(saveFile).toHaveBeenCalledWith(blob, 'данные.zip');
  expect(words()).not.toContain('Скачано');
});

test('the progress is spoken now and then, and the end at once', async () => {
  const spoken = () => shown.container.querySelector('output')?.textContent;
  expect(spoken()).toBe('Сервер готовит файл');
  const announced = new Set<string | undefined>();
  for (let received = 100_000; received < 2_000_000; received += 100_000) {
    await act(async () => options.onProgress({ received, total: 2_000_000 }));
    announced.add(spoken());
  }
  expect([...announced]).toEqual(['Сервер готовит файл']);
  await act(async () => settle.resolve({ blob: new Blob(['zip']), fileName: 'данные.zip' }));
  expect(spoken()).toBe('Файл скачан');
});

test('a failure explains what to do, and the button can be pressed again', async () => {
  await act(async () =>
    settle.reject(new ApiFailure({ kind: 'unreachable', method: 'GET', url: '/' })),
  );
  expect(words()).toContain('Сервер не отвечает. Проверьте сеть и повторите.');
  await click(shown.container.querySelector('button'));
  expect(words()).not.toContain('Проверьте сеть');
});

test('leaving the page aborts the download without saving a file', async () => {
  await shown.show(null);
  expect(options.signal.aborted).toBe(true);
  await act(async () => settle.resolve({ blob: new Blob(), fileName: 'данные.zip' }));
  expect(saveFile).not.toHaveBeenCalled();
});
