import * as v from 'valibot';
import { Answer, SavedAnswers } from '#contract/answers.ts';
import { User } from '#contract/auth.ts';
import { Receipt } from '#contract/passing.ts';
import { StudentQuestion } from '#contract/questions.ts';

/**
 * Rows of the device's database. Every read row is parsed; one that fails goes to `broken`.
 * A field added later is `v.optional(schema, default)`: rows of older apps stay readable.
 */

/** The database of editors' working copies, separate from these rows. */
export const DRAFT_DATABASE = 'exam-room-drafts';

type Entries = v.ObjectEntries;

/** Preserves unknown fields, so that an older page never strips those of a newer worker. */
function row<const E extends Entries>(entries: E): v.ObjectSchema<E, undefined> {
  return v.looseObject(entries) as unknown as v.ObjectSchema<E, undefined>;
}

const Milliseconds = v.number();
const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Sequence = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Mirror of the session for the worker; one row, `key` is `current`. */
export const SessionRow = row({
  key: v.literal('current'),
  token: v.string(),
  /** `user.userId`. */
  owner: v.string(),
  user: User,
  /** ISO time. */
  expiresAt: v.string(),
});
export type SessionRow = v.InferOutput<typeof SessionRow>;

/** State of the outbox clock. All numbers are milliseconds; `wall` by the device's clock. */
export const ClockRow = row({
  key: v.literal('clock'),
  kind: v.literal('clock'),
  /** Incremented when the wall clock was found changed: ages across eras are unknown. */
  era: Count,
  /** Server time minus wall clock; null until the first reply. */
  offset: v.nullable(v.number()),
  /** Round trip of the reply that gave the offset, and the wall clock at it. */
  offsetRtt: v.number(),
  offsetAt: Milliseconds,
  /** Latest wall clock seen in this era. */
  lastWall: Milliseconds,
  /** Latest X-Server-Time seen. */
  seenServerTime: v.nullable(Milliseconds),
  /** Server time that has passed for certain: the last reply's, plus what monotonic clocks counted since. */
  leastServerTime: v.nullable(Milliseconds),
  /** How far the wall clock was seen to be set forward, unless it may have been set unseen since. */
  aheadMs: v.optional(Milliseconds),
});
export type ClockRow = v.InferOutput<typeof ClockRow>;

/** A start without a definite reply: the same key and stream are reused until there is one. */
export const StartRow = row({
  key: v.string(),
  kind: v.literal('start'),
  owner: v.string(),
  testId: v.string(),
  idempotencyKey: v.string(),
  stream: v.string(),
  takeOver: v.nullable(v.string()),
});
export type StartRow = v.InferOutput<typeof StartRow>;

export const DeviceRow = v.variant('kind', [
  ClockRow,
  StartRow,
  row({ key: v.literal('installation'), kind: v.literal('installation'), id: v.string() }),
  row({ key: v.literal('server'), kind: v.literal('server'), epoch: v.number() }),
]);
export type DeviceRow = v.InferOutput<typeof DeviceRow>;

/** One stream of an attempt of this installation. */
export const StreamRow = row({
  stream: v.string(),
  epoch: v.number(),
  nextSequence: Sequence,
  /** Sequences that the server misses and that can no longer be sent. */
  notHere: v.array(Sequence),
  /** Uploads that the server misses and that can no longer be sent. */
  filesNotHere: v.array(v.string()),
});
export type StreamRow = v.InferOutput<typeof StreamRow>;

/** What the server replied to a begin; the rest of it is parsed where it is sent (`src/outbox/begin.ts`). */
const BeginState = row({
  /** `held`: the teacher decides; `refused`: permanently, and the answers are sent all the same. */
  state: v.picklist(['waiting', 'accepted', 'held', 'refused']),
  /** Of `held`: its kind; of `refused`: the server's message. */
  reason: v.nullable(v.string()),
  /** Absent: the row is damaged. */
  stream: v.optional(v.string()),
  /** The server's epoch at its reply; absent: there was none. */
  serverEpoch: v.optional(v.nullable(v.number())),
  /** The deadline that the device had estimated, until the server's first reply; absent: there was none. */
  estimate: v.optional(v.number()),
});
export type BeginState = v.InferOutput<typeof BeginState>;

