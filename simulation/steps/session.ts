import { getPassing } from '#contract/tests.ts';
import { clearMirror } from '#app/storage/session-mirror.ts';
import type { Device } from '#simulation/device.ts';
import { DEAD, type Tab } from '#simulation/tab.ts';
import {
  beginSession,
  forgetTab,
  probeServer,
  openPage,
  showAttempt,
  type World,
} from '#simulation/world.ts';
import { isOpen, somePage } from './writing.ts';

/** Steps of sign-in, sign-out and starting attempts. */

/** Whether the page shows no running attempt. */
async function isIdle(world: World, tab: Tab): Promise<boolean> {
  if (tab.attemptId === null) return true;
  const view = await world.looks.look(tab);
  return view === null || !isOpen(view);
}

export async function start(world: World): Promise<void> {
  const signedIn = world.tabs.filter((tab) => tab.device.session !== null);
  if (signedIn.length === 0) return;
  const tab = world.random.pick(signedIn);
  // Starting a test that is running here must continue the attempt.
  if (!(await isIdle(world, tab)) && world.random.chance(0.8)) return;
  const { testId } = world.random.pick(world.tests);
  // Without a definite reply the student usually presses the button again.
  for (let tries = 0; tries < 3; tries += 1) {
    const isKnown = await startOn(world, tab, testId);
    if (isKnown || world.random.chance(0.3)) return;
    world.timeline.advance(world.random.between(500, 8_000));
  }
}

/** False: no definite reply. */
async function startOn(
  world: World,
  tab: Tab,
  testId: string,
  takeOver?: string,
): Promise<boolean> {
  const { history, random } = world;
  const options = takeOver === undefined ? {} : { takeOver };
  const outcome = await tab.run(() => tab.outbox.startAttempt(testId, options));
  if (outcome === DEAD) {
    forgetTab(world, tab);
    return true;
  }
  history.note(`${tab.label} starts${takeOver ? ' by take-over' : ''}: ${outcome.kind}`);
  if (outcome.kind === 'started') {
    const { attemptId, stream, epoch } = outcome.attempt;
    tab.attemptId = attemptId;
    history.note(`  ${history.name('a', attemptId)} ${history.name('s', stream)} epoch ${epoch}`);
    if (takeOver !== undefined) history.fault('takenOver', tab.label);
    if (tab.version === 'former')
      for (const begin of world.record.begins)
        if (begin.device === tab.device.label && begin.offerId === attemptId)
          world.record.overwrittenBegins.add(begin.stream);
    if (random.chance(0.6)) await fetchSavedOn(world, tab);
  }
  if (outcome.kind === 'runningElsewhere' && random.chance(0.7)) {
    return startOn(world, tab, testId, outcome.attemptId);
  }
  return outcome.kind !== 'unknown';
}

/** Takes the attempt over to a device that does not own it, or back. */
export async function takeOver(world: World): Promise<void> {
  const page = await somePage(world, (view) => view.state === 'running');
  if (!page) return;
  const others = world.tabs.filter(
    (tab) =>
      tab.device !== page.tab.device && tab.device.session?.person.userId === page.view.owner,
  );
  const tab = others.length > 0 ? world.random.pick(others) : page.tab;
  await startOn(world, tab, page.view.testId, page.view.attemptId);
}

async function fetchSavedOn(world: World, tab: Tab): Promise<void> {
  const { attemptId } = tab;
  if (attemptId === null) return;
  await tab.run(() => tab.fetchSaved(attemptId));
  world.history.note(`${tab.label} asks for saved answers`);
  await world.looks.look(tab);
}

/** The requests of an opened or resumed page. */
export async function refresh(world: World): Promise<void> {
  const page = await somePage(world, () => true);
  if (!page) return;
  const { tab, view } = page;
  await fetchSavedOn(world, tab);
  if (!tab.isAlive()) return;
  await tab.run(async () => {
    const passing = await tab.ask(getPassing, { params: { attemptId: view.attemptId } });
    if (passing) await tab.outbox.adoptDeadline(view.attemptId, passing);
  });
}

export async function signIn(world: World, device: Device, userId?: string): Promise<void> {
  const { random, server, history, record } = world;
  if (device.session !== null || !device.line.online) return;
  const person = userId
    ? world.students.find((one) => one.userId === userId)
    : random.pick(world.students);
  if (!person || world.blocked.has(person.userId)) return;
  const signedIn = await server.signIn(person);
  record.tokens.set(signedIn.token, person.userId);
  device.session = { person, signedIn };
  const tab = world.tabs.find((one) => one.device === device) ?? (await openPage(world, device));
  if (device.isFull) record.fullSignIns.push({ device: device.label, at: world.timeline.now() });
  await tab.run(() => tab.outbox.openRows(person.userId, signedIn.deviceKey ?? null));
  await beginSession(tab);
  history.note(`${device.label} signs in ${person.userName}`);
  await probeServer(tab);
  for (const one of world.tabs.filter((page) => page.device === device)) await showAttempt(one);
}

export async function signOut(world: World, device: Device): Promise<void> {
  const { session } = device;
  const tab = world.tabs.find((one) => one.device === device);
  if (!session || !tab) return;
  if (device.line.online) await world.server.signOut(session.signedIn.token);
  device.session = null;
  await tab.run(() => clearMirror(tab.storage));
  await world.plant.signOut?.(tab.storage);
  await tab.run(() => tab.outbox.encryptRows());
  for (const one of world.tabs.filter((page) => page.device === device)) one.attemptId = null;
  world.history.fault('signedOut', device.label);
}
