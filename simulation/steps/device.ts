import { IDBFactory } from 'fake-indexeddb';
import type { AttemptView } from '#app/outbox/types.ts';
import { rows } from '#server/db/query.ts';
import type { Device } from '#simulation/device.ts';
import { closePages, forgetTab, openPage, type World } from '#simulation/world.ts';
import { signIn, signOut } from './session.ts';
import {
  addFile,
  answer,
  burst,
  finish,
  finishOverdue,
  flush,
  flushTab,
  isOpen,
  somePage,
} from './writing.ts';

/** Steps of pages, devices and their network. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const usable = (world: World): Device[] => world.devices.filter(({ isLost }) => !isLost);

export async function openOne(world: World): Promise<void> {
  const few = usable(world).filter(
    (device) => world.tabs.filter((tab) => tab.device === device).length < 2,
  );
  if (few.length > 0) await openPage(world, world.random.pick(few));
}

/** Opens a page of the app's former version beside those of the current one. */
export async function openFormer(world: World): Promise<void> {
  const few = usable(world).filter(
    (device) => world.tabs.filter((tab) => tab.device === device).length < 3,
  );
  if (few.length > 0) await openPage(world, world.random.pick(few), 'former');
}

export async function signInSomebody(world: World): Promise<void> {
  const free = usable(world).filter(({ session }) => session === null);
  if (free.length > 0) await signIn(world, world.random.pick(free));
}

export async function signSomebodyOut(world: World): Promise<void> {
  const signedIn = usable(world).filter(({ session }) => session !== null);
  if (signedIn.length > 0) await signOut(world, world.random.pick(signedIn));
}

/** The next student signs in on the device. */
export async function otherUser(world: World): Promise<void> {
  const signedIn = usable(world).filter(({ session, line }) => session !== null && line.online);
  if (signedIn.length === 0 || world.students.length < 2) return;
  const device = world.random.pick(signedIn);
  const before = device.session?.person.userId;
  const others = world.students.filter(({ userId }) => userId !== before);
  await signOut(world, device);
  await signIn(world, device, world.random.pick(others).userId);
  world.history.fault('otherUserSignedIn', device.label);
}

/** Kills the page in the middle of its work, with or without the browser. */
export async function kill(world: World): Promise<void> {
  const { random, history } = world;
  if (world.tabs.length === 0) return;
  for (const tab of world.tabs) tab.dieAfter(random.between(1, 12));
  const before = [...world.tabs];
  const entries = [answer, flush, flush, finish, addFile, signSomebodyOut, otherUser];
  await random.pick(entries)(world);
  for (const tab of before) tab.dieAfter(null);
  const dead = before.filter((tab) => !tab.isAlive());
  for (const tab of dead) {
    history.fault('pageKilled', tab.label);
    forgetTab(world, tab);
  }
  const [first] = dead;
  if (first && random.chance(0.7)) await openPage(world, first.device);
}

/** Cuts the power of the device in the middle of its work, which kills all its pages. */
export async function losePower(world: World): Promise<void> {
  const { random, profile } = world;
  const device = random.pick(world.tabs).device;
  device.power.cutAfter(random.between(1, 12));
  const isShared = profile.weights['signOut'] !== 0;
  const turns = isShared ? [signSomebodyOut, otherUser] : [];
  const entries = [answer, burst, flush, flush, finish, addFile, ...turns];
  await random.pick(entries)(world);
  await random.pick(entries)(world);
  device.power.cutAfter(null);
}

export async function reload(world: World): Promise<void> {
  if (world.tabs.length === 0) return;
  const tab = world.random.pick(world.tabs);
  await world.looks.look(tab);
  const { attemptId } = tab;
  tab.die();
  forgetTab(world, tab);
  world.history.fault('pageReloaded', tab.label);
  const fresh = await openPage(world, tab.device);
  fresh.attemptId ??= tab.device.session === null ? null : attemptId;
  await world.looks.look(fresh);
}

export async function restartBrowser(world: World): Promise<void> {
  const device = world.random.pick(usable(world));
  closePages(world, device);
  device.clock.reboot();
  world.history.fault('browserRestarted', device.label);
  if (world.random.chance(0.8)) await openPage(world, device);
}

function changeLine(world: World, online: boolean): void {
  const { random, devices, profile, history } = world;
  const { line } = random.pick(devices.filter((device) => device.line.online !== online));
  line.online = online;
  line.badness = profile.badness * random.pick([0, 1, 1, 2]);
  history.note(`${line.device} is ${online ? 'online' : 'offline'}`);
}

export async function goOffline(world: World): Promise<void> {
  changeLine(world, false);
}

export async function goOnline(world: World): Promise<void> {
  changeLine(world, true);
}

export async function wait(world: World): Promise<void> {
  const { random, timeline } = world;
  const span = random.pick([SECOND_MS, 10 * SECOND_MS, 2 * MINUTE_MS]);
  timeline.advance(random.between(span / 2, span * 2));
  await finishOverdue(world);
}