export const AttemptRow = row({
  attemptId: v.string(),
  owner: v.string(),
  testId: v.string(),
  title: v.string(),
  /** Of the questions; absent: that of the app. */
  language: v.optional(v.string()),
  attemptNumber: v.number(),
  attemptsCount: v.number(),
  totalQuestions: v.number(),
  /** The stream this device writes to; also the last of `streams`. */
  stream: v.string(),
  streams: v.array(StreamRow),
  /** Server time, milliseconds. */
  startedAt: Milliseconds,
  deadline: Milliseconds,
  countsUntil: Milliseconds,
  /** `finishing`: a finish waits on the device; `finished`: its receipt came. */
  state: v.picklist(['running', 'finishing', 'finished']),
  finishedAt: v.nullable(Milliseconds),
  takenOver: v.boolean(),
  /** The server replied that the attempt was deleted (410). */
  gone: v.boolean(),
  /** Question ids marked for review. */
  marks: v.array(v.string()),
  lastQuestionId: v.nullable(v.string()),
  /** Absent: the server began it. */
  begin: v.optional(BeginState),
});
export type AttemptRow = v.InferOutput<typeof AttemptRow>;

/** Questions and saved answers of an attempt: large and rarely written, so separate from the counters. */
export const ContentRow = row({
  attemptId: v.string(),
  questions: v.array(StudentQuestion),
  /** Last known answers of the server; null: never fetched. */
  saved: v.nullable(SavedAnswers),
});
export type ContentRow = v.InferOutput<typeof ContentRow>;

const OperationState = v.picklist([
  'waiting',
  'acknowledged',
  /** Never sent: a newer answer to the same question replaces it. */
  'folded',
  /** Permanently refused by the server. */
  'setAside',
  /** A finish sent before a moved deadline. */
  'dropped',
]);

/** One answer or the finish. Its content never changes, only its delivery state. */
export const OperationRow = row({
  operationId: v.string(),
  owner: v.string(),
  attemptId: v.string(),
  stream: v.string(),
  epoch: v.number(),
  sequence: Sequence,
  /** Sequences abandoned after SEQUENCE_TAKEN. */
  formerSequences: v.array(Sequence),
  kind: v.picklist(['answer', 'finish']),
  questionId: v.nullable(v.string()),
  answer: v.nullable(Answer),
  fileId: v.nullable(v.string()),
  finishReason: v.nullable(v.picklist(['student', 'deadline'])),
  /** Era and wall clock of the write, from which the age is computed. */
  writtenEra: Count,
  writtenWall: Milliseconds,
  /** The same moment in server time, for display; null while no offset was known. */
  writtenServer: v.nullable(Milliseconds),
  /** ISO time of the latest server time seen when it was written. */
  seenServerTime: v.nullable(v.string()),
  state: OperationState,
  /** Sending has begun at least once: from then on it is never folded. */
  sent: v.boolean(),
  /** Failures while other calls succeeded. */
  failures: Count,
  /** Failed too often: retried every two minutes and does not block the finish. */
  poisoned: v.boolean(),
  foldedInto: v.nullable(v.string()),
  refusal: v.nullable(row({ status: v.number(), code: v.string(), message: v.string() })),
  /** The last receipt; a waiting operation that has one is resent with it. */
  receipt: v.nullable(Receipt),
  /** Server time of the receipt. */
  acknowledgedAt: v.nullable(Milliseconds),
  /** X-Server-Epoch under which it was acknowledged. */
  serverEpoch: v.nullable(v.number()),
});
export type OperationRow = v.InferOutput<typeof OperationRow>;

export const FileRow = row({
  fileId: v.string(),
  owner: v.string(),
  attemptId: v.string(),
  stream: v.string(),
  questionId: v.string(),
  operationId: v.string(),
  name: v.string(),
  size: Count,
  mimeType: v.string(),
  sha256: v.string(),
  /** `unchecked`: the upload state is uncertain and is read from the server first. */
  state: v.picklist(['unchecked', 'uploading', 'complete', 'setAside']),
  /** Bytes that the server has, as far as known. */
  received: Count,
  /** The server requested it again: it is sent whatever the state of its answer. */
  wanted: v.boolean(),
  /** Number of checksum mismatches. */
  mismatches: Count,
  refusal: v.nullable(row({ status: v.number(), code: v.string(), message: v.string() })),
});
export type FileRow = v.InferOutput<typeof FileRow>;

/** An ArrayBuffer of any realm. */
export const Bytes = v.custom<ArrayBuffer>(
  (value) => Object.prototype.toString.call(value) === '[object ArrayBuffer]',
);

/** Bytes of a file in parts of at most 1 MiB; ArrayBuffer, because WebKit loses Blobs. */
export const FileBytesRow = row({
  fileId: v.string(),
  part: Count,
  bytes: Bytes,
});
export type FileBytesRow = v.InferOutput<typeof FileBytesRow>;

