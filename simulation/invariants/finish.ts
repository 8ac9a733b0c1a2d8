import type { AttemptFacts, StudentEvidence, JournalRow } from '#simulation/evidence.ts';
import { closesAt, isBelowEarly } from './time.ts';

/** Attempts, their ends, and the barrier of a finish. */

const finished = (evidence: StudentEvidence): { attempt: AttemptFacts; finish: JournalRow }[] =>
  evidence.attempts.flatMap((attempt) => {
    const finish = evidence.journal.find((row) => row.operationId === attempt.finishOperation);
    return attempt.ended === 'finished' && finish ? [{ attempt, finish }] : [];
  });

/** A deleted attempt is closed when it is restored: a finish after its close ends nothing. */
function isDueOnReturn(attempt: AttemptFacts, finishes: readonly JournalRow[]): boolean {
  return attempt.deleted && finishes.every(({ receivedAt }) => receivedAt >= closesAt(attempt));
}

/** A finished attempt names its only finish; a counted finish has ended its attempt. */
export function oneFinish(evidence: StudentEvidence): string[] {
  const wrong: string[] = [];
  for (const attempt of evidence.attempts) {
    const stored = evidence.journal.filter(
      (row) =>
        row.attemptId === attempt.attemptId && row.kind === 'finish' && row.outcome === 'stored',
    );
    const named = stored.some((row) => row.operationId === attempt.finishOperation);
    if (attempt.ended === 'finished' && !named) {
      wrong.push(`${attempt.attemptId} is finished by no finish of its journal`);
    }
    const isReopened = evidence.moved.has(attempt.attemptId);
    const mayRun = isReopened || isDueOnReturn(attempt, stored);
    if (attempt.ended === null && stored.length > 0 && !mayRun) {
      wrong.push(`${attempt.attemptId} runs in spite of a stored finish`);
    }
  }
  return wrong;
}

/** A counted finish has no gap below it, and nothing that could have been sent is declared lost. */
export function finishIsBarrier(evidence: StudentEvidence): string[] {
  if (evidence.restores.length > 0) return [];
  const writes = new Map(evidence.writes.map((write) => [write.operationId, write]));
  const places = new Map(evidence.onDevices.map((one) => [one.operationId, one.sequence]));
  return finished(evidence).flatMap(({ attempt, finish }) => {
    const { stream } = finish;
    // The sequence allocated by its device counts, sent or not.
    const sequence = finish.sequence ?? places.get(finish.operationId) ?? 1;
    const below = evidence.journal.filter(
      (row) =>
        row.attemptId === attempt.attemptId &&
        row.stream === stream &&
        (row.sequence ?? sequence) < sequence,
    );
    const spares = attempt.spares.filter((one) => one.stream === stream);
    const accounted = new Set([...below, ...spares].map((one) => one.sequence));
    const gaps = Array.from({ length: sequence - 1 }, (_, i) => i + 1)
      .filter((n) => !accounted.has(n))
      .map((n) => `${attempt.attemptId}: #${n} is missing below finish #${sequence}`);
    // Folded in a handover, an answer is sent after all if its device sets the newer one aside.
    const isNewerThere = (row: JournalRow) =>
      evidence.journal.some(
        (other) =>
          other.attemptId === row.attemptId &&
          other.stream === row.stream &&
          other.ordinal < finish.ordinal &&
          other.outcome === 'stored' &&
          other.questionId === row.questionId &&
          (other.sequence ?? 0) > (row.sequence ?? sequence),
      );
    // A full device had used the sequence before, in the memory of a page that ended.
    const isUsedTwice = (row: JournalRow) =>
      evidence.writes.some(
        (other) => other.stream === row.stream && other.sequence === row.sequence && !other.saved,
      );
    const overtaken = below
      .filter((row) => row.ordinal > finish.ordinal && row.kind === 'answer')
      .filter((row) => !isNewerThere(row) && !isBelowEarly(evidence, finish, row))
      .filter((row) => !evidence.everSetAside.has(row.operationId))
      .filter((row) => writes.get(row.operationId)?.saved === true && !isUsedTwice(row))
      .map((row) => `${attempt.attemptId}: finish #${sequence} overtook #${row.sequence}`);
    return [...gaps, ...overtaken];
  });
}

/** A saved answer is declared lost only when the device had set it aside. */
export function givenUpForReason(evidence: StudentEvidence): string[] {
  const inJournal = new Set(evidence.journal.map((row) => row.operationId));
  return evidence.attempts.flatMap(({ attemptId, spares }) =>
    spares
      .filter((spare) => spare.reason === 'setAside')
      .flatMap(({ stream, sequence }) =>
        evidence.onDevices.filter(
          (one) =>
            one.attemptId === attemptId &&
            one.stream === stream &&
            one.sequence === sequence &&
            one.kind === 'answer' &&
            one.state === 'waiting' &&
            !one.poisoned &&
            !inJournal.has(one.operationId) &&
            !evidence.everSetAside.has(one.operationId),
        ),
      )
      .map((one) => `${attemptId}: #${one.sequence} was given up and still waits on its device`),
  );
}

