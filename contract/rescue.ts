import * as v from 'valibot';
import { boundedList } from './bounded-list.ts';
import { Answer } from './answers.ts';
import { FILE_BYTES, FILE_NAME_CHARACTERS, RESCUE_FORMAT, TEST_BODY_BYTES } from './limits.ts';
import { Id, IsoTime, NonNegativeInteger, PositiveInteger, StreamEpoch } from './primitives.ts';
import { route } from './route.ts';

/** Answers per call; a device that wrote more needs several. */
export const RESCUED_AT_ONCE = 500;

/** An answer as its device wrote it; a finish in the same file is ignored. */
export const RescuedAnswer = v.object({
  operationId: Id,
  stream: Id,
  epoch: StreamEpoch,
  sequence: v.nullable(PositiveInteger),
  answer: Answer,
  /** The device's estimate of the server's time; null: unknown. */
  writtenAt: v.nullable(IsoTime),
  seenServerTime: v.nullable(IsoTime),
});
export type RescuedAnswer = v.InferOutput<typeof RescuedAnswer>;

export const RescuedFile = v.object({
  fileId: Id,
  questionId: Id,
  name: v.pipe(v.string(), v.maxLength(FILE_NAME_CHARACTERS)),
  size: v.pipe(NonNegativeInteger, v.maxValue(FILE_BYTES)),
  mimeType: v.pipe(v.string(), v.maxLength(200)),
  sha256: v.pipe(v.string(), v.maxLength(64), v.regex(/^[0-9a-f]{64}$/)),
  /** Null: the device has lost the bytes. */
  base64: v.nullable(v.string()),
});

/** The file that «Сохранить ответы в файл» creates. */
export const RescueFile = v.object({
  format: v.literal(RESCUE_FORMAT),
  version: v.literal(1),
  owner: Id,
  attempts: v.array(
    v.object({
      attemptId: Id,
      testId: Id,
      title: v.string(),
      operations: v.array(v.union([RescuedAnswer, v.object({ kind: v.literal('finish') })])),
      files: v.array(RescuedFile),
    }),
  ),
});
export type RescueFile = v.InferOutput<typeof RescueFile>;

const ofTest = { access: 'teacher', ownership: 'testGrader' } as const;

/**
 * Journals answers from a device's file as held: the teacher decides about them as about late ones. Known answers do
 * not change, so a repeat, or a later delivery by the device, changes nothing.
 */
export const bringAnswers = route({
  name: 'bringAnswers',
  summary: 'Bring in answers that a device saved to a file; they wait for the teacher’s decision',
  method: 'POST',
  path: '/api/Test/{id}/rescued/{attemptId}',
  ...ofTest,
  params: v.object({ id: Id, attemptId: Id }),
  bodyBytes: TEST_BODY_BYTES,
  body: v.strictObject({
    owner: Id,
    answers: v.pipe(boundedList(RescuedAnswer, RESCUED_AT_ONCE), v.minLength(1)),
  }),
  reply: v.object({
    userName: v.string(),
    /** `known`: the server had it; `wrong`: it matches no question of the attempt. */
    results: v.array(
      v.object({ operationId: Id, outcome: v.picklist(['held', 'known', 'wrong']) }),
    ),
  }),
  errors: ['NOT_FOUND'],
});

/** Bytes of a file that such answers name. */
export const bringFile = route({
  name: 'bringFile',
  summary: 'Bring in a handed-in file from a device’s file of answers',
  method: 'POST',
  path: '/api/Test/{id}/rescued/{attemptId}/files/{fileId}',
  ...ofTest,
  params: v.object({ id: Id, attemptId: Id, fileId: Id }),
  query: v.object({
    owner: Id,
    questionId: Id,
    name: RescuedFile.entries.name,
    mimeType: RescuedFile.entries.mimeType,
    sha256: RescuedFile.entries.sha256,
  }),
  bodyType: 'bytes',
  bodyBytes: FILE_BYTES,
  reply: v.object({ complete: v.boolean() }),
  errors: ['NOT_FOUND', 'FILE_REFUSED', 'TOO_MANY_FILES', 'CHECKSUM_MISMATCH', 'STORAGE_FULL'],
});
