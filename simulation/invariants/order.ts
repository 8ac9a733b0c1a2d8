import type {
  Delivery,
  StudentEvidence,
  DeviceOperation,
  JournalRow,
  Move,
  Write,
} from '#simulation/evidence.ts';
import { scoreOf } from '#simulation/scorer.ts';

/** Which answers count, and in which order. */

const GRACE_MS = 60_000;
/** Between the arrival of a request and its judgement. */
const SLACK_MS = 1_000;

type JournalPosition = Pick<JournalRow, 'epoch' | 'rank' | 'ordinal'>;

const compare = (a: JournalPosition, b: JournalPosition): number =>
  a.epoch - b.epoch || a.rank - b.rank || a.ordinal - b.ordinal;

/** Neither refused nor held, or held and accepted by the teacher. */
const mayCount = (row: JournalRow): boolean =>
  row.kind === 'answer' &&
  row.outcome !== 'refused' &&
  (row.outcome !== 'held' || row.decision === 'accepted');

/** The greatest (epoch, sequence) by question. */
export function countingRows(rows: readonly JournalRow[]): Map<string, JournalRow> {
  const best = new Map<string, JournalRow>();
  for (const row of rows) {
    if (row.questionId === null || !mayCount(row)) continue;
    const old = best.get(row.questionId);
    if (!old || compare(row, old) > 0) best.set(row.questionId, row);
  }
  return best;
}

/** Known facts when a screen shows another answer than before. */
export interface Known {
  readonly journal: readonly JournalRow[];
  /** Operations on the screen's device. */
  readonly onDevices: readonly Pick<DeviceOperation, 'operationId' | 'state' | 'sequence'>[];
  /** Operations that the server reported to this device as counted. */
  readonly named: ReadonlySet<string>;
}

/** Position of a shown operation that still exists: in the journal, or unsent on its device. */
function placeOf(former: Write, { journal, onDevices }: Known): JournalPosition | null {
  const row = journal.find(({ operationId }) => operationId === former.operationId);
  if (row) return row;
  const unsent = onDevices.find(({ operationId }) => operationId === former.operationId);
  if (unsent?.state !== 'waiting' && unsent?.state !== 'setAside') return null;
  return { epoch: former.epoch, rank: unsent.sequence, ordinal: Number.POSITIVE_INFINITY };
}

/** Whether a shown answer, itself not lost, was replaced by one with this body that outranks it on the server. */
export function isOutranked(former: Write, body: string, known: Known): boolean {
  const place = placeOf(former, known);
  if (!place) return false;
  return known.journal.some(
    (row) =>
      row.attemptId === former.attemptId &&
      row.questionId === former.questionId &&
      row.body === body &&
      mayCount(row) &&
      known.named.has(row.operationId) &&
      compare(row, place) > 0,
  );
}

/** The answer with the highest (epoch, sequence) that is not held is final. */
export function highestIsFinal(evidence: StudentEvidence): string[] {
  return evidence.attempts.flatMap(({ attemptId, answers }) => {
    const expected = countingRows(evidence.journal.filter((row) => row.attemptId === attemptId));
    const stands = new Map(answers.map((one) => [one.questionId, one.operationId]));
    return [...new Set([...expected.keys(), ...stands.keys()])]
      .filter((id) => expected.get(id)?.operationId !== stands.get(id))
      .map(
        (id) => `${attemptId} ${id}: ${stands.get(id)} instead of ${expected.get(id)?.operationId}`,
      );
  });
}

/**
 * Whether the begin of this stream is gone before the server had it: overwritten by a page of 1.0.0, or with the storage
 * or the device after such a page had sent answers, which it does without the begin.
 */
export const isBeginGone = (
  { begins, overwrittenBegins, wipedStreams, lostDevices, storedBegins }: StudentEvidence,
  { attemptId, stream }: { readonly attemptId: string; readonly stream: string },
): boolean => {
  const begin = begins.find((one) => one.offerId === attemptId && one.stream === stream);
  if (!begin || storedBegins.some((one) => one.stream === stream)) return false;
  const isWiped = wipedStreams.has(stream) || lostDevices.has(begin.device);
  return (
    overwrittenBegins.has(stream) ||
    (isWiped && storedBegins.some((one) => one.attemptId === attemptId))
  );
};

/**
 * An answer of a second device that a page of 1.0.0 had sent before its begin, and that the teacher accepted: he chose
 * between two devices that nothing orders.
 */
