import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { FinishHeaders, OperationHeaders, StartHeaders } from './headers.ts';
import { FILE_BYTES, HANDOVER_FORMAT, RECEIPTS_FORMAT } from './limits.ts';
import { Receipt, uploadChunk } from './passing.ts';
import { Id, IsoTime } from './primitives.ts';
import { route } from './route.ts';

/**
 * Calls that a device could not make, brought to the server in another way (`docs/adr/0017-handover.md`). A part is
 * encrypted by the device key of its owner, so only that person's device can have made it.
 */

/** Calls of one part; a device that wrote more makes several parts. */
export const HANDOVER_CALLS = 500;
/** The calls of a part as JSON. */
export const HANDOVER_JSON_BYTES = 1024 * 1024;
/** A part as it travels: one file, its call, and what encryption adds. */
export const HANDOVER_PART_BYTES = FILE_BYTES + 64 * 1024;

const { offset: _, ...fileEntries } = uploadChunk.query.entries;

/** A call as the device would have made it. */
export const HandoverCall = v.variant('call', [
  v.object({ call: v.literal('begin'), testId: Id, headers: StartHeaders }),
  v.object({
    call: v.literal('answer'),
    attemptId: Id,
    headers: OperationHeaders,
    body: v.unknown(),
  }),
  v.object({ call: v.literal('finish'), attemptId: Id, headers: FinishHeaders }),
  /** A whole file, whose bytes follow the calls of its part. */
  v.object({ call: v.literal('upload'), attemptId: Id, fileId: Id, ...fileEntries }),
]);
export type HandoverCall = v.InferOutput<typeof HandoverCall>;

/** The JSON of a part. Its calls are parsed one by one, so that one of a newer app spoils no other. */
export const HandoverCalls = v.object({
  /** The device's estimate of the server's time, to which the ages of the calls refer; null: unknown. */
  madeAt: v.nullable(IsoTime),
  calls: boundedList(v.unknown(), HANDOVER_CALLS),
});

/** What the device learns, encrypted by the same key: it settles its begins and operations as by direct replies. */
export const HandoverReceipts = v.object({
  serverEpoch: v.number(),
  begins: v.array(
    v.object({
      attemptId: Id,
      stream: Id,
      startedAt: IsoTime,
      deadline: IsoTime,
      countsUntil: IsoTime,
      /** Why the begin waits for the teacher; null: it counts. */
      hold: v.nullable(v.string()),
    }),
  ),
  receipts: v.array(Receipt),
});
export type HandoverReceipts = v.InferOutput<typeof HandoverReceipts>;

/** The file that «Передать ответы» makes. */
export const HandoverFile = v.object({
  format: v.literal(HANDOVER_FORMAT),
  version: v.literal(1),
  owner: Id,
  /** Base64, in the order in which they are brought in. */
  parts: v.pipe(v.array(v.string()), v.minLength(1)),
});
export type HandoverFile = v.InferOutput<typeof HandoverFile>;

/** Far more than the receipts of a handover, so that any other file is refused before it is read. */
export const RECEIPTS_FILE_BYTES = 4 * 1024 * 1024;

/** The file that «Сохранить подтверждение» makes: what the camera brings for each part of a handover. */
export const ReceiptsFile = v.object({
  format: v.literal(RECEIPTS_FORMAT),
  version: v.literal(1),
  /** `HandoverReceipts`, encrypted for the device; base64. */
  receipts: v.pipe(boundedList(v.string(), 1_000), v.minLength(1)),
});
export type ReceiptsFile = v.InferOutput<typeof ReceiptsFile>;

/**
 * Makes the calls of a part for its owner, by the rules of the direct calls. A repeat, or the device that sends later,
 * gets the same receipts.
 */
export const bringHandover = route({
  name: 'bringHandover',
  summary: 'Bring in what a device could not send; its encryption proves whose it is',
  method: 'POST',
  path: '/api/handover/{owner}',
  access: 'teacher',
  ownership: 'none',
  params: v.object({ owner: Id }),
  bodyType: 'bytes',
  bodyBytes: HANDOVER_PART_BYTES,
  reply: v.object({
    userName: v.string(),
    /** Begins that count, and those that wait for the teacher; absent: none. */
    begins: v.number(),
    heldBegins: v.optional(v.number(), 0),
    /** Answers that count or are superseded, and those that wait for the teacher. */
    answers: v.number(),
    held: v.number(),
    /** Finishes that count or are superseded, and those whose begin waits for the teacher; absent: none. */
    finishes: v.number(),
    heldFinishes: v.optional(v.number(), 0),
    /** Answers and finishes that are stored without an attempt, which the server does not know; absent: none. */
    stray: v.optional(v.number(), 0),
    strayFinishes: v.optional(v.number(), 0),
    files: v.number(),
    /** Why calls were not accepted, in Russian, each reason once. */
    problems: v.array(v.string()),
    /** Calls that the server could not make now; a repeat of the part makes them. */
    unmade: v.number(),
    /** `HandoverReceipts`, encrypted for the device; base64. */
    receipts: v.string(),
  }),
  errors: ['HANDOVER_UNREADABLE', 'HANDOVER_BLOCKED'],
});
