import type { AttemptView, QuestionView } from '#app/outbox/types.ts';
import { bodyOf, type JournalRow, type Write } from './evidence.ts';
import type { History, Violation } from './history.ts';
import { isOutranked } from './invariants/order.ts';
import type { RunRecord } from './record.ts';
import { DEAD, type Tab } from './tab.ts';

/** What a screen promised for a question. */
export interface Shown {
  readonly body: string | null;
  readonly stage: QuestionView['stage'];
}

const SAVED_STAGES: ReadonlySet<QuestionView['stage']> = new Set([
  'device',
  'sending',
  'server',
  'setAside',
]);

/** Round trips and rounding may shift the shown time by this much. */
const TIME_SLACK_MS = 2_000;

/** A device may keep the offset that it knows when the server's clock is set by less than it takes for a jump. */
const TIME_SLACK_AFTER_STEP_MS = 32_000;

/** Where something stands in the order of an attempt's answers. */
export interface Rank {
  readonly epoch: number;
  readonly at: number;
}

/** The newest write of a body, which says where it stands among what the student wrote. */
export function newestWrite(
  writes: readonly Write[],
  attemptId: string,
  questionId: string,
  body: string,
): Write | null {
  const found = writes.findLast(
    (write) =>
      write.attemptId === attemptId && write.questionId === questionId && write.body === body,
  );
  // Nothing was promised of what found no room on the device.
  return found?.saved ? found : null;
}

/** A screen that showed something as saved never shows less afterwards. */
export function shrinks(before: Shown, after: Shown, rank: (body: string) => Rank | null): boolean {
  if (before.body === null || !SAVED_STAGES.has(before.stage) || before.body === after.body) {
    return false;
  }
  const old = rank(before.body);
  if (after.body === null) return old !== null;
  const fresh = rank(after.body);
  if (!old || !fresh) return false;
  return fresh.epoch < old.epoch || (fresh.epoch === old.epoch && fresh.at < old.at);
}

/** «На сервере» is shown only for what the server confirmed to this device. */
export function isUnproven(shown: Shown, confirmed: ReadonlySet<string> | undefined): boolean {
  return shown.stage === 'server' && shown.body !== null && confirmed?.has(shown.body) !== true;
}

/** How far the shown time left is from the true one; milliseconds. */
export function timeError(
  view: Pick<AttemptView, 'remainingMs' | 'deadline'>,
  now: number,
): number {
  return Math.abs(view.remainingMs - Math.max(0, view.deadline - now));
}

/** Looks at screens as a student does, and remembers what they promised. */
export interface Looks {
  look(tab: Tab): Promise<AttemptView | null>;
  /** The device's storage is gone, and its promises with it. */
  forget(device: string): void;
}

export function createLooks(parts: {
  history: History;
  record: RunRecord;
  /** What the server's clock shows. */
  schoolTime: () => number;
  /** What the server has now. */
  journal: () => Promise<readonly JournalRow[]>;
}): Looks {
  const { history, record, schoolTime, journal } = parts;
  const shown = new Map<string, Shown>();
  const questions = new Map<string, number>();
  const deadlines = new Map<string, number>();

  const violate = (invariant: string, detail: string): void =>
    history.violate({ invariant, detail } satisfies Violation);

  /** Equal texts of other devices and of long ago make what counts look older than it is. */
  async function gaveWay(tab: Tab, former: Write | null, now: Shown): Promise<boolean> {
    if (!former || now.body === null || now.stage !== 'server') return false;
    return isOutranked(former, now.body, {
      journal: await journal(),
      held: await tab.storage.read(['operations'], (tx) => tx.all('operations')),
      named: record.named.get(tab.device.label) ?? new Set(),
    });
  }

  async function judgeAnswer(tab: Tab, view: AttemptView, question: QuestionView): Promise<void> {
    const { attemptId } = view;
    const { questionId, stage } = question;
    const { label } = tab.device;
    const now: Shown = { body: question.answer ? bodyOf(question.answer) : null, stage };
    const key = `${label}/${attemptId}/${questionId}`;
    const before = shown.get(key) ?? { body: null, stage: 'none' };
    const where = `${tab.label} ${history.name('a', attemptId)} ${questionId.slice(-2)}`;
    const { wasFull } = tab.device;
    const own = record.writes.filter((one) => one.device === label);
    const written = (body: string) =>
      newestWrite(own, attemptId, questionId, body) ??
      newestWrite(record.writes, attemptId, questionId, body);
    const former = before.body === null ? null : written(before.body);
    // Pages of a full device hold answers in memory, each its own.
    const isLess = !wasFull && shrinks(before, now, written);
    if (isLess && !(await gaveWay(tab, former, now))) {
      violate(
        'reloadShowsAll',
        `${where}: ${before.body} (${before.stage}) → ${now.body} (${stage})`,
      );
    }
    if (isUnproven(now, record.confirmed.get(key))) {
      violate('serverStageNeedsReceipt', `${where}: ${now.body}`);
    }
    shown.set(key, now);
  }

  function judgeContent(tab: Tab, view: AttemptView): void {
    const key = `${tab.device.label}/${view.attemptId}`;
    const before = questions.get(key) ?? 0;
    const now = view.questions.length;
    if (now < before && !tab.device.wasFull) {
      violate('reloadShowsAll', `${tab.label} shows ${now} questions of ${before}`);
    }
    questions.set(key, Math.max(before, now));
  }

  function judgeTime(tab: Tab, view: AttemptView): void {
    const { device } = tab;
    const key = `${device.label}/${view.attemptId}`;
    const known = deadlines.get(key) ?? 0;
    if (view.deadline < known && !device.wasFull)
      violate('deadlineNeverEarlier', `${tab.label} shows an earlier one`);
    deadlines.set(key, Math.max(known, view.deadline));
    const steppedAt = record.schoolClockSteps.at(-1);
    const changedAt = Math.max(device.clockChangedAt, steppedAt ?? 0);
    const isClean = tab.heardAt() > changedAt && view.state === 'running';
    const error = timeError(view, schoolTime());
    const slack = steppedAt === undefined ? TIME_SLACK_MS : TIME_SLACK_AFTER_STEP_MS;
    if (isClean && error > slack) {
      violate('timeLeftIsTrue', `${tab.label} is wrong by ${Math.round(error)} ms`);
    }
  }

  return {
    forget: (device) => {
      for (const kept of [shown, questions, deadlines]) {
        for (const key of kept.keys()) if (key.startsWith(`${device}/`)) kept.delete(key);
      }
      record.named.delete(device);
    },
    look: async (tab) => {
      const { attemptId } = tab;
      if (attemptId === null || !tab.isAlive()) return null;
      const view = await tab.run(() => tab.outbox.snapshot(attemptId));
      if (view === DEAD || view === null) return null;
      const user = tab.device.session?.person.userId;
      if (user !== undefined && view.owner !== user) {
        violate('ownDataOnly', `${tab.label} shows another student’s attempt`);
      }
      judgeTime(tab, view);
      judgeContent(tab, view);
      for (const question of view.answers) await judgeAnswer(tab, view, question);
      return view;
    },
  };
}
