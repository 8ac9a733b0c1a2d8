import type { AttemptView, QuestionView } from '#app/outbox/types.ts';
import type { Device } from './device.ts';
import { ANY_BODY, bodyOf, type JournalRow, type Write } from './evidence.ts';
import type { RunHistory, Violation } from './history.ts';
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

/** Tolerance of the shown time for round trips and rounding. */
const TIME_SLACK_MS = 2_000;

/** A device may retain its offset when the server's clock changes by less than the jump threshold. */
const TIME_SLACK_AFTER_STEP_MS = 32_000;

/** Position in the order of an attempt's answers. */
export interface Rank {
  readonly epoch: number;
  readonly at: number;
}

/**
 * The newest write of a body on the device, which defines its position among the student's writes; else the newest one of
 * `others` that the server named to it.
 */
export function newestWrite(
  own: readonly Write[],
  others: readonly Write[],
  { attemptId, questionId, body }: Pick<Write, 'attemptId' | 'questionId' | 'body'>,
): Write | null {
  const isIt = (write: Write) =>
    write.attemptId === attemptId && write.questionId === questionId && write.body === body;
  const found = own.findLast(isIt) ?? others.findLast(isIt);
  // Nothing was promised about answers that did not fit on the device, or whose page was killed meanwhile.
  return found?.saved ? found : null;
}

/** Whether a screen shows less than it showed as saved before. */
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

/** Whether «На сервере» is shown for an answer that the server did not confirm to this device. */
export function isUnproven(shown: Shown, confirmed: ReadonlySet<string> | undefined): boolean {
  return shown.stage === 'server' && shown.body !== null && confirmed?.has(shown.body) !== true;
}

/** Error of the shown remaining time; milliseconds. */
export function timeError(
  view: Pick<AttemptView, 'remainingMs' | 'deadline'>,
  now: number,
): number {
  return Math.abs(view.remainingMs - Math.max(0, view.deadline - now));
}

/** Observes screens like a student, and records what they promised. */
export interface Looks {
  look(tab: Tab): Promise<AttemptView | null>;
  /** The device's storage was wiped, which voids its promises, except for attempts that its pages write again. */
  forget(device: string, retained?: ReadonlySet<string>): void;
}

type Violate = (invariant: string, detail: string) => void;

/** Checks that the number of shown questions never falls. */
function createContentCheck(violate: Violate) {
  const questions = new Map<string, number>();
  function check(tab: Tab, view: AttemptView): void {
    const key = `${tab.device.label}/${view.attemptId}`;
    const before = questions.get(key) ?? 0;
    const now = view.questions.length;
    if (now < before && !tab.device.wasFull) {
      violate('reloadShowsAll', `${tab.label} shows ${now} questions of ${before}`);
    }
    questions.set(key, Math.max(before, now));
  }
  return { check, shown: questions };
}

/** A shown deadline, and whether it is only the device's estimate. */
interface ShownDeadline {
  readonly at: number;
  readonly isEstimate: boolean;
}

/**
 * The deadline after a look, and whether it became earlier although the server had given it. Pages of release 1.0.0 show
 * no `begin`: whether their deadline is an estimate is unknown until another page has shown the server's.
 */
export function nextDeadline(
  known: ShownDeadline | undefined,
  { begin, deadline }: Partial<Pick<AttemptView, 'begin'>> & Pick<AttemptView, 'deadline'>,
): ShownDeadline & { readonly isEarlier: boolean } {
  if (begin === undefined && known?.isEstimate !== false)
    return { at: known?.at ?? 0, isEstimate: true, isEarlier: false };
  const isEstimate = !!begin && begin.estimate === undefined;
  // The first reply to a begin without a network replaces the estimate.
  const isFirstReply = known?.isEstimate === true && !isEstimate;
  const least = isFirstReply ? 0 : (known?.at ?? 0);
  return { at: Math.max(least, deadline), isEstimate, isEarlier: deadline < least };
}

