import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ExchangeProblem, readInWorker, type ExchangeWorker } from './run-exchange.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Message = (event: { data: unknown }) => void;

/** A fake worker. */
function fakeWorker(answer: (hear: ReadonlyMap<string, Message>) => void) {
  const listeners = new Map<string, Message>();
  const terminate = vi.fn();
  const worker: ExchangeWorker = {
    postMessage: () => answer(listeners),
    terminate,
    addEventListener: (kind: string, hear: Message) => void listeners.set(kind, hear),
  };
  return { make: () => worker, terminate };
}

const request = {
  kind: 'read' as const,
  file: { name: 'тест.txt', bytes: new Uint8Array([1]) },
  format: null,
};
const imported = {
  format: 'gift',
  title: null,
  items: [],
  refused: [{ place: 'строка 1', excerpt: '', reason: 'Нет ответа' }],
  pictures: [],
  notes: [],
};

describe('a file is read by a worker of its own', () => {
  test('its reply is parsed, and the worker is terminated', async () => {
    const { make, terminate } = fakeWorker((listeners) =>
      listeners.get('message')?.({ data: { kind: 'read', imported } }),
    );
    await expect(readInWorker(request, undefined, undefined, make)).resolves.toEqual(imported);
    expect(terminate).toHaveBeenCalledOnce();
  });

  test('the count of read items is reported until the reply', async () => {
    const { make } = fakeWorker((listeners) => {
      for (const count of [50, 100])
        listeners.get('message')?.({ data: { kind: 'progress', count } });
      listeners.get('message')?.({ data: { kind: 'read', imported } });
    });
    const counts: number[] = [];
    const read = readInWorker(request, undefined, (count) => counts.push(count), make);
    await expect(read).resolves.toEqual(imported);
    expect(counts).toEqual([50, 100]);
  });

  test.each([
    ['words for the teacher', { kind: 'unreadable', message: 'Файл пуст' }, 'Файл пуст'],
    ['a reader that broke', { kind: 'failed' }, 'Не получилось прочитать файл'],
    [
      'something else than a reply',
      { kind: 'read', imported: { items: 'x' } },
      'Не получилось прочитать файл',
    ],
  ])('%s becomes a message', async (_, data, words) => {
    const { make, terminate } = fakeWorker((listeners) => listeners.get('message')?.({ data }));
    await expect(readInWorker(request, undefined, undefined, make)).rejects.toThrow(words);
    expect(terminate).toHaveBeenCalledOnce();
  });

  test('a crashed worker becomes a message', async () => {
    const { make } = fakeWorker((listeners) => listeners.get('error')?.({ data: null }));
    await expect(readInWorker(request, undefined, undefined, make)).rejects.toThrow(
      ExchangeProblem,
    );
  });

  test('an unresponsive one is terminated after a minute', async () => {
    const { make, terminate } = fakeWorker(() => undefined);
    await Promise.all([
      expect(readInWorker(request, undefined, undefined, make)).rejects.toThrow('слишком долго'),
      vi.advanceTimersByTimeAsync(60_000),
    ]);
    expect(terminate).toHaveBeenCalledOnce();
  });

  test('one that goes on is not', async () => {
    let report: () => void = () => undefined;
    const { make, terminate } = fakeWorker((listeners) => {
      report = () => listeners.get('message')?.({ data: { kind: 'progress', count: 20 } });
    });
    const abort = new AbortController();
    const read = readInWorker(request, abort.signal, undefined, make);
    await vi.advanceTimersByTimeAsync(50_000);
    report();
    await vi.advanceTimersByTimeAsync(50_000);
    expect(terminate).not.toHaveBeenCalled();
    abort.abort();
    await expect(read).rejects.toThrow('stopped');
  });

  test('the teacher can stop it', async () => {
    const abort = new AbortController();
    const { make, terminate } = fakeWorker(() => abort.abort());
    await expect(readInWorker(request, abort.signal, undefined, make)).rejects.toThrow('stopped');
    expect(terminate).toHaveBeenCalledOnce();
  });
});