/** Advances time to around some attempt's deadline or close. */
export async function toDeadline(world: World): Promise<void> {
  const { random, timeline, history } = world;
  const found = await rows<{ deadline: Date; window: number }>(
    world.server.pool,
    `select deadline, late_window_seconds as window from attempts
     where user_id = any($1) and ended is null order by started_at, id`,
    [world.students.map(({ userId }) => userId)],
  );
  if (found.length === 0) return;
  const { deadline, window } = random.pick(found);
  const around = random.pick([-20, -2, 1, 30, 90, window - 10, window + 10]) * SECOND_MS;
  const to = deadline.getTime() + around + random.between(0, 5_000);
  const left = to - world.server.schoolTime();
  if (left <= 0) return;
  timeline.advance(left);
  history.fault('deadlinePassed', `${around / SECOND_MS} s`);
  await finishOverdue(world);
}

export async function changeClock(world: World): Promise<void> {
  const { random, timeline, record, history } = world;
  const device = random.pick(world.devices);
  const by = random.pick([
    -24 * HOUR_MS,
    -3 * HOUR_MS,
    -5 * MINUTE_MS,
    5 * MINUTE_MS,
    24 * HOUR_MS,
  ]);
  device.clock.shift(by);
  device.clockChangedAt = timeline.now();
  record.clockChanges.push({ device: device.label, at: world.server.schoolTime(), by });
  history.fault('clockSet', `${device.label} by ${by / MINUTE_MS} min`);
}

/** Whether a page shows the previous time, the true one, or one between them. */
function isTimeBack(before: number, after: AttemptView, trueMs: number): boolean {
  if (after.state === 'finished') return true;
  const slack = 2 * SECOND_MS;
  const least = Math.min(before, trueMs) - slack;
  const most = Math.max(before, trueMs) + slack;
  return after.state === 'running' && after.remainingMs > least && after.remainingMs < most;
}

/** The clock of an offline device is set forward and back again, with a page shown or hidden. */
export async function clockForwardAndBack(world: World): Promise<void> {
  const { random, timeline, record, history } = world;
  const page = await somePage(world, isOpen);
  if (!page || page.tab.device.isFull) return;
  const { tab, view } = page;
  const { device } = tab;
  const wasOnline = device.line.online;
  device.line.online = false;
  device.clock.isShown = random.chance(0.5);
  const by = random.pick([5 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS]);
  const startedAt = timeline.now();
  for (const step of [by, -by]) {
    await tab.run(async () => tab.outbox.serverNow());
    device.clock.shift(step);
    record.clockChanges.push({ device: device.label, at: world.server.schoolTime(), by: step });
    device.clockChangedAt = timeline.now();
    timeline.advance(250);
    await flushTab(world, tab, false);
    await finishOverdue(world);
  }
  await flushTab(world, tab, false);
  const after = tab.isAlive() ? await world.looks.look(tab) : null;
  const passedMs = timeline.now() - startedAt;
  const isLeft = view.remainingMs > passedMs + MINUTE_MS;
  if (isLeft && after?.attemptId === view.attemptId) {
    const trueMs = after.deadline - world.server.schoolTime();
    const shown = `${tab.label} shows ${after.state}, ${after.remainingMs} ms of ${view.remainingMs}`;
    record.clockReturns.push({
      shown,
      isTimeBack: isTimeBack(view.remainingMs - passedMs, after, trueMs),
    });
  }
  device.clock.isShown = false;
  device.line.online = wasOnline;
  history.fault('clockSet', `${device.label} by ${by / MINUTE_MS} min and back`);
}

export async function sleep(world: World): Promise<void> {
  const { random, timeline, history } = world;
  const device = random.pick(world.devices);
  const span = random.between(10, 900) * SECOND_MS;
  timeline.advance(span);
  device.clock.slept(span);
  history.fault('slept', `${device.label} for ${span / SECOND_MS} s`);
  await finishOverdue(world);
}

export async function fillDevice(world: World): Promise<void> {
  const device = world.random.pick(usable(world));
  device.isFull = true;
  device.wasFull = true;
  world.history.fault('storageFull', device.label);
}

export async function freeDevice(world: World): Promise<void> {
  const device = world.random.pick(world.devices.filter(({ isFull }) => isFull));
  device.isFull = false;
  world.history.fault('storageFreed', device.label);
}

/** The user or the browser clears the site's data. */
export async function wipe(world: World): Promise<void> {
  const device = world.random.pick(usable(world));
  wipeDevice(world, device);
  world.history.fault('deviceWiped', device.label);
}

/** Nothing is left on the device. */
export function wipeDevice(world: World, device: Device): void {
  const { record, looks } = world;
  for (const write of record.writes) {
    if (write.device === device.label) record.wipedStreams.add(write.stream);
  }
  // Of a stream that only has a finish written by the outbox itself.
  for (const receipt of record.receipts) {
    if (receipt.device === device.label) record.wipedStreams.add(receipt.stream);
  }
  for (const begin of record.begins)
    if (begin.device === device.label) record.wipedStreams.add(begin.stream);
  closePages(world, device);
  device.offers.clear();
  device.factory = new IDBFactory();
  while (device.texts.length > 0) device.texts.removeItem(device.texts.key(0) ?? '');
  device.session = null;
  device.isFull = false;
  looks.forget(device.label);
}

export async function poison(world: World): Promise<void> {
  world.poisonNext = true;
}

/** The device is permanently lost. */
export async function lose(world: World): Promise<void> {
  const device: Device = world.random.pick(usable(world));
  if (usable(world).length < 2) return;
  closePages(world, device);
  device.isLost = true;
  world.history.note(`${device.label} is lost`);
}
