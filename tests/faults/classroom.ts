import { addTime, deleteAttempt, restoreAttempt } from '#contract/attempts.ts';
import type { Route } from '#contract/route.ts';
import type { Answer } from '#contract/answers.ts';
import type { AttemptView, FlushReport, LocalAttempt } from '#app/outbox/types.ts';
import { clearMirror, mirrorSession } from '#app/storage/session-mirror.ts';
import { rows } from '#server/db/query.ts';
import { createDevice, type Device } from '#simulation/device.ts';
import { createHistory } from '#simulation/history.ts';
import { createNetwork, type Network } from '#simulation/network.ts';
import { NO_PLANT, type AppVersion, type Plant } from '#simulation/plant.ts';
import { createRandom } from '#simulation/random.ts';
import { createRecord, type RunRecord } from '#simulation/record.ts';
import {
  startServer,
  STUDENT,
  TEACHER,
  type SimulatedPerson,
  type SimulatedServer,
  type WireReply,
} from '#simulation/server.ts';
import { DEAD, openTab, type Tab } from '#simulation/tab.ts';
import { createTimeline, type Timeline } from '#simulation/timeline.ts';
import { createTestDatabase } from '#tests/database.ts';
import { makeTest, Q, type PlannedTest } from '#tests/school.ts';

/** Real outboxes over fake IndexedDB, against the real server, with injectable faults. */
export interface Classroom {
  readonly server: SimulatedServer;
  readonly network: Network;
  readonly timeline: Timeline;
  readonly record: RunRecord;
  readonly teacher: SimulatedPerson;
  readonly student: SimulatedPerson;
  readonly testId: string;
  addStudent(): Promise<SimulatedPerson>;
  device(label?: string, traits?: { skewMs?: number; hasWebLocks?: boolean }): Device;
  /** Opens a page, signed in as the given person, or as the one stored on the device. */
  open(
    device: Device,
    person?: SimulatedPerson,
    traits?: { readonly plant?: Plant; readonly version?: AppVersion },
  ): Promise<Tab>;
  signIn(tab: Tab, person: SimulatedPerson): Promise<void>;
  signOut(tab: Tab): Promise<void>;
  /** Ends the page and opens another one. */
  reload(tab: Tab): Promise<Tab>;
  asTeacher(route: Route, attemptId: string, body?: unknown): Promise<WireReply>;
  /** The journal of an attempt, in order of receipt. */
  journal(attemptId: string): Promise<JournalLine[]>;
  close(): Promise<void>;
}

export interface JournalLine {
  readonly id: string;
  readonly kind: string;
  readonly epoch: number;
  readonly sequence: number | null;
  readonly outcome: string;
  readonly receivedLate: boolean;
  readonly text: string | null;
}

export const MINUTE = 60_000;
const START = Date.parse('2026-03-02T06:00:00.000Z');

export const text = (value: string): Answer => ({ questionId: Q.open, kind: 'open', text: value });
export const essay = (value: string): Answer => ({
  questionId: Q.essay,
  kind: 'open',
  text: value,
});
export const choice = (optionId: string): Answer => ({
  questionId: Q.single,
  kind: 'variant',
  optionIds: [optionId],
});
export { Q };

