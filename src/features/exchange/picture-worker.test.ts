import { expect, test, vi } from 'vitest';
import { PictureRefusal } from '#app/lib/pictures/prepare-picture.ts';
import { startPictureWorker } from './picture-worker.ts';
import type { ExchangeWorker } from './run-exchange.ts';

type Message = (event: { data: unknown }) => void;

function fakeWorker(answer: (listeners: ReadonlyMap<string, Message>, id: number) => void) {
  const listeners = new Map<string, Message>();
  const terminate = vi.fn();
  const worker: ExchangeWorker = {
    postMessage: (message) => answer(listeners, (message as { id: number }).id),
    terminate,
    addEventListener: (kind: string, hear: Message) => void listeners.set(kind, hear),
  };
  return { make: () => worker, terminate };
}

const FILE = new Blob(['file']);
const PREPARED = new Blob(['prepared']);
const onPage = vi.fn(async () => new Blob(['on the page']));

test('each picture gets its own reply, in whatever order they come', async () => {
  const ids: number[] = [];
  const { make, terminate } = fakeWorker((listeners, id) => {
    ids.push(id);
    if (ids.length < 2) return;
    listeners.get('message')?.({
      data: { kind: 'refused', id: ids[1], message: 'Это не картинка' },
    });
    listeners.get('message')?.({ data: { kind: 'prepared', id: ids[0], picture: PREPARED } });
  });
  const worker = startPictureWorker(onPage, make);
  const [first, second] = await Promise.allSettled([worker.prepare(FILE), worker.prepare(FILE)]);
  expect(first).toEqual({ status: 'fulfilled', value: PREPARED });
  expect(second).toEqual({ status: 'rejected', reason: new PictureRefusal('Это не картинка') });
  worker.close();
  expect(terminate).toHaveBeenCalledOnce();
  expect(onPage).not.toHaveBeenCalled();
});

test.each([
  ['broke', (listeners: ReadonlyMap<string, Message>) => listeners.get('error')?.({ data: null })],
  [
    'failed on a picture',
    (listeners: ReadonlyMap<string, Message>, id: number) =>
      listeners.get('message')?.({ data: { kind: 'refused', id, message: null } }),
  ],
])('what a worker that %s leaves undone is done on the page', async (_, answer) => {
  const worker = startPictureWorker(onPage, fakeWorker(answer).make);
  expect(await (await worker.prepare(FILE)).text()).toBe('on the page');
  expect(await (await worker.prepare(FILE)).text()).toBe('on the page');
});

test('closing ends the work in progress', async () => {
  const { make, terminate } = fakeWorker(() => undefined);
  const worker = startPictureWorker(onPage, make);
  const picture = worker.prepare(FILE);
  worker.close();
  await expect(picture).rejects.toThrow('stopped');
  expect(terminate).toHaveBeenCalledOnce();
});

test('a browser that draws on pages only does it there', async () => {
  const worker = startPictureWorker(onPage, null);
  expect(await (await worker.prepare(FILE)).text()).toBe('on the page');
  worker.close();
});
