import { somePhoto } from '#simulation/answers.ts';
import { CALL_FAULTS, type CallFault } from '#simulation/faults.ts';
import type { NetworkLine } from '#simulation/network.ts';
import type { Random } from '#simulation/random.ts';
import { DEAD, type Tab } from '#simulation/tab.ts';
import { forgetTab, openPage, type World } from '#simulation/world.ts';
import { addFileTo, flushTab, isOpen, somePage, writeAnswer, type Page } from './writing.ts';

/** Uploads over lines that are slow, become slow, or break again and again. */

const KBIT = 1_000;
const KB = 1_000;
const MINUTE_MS = 60_000;

interface Course {
  readonly name: string;
  readonly rate: (now: number) => number;
  /** Bits per second. */
  readonly slowest: number;
  /** Number of time-outs that a line may cause when it becomes slower during an upload. */
  readonly timeOuts: number;
  readonly badness: number;
  readonly faults: Partial<Record<CallFault, number>>;
}

/** On a bad line the connection breaks between the chunks that arrive. */
const BREAKS = { requestLost: 3, replyLost: 2, status502: 2, uploadCut: 3 };

function someCourse(random: Random, from: number): Course {
  const kind = random.weighted([
    [5, 'steady'],
    [3, 'falling'],
    [3, 'breaking'],
  ]);
  // Small chunks, between which a line can break.
  const kbit = random.pick(kind === 'breaking' ? [50, 100] : [50, 100, 250, 1_000]);
  const slowest = kbit * KBIT;
  const rate = () => slowest;
  const steady = { name: `${kbit} kbit/s`, rate, slowest, timeOuts: 0, badness: 0, faults: {} };
  if (kind === 'steady') return steady;
  if (kind === 'breaking') {
    return { ...steady, name: `${steady.name}, breaking`, badness: 0.5, faults: BREAKS };
  }
  // Of chunks with 256 KB, 64 KB and 16 KB the last one arrives in time.
  const slow = random.pick([50, 100]);
  const falls = from + random.between(1, 4) * 1_000;
  return {
    ...steady,
    name: `1000, then ${slow} kbit/s`,
    rate: (now) => (now < falls ? 1_000 : slow) * KBIT,
    slowest: slow * KBIT,
    timeOuts: 2,
  };
}

/** Counts the calls that run out of time while `work` runs. */
async function onLine<T>(world: World, line: NetworkLine, course: Course, work: () => Promise<T>) {
  const { network, profile, history } = world;
  const { badness } = line;
  const before = history.faults.get('slowLine') ?? 0;
  Object.assign(line, { rate: course.rate, badness: course.badness });
  network.choose(course.faults);
  try {
    const value = await work();
    return { value, timeOuts: (history.faults.get('slowLine') ?? 0) - before };
  } finally {
    Object.assign(line, { rate: null, badness });
    network.choose(profile.faults ?? CALL_FAULTS);
  }
}

/** The page after a reload, which knows nothing of the line yet; null: it shows something else. */
async function reloadPage(world: World, { tab, view }: Page): Promise<Page | null> {
  tab.die();
  forgetTab(world, tab);
  const fresh = await openPage(world, tab.device);
  const now = await world.looks.look(fresh);
  return now?.attemptId === view.attemptId && isOpen(now) ? { tab: fresh, view: now } : null;
}

/** Whether nothing but the line can stop or delay an upload of this page. */
async function isQuiet(world: World, { tab, view }: Page): Promise<boolean> {
  const { device } = tab;
  const isCalm = device.line.online && !device.isFull && !world.poisonNext;
  const isAllowed = world.blocked.size === 0 && world.deleted.size === 0;
  if (!isCalm || !isAllowed || view.remainingMs < 10 * MINUTE_MS) return false;
  const report = await tab.run(() => tab.outbox.flush({ force: true }));
  const now = tab.isAlive() ? await world.looks.look(tab) : null;
  return typeof report !== 'symbol' && report.waiting === 0 && now !== null && isOpen(now);
}