/** Checks the deadline and the remaining time that a screen shows. */
function createTimeCheck(violate: Violate, parts: LookParts) {
  const { record, schoolTime, deadlineOf, pagesOf } = parts;
  const deadlines = new Map<string, ShownDeadline>();
  const checked = new Map<string, number>();

  /**
   * The deadline that a page shows after its next report, which replaces an estimate that a page of 1.0.0 stored again;
   * null: the server did not reply, or the attempt is over.
   */
  async function deadlineAfterReport(tab: Tab, { attemptId, begin }: AttemptView) {
    const { online, badness, rate } = tab.device.line;
    if (!online || badness > 0 || rate) return null;
    const view = await tab.run(async () => {
      await tab.outbox.report();
      return tab.outbox.snapshot(attemptId);
    });
    if (view === DEAD || view === null) return null;
    const isOver = view.state === 'finished' || view.readOnly !== null;
    return isOver && view.deadline === begin?.estimate ? null : view.deadline;
  }

  /** After the first reply to a begin its device shows the server's deadline, not a longer one. */
  async function checkCorrected(tab: Tab, view: AttemptView) {
    const { attemptId, begin } = view;
    // A restore may lose added minutes until their receipts come.
    if (begin?.estimate === undefined || record.restores.length > 0) return;
    if (checked.get(attemptId) === view.deadline) return;
    const { isUpdated, wasFull } = tab.device;
    const mayBeEstimate = isUpdated && wasFull && view.deadline === begin.estimate;
    const deadline = mayBeEstimate ? await deadlineAfterReport(tab, view) : view.deadline;
    if (deadline === null) return;
    checked.set(attemptId, deadline);
    const ofServer = await deadlineOf(attemptId);
    const by = ofServer === null ? 0 : deadline - ofServer;
    // Added minutes come with the next report.
    const isWrong = record.moved.has(attemptId) ? by > 0 : by !== 0;
    if (isWrong) violate('checkedTimeIsServers', `${tab.label} shows ${by} ms too much`);
  }

  async function check(tab: Tab, view: AttemptView): Promise<void> {
    const { device } = tab;
    const key = `${device.label}/${view.attemptId}`;
    const next = nextDeadline(deadlines.get(key), view);
    if (next.isEarlier && !device.wasFull)
      violate('deadlineNeverEarlier', `${tab.label} shows an earlier one`);
    deadlines.set(key, next);
    await checkCorrected(tab, view);
    const steppedAt = record.schoolClockSteps.at(-1)?.at;
    const changedAt = Math.max(device.clockChangedAt, steppedAt ?? 0);
    // Nothing orders the times of two pages after the school's clock went back, until each has had a reply.
    const pages = steppedAt === undefined ? [tab] : pagesOf(device);
    const isClean =
      pages.every((page) => page.serverTimeAt() > changedAt) && view.state === 'running';
    const error = timeError(view, schoolTime());
    // A copied profile brings the measurement of another clock, which a slower reply does not replace.
    const isMeasured = steppedAt === undefined && !record.school.copiedTo.has(device.label);
    const slack = isMeasured ? TIME_SLACK_MS : TIME_SLACK_AFTER_STEP_MS;
    if (isClean && error > slack) {
      violate('timeLeftIsTrue', `${tab.label} is wrong by ${Math.round(error)} ms`);
    }
  }
  return { check, shown: deadlines };
}

interface LookParts {
  readonly history: RunHistory;
  readonly record: RunRecord;
  /** Time by the server’s clock. */
  readonly schoolTime: () => number;
  readonly pagesOf: (device: Device) => readonly Tab[];
  /** The server's deadline of an attempt; null: it does not know the attempt. */
  readonly deadlineOf: (attemptId: string) => Promise<number | null>;
  /** Current journal of the server. */
  readonly journal: () => Promise<readonly JournalRow[]>;
}

/** Checks what a screen shows for a question against what it promised before. */
function createAnswerCheck(violate: Violate, { history, record, journal }: LookParts) {
  const shown = new Map<string, Shown>();

  /**
   * The server's reports to a device about other devices. An equal text of another device that was not reported is
   * different.
   */
  const namedTo = (label: string) => {
    const named = record.named.get(label);
    return record.writes.filter(({ operationId }) => named?.has(operationId));
  };

  /** Equal texts of other devices or from earlier make the counted answer look older than it is. */
  async function wasReplaced(tab: Tab, former: Write | null, now: Shown): Promise<boolean> {
    if (!former || now.body === null || now.stage !== 'server') return false;
    return isOutranked(former, now.body, {
      journal: await journal(),
      onDevices: await tab.storage.read(['operations'], (tx) => tx.all('operations')),
      named: record.named.get(tab.device.label) ?? new Set(),
    });
  }

  async function check(tab: Tab, view: AttemptView, question: QuestionView): Promise<void> {
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
      newestWrite(own, namedTo(label), { attemptId, questionId, body });
    const former = before.body === null ? null : written(before.body);
    // A newer file answer may be stored, although its page was killed meanwhile: its body is unknown.
    const isUnclear =
      now.body !== null &&
      own.some(
        (one) =>
          one.attemptId === attemptId &&
          one.questionId === questionId &&
          one.body === ANY_BODY &&
          one.at >= (former?.at ?? 0),
      );
    // Pages of a full device have separate answers in memory.
    const isLess = !wasFull && !isUnclear && shrinks(before, now, written);
    if (isLess && !(await wasReplaced(tab, former, now))) {
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
  return { check, shown };
}

export function createLooks(parts: LookParts): Looks {
  const { history, record } = parts;
  const violate = (invariant: string, detail: string): void =>
    history.violate({ invariant, detail } satisfies Violation);
  const answers = createAnswerCheck(violate, parts);
  const content = createContentCheck(violate);
  const time = createTimeCheck(violate, parts);

  return {
    forget: (device, retained = new Set()) => {
      for (const map of [answers.shown, content.shown, time.shown]) {
        for (const key of map.keys()) {
          const [label, attemptId = ''] = key.split('/');
          if (label === device && !retained.has(attemptId)) map.delete(key);
        }
      }
      if (retained.size === 0) record.named.delete(device);
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
      await time.check(tab, view);
      content.check(tab, view);
      for (const question of view.answers) await answers.check(tab, view, question);
      return view;
    },
  };
}
