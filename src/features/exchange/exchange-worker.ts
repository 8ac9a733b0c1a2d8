import * as v from 'valibot';
import { UnreadableFile } from '#interchange/model.ts';
import { readFile, tableSample, writeFile } from '#interchange/formats.ts';
import { newId } from '#app/lib/new-id.ts';
import { ExportedFile, ImportedTest, Request, type WorkerReply } from './messages.ts';
import { digestsOf, sourcesOf } from './source.ts';

/** A message for each item would cost more than reading it. */
const ITEMS_PER_MESSAGE = 50;

function onItem(count: number): void {
  if (count % ITEMS_PER_MESSAGE === 0) send({ kind: 'progress', count });
}

async function answer(request: Request): Promise<WorkerReply> {
  switch (request.kind) {
    case 'read': {
      const imported = await readFile(request.file, request.format, { newId, onItem });
      const digests = digestsOf(imported.pictures);
      const sources = sourcesOf(imported, digests);
      const items = imported.items.map((item, index) => ({ ...item, source: sources[index] }));
      const pictures = imported.pictures.map((one) => ({ ...one, digest: digests.get(one.key) }));
      return { kind: 'read', imported: v.parse(ImportedTest, { ...imported, items, pictures }) };
    }
    case 'write':
      return {
        kind: 'written',
        exported: v.parse(ExportedFile, await writeFile(request.format, request)),
      };
    case 'paper': {
      const { writePaper } = await import('#interchange/paper/write.ts');
      return { kind: 'written', exported: v.parse(ExportedFile, await writePaper(request)) };
    }
    case 'sample':
      return { kind: 'written', exported: v.parse(ExportedFile, await tableSample()) };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page to answer
const send = (reply: WorkerReply): void => self.postMessage(reply);

// Foreign files are parsed in a worker, so that a malicious one cannot block the page.
self.addEventListener('message', (event: MessageEvent<unknown>) => {
  void (async () => {
    try {
      send(await answer(v.parse(Request, event.data)));
    } catch (error) {
      send(
        error instanceof UnreadableFile
          ? { kind: 'unreadable', message: error.message }
          : { kind: 'failed' },
      );
    }
  })();
});
