import {
  AnswerPosition,
  type Answer,
  type SavedAnswer,
  type SavedAnswers,
} from '#contract/answers.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import { isAnswered } from '#domain/answered.ts';
import { groupSaved, listSaved } from '#domain/saved-answers.ts';
import type { AttemptRow, FileRow, OperationRow } from '#app/storage/rows.ts';
import { fileIdsOf } from './plan.ts';
import type { AttemptCounts, QuestionView, Stage } from './types.ts';

/** The student's view: the server's last state overlaid with this device's operations. Pure. */
export interface OverlayInput {
  readonly attempt: AttemptRow;
  readonly questions: readonly StudentQuestion[];
  /** Null: never fetched. */
  readonly saved: SavedAnswers | null;
  /** All operations of the attempt on this device. */
  readonly operations: readonly OperationRow[];
  readonly files: readonly FileRow[];
  readonly sending: ReadonlySet<string>;
  /** Operations that only this page's memory holds. */
  readonly unsaved: ReadonlySet<string>;
  readonly broken: number;
}

type OperationOrder = { readonly epoch: number; readonly sequence: number | null };

const compare = (a: OperationOrder, b: OperationOrder): number =>
  a.epoch - b.epoch || (a.sequence ?? 0) - (b.sequence ?? 0);

/**
 * Merges a fresh reply with the known answers: per question the greater (epoch, sequence) wins, so that
 * an empty or older reply never removes a shown answer.
 */
export function mergeSaved(known: SavedAnswers | null, fresh: SavedAnswers): SavedAnswers {
  const best = new Map<string, SavedAnswer>();
  for (const one of [...(known ? listSaved(known) : []), ...listSaved(fresh)]) {
    const old = best.get(one.questionId);
    if (!old || compare(one, old) >= 0) best.set(one.questionId, one);
  }
  return groupSaved([...best.values()]);
}

/** A saved answer without its position and receipt fields. */
const plainAnswer = (saved: SavedAnswer): Answer =>
  Object.fromEntries(
    Object.entries(saved).filter(([field]) => !(field in AnswerPosition.entries)),
  ) as Answer;

/** Whether a local operation may be shown as the question's answer. */
function isShowable(one: OperationRow): boolean {
  const isThere =
    one.state === 'waiting' || one.state === 'acknowledged' || one.state === 'setAside';
  return one.kind === 'answer' && isThere;
}

export function latest(operations: readonly OperationRow[]): OperationRow | null {
  return operations.reduce<OperationRow | null>(
    (best, one) => (best === null || compare(one, best) > 0 ? one : best),
    null,
  );
}

/** The local operation shown for a question; null when the server's answer is shown. */
function shownOperation(
  attempt: AttemptRow,
  mine: readonly OperationRow[],
  server: SavedAnswer | undefined,
): OperationRow | null {
  const current = latest(mine.filter((one) => one.stream === attempt.stream));
  // Beside another device's answers, until the teacher decides on this one's begin.
  if (current && attempt.begin?.state === 'held') return current;
  if (current && !attempt.takenOver) {
    const isNewer = server !== undefined && compare(server, current) > 0;
    // One that waits again after a restore may be all there is.
    const isThere = current.acknowledgedAt !== null && current.state !== 'waiting';
    return isThere && isNewer ? null : current;
  }
  const any = latest(mine);
  if (!any) return null;
  // An answer of an older stream, superseded or not, is shown until a greater one is known.
  const isLesser = server !== undefined && compare(server, any) > 0;
  return isLesser ? null : any;
}

function stageOf(one: OperationRow, input: OverlayInput, server: SavedAnswer | undefined): Stage {
  if (one.state === 'acknowledged') {
    const isHeld = one.receipt?.outcome === 'held';
    // The teacher has accepted it since: the server returns it as the counted answer.
    return isHeld && server?.operationId !== one.operationId ? 'held' : 'server';
  }
  if (one.state === 'setAside' || one.poisoned) return 'setAside';
  if (input.sending.has(one.operationId)) return 'sending';
  return isUnsaved(one, input) ? 'unsaved' : 'device';
}

