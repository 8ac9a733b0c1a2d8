import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';

/** One write of a student as the simulator recorded it. Times are true milliseconds. */
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
  /** As reported by the device. */
  readonly sequence: number | null;
  /** It was shown as stored on the device. */
  readonly saved: boolean;
  /** The page was killed meanwhile: stored or not, both are correct. */
  readonly killed: boolean;
  readonly at: number;
  /** The same moment by the server's clock, which defines deadlines. */
  readonly schoolAt: number;
}

/** Body of a file that a killed page was storing. */
export const ANY_BODY = '*';

/** A receipt of the real server that reached a device. */
export interface ReceivedReceipt {
  readonly operationId: string;
  readonly device: string;
  readonly user: string;
  readonly stream: string;
  readonly outcome: string;
  readonly at: number;
}

/** An operation with a receipt that a teacher got who brought it in. */
export interface BroughtIn {
  readonly operationId: string;
  /** The true time of the receipt. */
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
  /** A finish that its device made at the deadline. */
  readonly byDeadline?: boolean;
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
  /** When a receipt made it anew; null: none did. */
  readonly recoveredAt: number | null;
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

/** An operation on a device at the end of the run. */
export interface DeviceOperation {
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
  /** User of its token. */
  readonly user: string | null;
  readonly device: string;
  readonly status: number;
  /** The attempt of an answer or finish; the test of a start. */
  readonly about: string;
  readonly at: number;
  readonly schoolAt: number;
  /** A copy or a delayed request: its age is outdated. */
  readonly isStale: boolean;
}

export interface TestFacts {
  readonly testId: string;
  readonly attemptsCount: number;
  /** Every time for an attempt that ever applied; milliseconds. */
  readonly passTimes: readonly number[];
  /** When the test closes; null: never. */
  readonly endsAt: number | null;
}

/** What the dishonest student did and saw, and added minutes, in order. */
/** A call of a classmate with an answer that shared a statement with others, and the reply to it. */
export interface CrowdAnswer {
  readonly operationId: string;
  readonly attemptId: string;
  readonly stream: string;
  readonly sequence: number;
  /** False: the test has no such question. */
  readonly isValid: boolean;
  readonly body: string;
  readonly status: number;
  /** Null: the reply was none. */
  readonly receipt: {
    readonly operationId: string;
    readonly stream: string;
    readonly sequence: number | null;
    readonly outcome: string;
  } | null;
}

export type CheatEvent =
  | {
      readonly kind: 'sent';
      readonly attemptId: string;
      readonly operationId: string;
      /** Outcome of the receipt, or the code of the refusal. */
      readonly outcome: string;
      /** Claimed writing time; null: none. */
      readonly claimedAt: number | null;
    }
  /** A part of the result was visible to the student. */
  | { readonly kind: 'saw'; readonly attemptId: string }
  /** The teacher added minutes. */
  | { readonly kind: 'minutes'; readonly attemptId: string }
  /** A list that costs more than it weighs, and the reply to it. */
  | {
      readonly kind: 'attacked';
      readonly attemptId: string;
      readonly isOwn: boolean;
      readonly status: number;
      readonly bytes: number;
    };

/** Minutes that a teacher added. */
export interface Move {
  /** The true time: the school's clock may have been set back since an answer arrived. */
  readonly at: number;
  /** The deadline until then, and since; by the school's clock. */
  readonly from: number;
  readonly to: number;
}

/** The fate of a picked file; `vanished`: no screen mentions it. */
export type PickFate = 'stored' | 'failed' | 'missed' | 'replaced' | 'vanished';

/** Files that a student picked for one question, one after another. */
export interface FilePicksEvidence {
  readonly attemptId: string;
  readonly questionId: string;
  /** In the order of picking. */
  readonly fates: readonly PickFate[];
  /** Which picks were stored, in the order of storing. */
  readonly stored: readonly number[];
  readonly storedAfterFinish: number;
}

/** A file that was sent over a slow line, with nothing else to send. */
export interface SlowUpload {
  readonly operationId: string;
  readonly attemptId: string;
  /** The course of the line's rate, in words. */
  readonly line: string;
  /** Until its answer had the receipt; null: it had none. */
  readonly ms: number | null;
  /** The time for the file's bytes alone at the slowest rate of the line. */
  readonly idealMs: number;
  readonly timeOuts: number;
  readonly allowedTimeOuts: number;
  readonly isBreaking: boolean;
  /** The greatest number of consecutive failed tries without an arrived byte. */
  readonly stuckPasses: number;
  readonly isSetAside: boolean;
}

/** How long a page waits until it sends again. */
export interface Wait {
  readonly page: string;
  readonly ms: number;
  /** One of its answers failed again and again while others arrived. */
  readonly hasPoisoned: boolean;
}

/** A device's clock was put forward and back, offline, with time left. */
export interface ClockReturn {
  /** What the page showed afterwards. */
  readonly shown: string;
  readonly isTimeBack: boolean;
}

/** Text that a student typed key by key. */
export interface TypingEvidence {
  readonly attemptId: string;
  readonly questionId: string;
  /** The longest time for which a key was not on the device; milliseconds. */
  readonly longestWaitMs: number;
  /** The device did not have the whole text half a second after the last key. */
  readonly isLateAtPause: boolean;
  /** After the page had ended or its student had signed out; null: neither. */
  readonly next: {
    /** Body of the newest answer to the question. */
    readonly expected: string;
    readonly stored: string;
    /** Typed texts that are readable on the device and do not belong to its user. */
    readonly foreign: number;
  } | null;
}

export interface ClockStep {
  readonly at: number;
  readonly from: number;
}

/** A begin without a network, as the simulator saw it on a device. */
export interface BeginFact {
  /** The id of its attempt. */
  readonly offerId: string;
  readonly testId: string;
  readonly user: string;
  readonly device: string;
  readonly stream: string;
  readonly at: number;
  /** The same moment by the server's clock. */
  readonly schoolAt: number;
  /** The time that the offer promised; milliseconds. */
  readonly promisedMs: number;
  /** The code that opened the offer; null: none did, the student made the begin up. */
  readonly code: string | null;
  /** The page was killed meanwhile: stored or not, both are correct. */
  readonly killed: boolean;
}

/** The same begin on the server. */
export interface StoredBegin {
  readonly attemptId: string;
  readonly stream: string;
  readonly hold: string | null;
  readonly ageMs: number | null;
  readonly receivedAt: number;
  /** Another offer or content took the place of its offer. */
  readonly isReplaced: boolean;
  readonly decision: 'accept' | 'refuse' | null;
  readonly decidedAt: number | null;
}

/** Something that happened to a test, by the server's clock. */
export interface TestEvent {
  readonly testId: string;
  readonly at: number;
}

/** What happened to the tests that begin without a network. */
export interface OfflineSchool {
  /** First showings of codes. */
  readonly showings: readonly (TestEvent & { readonly code: string })[];
  /** From when a code was no longer that of its test. */
  readonly renewals: readonly (TestEvent & { readonly code: string })[];
  /** When tests were archived, and when they came back. */
  readonly archivings: readonly (TestEvent & { readonly isArchived: boolean })[];
  /** Attempts with a begin that the teacher accepted at any time. */
  readonly accepted: ReadonlySet<string>;
  /** Devices with the clock of a copied or saved profile: the next reply shows that it is not theirs. */
  readonly copiedTo: ReadonlySet<string>;
  /** What could be read without the code or with the key of another student, in words. */
  readonly unsealed: readonly string[];
}

/** Everything the checker needs to check a finished run. */
export interface StudentEvidence {
  readonly writes: readonly Write[];
  readonly begins: readonly BeginFact[];
  readonly storedBegins: readonly StoredBegin[];
  /** Offers that reached a device, and whether a question could be read in them. */
  readonly offers: readonly { readonly offerId: string; readonly isReadable: boolean }[];
  /** Offers that the server's database knows in the end. */
  readonly knownOffers: ReadonlySet<string>;
  readonly school: OfflineSchool;
  readonly picks: readonly FilePicksEvidence[];
  readonly uploads: readonly SlowUpload[];
  readonly waits: readonly Wait[];
  readonly typings: readonly TypingEvidence[];
  readonly clockReturns: readonly ClockReturn[];
  readonly receipts: readonly ReceivedReceipt[];
  readonly broughtIn: readonly BroughtIn[];
  /** Keys of operations and begins that left their device in a handover. */
  readonly handedOver: ReadonlySet<string>;
  readonly deliveries: readonly Delivery[];
  readonly journal: readonly JournalRow[];
  /** Stored operations of attempts that a restored database does not know. */
  readonly strays: readonly { operationId: string; userId: string }[];
  readonly attempts: readonly AttemptFacts[];
  readonly tests: readonly TestFacts[];
  readonly onDevices: readonly DeviceOperation[];
  /** Questions with their keys, by content. */
  readonly contents: ReadonlyMap<string, readonly Question[]>;
  /** Streams with wiped storage. */
  readonly wipedStreams: ReadonlySet<string>;
  /**
   * Streams of begins on a device where a page of 1.0.0 took the attempt over: it stores its own row in place of the one
   * with the begin. What they wrote is held, if the server does not have the begin.
   */
  readonly overwrittenBegins: ReadonlySet<string>;
  /** Devices permanently out of use. */
  readonly lostDevices: ReadonlySet<string>;
  /** Ids generated by pages. */
  readonly made: ReadonlySet<string>;
  /** Of these, generated while the device had no space: an automatic finish among them is only in the page's memory. */
  readonly madeWhenFull: ReadonlySet<string>;
  /** Attempts with a deadline that a teacher moved, with every move. */
  readonly moved: ReadonlyMap<string, readonly Move[]>;
  /** Devices with a changed wall clock, with the moments by the server's clock. */
  readonly clockChanges: readonly { device: string; at: number; by: number }[];
  /** True moments at which the server's clock was set, and what it showed until then. */
  readonly schoolClockSteps: readonly ClockStep[];
  readonly restores: readonly number[];
  /** Operations to which the server always replies 500. */
  readonly poisoned: ReadonlySet<string>;
  /** Sign-ins on devices without space, which leave there encrypted what was written before. */
  readonly fullSignIns: readonly { readonly device: string; readonly at: number }[];
  /** Operations that a device set aside at any time, poisoned ones included. */
  readonly everSetAside: ReadonlySet<string>;
  /** Outcomes that devices had received when a backup was restored, by operation. */
  readonly verdictsAtRestore: ReadonlyMap<string, { outcome: string; device: string }>;
  /** Attempts that were deleted at any time. */
  readonly onceDeleted: ReadonlySet<string>;
  /** Operations still waiting on devices after all faults ended and enough passes ran. */
  readonly undrained: readonly string[];
  /** Distinct keys of requested starts, by user and test. */
  readonly startKeys: ReadonlyMap<string, number>;
  /** Events of the dishonest student. */
  readonly cheat: {
    readonly events: readonly CheatEvent[];
    readonly journal: readonly JournalRow[];
    readonly attempts: readonly AttemptFacts[];
  };
  /** Answers of classmates that reached the server together with a student's. */
  readonly crowd: {
    readonly answers: readonly CrowdAnswer[];
    readonly journal: readonly JournalRow[];
  };
}

/** Deterministic serialization. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

export const bodyOf = (answer: Answer | null): string => (answer ? canonical(answer) : '');
