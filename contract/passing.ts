import * as v from 'valibot';
import { Answer, SavedAnswers } from './answers.ts';
import { AttemptHeaders, FinishHeaders, OperationHeaders, StartHeaders } from './headers.ts';
import { FILE_BYTES, FILE_NAME_CHARACTERS } from './limits.ts';
import { Duration, Id, IsoTime, NonNegativeInteger } from './primitives.ts';
import { StudentQuestion } from './questions.ts';
import { route } from './route.ts';

/** The passing session: attempt, its stream, and its questions, so that time never runs without content. */
export const Started = v.object({
  userTestId: Id,
  testId: Id,
  title: v.string(),
  /** Of the questions. */
  language: v.optional(v.string()),
  attemptNumber: v.number(),
  attemptsCount: v.number(),
  stream: Id,
  epoch: v.number(),
  leftTestTime: Duration,
  startedAt: IsoTime,
  deadline: IsoTime,
  /** Answers written in time count when they arrive by then. */
  countsUntil: IsoTime,
  serverTime: IsoTime,
  /** Until when the sign-in is valid: a start extends it beyond the deadline. */
  expiresAt: IsoTime,
  totalQuestions: v.number(),
  questions: v.array(StudentQuestion),
  /** A `BeginHold` (`contract/offers.ts`), or a kind of a newer server; absent: the begin counts. */
  beginHold: v.optional(v.string()),
});
export type Started = v.InferOutput<typeof Started>;

/** Proof that the server has an operation. Anything of another shape is no receipt. */
export const Receipt = v.object({
  operationId: Id,
  stream: Id,
  epoch: v.number(),
  sequence: v.nullable(v.number()),
  outcome: v.picklist(['stored', 'superseded', 'held']),
  receivedLate: v.boolean(),
  /** As the device reported; null when its age is unknown. */
  writtenAt: v.nullable(IsoTime),
  receivedAt: IsoTime,
  /** Opaque; still genuine after a restore of the server. */
  seal: v.pipe(v.string(), v.minLength(1)),
});
export type Receipt = v.InferOutput<typeof Receipt>;
export type Outcome = Receipt['outcome'];

const byAttempt = v.object({ id: Id });

export const startAttempt = route({
  name: 'startAttempt',
  summary: 'Start a test, go on with its running attempt, or take it over. `id` is the test.',
  method: 'POST',
  path: '/api/TestPassing/{id}/start',
  access: 'signedIn',
  ownership: 'testReader',
  params: v.object({ id: Id }),
  headers: StartHeaders,
  bodyType: 'none',
  reply: Started,
  errors: [
    'NOT_FOUND',
    'RUNNING_ELSEWHERE',
    'TOO_MANY_TAKE_OVERS',
    'NO_ATTEMPTS_LEFT',
    'NOT_OPEN_YET',
    'TEST_CLOSED',
    'TEST_EMPTY',
    'ATTEMPT_NOT_RUNNING',
    'OPERATION_REUSED',
    'UNKNOWN_OFFER',
    'BEGIN_HELD',
  ],
});

export const saveAnswer = route({
  name: 'saveAnswer',
  summary: 'One answer to one question of an attempt',
  method: 'POST',
  path: '/api/TestPassing/{id}/answer',
  access: 'signedIn',
  ownership: 'attemptOwner',
  params: byAttempt,
  headers: OperationHeaders,
  body: Answer,
  reply: Receipt,
  errors: [
    'NOT_FOUND',
    'GONE',
    'SEQUENCE_TAKEN',
    'OPERATION_REUSED',
    'INVALID_ANSWER',
    'UNKNOWN_QUESTION',
    'TOO_MANY_ANSWERS',
  ],
});

export const finishAttempt = route({
  name: 'finishAttempt',
  summary: 'Finish an attempt; the barrier of its stream',
  method: 'POST',
  path: '/api/TestPassing/{id}/finish',
  access: 'signedIn',
  ownership: 'attemptOwner',
  params: byAttempt,
  headers: FinishHeaders,
  bodyType: 'none',
  reply: Receipt,
  errors: [
    'NOT_FOUND',
    'GONE',
    'INCOMPLETE',
    'DEADLINE_MOVED',
    'SEQUENCE_TAKEN',
    'OPERATION_REUSED',
    'TOO_MANY_ANSWERS',
  ],
});

export const getSavedAnswers = route({
  name: 'getSavedAnswers',
  summary: 'Answers of an attempt that count',
  method: 'GET',
  path: '/api/TestPassing/{id}/answers',
  access: 'signedIn',
  ownership: 'attemptReader',
  params: byAttempt,
  headers: AttemptHeaders,
  reply: SavedAnswers,
  errors: ['NOT_FOUND', 'GONE'],
});

/** How much of an upload the server has. */
export const UploadState = v.object({
  fileId: Id,
  received: v.number(),
  size: v.number(),
  complete: v.boolean(),
});
export type UploadState = v.InferOutput<typeof UploadState>;

const byFile = v.object({ id: Id, fileId: Id });

export const uploadChunk = route({
  name: 'uploadChunk',
  summary: 'Bytes of a file answer from `offset`; the file is complete when its checksum agrees',
  method: 'PUT',
  path: '/api/TestPassing/{id}/files/{fileId}',
  access: 'signedIn',
  ownership: 'attemptOwner',
  params: byFile,
  query: v.object({
    offset: NonNegativeInteger,
    size: v.pipe(NonNegativeInteger, v.maxValue(FILE_BYTES, 'Файл больше 10 МБ')),
    sha256: v.pipe(v.string(), v.maxLength(64), v.regex(/^[0-9a-f]{64}$/)),
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(FILE_NAME_CHARACTERS)),
    mimeType: v.pipe(v.string(), v.maxLength(200)),
    questionId: Id,
  }),
  headers: AttemptHeaders,
  bodyType: 'bytes',
  reply: UploadState,
  errors: [
    'NOT_FOUND',
    'GONE',
    'CHUNK_OUT_OF_PLACE',
    'CHECKSUM_MISMATCH',
    'FILE_REFUSED',
    'TOO_MANY_FILES',
    'STORAGE_FULL',
  ],
});

export const getUpload = route({
  name: 'getUpload',
  summary: 'How much of a file answer has arrived',
  method: 'GET',
  path: '/api/TestPassing/{id}/files/{fileId}',
  access: 'signedIn',
  ownership: 'attemptOwner',
  params: byFile,
  headers: AttemptHeaders,
  reply: UploadState,
  errors: ['NOT_FOUND', 'GONE'],
});
