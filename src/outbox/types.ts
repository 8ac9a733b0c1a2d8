import type { BeginState } from '#app/storage/rows.ts';
import type { Answer } from '#contract/answers.ts';
import type { Receipt, Started } from '#contract/passing.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import type { AnswerState, SyncState } from '#domain/labels-answer.ts';

/**
 * Where the shown answer of a question is. `unsaved`: only in this page's memory, because the
 * device could not store it. `held`: on the server, and counts only if the teacher accepts it.
 */
export type Stage = Extract<
  AnswerState,
  'none' | 'device' | 'sending' | 'server' | 'held' | 'setAside' | 'unsaved'
>;

export interface QuestionView {
  readonly questionId: string;
  readonly answer: Answer | null;
  /** Not empty: text, options, pairs or a file. */
  readonly answered: boolean;
  readonly stage: Stage;
  /** Server time of that stage, milliseconds; null where unknown. */
  readonly at: number | null;
  readonly marked: boolean;
  /** Of this device's own operation, once the server has it. */
  readonly receipt: Receipt | null;
  /** Why the server refused it, for `setAside`. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
  /** Upload progress in bytes, for a file being sent. */
  readonly upload: { readonly received: number; readonly size: number } | null;
}

export interface AttemptCounts {
  readonly total: number;
  readonly answered: number;
  readonly marked: number;
  /** Answers shown that the server does not have yet; `sending` ones included. */
  readonly waiting: number;
  readonly sending: number;
  readonly setAside: number;
  /** Only in this page's memory, `sending` ones included. */
  readonly unsaved: number;
  /** Rows that failed validation; included in the export. */
  readonly broken: number;
}

/** Why inputs are closed; null: they are open. */
export type ReadOnly = 'timeOver' | 'finishing' | 'finished' | 'takenOver' | 'secondTab' | 'gone';

export interface AttemptView {
  readonly attemptId: string;
  readonly testId: string;
  readonly owner: string;
  readonly title: string;
  /** Of the questions; undefined: that of the interface. */
  readonly language: string | undefined;
  readonly attemptNumber: number;
  readonly attemptsCount: number;
  readonly stream: string;
  readonly epoch: number;
  readonly state: 'running' | 'finishing' | 'finished';
  readonly readOnly: ReadOnly | null;
  /** Server times, milliseconds. */
  readonly startedAt: number;
  readonly deadline: number;
  readonly countsUntil: number;
  /** Server time of the finish's receipt. */
  readonly finishedAt: number | null;
  /** From the deadline and the corrected clock. */
  readonly remainingMs: number;
  /** Corrected server time of this snapshot. */
  readonly now: number;
  readonly questions: readonly StudentQuestion[];
  /** Highest sequence of the stream at the time of this read: `answers` contains all up to it. */
  readonly head: number;
  /** In the order of `questions`. */
  readonly answers: readonly QuestionView[];
  readonly lastQuestionId: string | null;
  /** Null: the server began it. */
  readonly begin: BeginState | null;
  readonly counts: AttemptCounts;
  /** A finish waits on the device. */
  readonly finishWaits: boolean;
  /** Why the server refused the last finish; another one may be written. */
  readonly finishRefusal: { readonly code: string; readonly message: string } | null;
  readonly sync: SyncView;
}

/** State of the header's indicator, and the number of answers in its label. */
export interface SyncView {
  readonly kind: SyncState;
  readonly count: number;
}

/** Known state of the connection to the server. */
export type Reachability = 'unknown' | 'reachable' | 'offline' | 'silent';

/** Why nothing is sent until the user acts. */
export type Pause = 'signIn' | 'blocked' | 'update';

export interface FlushReport {
  /** False: nobody is signed in, or another page has the sender's lock. */
  readonly ran: boolean;
  readonly acknowledged: number;
  readonly failed: number;
  readonly setAside: number;
  /** Waiting operations of the owner after the pass, poisoned ones included. */
  readonly waiting: number;
  readonly pause: Pause | null;
  /** Milliseconds until the next retry is due; null: nothing is scheduled. */
  readonly nextInMs: number | null;
}

/** Where an operation was written. */
export interface StoredOperation {
  readonly operationId: string;
  readonly stream: string;
  readonly sequence: number;
  /** True only after the device's storage has confirmed. False: in memory, sent at once. */
  readonly saved: boolean;
}

/** An attempt stored on this device. */
export interface LocalAttempt {
  readonly attemptId: string;
  readonly testId: string;
  readonly owner: string;
  readonly title: string;
  readonly stream: string;
  readonly epoch: number;
  readonly state: 'running' | 'finishing' | 'finished';
  readonly takenOver: boolean;
  readonly gone: boolean;
  readonly startedAt: number;
  readonly deadline: number;
  readonly countsUntil: number;
  readonly finishedAt: number | null;
}

/** Thrown when an operation may not be written. */
export class OutboxRefusal extends Error {
  readonly reason: 'unknownAttempt' | 'finished' | 'takenOver' | 'gone' | 'fileRefused';

  /** In Russian, when the reason alone does not say what to do. */
  readonly explanation: string | null;

  constructor(reason: OutboxRefusal['reason'], explanation: string | null = null) {
    super(`The outbox refused: ${reason}`);
    this.name = 'OutboxRefusal';
    this.reason = reason;
    this.explanation = explanation;
  }
}

export type OutboxEvent =
  | { readonly kind: 'changed'; readonly attemptId: string | null }
  /** A new operation is ready to be sent. */
  | { readonly kind: 'written'; readonly attemptId: string | null }
  | { readonly kind: 'deadlineMoved'; readonly attemptId: string; readonly deadline: number }
  /** The device's clock was found changed, or a reply corrected it. */
  | { readonly kind: 'clockSet' }
  | { readonly kind: 'takenOver'; readonly attemptId: string }
  | { readonly kind: 'finished'; readonly attemptId: string }
  /** The browser cleared stored rows; null: those of the sign-in. */
  | { readonly kind: 'cleared'; readonly attemptId: string | null }
  | { readonly kind: 'setAside'; readonly attemptId: string; readonly operationId: string }
  | { readonly kind: 'paused'; readonly pause: Pause };

export interface FileToAdd {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type StartOutcome =
  | { readonly kind: 'started'; readonly attempt: LocalAttempt; readonly started: Started }
  | {
      readonly kind: 'runningElsewhere';
      readonly attemptId: string;
      /** ISO time, or null: never. */
      readonly lastHeardAt: string | null;
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
    }
  /** No definite reply: call again, the same start is repeated. */
  | { readonly kind: 'unknown'; readonly reachable: boolean };