interface NamedFiles {
  readonly fileId?: string | null;
  readonly more?: readonly { readonly fileId: string }[];
}

/** Ids of the files that an answer names. */
export const filesOf = ({ body }: JournalRow): string[] => {
  const { fileId, more = [] } = JSON.parse(body || '{}') as NamedFiles;
  return [fileId, ...more.map((one) => one.fileId)].flatMap((id) => id ?? []);
};

/** Rows of the answers that count in an attempt. */
export function countingRows(
  { answers }: Pick<AttemptFacts, 'answers'>,
  rows: readonly JournalRow[],
): JournalRow[] {
  const counting = new Set(answers.map(({ operationId }) => operationId));
  return rows.filter(({ operationId }) => counting.has(operationId));
}

/** Files of the finishing stream’s counted answers are complete on the server, or declared lost. */
export function filesAreWhole(evidence: StudentEvidence): string[] {
  const isExcused = evidence.restores.length > 0;
  // Handed over by camera, the answer of a full device counts, and its file goes with the page that had it in memory.
  const inMemory = new Set(
    evidence.writes.filter(({ saved }) => !saved).map(({ operationId }) => operationId),
  );
  // A finish passes over what was set aside. Brought in from another page, the answer counts, and its file goes with the
  // device.
  const isLost = ({ operationId, stream }: JournalRow) =>
    evidence.everSetAside.has(operationId) && evidence.wipedStreams.has(stream);
  return finished(evidence).flatMap(({ attempt, finish }) => {
    const files = new Map(attempt.files.map((file) => [file.fileId, file]));
    return countingRows(attempt, evidence.journal)
      .filter((row) => row.stream === finish.stream)
      .filter((row) => row.ordinal < finish.ordinal && !isExcused && !isLost(row))
      .flatMap((row) =>
        filesOf(row).filter((id) => {
          const file = files.get(id);
          if (!file) return !inMemory.has(row.operationId);
          return !file.setAside && !(file.complete && file.intact);
        }),
      )
      .map((id) => `${attempt.attemptId}: file ${id} is not whole`);
  });
}

/** Files of answers that count come from each device that stored them and still has them, after a close too. */
export function filesFollow(evidence: StudentEvidence): string[] {
  const { writes, lostDevices, wipedStreams, everSetAside, restores } = evidence;
  if (restores.length > 0) return [];
  const stored = new Set(
    writes
      .filter(({ saved, device, stream }) => {
        const isGone = lostDevices.has(device) || wipedStreams.has(stream);
        return saved && !isGone;
      })
      .map(({ operationId }) => operationId),
  );
  const present = evidence.attempts.filter(({ deleted }) => !deleted);
  return present.flatMap(({ attemptId, answers, files }) => {
    const settled = new Set(
      files.filter((one) => one.complete || one.setAside).map(({ fileId }) => fileId),
    );
    return countingRows({ answers }, evidence.journal)
      .filter(({ operationId }) => stored.has(operationId) && !everSetAside.has(operationId))
      .flatMap(filesOf)
      .filter((id) => !settled.has(id))
      .map((id) => `${attemptId}: file ${id} has not followed its answer`);
  });
}

/** Its begin waits for the teacher. */
const isHeld = ({ storedBegins }: StudentEvidence, { attemptId }: AttemptFacts): boolean =>
  storedBegins.some(
    (begin) =>
      begin.attemptId === attemptId && begin.hold !== null && begin.hold !== 'secondDevice',
  );

/** Attempts never exceed attemptsCount; those recreated after a restore are listed separately. */
export function attemptsWithinCount(evidence: StudentEvidence): string[] {
  const wrong: string[] = [];
  for (const { testId, attemptsCount } of evidence.tests) {
    const made = evidence.attempts.filter(
      (one) => one.testId === testId && one.recoveredAt === null && !isHeld(evidence, one),
    );
    for (const userId of new Set(made.map((one) => one.userId))) {
      const own = made.filter((one) => one.userId === userId);
      const wasDeleted = own.some((one) => evidence.onceDeleted.has(one.attemptId));
      if (own.length > attemptsCount && !wasDeleted) {
        wrong.push(`${userId} has ${own.length} attempts of ${attemptsCount}`);
      }
      const starts = evidence.startKeys.get(`${userId}/${testId}`) ?? 0;
      if (own.length > starts)
        wrong.push(`${userId} has ${own.length} attempts by ${starts} starts`);
    }
  }
  return wrong;
}
