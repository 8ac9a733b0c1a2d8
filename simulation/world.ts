import { currentUser } from '#contract/auth.ts';
import { health } from '#contract/health.ts';
import type { Question } from '#contract/questions.ts';
import { mirrorSession } from '#app/storage/session-mirror.ts';
import { execute, one } from '#server/db/query.ts';
import { makeTest, smallTest } from '#tests/school.ts';
import { wholeTest } from './questions.ts';
import type { Backup } from './backup.ts';
import { createCrowd, type Crowd } from './crowd.ts';
import { createDevice, type Device } from './device.ts';
import type { CallFault } from './faults.ts';
import type { HandedOver, ReturnedReceipts } from './handovers.ts';
import { createHistory, type RunHistory } from './history.ts';
import { readJournal } from './journal.ts';
import { createLooks, type Looks } from './looks.ts';
import { createNetwork, type Network } from './network.ts';
import type { AppVersion, Plant } from './plant.ts';
import type { Profile } from './profiles.ts';
import { createRandom, type Random } from './random.ts';
import { createRecord, type RunRecord } from './record.ts';
import { setStartCode } from './start-codes.ts';
import { STUDENT, TEACHER, type SimulatedPerson, type SimulatedServer } from './server.ts';
import { DEAD, openTab, type Tab } from './tab.ts';
import { createTimeline, type Timeline } from './timeline.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A Monday morning. */
const START = Date.parse('2026-03-02T06:00:00.000Z');

export interface SchoolTest {
  readonly testId: string;
  readonly attemptsCount: number;
  /** Every time for an attempt that ever applied, the present one last; milliseconds. */
  readonly passTimes: number[];
  readonly endsAt: number | null;
  /** Without which its offers do not open; empty: it does not begin without a network. */
  code: string;
  /** The content that an attempt started now would pin. */
  questions: readonly Question[];
}

/** Everything of one run. */
export interface World {
  readonly profile: Profile;
  /** Random numbers of the current step, independent of other steps. */
  random: Random;
  readonly timeline: Timeline;
  readonly server: SimulatedServer;
  readonly network: Network;
  readonly history: RunHistory;
  readonly record: RunRecord;
  readonly looks: Looks;
  readonly plant: Plant;
  readonly teacher: { readonly person: SimulatedPerson; readonly token: string };
  readonly students: readonly SimulatedPerson[];
  readonly tests: readonly SchoolTest[];
  /** Classmates with answers that arrive together with the students'; null: none. */
  readonly crowd: Crowd | null;
  readonly devices: readonly Device[];
  /** Open pages. */
  readonly tabs: Tab[];
  readonly blocked: Set<string>;
  readonly deleted: Set<string>;
  /** Questions with keys, by content id. */
  readonly contents: Map<string, readonly Question[]>;
  backup: Backup | null;
  /** What devices handed over: it may be brought in at any time, and again. */
  readonly handovers: HandedOver[];
  /** Receipts of handovers on their way back. */
  readonly returned: ReturnedReceipts[];
  /** The next answer will be poisoned. */
  poisonNext: boolean;
}

export interface Run {
  readonly seed: number;
  readonly profile: Profile;
  readonly plant: Plant;
  readonly calm?: boolean;
  readonly faults?: Partial<Record<CallFault, number>>;
}

/** Share of tests with the kinds that the oldest served apps lack. */
const WHOLE_SHARE = 0.5;

async function addTests(
  server: SimulatedServer,
  seed: number,
  random: Random,
  profile: Profile,
  teacher: SimulatedPerson,
  students: readonly SimulatedPerson[],
  now: () => number,
): Promise<SchoolTest[]> {
  const count = random.chance(0.25) ? 2 : 1;
  const tests: SchoolTest[] = [];
  // A separate stream, so that the schedules of known seeds do not change.
  const kinds = createRandom(seed, 'kinds');
  for (let i = 0; i < count; i += 1) {
    const attemptsCount = random.chance(profile.secondAttempt) ? 2 : 1;
    const passMinutes = random.pick([10, 20, 40]);
    const windowMinutes = random.pick([0, 1, 15, 15]);
    const endTime = random.chance(0.3) ? new Date(now() + random.between(1, 3) * HOUR_MS) : null;
    const questions = kinds.chance(WHOLE_SHARE) ? wholeTest : smallTest;
    const testId = await makeTest(
      { pool: server.pool, deps: server.deps, clock: { now: new Date(now()) } },
      teacher,
      { students, attemptsCount, passMinutes, windowMinutes, endTime, questions: [...questions] },
    );
    const passMs = passMinutes * MINUTE_MS;
    const endsAt = endTime?.getTime() ?? null;
    tests.push({ testId, attemptsCount, passTimes: [passMs], endsAt, code: '', questions });
  }
  if (profile.settleIn) await allowOfflineStart(server, seed, tests, new Date(now()));
  return tests;
}

