import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { Duration, Id, IsoTime, listOf } from './primitives.ts';
import { route } from './route.ts';
import { byTestId } from './tests.ts';

const Base64Url = v.pipe(v.string(), v.regex(/^[\w-]+$/));

/**
 * A student's own next attempt, prepared and encrypted by the server, which begins without a network
 * (`docs/adr/0015-offer-and-start-code.md`).
 */
export const Offer = v.object({
  /** Becomes the id of the attempt. */
  offerId: Id,
  testId: Id,
  title: v.string(),
  /** Of the questions. */
  language: v.optional(v.string()),
  attemptNumber: v.number(),
  attemptsCount: v.number(),
  totalQuestions: v.number(),
  /** With the student's extra time. */
  duration: Duration,
  /** The student's own dates. */
  opensAt: v.nullable(IsoTime),
  endsAt: v.nullable(IsoTime),
  lateWindow: Duration,
  /** How late answers count after an offline begin; null: until the end of the school's day. */
  offlineWindow: v.nullable(Duration),
  madeAt: IsoTime,
  /** How the key of the start code is derived by Argon2id. */
  code: v.object({ salt: Base64Url, memoryKib: v.number(), passes: v.number() }),
  wrappedKey: Base64Url,
  content: Base64Url,
  /** Pictures and recordings of the questions, each fetched with `getOfferFile`; the size before encryption. */
  files: v.array(v.object({ key: Id, bytes: v.number() })),
});
export type Offer = v.InferOutput<typeof Offer>;

export const makeOffer = route({
  name: 'makeOffer',
  summary: 'The caller’s prepared and encrypted next attempt; the same until something changes',
  method: 'POST',
  path: '/api/TestPassing/{id}/offer',
  access: 'signedIn',
  ownership: 'testReader',
  params: byTestId,
  bodyType: 'none',
  reply: Offer,
  errors: [
    'NOT_FOUND',
    'FORBIDDEN',
    'OFFLINE_START_OFF',
    'ATTEMPT_RUNNING',
    'NO_ATTEMPTS_LEFT',
    'TEST_CLOSED',
    'TEST_EMPTY',
  ],
});

export const getOfferFile = route({
  name: 'getOfferFile',
  summary: 'A picture or recording of an offer’s questions, encrypted like the offer',
  method: 'GET',
  path: '/api/TestPassing/{id}/offers/{offerId}/files/{key}',
  access: 'signedIn',
  ownership: 'offerOwner',
  params: v.object({ id: Id, offerId: Id, key: Id }),
  replyType: 'bytes',
  reply: v.object({}),
  errors: ['NOT_FOUND'],
});

/** A start code of a test, for those who may grade it. */
export const StartCode = v.object({
  /** Null until it was shown. */
  code: v.nullable(v.string()),
  /** Not shown before; null: at any time. */
  showFrom: v.nullable(IsoTime),
  /** When it was shown first. */
  shownAt: v.nullable(IsoTime),
  madeAt: IsoTime,
  /** Students with a current offer. */
  offers: v.number(),
  /** Attempts that began with this code. */
  begun: v.number(),
});
export type StartCode = v.InferOutput<typeof StartCode>;

const graded = { access: 'teacher', ownership: 'testGrader' } as const;
const ofTest = { ...graded, params: byTestId } as const;
/** Without a class: the code of everybody whose class has no own one. */
const ofCode = { ...ofTest, query: v.object({ groupId: v.optional(Id) }) } as const;

export const getStartCode = route({
  name: 'getStartCode',
  summary: 'State of the start code; the code itself only after it was shown',
  method: 'GET',
  path: '/api/Test/{id}/start-code',
  ...ofCode,
  reply: StartCode,
  errors: ['NOT_FOUND', 'OFFLINE_START_OFF'],
});

export const changeStartCode = route({
  name: 'changeStartCode',
  summary: 'Set when the start code may be shown first',
  method: 'PUT',
  path: '/api/Test/{id}/start-code',
  ...ofCode,
  body: v.strictObject({ showFrom: v.nullable(IsoTime) }),
  reply: StartCode,
  errors: ['NOT_FOUND', 'OFFLINE_START_OFF'],
});

export const revealStartCode = route({
  name: 'revealStartCode',
  summary: 'Show the start code; the first time is recorded, and begins count from then on',
  method: 'POST',
  path: '/api/Test/{id}/start-code/show',
  ...ofCode,
  bodyType: 'none',
  reply: StartCode,
  errors: ['NOT_FOUND', 'OFFLINE_START_OFF', 'CODE_NOT_YET'],
});

