import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';

/** One thing a student did, as the simulator knows it for sure. Times are true milliseconds. */
export interface Write {
  readonly operationId: string;
  readonly kind: 'answer' | 'finish';
  readonly user: string;
  readonly device: string;
  readonly attemptId: string;
  readonly questionId: string | null;
  /** Canonical text of the answer; empty for a finish. */
  readonly body: string;
  readonly stream: string;
  /** Order of its stream among the attempt's. */
  readonly epoch: number;
  /** As told by the device. */
  readonly sequence: number | null;
  /** It was shown as stored on the device. */
  readonly saved: boolean;
  /** The page died meanwhile: stored or not, both are right. */
  readonly killed: boolean;
  readonly at: number;
  /** The same moment on the server's clock, by which deadlines are set. */
  readonly schoolAt: number;
}

/** Body of a file that a killed page was storing. */
export const ANY_BODY = '*';

/** A receipt of the real server that came to a device. */
export interface HeardReceipt {
  readonly operationId: string;
  readonly device: string;
  readonly user: string;
  readonly stream: string;
  readonly outcome: string;
  readonly at: number;
}

/** A row of the server's journal. */
export interface JournalRow {
  readonly operationId: string;
  readonly attemptId: string;
  readonly userId: string;
  readonly kind: 'answer' | 'finish';
  readonly stream: string;
  readonly epoch: number;
  readonly sequence: number | null;
  readonly rank: number;
  readonly ordinal: number;
  readonly questionId: string | null;
  readonly body: string;
  readonly outcome: 'stored' | 'superseded' | 'held' | 'refused';
  readonly refusal: string | null;
  readonly receivedLate: boolean;
  readonly decision: 'accepted' | 'refused' | null;
  readonly ageMs: number | null;
  readonly receivedAt: number;
}

export interface AttemptFacts {
  readonly attemptId: string;
  readonly testId: string;
  readonly userId: string;
  readonly contentId: string;
  readonly number: number;
  readonly startedAt: number;
  readonly deadline: number;
  readonly windowMs: number;
  readonly ended: 'finished' | 'closed' | null;
  readonly endedAt: number | null;
  readonly finishOperation: string | null;
  readonly activeStream: string;
  readonly points: number | null;
  readonly deleted: boolean;
  readonly recovered: boolean;
  readonly streams: readonly { id: string; epoch: number; createdAt: number }[];
  /** Operation that counts, by question. */
  readonly answers: readonly { questionId: string; operationId: string }[];
  readonly spares: readonly {
    stream: string;
    sequence: number;
    reason: 'renumbered' | 'folded' | 'setAside';
    operationId: string | null;
  }[];
  readonly files: readonly {
    fileId: string;
    complete: boolean;
    setAside: boolean;
    intact: boolean;
  }[];
}

/** An operation as a device holds it at the end. */
export interface HeldOperation {
  readonly device: string;
  readonly operationId: string;
  readonly owner: string;
  readonly attemptId: string;
  readonly stream: string;
  readonly sequence: number;
  readonly formerSequences: readonly number[];
  readonly kind: 'answer' | 'finish';
  readonly state: 'waiting' | 'acknowledged' | 'folded' | 'setAside' | 'dropped';
  readonly poisoned: boolean;
  readonly foldedInto: string | null;
  readonly refusal: string | null;
  readonly receipt: string | null;
}

/** A request that reached the server. */
export interface Delivery {
  readonly operationId: string;
  readonly kind: 'answer' | 'finish' | 'start';
  /** Whose token it carried. */
  readonly user: string | null;
  readonly device: string;
  readonly status: number;
  /** The attempt of an answer or finish; the test of a start. */
  readonly about: string;
  readonly at: number;
  readonly schoolAt: number;
  /** A copy, or a request that was long on its way: its age is old. */
  readonly isStale: boolean;
}

export interface TestFacts {
  readonly testId: string;
  readonly attemptsCount: number;
  readonly passMs: number;
  /** When it closes for everybody; null: never. */
  readonly endsAt: number | null;
}

/** What the dishonest student did and saw, and minutes that he was given, in this order. */
export type CheatEvent =
  | {
      readonly kind: 'sent';
      readonly attemptId: string;
      readonly operationId: string;
      /** Outcome of the receipt, or the code of the refusal. */
      readonly outcome: string;
      /** When it says it was written; null: it does not. */
      readonly claimedAt: number | null;
    }
  /** A part of the result was shown to him. */
  | { readonly kind: 'saw'; readonly attemptId: string }
  /** The teacher let the attempt run on. */
  | { readonly kind: 'minutes'; readonly attemptId: string };

/** Everything the checker judges a finished run by. */
export interface Evidence {
  readonly writes: readonly Write[];
  readonly receipts: readonly HeardReceipt[];
  readonly deliveries: readonly Delivery[];
  readonly journal: readonly JournalRow[];
  /** Operations kept of attempts that a restored database does not know. */
  readonly strays: readonly { operationId: string; userId: string }[];
  readonly attempts: readonly AttemptFacts[];
  readonly tests: readonly TestFacts[];
  readonly held: readonly HeldOperation[];
  /** Questions with their keys, by content. */
  readonly contents: ReadonlyMap<string, readonly Question[]>;
  /** Streams that lived on storage that was wiped. */
  readonly wipedStreams: ReadonlySet<string>;
  /** Devices that nobody will switch on again. */
  readonly lostDevices: ReadonlySet<string>;
  /** Ids that pages made. */
  readonly made: ReadonlySet<string>;
  /** Attempts whose deadline a teacher moved. */
  readonly moved: ReadonlySet<string>;
  /** Devices whose wall clock somebody changed, with the moments on the server's clock. */
  readonly clockChanges: readonly { device: string; at: number; by: number }[];
  /** True moments at which the server's clock was set. */
  readonly schoolClockSteps: readonly number[];
  readonly restores: readonly number[];
  /** Operations that the server answers with 500 for ever. */
  readonly poisoned: ReadonlySet<string>;
  /** Operations that a device ever set aside, poisoned ones included. */
  readonly everSetAside: ReadonlySet<string>;
  /** Verdicts that devices had seen when a backup was restored, by operation. */
  readonly verdictsAtRestore: ReadonlyMap<string, { outcome: string; device: string }>;
  /** Attempts that were deleted at any time. */
  readonly onceDeleted: ReadonlySet<string>;
  /** What waited on devices after all faults were healed and passes enough were made. */
  readonly undrained: readonly string[];
  /** Distinct keys of starts that students asked for, by user and test. */
  readonly startKeys: ReadonlyMap<string, number>;
  /** The dishonest student's, apart from all others'. */
  readonly cheat: {
    readonly events: readonly CheatEvent[];
    readonly journal: readonly JournalRow[];
    readonly attempts: readonly AttemptFacts[];
  };
}

/** The same value always gives the same text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

export const bodyOf = (answer: Answer | null): string => (answer ? canonical(answer) : '');