/** Fallback for Web Locks. */
export const LeaseRow = row({
  name: v.string(),
  holder: v.string(),
  /** Wall clock of the device. */
  expiresAt: Milliseconds,
});
export type LeaseRow = v.InferOutput<typeof LeaseRow>;

/** A row that failed validation, with its original content. */
export const BrokenRow = row({
  id: v.string(),
  store: v.string(),
  original: v.unknown(),
  issue: v.string(),
});
export type BrokenRow = v.InferOutput<typeof BrokenRow>;

/**
 * Encrypted rows of users who are not signed in. They are in a separate store, which neither the
 * sender nor a screen reads; only the fields below are plaintext.
 */
export const EncryptedRow = row({
  id: v.string(),
  owner: v.string(),
  /** An attempt with all its rows but bytes; one part of a file; a row that could not be read. */
  kind: v.picklist(['attempt', 'bytes', 'broken']),
  /** Of an attempt: the files that it names. */
  fileIds: v.array(v.string()),
  /** Of bytes: their file, and which part of it. */
  fileId: v.nullable(v.string()),
  part: Count,
  /** Whether it contains unsent operations. */
  waits: v.boolean(),
  /** Server time from which it may be deleted; null: not before its owner signs in. */
  outlivedAt: v.nullable(Milliseconds),
  iv: Bytes,
  cipher: Bytes,
});
export type EncryptedRow = v.InferOutput<typeof EncryptedRow>;

/** The key of a user's rows, while they are plaintext. Not extractable. */
export const DeviceKeyRow = row({
  owner: v.string(),
  key: v.custom<CryptoKey>(
    (value) => Object.prototype.toString.call(value) === '[object CryptoKey]',
  ),
  /** Changes with each sign-in: work under an earlier one stops. */
  signIn: v.string(),
});
export type DeviceKeyRow = v.InferOutput<typeof DeviceKeyRow>;

export interface StoredRows {
  session: SessionRow;
  device: DeviceRow;
  attempts: AttemptRow;
  contents: ContentRow;
  operations: OperationRow;
  files: FileRow;
  fileBytes: FileBytesRow;
  leases: LeaseRow;
  broken: BrokenRow;
  encrypted: EncryptedRow;
  deviceKeys: DeviceKeyRow;
}
export type StoreName = keyof StoredRows;

type Path = string | readonly string[];
interface StoreDefinition {
  readonly schema: v.GenericSchema;
  readonly keyPath: Path;
  readonly indexes: Readonly<Record<string, Path>>;
}

/** Stores, keys and indexes. Both implementations are built from it. */
export const STORES = {
  session: { schema: SessionRow, keyPath: 'key', indexes: {} },
  device: { schema: DeviceRow, keyPath: 'key', indexes: {} },
  attempts: { schema: AttemptRow, keyPath: 'attemptId', indexes: { owner: 'owner' } },
  contents: { schema: ContentRow, keyPath: 'attemptId', indexes: {} },
  operations: {
    schema: OperationRow,
    keyPath: 'operationId',
    indexes: {
      attempt: 'attemptId',
      ownerState: ['owner', 'state'],
      state: 'state',
      foldedInto: 'foldedInto',
    },
  },
  files: { schema: FileRow, keyPath: 'fileId', indexes: { attempt: 'attemptId', owner: 'owner' } },
  fileBytes: { schema: FileBytesRow, keyPath: ['fileId', 'part'], indexes: { file: 'fileId' } },
  leases: { schema: LeaseRow, keyPath: 'name', indexes: {} },
  broken: { schema: BrokenRow, keyPath: 'id', indexes: {} },
  encrypted: {
    schema: EncryptedRow,
    keyPath: 'id',
    indexes: { kind: 'kind', ownerKind: ['owner', 'kind'], file: 'fileId' },
  },
  deviceKeys: { schema: DeviceKeyRow, keyPath: 'owner', indexes: {} },
} as const satisfies Record<StoreName, StoreDefinition>;

export type IndexName<S extends StoreName> = keyof (typeof STORES)[S]['indexes'] & string;
export type Key = string | readonly (string | number)[];

/** The key of a row, as its store defines it. */
export function keyOf(store: StoreName, value: object): Key {
  const path: Path = STORES[store].keyPath;
  const fields = value as Record<string, string | number>;
  if (typeof path === 'string') return fields[path] as string;
  return path.map((name) => fields[name] as string | number);
}
