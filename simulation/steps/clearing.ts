import type { Device } from '#simulation/device.ts';
import type { Tab } from '#simulation/tab.ts';
import { beginSession, type World } from '#simulation/world.ts';

/** The browser clears the database of a device under its open pages. */

const ended = (target: EventTarget, type: 'success' | 'complete') =>
  new Promise<void>((resolve, reject) => {
    target.addEventListener(type, () => resolve());
    target.addEventListener('error', () => reject(new Error('not cleared')));
  });

async function clearDatabase({ factory }: Device): Promise<void> {
  const request = factory.open('exam-room');
  await ended(request, 'success');
  const database = request.result;
  const stores = [...database.objectStoreNames];
  const tx = database.transaction(stores, 'readwrite');
  for (const store of stores) tx.objectStore(store).clear();
  await ended(tx, 'complete');
  database.close();
}

/** The contents of a page about a running attempt, which it can write again. */
async function shownStreams(
  world: World,
  tab: Tab,
): Promise<readonly [string, Set<string>] | null> {
  const view = await world.looks.look(tab);
  if (!view || view.state === 'finished') return null;
  const row = await tab.storage.read(['attempts'], (tx) => tx.get('attempts', view.attemptId));
  return [view.attemptId, new Set(row?.streams.map(({ stream }) => stream))];
}

/** Rows that no page shows are lost with the database. */
function voidOthers(
  world: World,
  device: Device,
  retained: ReadonlyMap<string, Set<string>>,
): void {
  const { record, looks } = world;
  const streams = new Set([...retained.values()].flatMap((own) => [...own]));
  for (const { device: label, stream } of [...record.writes, ...record.receipts]) {
    if (label === device.label && !streams.has(stream)) record.wipedStreams.add(stream);
  }
  looks.forget(device.label, new Set(retained.keys()));
}

/**
 * The pages continue, and lose nothing that they show. Bytes of files do not come back, so only attempts without files.
 */
export async function clearUnderPages(world: World): Promise<void> {
  const { random, tabs, history } = world;
  const { device } = random.pick(tabs);
  const own = tabs.filter(
    (tab) => tab.device === device && tab.attemptId !== null && tab.isAlive(),
  );
  if (device.session === null || device.isFull || device.wasFull) return;
  const retained = new Map<string, Set<string>>();
  for (const tab of own) {
    const shown = await shownStreams(world, tab);
    if (shown) retained.set(...shown);
  }
  const [first] = own;
  if (!first || retained.size === 0) return;
  const files = await first.storage.read(['files'], (tx) => tx.all('files'));
  if (files.length > 0) return;
  await clearDatabase(device);
  history.fault('databaseCleared', device.label);
  voidOthers(world, device, retained);
  for (const tab of own) {
    await world.looks.look(tab);
    await beginSession(tab);
    await world.looks.look(tab);
  }
}
