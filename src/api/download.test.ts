import { expect, test, vi } from 'vitest';
import { downloadFile } from '#contract/files.ts';
import { attachmentName, createDownloader } from './download.ts';
import { ApiFailure } from './failure.ts';

const KEY = '0197f0a0-0000-7000-8000-000000000001';
const input = { params: { key: KEY } };

const downloader = (answer: (signal: AbortSignal) => Response | Promise<Response>) =>
  createDownloader({
    baseUrl: 'https://school.example',
    appVersion: '1',
    token: () => 'secret',
    fetch: async (_url, init) => answer(init?.signal ?? new AbortController().signal),
  });

const failureOf = async (promise: Promise<unknown>): Promise<ApiFailure> => {
  const error: unknown = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof ApiFailure)) throw new Error('expected an ApiFailure');
  return error;
};

test('a file is downloaded with its name and type, and reports progress', async () => {
  const onProgress = vi.fn();
  const download = downloader(
    () =>
      new Response('отчёт', {
        headers: {
          'content-type': 'application/pdf',
          'content-length': '10',
          'content-disposition': "attachment; filename*=UTF-8''%D0%BE%D1%82%D1%87%D1%91%D1%82.pdf",
        },
      }),
  );
  const { blob, fileName, mimeType } = await download(downloadFile, input, { onProgress });
  expect([fileName, mimeType, await blob.text()]).toEqual([
    'отчёт.pdf',
    'application/pdf',
    'отчёт',
  ]);
  expect(onProgress).toHaveBeenLastCalledWith({ received: 10, total: 10 });
});

test('a refusal, a foreign page and a time-out are failures of their kinds', async () => {
  const refusal = { code: 'NOT_FOUND', message: 'Не найдено', requestId: KEY };
  const refused = downloader(() => new Response(JSON.stringify(refusal), { status: 404 }));
  expect(await failureOf(refused(downloadFile, input))).toMatchObject({
    kind: 'refused',
    code: 'NOT_FOUND',
  });
  const page = downloader(() => new Response('<html>'));
  expect((await failureOf(page(downloadFile, input))).kind).toBe('notOurs');
  const silent = downloader(
    (signal) =>
      new Response(
        new ReadableStream({
          start: (controller) =>
            signal.addEventListener('abort', () => controller.error(new Error('aborted'))),
        }),
        { headers: { 'content-disposition': 'attachment' } },
      ),
  );
  const failure = await failureOf(silent(downloadFile, input, { silenceMs: 5 }));
  expect([failure.kind, failure.timedOut]).toEqual(['unreachable', true]);
});

test.each([
  ["attachment; filename*=UTF-8''a%20b.zip", 'a b.zip'],
  ['attachment; filename="plain.zip"', 'plain.zip'],
  ["attachment; filename*=UTF-8''%E0%A4%A", 'файл'],
  [null, 'файл'],
])('the name in %j is %j', (disposition, name) => {
  expect(attachmentName(disposition)).toBe(name);
});