const isTeachersChoice = (
  { journal, storedBegins }: StudentEvidence,
  operationId: string | undefined,
): boolean =>
  journal.some(
    (row) =>
      row.operationId === operationId &&
      row.outcome === 'held' &&
      row.decision === 'accepted' &&
      storedBegins.some(({ stream, hold }) => stream === row.stream && hold === 'secondDevice'),
  );

/** The student's last answer to a question, unless another one may count. */
function lastWord(evidence: StudentEvidence, writes: readonly Write[]): Write | undefined {
  const newest = Math.max(...writes.map(({ epoch }) => epoch));
  const last = writes.findLast(({ epoch }) => epoch === newest);
  // Writes of a killed page or a full device may or may not exist, in any order.
  const isClear = writes.every(({ saved }) => saved);
  const isGone =
    !last ||
    evidence.lostDevices.has(last.device) ||
    evidence.wipedStreams.has(last.stream) ||
    evidence.poisoned.has(last.operationId) ||
    evidence.everSetAside.has(last.operationId) ||
    // The teacher's decision stands, whatever minutes are added after it.
    evidence.journal.some(
      (row) => row.operationId === last.operationId && row.decision === 'refused',
    );
  return isClear && !isGone ? last : undefined;
}

/**
 * Whether it arrived after an earlier deadline and its window, when a result could be seen, so that minutes added later
 * do not count it automatically: the teacher decides.
 */
const isForTeacher = (
  came: Pick<Delivery, 'at' | 'schoolAt'>,
  windowMs: number,
  moves: readonly Move[],
): boolean =>
  moves.some(
    ({ at, from }) =>
      came.schoolAt > from + Math.max(windowMs, GRACE_MS) - SLACK_MS && came.at < at,
  );

/** Whether the school's clock was set before a true time, so that its times say nothing about their order. */
const wasClockSet = ({ schoolClockSteps }: StudentEvidence, before: number): boolean =>
  schoolClockSteps.some(({ at }) => at <= before);

/**
 * The student's last answer counts: the newest one of the device that owned the attempt last, if it
 * arrived in time and before the end.
 */
export function lastWordCounts(evidence: StudentEvidence): string[] {
  if (evidence.restores.length > 0) return [];
  return evidence.attempts.flatMap((attempt) => {
    const { attemptId, deadline, endedAt, answers, windowMs } = attempt;
    // Two devices wrote at the same time, and the teacher accepted both: the later begin goes first (ADR 16). What
    // counted stands if he refuses one afterwards.
    const isOfTwo =
      evidence.school.accepted.has(attemptId) &&
      evidence.storedBegins.some(
        (begin) =>
          begin.attemptId === attemptId && begin.hold === 'secondDevice' && begin.decision !== null,
      );
    if (isOfTwo || evidence.onceDeleted.has(attemptId)) return [];
    const moves = evidence.moved.get(attemptId) ?? [];
    const held = evidence.storedBegins.filter(({ hold }) => hold !== null);
    const own = evidence.writes.filter(
      (one) =>
        one.attemptId === attemptId &&
        one.questionId &&
        held.every(({ stream }) => stream !== one.stream) &&
        !isBeginGone(evidence, one),
    );
    const counting = new Map(answers.map((one) => [one.questionId, one.operationId]));
    const wrong: string[] = [];
    for (const questionId of new Set(own.map((one) => one.questionId ?? ''))) {
      const last = lastWord(
        evidence,
        own.filter((one) => one.questionId === questionId),
      );
      const sent = evidence.deliveries.filter((one) => one.operationId === last?.operationId);
      const came = sent.find(({ status }) => status === 200);
      // A lost reply, or an error after the commit, hides that an earlier try had arrived.
      const first = sent[0] ?? came;
      const isInTime =
        came !== undefined &&
        first !== undefined &&
        came.schoolAt <= deadline + GRACE_MS &&
        (endedAt === null || (came.schoolAt < endedAt && !wasClockSet(evidence, came.at))) &&
        !isForTeacher(came, windowMs, moves) &&
        !isForTeacher(first, windowMs, moves);
      const counted = counting.get(questionId);
      if (!last || !isInTime || counted === last.operationId) continue;
      if (isTeachersChoice(evidence, counted)) continue;
      wrong.push(`${last.operationId} was written last, ${counted} counts`);
    }
    return wrong;
  });
}

