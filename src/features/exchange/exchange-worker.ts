import * as v from 'valibot';
import { UnreadableFile } from '#interchange/model.ts';
import { readFile, tableSample, writeFile } from '#interchange/formats.ts';
import { newId } from '#app/lib/new-id.ts';
import { Exported, Imported, Request, type Reply } from './messages.ts';

async function answer(request: Request): Promise<Reply> {
  switch (request.kind) {
    case 'read':
      return {
        kind: 'read',
        imported: v.parse(Imported, await readFile(request.file, request.format, { newId })),
      };
    case 'write':
      return {
        kind: 'written',
        exported: v.parse(Exported, await writeFile(request.format, request)),
      };
    case 'sample':
      return { kind: 'written', exported: v.parse(Exported, await tableSample()) };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page to answer
const send = (reply: Reply): void => self.postMessage(reply);

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