/** A separate stream, so that the schedules of known seeds do not change. */
async function allowOfflineStart(
  server: SimulatedServer,
  seed: number,
  tests: readonly SchoolTest[],
  now: Date,
): Promise<void> {
  const windows = createRandom(seed, 'offline window');
  const codes = createRandom(seed, 'start codes');
  for (const test of tests) {
    await execute(
      server.pool,
      'update tests set offline_start = true, offline_window_seconds = $2 where id = $1',
      [test.testId, windows.pick([null, 3_600, 10_800])],
    );
    test.code = await setStartCode(server, test.testId, codes, now);
  }
}

async function addStudents(
  server: SimulatedServer,
  random: Random,
  most: number,
): Promise<SimulatedPerson[]> {
  const students: SimulatedPerson[] = [];
  for (let i = 0; i < random.between(1, most); i += 1)
    students.push(await server.addPerson(STUDENT, `Ученик ${i + 1}`));
  return students;
}

const addDevices = (random: Random, profile: Profile, timeline: Timeline): Device[] =>
  Array.from({ length: random.between(1, profile.devices) }, (_, i) =>
    createDevice('ABCD'.charAt(i), timeline, {
      skewMs: random.chance(0.3)
        ? random.between(-26, 26) * HOUR_MS
        : random.between(-3_000, 3_000),
      hasWebLocks: random.chance(0.8),
    }),
  );

async function readDeadline({ pool }: SimulatedServer, attemptId: string): Promise<number | null> {
  const sql = 'select deadline from attempts where id = $1';
  const found = await one<{ deadline: Date }>(pool, sql, [attemptId]);
  return found?.deadline.getTime() ?? null;
}

export async function createWorld(
  real: SimulatedServer,
  { profile, plant, seed }: Run,
): Promise<World> {
  const server = { ...real, deliver: plant.server?.(real) ?? real.deliver };
  const random = createRandom(seed, 'schedule');
  const timeline = createTimeline(START);
  await server.begin(timeline.now);
  if (plant.statement) server.database.rewrite(plant.statement);

  const teacher = await server.addPerson(TEACHER, 'О. В. Лаптева');
  const students = await addStudents(server, random, profile.students);
  const { token } = await server.signIn(teacher);
  const tests = await addTests(server, seed, random, profile, teacher, students, () =>
    timeline.now(),
  );
  const devices = addDevices(random, profile, timeline);
  const crowd = createRandom(seed, 'crowd').chance(profile.crowd)
    ? await createCrowd(server, createRandom(seed, 'crowd answers'), timeline.now())
    : null;
  const history = createHistory(timeline.now);
  const record = createRecord(history, timeline.now, server.schoolTime);
  const network = createNetwork({
    server,
    timeline,
    random: createRandom(seed, 'network'),
    observer: record.observer,
    crowd,
  });
  if (profile.faults) network.choose(profile.faults);
  for (const device of devices) device.line.badness = profile.badness;
  const tabs: Tab[] = [];
  return {
    profile,
    random,
    timeline,
    server,
    network,
    history,
    record,
    looks: createLooks({
      history,
      record,
      schoolTime: server.schoolTime,
      pagesOf: (device) => tabs.filter((tab) => tab.device === device),
      deadlineOf: (attemptId) => readDeadline(server, attemptId),
      journal: () =>
        readJournal(
          server.pool,
          students.map(({ userId }) => userId),
        ),
    }),
    plant,
    teacher: { person: teacher, token },
    students,
    tests,
    crowd,
    devices,
    tabs,
    blocked: new Set(),
    deleted: new Set(),
    contents: new Map(),
    backup: null,
    handovers: [],
    returned: [],
    poisonNext: false,
  };
}