/** A page that has nothing else to send, and knows nothing of the line yet. */
async function startQuietPage(world: World, former: Page): Promise<Page | null> {
  const { line } = former.tab.device;
  const { badness } = line;
  line.badness = 0;
  const page = (await isQuiet(world, former)) ? await reloadPage(world, former) : null;
  line.badness = badness;
  return page?.view.counts.waiting === 0 ? page : null;
}

const PASSES = 400;

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, one) => sum + one, 0);

/**
 * Sends until the answer has its receipt; `ms` is null if it got none. On a breaking line other answers are written and
 * sent meanwhile: failures count only beside successful calls.
 */
async function drain(world: World, page: Page, operationId: string, isBreaking: boolean) {
  const { timeline, random, history } = world;
  const { tab } = page;
  const from = timeline.now();
  let received = 0;
  let passes = 0;
  let seenFaults = 0;
  let stuckPasses = 0;
  for (let pass = 0; pass < PASSES && tab.isAlive(); pass += 1) {
    if (isBreaking && random.chance(0.6)) await writeAnswer(world, page, false);
    const nextInMs = await flushTab(world, tab, false);
    const [row, files] = await tab.storage.read(['operations', 'files'], async (tx) => [
      await tx.get('operations', operationId),
      await tx.all('files', 'attempt', page.view.attemptId),
    ]);
    if (row?.state !== 'waiting') {
      const ms = row?.state === 'acknowledged' ? timeline.now() - from : null;
      return { ms, stuckPasses };
    }
    const now = files.find((file) => file.operationId === operationId)?.received ?? 0;
    const faults = sumOf(history.faults.values());
    if (now > received) passes = 0;
    else if (faults > seenFaults) passes += 1;
    [received, seenFaults] = [now, faults];
    stuckPasses = Math.max(stuckPasses, passes);
    timeline.advance(Math.max(100, nextInMs ?? 0));
  }
  return { ms: null, stuckPasses };
}

/** Whether nothing is sent until the student acts, as after a revoked sign-in: that says nothing about a line. */
async function isPaused(tab: Tab): Promise<boolean> {
  const report = await tab.run(() => tab.outbox.flush({ force: false }));
  return report === DEAD || report.pause !== null;
}

/** A photo over a slow line, with nothing else to send. */
export async function uploadSlowly(world: World): Promise<void> {
  const { random, timeline, record, history } = world;
  const former = await somePage(world, isOpen);
  const page = former && (await startQuietPage(world, former));
  const test = world.tests.find(({ testId }) => testId === page?.view.testId);
  const question = test?.questions.find(({ kind }) => kind === 'file');
  if (!page || !question) return;
  const { tab } = page;
  const { line } = tab.device;
  const from = timeline.now();
  const course = someCourse(random, from);
  const photo = somePhoto(random, random.between(course.badness > 0 ? 300 : 100, 500) * KB);
  const restores = record.restores.length;
  const { value: sent, timeOuts } = await onLine(world, line, course, async () => {
    const stored = await addFileTo(world, page, question.questionId, photo);
    const { operationId } = stored ?? {};
    if (operationId === undefined) return null;
    return { operationId, ...(await drain(world, page, operationId, course.badness > 0)) };
  });
  if (!sent || !tab.isAlive() || record.restores.length > restores) return;
  const { operationId, ms, stuckPasses } = sent;
  if (ms === null && (await isPaused(tab))) return;
  const upload = {
    operationId,
    attemptId: page.view.attemptId,
    line: course.name,
    ms,
    idealMs: (8_000 * photo.byteLength) / course.slowest,
    timeOuts,
    allowedTimeOuts: course.timeOuts,
    isBreaking: course.badness > 0,
    stuckPasses,
    isSetAside: record.everSetAside.has(operationId),
  };
  record.uploads.push(upload);
  history.note(
    `${tab.label} sent ${photo.byteLength} bytes at ${course.name} in ${ms} ms of ${upload.idealMs}, ${timeOuts} time-outs`,
  );
}