export const renewStartCode = route({
  name: 'renewStartCode',
  summary: 'Make a new start code, which replaces its offers; refused once an attempt has used it',
  method: 'POST',
  path: '/api/Test/{id}/start-code/renew',
  ...ofCode,
  bodyType: 'none',
  reply: StartCode,
  errors: ['NOT_FOUND', 'OFFLINE_START_OFF', 'CODE_IN_USE'],
});

/** A class that a test is assigned to. */
export const CodeClass = v.object({
  groupId: Id,
  name: v.string(),
  /** Name of the class's teacher. */
  owner: v.string(),
  /** Whether it has a start code of its own. */
  hasCode: v.boolean(),
});
export type CodeClass = v.InferOutput<typeof CodeClass>;

export const listCodeClasses = route({
  name: 'listCodeClasses',
  summary: 'Classes of a test, each with or without a start code of its own',
  method: 'GET',
  path: '/api/Test/{id}/start-code/classes',
  ...ofTest,
  reply: listOf(CodeClass),
  errors: ['NOT_FOUND', 'OFFLINE_START_OFF'],
});

const ofClass = { ...graded, params: v.object({ id: Id, groupId: Id }) } as const;

export const makeClassCode = route({
  name: 'makeClassCode',
  summary:
    'Make a start code of a class, which replaces the offers of its students; a repeat changes nothing',
  method: 'PUT',
  path: '/api/Test/{id}/start-code/classes/{groupId}',
  ...ofClass,
  bodyType: 'none',
  reply: StartCode,
  errors: ['NOT_FOUND', 'OFFLINE_START_OFF'],
});

export const removeClassCode = route({
  name: 'removeClassCode',
  summary:
    'Remove the start code of a class, and its offers with it; refused once an attempt has used it',
  method: 'DELETE',
  path: '/api/Test/{id}/start-code/classes/{groupId}',
  ...ofClass,
  reply: v.object({}),
  errors: ['NOT_FOUND', 'OFFLINE_START_OFF', 'CODE_IN_USE'],
});

/** Why the begin of an offer waits for the teacher. */
export const BeginHold = v.picklist([
  'proof',
  'replacedOffer',
  'unknownTime',
  'beforeOffer',
  'beforeCode',
  'beforeOpening',
  'afterEnd',
  'testClosed',
  'noAttemptsLeft',
  'otherAttempt',
  'secondDevice',
]);
export type BeginHold = v.InferOutput<typeof BeginHold>;

/** A begin that waits for the teacher or was decided. */
export const HeldBegin = v.object({
  attemptId: Id,
  stream: Id,
  attemptNumber: v.number(),
  userId: Id,
  userName: v.string(),
  groups: v.array(v.string()),
  hold: BeginHold,
  /** Not the one that made the attempt: refused alone, it leaves the attempt of the first device as it is. */
  isOtherDevice: v.boolean(),
  /** As the evidence says; the deadline is counted from it. */
  begunAt: IsoTime,
  deadline: IsoTime,
  receivedAt: IsoTime,
  /** Newest server time that the device had seen before; null: none. */
  seenServerAt: v.nullable(IsoTime),
  /** The device does not know when it began: its clock was set, or it was restarted. */
  isAgeUnknown: v.boolean(),
  /** Answers that wait with it. */
  heldAnswers: v.number(),
  decision: v.nullable(v.picklist(['accept', 'refuse'])),
  /** Whether a decision would be about it: beside a begin that counts, only about those that wait, if any do. */
  isInQuestion: v.boolean(),
});
export type HeldBegin = v.InferOutput<typeof HeldBegin>;

export const listHolds = route({
  name: 'listHolds',
  summary: 'Begins without a network that wait for a decision, undecided ones first',
  method: 'GET',
  path: '/api/Test/{id}/begin-holds',
  ...ofTest,
  query: v.object({ groupId: v.optional(Id) }),
  reply: listOf(HeldBegin),
  errors: ['NOT_FOUND'],
});

export const decideHolds = route({
  name: 'decideHolds',
  summary: 'Accept or refuse held begins, a class at once',
  method: 'POST',
  path: '/api/Test/{id}/begin-holds',
  ...ofTest,
  body: v.strictObject({
    attemptIds: v.pipe(boundedList(Id, 2_000), v.minLength(1)),
    decision: v.picklist(['accept', 'refuse']),
    /** All listed begins of these attempts: if others are there by now, nothing is decided. Absent: unknown. */
    shown: v.optional(
      boundedList(v.strictObject({ stream: Id, decision: HeldBegin.entries.decision }), 2_500),
    ),
  }),
  reply: v.object({ decided: v.number() }),
  errors: ['NOT_FOUND', 'STALE_VERSION'],
});