/** Opens a page of the app on a device and shows its user's attempt. */
export async function openPage(
  world: World,
  device: Device,
  version: AppVersion = 'current',
): Promise<Tab> {
  const { network, timeline, plant, history, record } = world;
  device.pagesOpened += 1;
  const label = `${device.label}${device.pagesOpened}`;
  const tab = await openTab({
    device,
    label,
    network,
    timeline,
    random: world.random.fork(`page ${label}`),
    plant,
    version,
    onId: (id) => {
      record.made.add(id);
      if (device.isFull) record.madeWhenFull.add(id);
    },
    onBrokenInvariant: (detail) => history.violate({ invariant: 'outboxInvariantsHold', detail }),
  });
  world.tabs.push(tab);
  tab.outbox.subscribe((event) => {
    if (event.kind === 'setAside') record.everSetAside.add(event.operationId);
  });
  history.note(`${tab.label} opens${version === 'current' ? '' : `, ${version}`}`);
  await beginSession(tab);
  await tab.run(() => tab.outbox.opened());
  await probeServer(tab);
  await showAttempt(tab);
  return tab;
}

/** Start of a page: decrypts the signed-in user's rows, or encrypts all when nobody is signed in. */
export async function beginSession(tab: Tab): Promise<void> {
  const { session } = tab.device;
  if (session === null) {
    await tab.run(() => tab.outbox.encryptRows());
    return;
  }
  const { userId } = session.person;
  await tab.run(() => mirrorSession(tab.storage, session.signedIn));
  tab.lacksKey = (await tab.run(() => tab.outbox.openRows(userId, null))) === false;
  await fetchDeviceKey(tab);
}

/** Requests a missing device key. The app repeats a failed call, here once per step. */
export async function fetchDeviceKey(tab: Tab): Promise<void> {
  const owner = tab.device.session?.person.userId;
  if (!tab.lacksKey || owner === undefined || !tab.isAlive()) return;
  const me = await tab.run(() => tab.ask(currentUser, {}));
  if (me === DEAD || me === null) return;
  tab.lacksKey = false;
  const { deviceKey } = me;
  if (deviceKey !== undefined) await tab.run(() => tab.outbox.openRows(owner, deviceKey));
}

/** The first call of every page and sign-in, which finds out whether and which server is reachable. */
export async function probeServer(tab: Tab): Promise<void> {
  await tab.run(() => tab.ask(health, {}));
}

/** Shows the newest attempt of the signed-in user on the device. */
export async function showAttempt(tab: Tab): Promise<void> {
  const owner = tab.device.session?.person.userId;
  tab.attemptId = null;
  if (owner === undefined) return;
  const attempts = await tab.run(() => tab.outbox.runningAttempts(owner));
  if (typeof attempts === 'symbol') return;
  tab.attemptId = attempts.at(-1)?.attemptId ?? null;
}

/** Pages of the present app with a user: release 1.0.0 knows neither offers nor handovers. */
export const presentPages = ({ tabs }: World): Tab[] =>
  tabs.filter(({ device, version }) => device.session !== null && version === 'current');

export function forgetTab(world: World, tab: Tab): void {
  const place = world.tabs.indexOf(tab);
  if (place !== -1) world.tabs.splice(place, 1);
}

export function closePages(world: World, device: Device): void {
  for (const tab of world.tabs.filter((one) => one.device === device)) {
    tab.die();
    forgetTab(world, tab);
  }
}

/** Publishes other questions for attempts that start from now on. */
export async function editTest(world: World, test: SchoolTest): Promise<void> {
  const { server, random, timeline } = world;
  const questions = test.questions.map((question) => ({
    ...question,
    points: question.points + random.between(0, 2),
    text: `${question.text} (изменено)`,
  }));
  const contentId = server.deps.newId();
  const maxPoints = questions.reduce((sum, { points }) => sum + points, 0);
  await execute(
    server.pool,
    'insert into test_contents (id, test_id, questions, max_points, created_at) values ($1, $2, $3, $4, $5)',
    [contentId, test.testId, JSON.stringify(questions), maxPoints, new Date(timeline.now())],
  );
  await execute(server.pool, 'update tests set content_id = $2 where id = $1', [
    test.testId,
    contentId,
  ]);
  test.questions = questions;
}