/** A later answer to the same question of the same stream has the higher sequence. */
export function sequenceFollowsWriting(evidence: StudentEvidence): string[] {
  const rows = new Map(evidence.journal.map((row) => [row.operationId, row]));
  const last = new Map<string, { at: number; row: JournalRow }>();
  const wrong: string[] = [];
  for (const write of evidence.writes) {
    const row = rows.get(write.operationId);
    // Pages of a full device allocate sequences in memory independently.
    if (!row || write.kind === 'finish' || !write.saved) continue;
    const key = `${write.attemptId}/${write.stream}/${write.questionId}`;
    const before = last.get(key);
    if (before && before.at < write.at && before.row.rank > row.rank) {
      wrong.push(`${row.operationId} #${row.rank} was written after #${before.row.rank}`);
    }
    last.set(key, { at: write.at, row });
  }
  return wrong;
}

/** Two operations shown as saved never have the same sequence in a stream. */
export function sequencesUnique(evidence: StudentEvidence): string[] {
  const seen = new Map<string, Write>();
  const wrong: string[] = [];
  for (const write of evidence.writes) {
    const { attemptId, stream, sequence, saved, operationId, device } = write;
    if (!saved) continue;
    const place = `${attemptId} ${stream} #${sequence}`;
    const other = seen.get(place) ?? write;
    // What lies encrypted for want of space is unknown to a page that goes on; the newer of the two has to count.
    const isUnknown = evidence.fullSignIns.some(
      (one) => one.device === device && other.at <= one.at && one.at <= write.at,
    );
    if (other.operationId !== operationId && !isUnknown)
      wrong.push(`${operationId} and ${other.operationId} are both ${place}`);
    seen.set(place, write);
  }
  return wrong;
}

/** Epochs order the streams; the stream with the last one owns the attempt; operations have their stream's epoch. */
export function epochsAreHoldings(evidence: StudentEvidence): string[] {
  const wrong: string[] = [];
  // What the teacher accepted of a second device counts beside the first one, at the same place.
  const beside = new Set(
    evidence.storedBegins.filter(({ hold }) => hold === 'secondDevice').map(({ stream }) => stream),
  );
  for (const { attemptId, streams, activeStream } of evidence.attempts) {
    const sorted = streams
      .filter(({ id }) => id === activeStream || !beside.has(id))
      .toSorted((a, b) => a.epoch - b.epoch);
    sorted.forEach((stream, i) => {
      const before = sorted[i - 1];
      if (before?.epoch === stream.epoch) wrong.push(`${attemptId}: epoch ${stream.epoch} twice`);
      const isEarlier = before !== undefined && stream.createdAt < before.createdAt;
      if (isEarlier && evidence.restores.length + evidence.schoolClockSteps.length === 0) {
        wrong.push(`${attemptId}: epoch ${stream.epoch} is older than ${before.epoch}`);
      }
    });
    const owner = sorted.at(-1);
    if (owner && owner.id !== activeStream) wrong.push(`${attemptId}: an earlier stream owns it`);
  }
  const epochs = new Map(
    evidence.attempts.flatMap(({ attemptId, streams }) =>
      streams.map(({ id, epoch }) => [`${attemptId}/${id}`, epoch]),
    ),
  );
  for (const row of evidence.journal) {
    const epoch = epochs.get(`${row.attemptId}/${row.stream}`);
    // A restore may lose a stream that its operations still name.
    const isForgotten = row.outcome === 'held' || evidence.restores.length > 0;
    if (epoch !== undefined && !isForgotten && epoch !== row.epoch) {
      wrong.push(`${row.operationId} has epoch ${row.epoch} instead of ${epoch}`);
    }
  }
  return wrong;
}

/** An ended attempt has one score: the one computed from its journal. */
export function oneScore(evidence: StudentEvidence): string[] {
  return evidence.attempts.flatMap(({ attemptId, contentId, ended, points }) => {
    if (ended === null) return points === null ? [] : [`${attemptId} runs and has points`];
    const questions = evidence.contents.get(contentId) ?? [];
    const rows = evidence.journal.filter((row) => row.attemptId === attemptId);
    const bodies = new Map([...countingRows(rows)].map(([id, row]) => [id, row.body]));
    const expected = scoreOf(questions, bodies);
    return points !== null && Math.abs(points - expected) < 0.011
      ? []
      : [`${attemptId} has ${points} points, its answers deserve ${expected}`];
  });
}
