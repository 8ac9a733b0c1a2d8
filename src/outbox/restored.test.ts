import { expect, test } from 'vitest';
import type { StoreName } from '#app/storage/rows.ts';
import { MINUTE, open } from './fake-server.ts';
import { fakeTransport } from './fake-transport.ts';
import { device, drain, observeReply, running, smallStorage } from './test-device.ts';

const DAY = 24 * 60 * MINUTE;

/** What a restored server lost is sent again, wherever its row is and whoever noted the restore (row 35). */

test('row 35: an answer that was confirmed while another page noted the restore is sent again', async () => {
  const made = await running();
  const { outbox, server, storage, attemptId } = made;
  await outbox.answer(attemptId, open('4,9'));
  const transport = fakeTransport(server, () => server.world.now);
  const page = await device({
    server,
    storage,
    transport: {
      ...transport,
      answer: async (...call) => {
        const confirmed = await transport.answer(...call);
        // The backup is older than this answer. Another page hears of it before this one has stored the receipt.
        server.journal.clear();
        await storage.write(['device'], (tx) =>
          tx.put('device', { key: 'server', kind: 'server', epoch: 2 }),
        );
        return confirmed;
      },
    },
  });
  await page.outbox.flush();
  server.epoch = 2;
  expect(server.text()).toBe(null);
  await outbox.answer(attemptId, open('5', 1));
  await drain(made);
  expect(server.text()).toBe('4,9');
});

test('row 35: an answer that another page confirmed too late, after a look, is sent again within a minute', async () => {
  const made = await running();
  const { outbox, server, storage, attemptId, world } = made;
  const { operationId } = await outbox.answer(attemptId, open('4,9'));
  await drain(made);
  server.epoch = 2;
  await outbox.answer(attemptId, open('5', 1));
  await drain(made);
  // The page that stored this receipt had lost its lock.
  server.journal.clear();
  await storage.write(['operations'], async (tx) => {
    const row = await tx.get('operations', operationId);
    if (row) await tx.put('operations', { ...row, state: 'acknowledged', serverEpoch: 1 });
  });
  await outbox.flush();
  expect(server.text()).toBe(null);
  world.now += MINUTE;
  await drain(made);
  expect(server.text()).toBe('4,9');
});

test('row 35: an answer that the note passed over is sent again before its attempt is deleted', async () => {
  const made = await running();
  const { outbox, server, storage, attemptId, world } = made;
  await outbox.answer(attemptId, open('4,9'));
  await outbox.finish(attemptId, 'student');
  await drain(made);
  server.journal.clear();
  server.epoch = 2;
  await storage.write(['device'], (tx) =>
    tx.put('device', { key: 'server', kind: 'server', epoch: 2 }),
  );
  world.now += 8 * DAY;
  const page = await device({ server, storage });
  await observeReply(page);
  await page.outbox.opened();
  await drain(page);
  expect(server.text()).toBe('4,9');
  world.now += 8 * DAY;
  await page.outbox.opened();
  expect(await page.outbox.attempt(attemptId)).toBe(null);
});

/** A device with an answer in memory alone, which was confirmed and is lost by a restore. */
async function lostFromMemory(isFullLater: (stores: readonly StoreName[]) => boolean) {
  let isFull: (stores: readonly StoreName[]) => boolean = () => true;
  const { storage, space } = smallStorage((stores) => isFull(stores));
  const made = await running({ storage });
  space.isLeft = false;
  await made.outbox.answer(made.attemptId, open('4,9'));
  await drain(made);
  expect(made.server.text()).toBe('4,9');
  made.server.journal.clear();
  made.server.epoch = 2;
  isFull = isFullLater;
  return made;
}

test.each([
  ['stays full', () => true],
  ['has space for small changes', (stores: readonly StoreName[]) => stores.includes('fileBytes')],
  ['has space', () => false],
])(
  'row 35: an answer in the memory of a full device is sent again after a restore, when it %s',
  async (_, isFull) => {
    const made = await lostFromMemory(isFull);
    await made.outbox.answer(made.attemptId, open('5', 1));
    await drain(made);
    await drain(made);
    expect(made.server.text(1)).toBe('5');
    expect(made.server.text()).toBe('4,9');
  },
);