const filesOf = (one: OperationRow, { files }: OverlayInput): FileRow[] => {
  const named = new Set(fileIdsOf(one));
  return files.filter(({ fileId }) => named.has(fileId));
};

/** Whether the operation, or a file that an earlier one stored for it, is only in this page's memory. */
const isUnsaved = (one: OperationRow, input: OverlayInput): boolean =>
  input.unsaved.has(one.operationId) ||
  filesOf(one, input).some(({ operationId }) => input.unsaved.has(operationId));

/** Progress over all files of an answer. */
const uploadOf = (files: readonly FileRow[]) => ({
  received: files.reduce(
    (sum, row) => sum + (row.state === 'complete' ? row.size : row.received),
    0,
  ),
  size: files.reduce((sum, { size }) => sum + size, 0),
});

function localView(
  one: OperationRow,
  input: OverlayInput,
  server: SavedAnswer | undefined,
): Omit<QuestionView, 'marked'> {
  const stage = stageOf(one, input, server);
  const files = filesOf(one, input);
  const isUploading =
    files.some(({ state }) => state !== 'complete') && (stage === 'device' || stage === 'sending');
  return {
    questionId: one.questionId ?? '',
    answer: one.answer,
    answered: isAnswered(one.answer),
    stage,
    at: one.state === 'acknowledged' ? one.acknowledgedAt : one.writtenServer,
    receipt: one.state === 'acknowledged' ? one.receipt : null,
    refusal: stage === 'setAside' ? (one.refusal ?? null) : null,
    upload: isUploading ? uploadOf(files) : null,
  };
}

export function overlay(input: OverlayInput): QuestionView[] {
  const byQuestion = new Map<string, OperationRow[]>();
  for (const one of input.operations) {
    if (!isShowable(one) || one.questionId === null) continue;
    byQuestion.set(one.questionId, [...(byQuestion.get(one.questionId) ?? []), one]);
  }
  const saved = new Map(
    (input.saved ? listSaved(input.saved) : []).map((one) => [one.questionId, one]),
  );
  const marks = new Set(input.attempt.marks);
  return input.questions.map(({ questionId }) => {
    const marked = marks.has(questionId);
    const server = saved.get(questionId);
    const local = shownOperation(input.attempt, byQuestion.get(questionId) ?? [], server);
    if (local) return { ...localView(local, input, server), marked };
    const answer = server ? plainAnswer(server) : null;
    return {
      questionId,
      answer,
      answered: isAnswered(answer),
      stage: server ? 'server' : 'none',
      at: server ? Date.parse(server.receivedAt) : null,
      marked,
      receipt: null,
      refusal: null,
      upload: null,
    };
  });
}

/** Distinct questions with a waiting answer, and with one set aside. */
export function unsentQuestions(operations: readonly OperationRow[]): {
  waiting: Set<string>;
  setAside: Set<string>;
} {
  const waiting = new Set<string>();
  const setAside = new Set<string>();
  for (const one of operations) {
    if (one.questionId === null) continue;
    const key = `${one.attemptId}/${one.questionId}`;
    if (one.state === 'setAside' || one.poisoned) setAside.add(key);
    else if (one.state === 'waiting') waiting.add(key);
  }
  return { waiting, setAside };
}

/** Questions with an answer that is only in memory, even while it is being sent: unsaved until its receipt. */
function unsavedQuestions(input: OverlayInput): number {
  const atRisk = input.operations.filter(
    (one) =>
      one.kind === 'answer' &&
      (one.state === 'waiting' || one.state === 'setAside') &&
      isUnsaved(one, input),
  );
  return new Set(atRisk.map(({ questionId }) => questionId)).size;
}

export function countAnswers(input: OverlayInput, views: readonly QuestionView[]): AttemptCounts {
  const { waiting } = unsentQuestions(input.operations);
  const count = (test: (view: QuestionView) => boolean): number => views.filter(test).length;
  return {
    total: views.length,
    answered: count((view) => view.answered),
    marked: count((view) => view.marked),
    waiting: waiting.size,
    sending: count((view) => view.stage === 'sending'),
    setAside: count((view) => view.stage === 'setAside'),
    unsaved: unsavedQuestions(input),
    broken: input.broken,
  };
}
