import { openStorage } from '#app/storage/open.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import { clearMirror } from '#app/storage/session-mirror.ts';
import { rows } from '#server/db/query.ts';
import type { Device } from './device.ts';
import { operationsOn } from './device-operations.ts';
import { bringAllIn } from './steps/handovers.ts';
import { setBlocked, setDeleted, sweep } from './steps/school.ts';
import { signIn } from './steps/session.ts';
import { flushTab } from './steps/writing.ts';
import { DEAD } from './tab.ts';
import { closePages, probeServer, openPage, type World } from './world.ts';

/** After this many passes since the last new operation nothing may be waiting. */
const PASSES = 40;
const PAUSE_MS = 1_000;
const HOUR_MS = 3_600_000;

const isUnsent = ({ state }: OperationRow): boolean => state === 'waiting' || state === 'setAside';

/** Ends faults of network, server, database and users; a poisoned operation may stay poisoned. */
async function endFaults(world: World): Promise<void> {
  const { server, network, devices, students, random } = world;
  server.database.fail(null);
  if (random.chance(0.5)) network.poisoned.clear();
  for (const device of devices) {
    device.line.online = true;
    device.line.badness = 0;
    device.line.rate = null;
    device.isFull = false;
    device.power.cutAfter(null);
  }
  for (const { userId } of students) {
    if (world.blocked.has(userId)) await setBlocked(world, userId, false);
  }
  const deleted = await rows<{ id: string }>(
    server.pool,
    'select id from attempts where user_id = any($1) and deleted_at is not null order by id',
    [students.map(({ userId }) => userId)],
  );
  const comesBack = random.chance(0.7);
  for (const { id } of deleted) {
    world.record.onceDeleted.add(id);
    if (comesBack) await setDeleted(world, id, false);
  }
}

/** Sends everything of one user on one device. Returns what still waits, except poisoned operations. */
async function drain(world: World, device: Device, owner: string): Promise<string[]> {
  const { timeline, network, history } = world;
  closePages(world, device);
  const storage = await openStorage(device.factory);
  await clearMirror(storage);
  storage.close();
  device.session = null;
  await signIn(world, device, owner);
  const tab = world.tabs.find((one) => one.device === device) ?? (await openPage(world, device));
  await tab.run(() => tab.outbox.opened());
  const attempts = new Set((await operationsOn(device, world.server)).map((one) => one.attemptId));
  for (const attemptId of attempts) await tab.run(() => tab.outbox.retrySetAside(attemptId));
  let left: OperationRow[] = [];
  let known = 0;
  for (let pass = 0; pass < PASSES; pass += 1) {
    await probeServer(tab);
    const nextInMs = await flushTab(world, tab, known === 0);
    const own = (await operationsOn(device, world.server)).filter((one) => one.owner === owner);
    // A deadline that passes meanwhile adds its own finish.
    if (own.length > known) pass = 0;
    known = Math.max(known, own.length);
    left = own.filter((one) => one.state === 'waiting' && !one.poisoned);
    const unsent = await tab.run(() => tab.outbox.unsentCount(owner));
    if (left.length === 0 && (unsent === 0 || own.some(({ poisoned }) => poisoned))) return [];
    timeline.advance(Math.max(PAUSE_MS, nextInMs ?? 0));
  }
  if (left.length === 0) return [`a begin on ${device.label}`];
  return left
    .filter((one) => !network.poisoned.has(one.operationId))
    .map((one) => {
      history.note(`${device.label} keeps ${history.name('o', one.operationId)} waiting`);
      return one.operationId;
    });
}

/** After all faults every device gets the time and the users to send its rows. */
export async function heal(world: World): Promise<string[]> {
  const { network, random, timeline, history } = world;
  history.note('everything is well again');
  await endFaults(world);
  const undrained: string[] = [];
  // Before the devices send the same, or after them, or never.
  const handoverTime = world.handovers.length === 0 ? null : random.pick(['before', 'after', null]);
  if (handoverTime === 'before') await bringAllIn(world);
  for (const device of world.devices) {
    if (device.isLost) continue;
    const owners = new Set(
      (await operationsOn(device, world.server)).filter(isUnsent).map((one) => one.owner),
    );
    const ends = device.session?.person.userId;
    // Acknowledged operations are resent after a restore, once the device detects it.
    for (const { owner } of await operationsOn(device, world.server)) owners.add(owner);
    if (ends !== undefined) owners.add(ends);
    for (const begin of world.record.begins)
      if (begin.device === device.label) owners.add(begin.user);
    for (const owner of [...owners].toSorted()) {
      undrained.push(...(await drain(world, device, owner)));
    }
  }
  while (network.inFlight() > 0) await network.arrive();
  if (handoverTime === 'after') await bringAllIn(world);
  if (random.chance(0.6)) timeline.advance(4 * HOUR_MS);
  await sweep(world);
  for (const tab of world.tabs) {
    if ((await tab.run(async () => undefined)) !== DEAD) await world.looks.look(tab);
  }
  return undrained;
}
