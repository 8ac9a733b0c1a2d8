import { deflateRawSync } from 'node:zlib';
import { bringHandover } from '#contract/handover.ts';
import { HEADER } from '#contract/headers.ts';
import { cutIntoBlocks, readFrame } from '#app/lib/qr-series/series-frame.ts';
import type { Handovers } from '#app/outbox/handover.ts';
import type { Storage } from '#app/storage/storage.ts';
import { handoverPlace, joinPart } from '#domain/handover.ts';
import { deviceKeyBytes, encrypt } from '#server/auth/device-key.ts';
import { openPart, type OpenedPart } from '#server/handover/open-part.ts';
import type { Plant } from '#simulation/plant.ts';
import { createRandom } from '#simulation/random.ts';

/** Bugs of a handover, on the device and on the server. */

const [BEFORE_OWNER = ''] = bringHandover.path.split('{owner}');

/** Changes parts as the server reads them. */
const readsPart = (change: (part: OpenedPart, now: number) => OpenedPart): Plant => ({
  server: (server) => async (request) => {
    if (!request.url.startsWith(BEFORE_OWNER)) return server.deliver(request);
    const owner = request.url.slice(BEFORE_OWNER.length);
    const key = deviceKeyBytes(server.deps.state.sealKey, owner);
    try {
      const opened = openPart(key, owner, request.payload as Buffer);
      const { file, ...part } = change(opened, server.schoolTime());
      const packed = deflateRawSync(joinPart(part, file));
      const payload = encrypt(key, packed, handoverPlace(owner));
      return await server.deliver({ ...request, payload });
    } catch {
      return server.deliver(request);
    }
  },
});

interface Call {
  readonly call: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whatever is brought in is another operation than the one on the device. */
export function givesNewIds(): Plant {
  const random = createRandom(1, 'new ids');
  return readsPart((part) => ({
    ...part,
    calls: (part.calls as readonly Call[]).map((call) =>
      call.call === 'answer'
        ? { ...call, headers: { ...call.headers, [HEADER.idempotencyKey]: random.uuid() } }
        : call,
    ),
  }));
}

/** The time on the way does not count. */
export const forgetsTheTransit = readsPart((part, now) => ({
  ...part,
  madeAt: part.madeAt && new Date(now),
}));

/** The time on the way counts twice. */
export const countsTheTransitTwice = readsPart((part, now) => ({
  ...part,
  madeAt: part.madeAt && new Date(2 * part.madeAt.getTime() - now),
}));

const aroundMake = (
  change: (
    make: () => ReturnType<Handovers['make']>,
    storage: Storage,
  ) => ReturnType<Handovers['make']>,
): Plant => ({
  outbox: (outbox, { storage }) => ({
    ...outbox,
    handovers: async () => {
      const real = await outbox.handovers();
      return { ...real, make: (what) => change(() => real.make(what), storage) };
    },
  }),
});

const readWaiting = (storage: Storage) =>
  storage.read(['operations'], (tx) => tx.all('operations', 'state', 'waiting'));

/** What was handed over counts as sent. */
export const acknowledgesAtHandover = aroundMake(async (make, storage) => {
  const made = await make();
  const waiting = made === null ? [] : await readWaiting(storage);
  await storage.write(['operations'], async (tx) => {
    for (const row of waiting) await tx.put('operations', { ...row, state: 'acknowledged' });
  });
  return made;
});

/** What was handed over stays unclaimed. */
export const claimsNothing = aroundMake(async (make, storage) => {
  const waiting = await readWaiting(storage);
  const made = await make();
  await storage.write(['operations'], async (tx) => {
    for (const row of waiting) await tx.put('operations', row);
  });
  return made;
});

/** A camera that takes each frame for one of the series that it reads, and knows no erasure code. */
export const readsAnyFrame: Plant = {
  createSeriesReader: () => {
    const blocks = new Map<number, Uint8Array>();
    return {
      add: (content) => {
        const frame = readFrame(content);
        if (typeof frame === 'string') return { done: 0, bytes: null, problem: frame };
        const { index, length, block } = frame;
        const { count } = cutIntoBlocks(length);
        blocks.set(index % count, block);
        const joined = Array.from({ length: count }, (_, at) => [...(blocks.get(at) ?? [])]).flat();
        const bytes = blocks.size < count ? null : Uint8Array.from(joined.slice(0, length));
        return { done: blocks.size / count, bytes, problem: null };
      },
    };
  },
};