export async function openClassroom(plan: PlannedTest = {}): Promise<Classroom> {
  const database = await createTestDatabase();
  const server = await startServer(database.pool);
  const timeline = createTimeline(START);
  await server.begin(timeline.now);
  const teacher = await server.addPerson(TEACHER, 'О. В. Лаптева');
  const student = await server.addPerson(STUDENT, 'Пётр Смирнов');
  const teacherToken = (await server.signIn(teacher)).token;
  const students = [student];
  const testId = await makeTest(
    { pool: server.pool, deps: server.deps, clock: { now: new Date(START) } },
    teacher,
    { ...plan, students, openToAll: true },
  );
  const random = createRandom(1, 'classroom');
  const record = createRecord(createHistory(timeline.now), timeline.now, server.schoolTime);
  const network = createNetwork({
    server,
    timeline,
    random,
    observer: record.observer,
    crowd: null,
  });
  let pages = 0;

  async function signIn(tab: Tab, person: SimulatedPerson): Promise<void> {
    const signedIn = await server.signIn(person);
    record.tokens.set(signedIn.token, person.userId);
    tab.device.session = { person, signedIn };
    await mirrorSession(tab.storage, signedIn);
  }

  const open: Classroom['open'] = async (device, person, { plant = NO_PLANT, version } = {}) => {
    pages += 1;
    const tab = await openTab({
      device,
      label: `${device.label}${pages}`,
      network,
      timeline,
      random: random.fork(`page ${pages}`),
      plant,
      ...(version && { version }),
      onId: () => undefined,
      onBrokenInvariant: (invariant) => {
        throw new Error(`broken invariant of the outbox: ${invariant}`);
      },
    });
    if (person) await signIn(tab, person);
    await tab.outbox.opened();
    return tab;
  };

  return {
    server,
    network,
    timeline,
    record,
    teacher,
    student,
    testId,
    open,
    signIn,
    addStudent: () => server.addPerson(STUDENT, 'Анна Иванова'),
    device: (label = 'A', traits = {}) =>
      createDevice(label, timeline, { skewMs: 0, hasWebLocks: true, ...traits }),
    signOut: async (tab) => {
      tab.device.session = null;
      await clearMirror(tab.storage);
    },
    reload: async (tab) => {
      tab.die();
      return open(tab.device);
    },
    asTeacher: (route, attemptId, body) => {
      const headers = { authorization: `Bearer ${teacherToken}` };
      return server.deliver({
        method: route.method,
        url: route.path.replace('{attemptId}', attemptId),
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        payload: body === undefined ? null : JSON.stringify(body),
      });
    },
    journal: (attemptId) =>
      rows<JournalLine>(
        server.pool,
        `select id, kind, epoch, sequence, outcome, received_late as "receivedLate", body ->> 'text' as text
         from operations where attempt_id = $1 order by ordinal`,
        [attemptId],
      ),
    close: async () => {
      await server.close();
      await database.drop();
    },
  };
}

/** Starts the classroom's test on a page, or takes it over. */
export async function start(
  classroom: Classroom,
  tab: Tab,
  takeOver?: string,
): Promise<LocalAttempt> {
  const options = takeOver === undefined ? {} : { takeOver };
  const outcome = await tab.outbox.startAttempt(classroom.testId, options);
  if (outcome.kind !== 'started') throw new Error(`not started: ${JSON.stringify(outcome)}`);
  return outcome.attempt;
}

export async function view(tab: Tab, attemptId: string): Promise<AttemptView> {
  const found = await tab.outbox.snapshot(attemptId);
  if (!found) throw new Error('the page does not show the attempt');
  return found;
}

/** What a page shows for a question: the answer's text, and its stage. */
export async function shown(
  tab: Tab,
  attemptId: string,
  questionId: string,
): Promise<{ text: string | null; stage: string }> {
  const { answers } = await view(tab, attemptId);
  const found = answers.find((one) => one.questionId === questionId);
  const answer = found?.answer ?? null;
  return { text: answer?.kind === 'open' ? answer.text : null, stage: found?.stage ?? 'none' };
}

/** Runs flushes until nothing waits, advancing time to the next one; at most `passes`. */
export async function drain(classroom: Classroom, tab: Tab, passes = 40): Promise<FlushReport> {
  let report = await tab.outbox.flush({ force: true });
  for (let i = 1; i < passes && report.waiting > 0; i += 1) {
    classroom.timeline.advance(Math.max(1_000, report.nextInMs ?? 0));
    report = await tab.outbox.flush();
  }
  return report;
}

export const addMinutes = (classroom: Classroom, attemptId: string, minutes: number) =>
  classroom.asTeacher(addTime, attemptId, { minutes });
export const remove = (classroom: Classroom, attemptId: string) =>
  classroom.asTeacher(deleteAttempt, attemptId);
export const bringBack = (classroom: Classroom, attemptId: string) =>
  classroom.asTeacher(restoreAttempt, attemptId);

/** The page was killed under the task. */
export const died = (outcome: unknown): boolean => outcome === DEAD;
